package fees_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"raseed/store/fees"
)

var (
	inr = fees.Currency{Code: "INR", Decimals: 2, Locale: "en-IN"}
	usd = fees.Currency{Code: "USD", Decimals: 2, Locale: "en-US"}
	kwd = fees.Currency{Code: "KWD", Decimals: 3, Locale: "en-KW"}
	jpy = fees.Currency{Code: "JPY", Decimals: 0, Locale: "ja-JP"}
)

// currencies are one of each kind: every number of decimals, both groupings,
// locales with and without a region.
var currencies = []fees.Currency{
	inr, usd, kwd, jpy,
	{Code: "INR", Decimals: 2, Locale: ""},
	{Code: "INR", Decimals: 2, Locale: "hi"},
	{Code: "INR", Decimals: 2, Locale: "en-US"},
	{Code: "NPR", Decimals: 2, Locale: "ne-NP"},
	{Code: "BDT", Decimals: 2, Locale: "bn-BD"},
	{Code: "PKR", Decimals: 2, Locale: "en-PK"},
	{Code: "LKR", Decimals: 2, Locale: "si-LK"},
	{Code: "EUR", Decimals: 2, Locale: "de-DE"},
	{Code: "XTS", Decimals: 1, Locale: "en"},
	{Code: "CLF", Decimals: 4, Locale: "es-CL"},
}

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		money fees.Currency
		in    string
		want  fees.Amount
	}{
		{inr, "0", 0},
		{inr, "0.00", 0},
		{inr, "1", 100},
		{inr, "4500", 4500_00},
		{inr, "0.5", 50},
		{inr, "0.05", 5},
		{inr, "1.5", 150},
		{inr, "007", 700},
		{inr, "1,234", 1234_00},
		{inr, "12,345.6", 12345_60},
		{inr, "1,25,000.02", 125000_02},
		{inr, "12,34,567.50", 1234567_50},
		{inr, "99,99,99,999.99", fees.MaxAmount},
		{inr, "999999999.99", fees.MaxAmount},
		{inr, "  4500\t\n", 4500_00},
		{inr, "\u00a0\u30004500\u2009", 4500_00},
		{usd, "1,234,567.50", 1234567_50},
		{usd, "125,000.02", 125000_02},
		{kwd, "1,234.567", 1234567},
		{kwd, "0.001", 1},
		{jpy, "12,345", 12345},
		{jpy, "99,999,999,999", fees.MaxAmount},
	} {
		got, err := tc.money.Parse(tc.in)
		if err != nil || got != tc.want {
			t.Errorf("%s %q: got %d (%v), want %d", tc.money.Code, tc.in, got, err, tc.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range []struct {
		money  fees.Currency
		in     string
		reason string // part of what the cashier reads
	}{
		{inr, "", "Enter an amount"},
		{inr, " \u00a0 ", "Enter an amount"},
		{inr, "1.384,83", "one dot before the decimals, like 12,34,567.50"},
		{inr, "1.384.83", "one dot"},
		{inr, "1e3", "in full digits"},
		{inr, "1E3", "in full digits"},
		{inr, "-5", "cannot be negative"},
		{inr, "−5", "cannot be negative"},
		{inr, "(500)", "cannot be negative"},
		{inr, "5-", "cannot be negative"},
		{inr, "+5", "plus sign"},
		{inr, "12,34", "commas are not where they belong"},
		{inr, "1,234,567", "commas are not where they belong: write it like 12,34,567.50"},
		{usd, "12,34,567", "commas are not where they belong: write it like 1,234,567.50"},
		{inr, ",123", "commas"},
		{inr, "123,", "commas"},
		{inr, "1,,234", "commas"},
		{inr, "0,123", "commas"},
		{inr, "1234,567", "commas"},
		{inr, "12345,678", "commas"},
		{inr, "123,45,678", "commas"},
		{inr, ",12,345", "commas"},
		{inr, "100.001", "At most 2 digits"},
		{inr, "9.999", "At most 2 digits"},
		{kwd, "0.0001", "At most 3 digits"},
		{jpy, "100.0", "JPY has no decimals"},
		{jpy, "100.", "JPY has no decimals"},
		{jpy, ".5", "JPY has no decimals"},
		{inr, "999999999999999", "largest amount is 99,99,99,999.99"},
		{inr, "1000000000", "largest amount"},
		{inr, "100,00,00,000.00", "commas"},
		{inr, strings.Repeat("9", 400), "largest amount"},
		{inr, "18446744073709551617", "largest amount"}, // 2^64 + 1
		{usd, "999,999,999,999", "largest amount is 999,999,999.99"},
		{inr, ".5", "digit before the dot"},
		{inr, ".", "digit before the dot"},
		{inr, "5.", "digits after the dot"},
		{inr, "５００", "digits 0 to 9"},
		{inr, "५००", "digits 0 to 9"},
		{inr, "٥٠٠", "digits 0 to 9"},
		{inr, "4 500", "without spaces"},
		{inr, "4\u00a0500", "without spaces"},
		{inr, "₹500", `without "₹"`},
		{inr, "Rs 500", `without "R"`},
		{inr, "12O0", `without "O"`},
		{inr, "50%", `without "%"`},
		{inr, "0x10", `without "x"`},
		{inr, "1.5l", `without "l"`},
		{inr, "1_000", "“_” cannot be part"},
		{inr, "1'000", "cannot be part"},
		{inr, "5\u200b00", "hidden character U+200B"},
		{inr, "5\x00", "hidden character U+0000"},
		{inr, "5\xff", "U+FFFD"},
	} {
		got, err := tc.money.Parse(tc.in)
		if err == nil {
			t.Errorf("%s %q: read as %d, but must be refused", tc.money.Code, tc.in, got)
			continue
		}
		if err.Code != fees.Invalid || got != 0 || !strings.Contains(err.Message, tc.reason) {
			t.Errorf("%s %q: got %d, %v; want 0 and invalid with %q", tc.money.Code, tc.in, got, err, tc.reason)
		}
	}
}

func TestParseSigned(t *testing.T) {
	for in, want := range map[string]fees.Amount{
		"-2500.00": -2500_00, " -2,500.00 ": -2500_00, "1500": 1500_00, "-0": 0, "-99,99,99,999.99": -fees.MaxAmount,
	} {
		if got, err := inr.ParseSigned(in); err != nil || got != want {
			t.Errorf("%q: got %d (%v), want %d", in, got, err, want)
		}
	}
	for in, reason := range map[string]string{
		"": "Enter an amount", "-": "minus sign", "--5": "minus sign", "- 5": "without spaces", "5-": "minus sign",
		"−5": "minus sign", "(5)": "minus sign", "-+5": "plus sign", "-1.384,83": "one dot", "-1e3": "in full digits",
		"-1000000000": "largest amount",
	} {
		if got, err := inr.ParseSigned(in); err == nil || got != 0 || !strings.Contains(err.Message, reason) {
			t.Errorf("%q: got %d, %v; want 0 and a refusal with %q", in, got, err, reason)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, tc := range []struct {
		money         fees.Currency
		amount        fees.Amount
		plain, format string
	}{
		{inr, 0, "0.00", "0.00"},
		{inr, 5, "0.05", "0.05"},
		{inr, -5, "-0.05", "-0.05"},
		{inr, 100_00, "100.00", "100.00"},
		{inr, 1000_00, "1000.00", "1,000.00"},
		{inr, -2500_00, "-2500.00", "-2,500.00"},
		{inr, 99999_99, "99999.99", "99,999.99"},
		{inr, 100000_00, "100000.00", "1,00,000.00"},
		{inr, 1234567_50, "1234567.50", "12,34,567.50"},
		{inr, fees.MaxAmount, "999999999.99", "99,99,99,999.99"},
		{inr, math.MinInt64, "-92233720368547758.08", "-92,23,37,20,36,85,47,758.08"},
		{usd, 1234567_50, "1234567.50", "1,234,567.50"},
		{usd, -100000_00, "-100000.00", "-100,000.00"},
		{kwd, 1234567, "1234.567", "1,234.567"},
		{jpy, 1234567, "1234567", "1,234,567"},
		{jpy, -999, "-999", "-999"},
	} {
		if got := tc.money.Plain(tc.amount); got != tc.plain {
			t.Errorf("%s Plain(%d) = %q, want %q", tc.money.Code, tc.amount, got, tc.plain)
		}
		if got := tc.money.Format(tc.amount); got != tc.format {
			t.Errorf("%s Format(%d) = %q, want %q", tc.money.Code, tc.amount, got, tc.format)
		}
	}
}

// The locale decides how figures are grouped, the currency's country where the
// locale has no region.
func TestGroupingByRegion(t *testing.T) {
	for _, tc := range []struct{ code, locale, want string }{
		{"INR", "en-IN", "12,34,567"}, {"INR", "hi-IN", "12,34,567"}, {"INR", "en_IN", "12,34,567"}, {"INR", "en-in", "12,34,567"},
		{"INR", "ks-Deva-IN", "12,34,567"}, {"INR", "en-IN-u-nu-latn", "12,34,567"}, {"INR", "en-u-nu-latn", "12,34,567"},
		{"INR", "", "12,34,567"}, {"INR", "hi", "12,34,567"}, {"INR", "en-US", "1,234,567"}, {"INR", "en-001", "12,34,567"},
		{"NPR", "ne-NP", "12,34,567"}, {"BDT", "en-BD", "12,34,567"}, {"BTN", "dz-BT", "12,34,567"},
		{"PKR", "en-PK", "1,234,567"}, {"LKR", "en-LK", "1,234,567"}, {"MVR", "en-MV", "1,234,567"},
		{"USD", "en-IN", "12,34,567"}, {"USD", "", "1,234,567"}, {"", "", "1,234,567"}, {"A", "-", "1,234,567"},
	} {
		c := fees.Currency{Code: tc.code, Locale: tc.locale}
		if got := c.Format(1234567); got != tc.want {
			t.Errorf("%s in %q: %s, want %s", tc.code, tc.locale, got, tc.want)
		}
	}
}

// What is written can be read again, whatever the currency.
func TestAmountRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range currencies {
		for n := range 3000 {
			a := fees.Amount(random.Int64N(int64(fees.MaxAmount) >> (n % 37)))
			for _, s := range []string{c.Plain(a), c.Format(a), " " + c.Format(a) + "\u00a0"} {
				if got, err := c.Parse(s); err != nil || got != a {
					t.Fatalf("%+v: %d was written %q and read as %d (%v)", c, a, s, got, err)
				}
			}
			for _, s := range []string{c.Plain(-a), c.Format(-a)} {
				if got, err := c.ParseSigned(s); err != nil || got != -a {
					t.Fatalf("%+v: %d was written %q and read as %d (%v)", c, -a, s, got, err)
				}
			}
		}
	}
}

func TestCheckedAdd(t *testing.T) {
	for _, tc := range []struct {
		a, b, sum fees.Amount
		ok        bool
	}{
		{1, 2, 3, true}, {5, 0, 5, true}, {-5, 5, 0, true}, {0, math.MinInt64, math.MinInt64, true},
		{math.MaxInt64, math.MinInt64, -1, true}, {math.MaxInt64, 0, math.MaxInt64, true},
		{math.MaxInt64, 1, 0, false}, {math.MinInt64, -1, 0, false}, {math.MinInt64, math.MinInt64, 0, false},
	} {
		if sum, ok := fees.CheckedAdd(tc.a, tc.b); sum != tc.sum || ok != tc.ok {
			t.Errorf("%d + %d = %d, %t; want %d, %t", tc.a, tc.b, sum, ok, tc.sum, tc.ok)
		}
	}
}

// An independent reading of the rules: a regular expression per grouping, and
// arithmetic without bounds.
var (
	byLakh     = regexp.MustCompile(`^([0-9]+|[1-9][0-9]?(,[0-9]{2})*,[0-9]{3})(\.[0-9]+)?$`)
	byThousand = regexp.MustCompile(`^([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})*)(\.[0-9]+)?$`)
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "0", "12,34,567.50", "1.384,83", "1e3", "-5", "12,34", "100.001", "999999999999999", ".5", "5.",
		"５", "99,99,99,999.99", "1,234,567.5", "0,123", "123,456", "1,23,456", "00.1", " 1 ", "\u00a07"} {
		for c := range currencies {
			f.Add(s, uint8(c))
		}
	}
	f.Fuzz(func(t *testing.T, s string, which uint8) {
		c := currencies[int(which)%len(currencies)]
		shape := byThousand
		if strings.Contains(c.Format(fees.MaxAmount), "99,99,") {
			shape = byLakh
		}
		trimmed := strings.TrimSpace(s)
		want, ok := new(big.Int), shape.MatchString(trimmed)
		if ok {
			whole, fraction, _ := strings.Cut(strings.ReplaceAll(trimmed, ",", ""), ".")
			ok = len(fraction) <= int(c.Decimals)
			if ok {
				want.SetString(whole+fraction+strings.Repeat("0", int(c.Decimals)-len(fraction)), 10)
				ok = want.Cmp(big.NewInt(int64(fees.MaxAmount))) <= 0
			}
		}
		got, err := c.Parse(s)
		switch {
		case ok && (err != nil || int64(got) != want.Int64()):
			t.Fatalf("%+v %q: got %d (%v), want %s", c, s, got, err, want)
		case !ok && err == nil:
			t.Fatalf("%+v %q: read as %d, must be refused", c, s, got)
		case !ok && (err.Code != fees.Invalid || err.Message == "" || got != 0):
			t.Fatalf("%+v %q: refused without a reason: %d, %v", c, s, got, err)
		}
		signed, signedErr := c.ParseSigned(s)
		if (err == nil) != (signedErr == nil && !strings.HasPrefix(trimmed, "-")) || err == nil && signed != got {
			t.Fatalf("%+v %q: Parse %d (%v) and ParseSigned %d (%v) disagree", c, s, got, err, signed, signedErr)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if a, err := inr.Parse("12,34,567.50"); err != nil || a == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if inr.Format(1234567_50) == "" {
			b.Fatal("nothing")
		}
	}
}

func BenchmarkWords(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if inr.Words(1234567_50) == "" {
			b.Fatal("nothing")
		}
	}
}
