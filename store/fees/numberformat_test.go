package fees_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestNumberFormat(t *testing.T) {
	for _, tc := range []struct {
		format, code string
		fy           string
		n            int64
		want         string
	}{
		{"{code}/{fy}/{seq:5}", "DPS", "2026-27", 1, "DPS/26-27/00001"},
		{"{code}/{fy}/{seq:5}", "DPS", "2026-27", 99999, "DPS/26-27/99999"},
		{"{code}/{fy}/{seq:5}", "DPS", "2026-27", 100000, "DPS/26-27/100000"}, // never refused
		{"{code}/{fy}/{seq:5}", "DPS", "1999-00", 42, "DPS/99-00/00042"},
		{"P/{fy}/{seq:5}", "DPS", "2026-27", 42, "P/26-27/00042"},
		{"R{seq}", "DPS", "2026-27", 1, "R1"},
		{"R{seq}", "DPS", "2026-27", 1234567, "R1234567"},
		{"{fy}-{seq:4}", "X", "2026", 7, "2026-0007"},
		{"{seq}/{code}", "AB", "2026-27", 10, "10/AB"},
		{"{seq}", "DPS", "2026-27", 12, "12"},
		{"AZ09-{seq}", "DPS", "2026-27", 12, "AZ09-12"},
		{"A{seq:1}", "DPS", "2026-27", 12, "A12"},
		{"A{seq:9}", "DPS", "2026-27", 12, "A000000012"},
		{"{code}{code}-{seq:2}-{fy}", "AB", "2026-27", 3, "ABAB-03-26-27"},
	} {
		f, err := fees.ParseFormat(tc.format, tc.code)
		if err != nil {
			t.Errorf("%q of %s: refused: %v", tc.format, tc.code, err)
			continue
		}
		if got := f.Text(tc.fy, tc.n); got != tc.want {
			t.Errorf("%q of %s, number %d of %s: %q, want %q", tc.format, tc.code, tc.n, tc.fy, got, tc.want)
		}
	}
	f, _ := fees.ParseFormat("{code}/{fy}/{seq:5}", "DPS")
	if got := f.Example("2026-27"); got != "DPS/26-27/00001" {
		t.Errorf("the example is %q", got)
	}
}

func TestNumberFormatRefuses(t *testing.T) {
	for _, tc := range []struct{ format, code, reason string }{
		{"", "DPS", "add {seq:5}"},
		{"{code}/{fy}", "DPS", "add {seq:5}"},
		{"{seq}/{seq:5}", "DPS", "only once"},
		{"{code}/{seq:8}", "ABCDEFGH", "ABCDEFGH/99999999 has 17 characters"},
		{"{code}/{fy}/{seq}", "DPSXY", "DPSXY/2026/999999 has 17 characters"}, // a plain {seq} reaches 999999
		{"R/{seq:0}", "DPS", "{seq:0} is not known"},
		{"R/{seq:10}", "DPS", "{seq:10} is not known"},
		{"R/{seq:}", "DPS", "{seq:} is not known"},
		{"R/{seq:x}", "DPS", "{seq:x} is not known"},
		{"R/{SEQ}", "DPS", "{SEQ} is not known"},
		{"R/{year}/{seq}", "DPS", "{year} is not known"},
		{"R/{seq", "DPS", "not closed"},
		{"R/{", "DPS", "not closed"},
		{"R/seq}{seq}", "DPS", "“s” may not be in a number"},
		{"R}{seq}", "DPS", "“}” may not be in a number"},
		{"r/{seq}", "DPS", "capital letters"},
		{"R {seq}", "DPS", "may not be in a number"},
		{"R_{seq}", "DPS", "“_” may not"},
		{"R–{seq}", "DPS", "“–” may not"}, // an en dash
		{"Ａ{seq}", "DPS", "may not be in a number"},
		{"र{seq}", "DPS", "may not be in a number"},
		{"R\n{seq}", "DPS", "hidden character U+000A"},
		{"{seq:5}", "DPS", "start with 0"},
		{"0{seq}", "DPS", "start with 0"},
		{"/{seq}", "DPS", "start with /"},
		{"-{seq}", "DPS", "start with -"},
		{"R{seq}", "dps", "code has to be set"},
		{"R{seq}", "", "code has to be set"},
		{strings.Repeat("A", 5000) + "{seq}", "DPS", "characters"},
	} {
		_, err := fees.ParseFormat(tc.format, tc.code)
		if err == nil || err.Code != fees.Invalid || !strings.Contains(err.Message, tc.reason) {
			t.Errorf("%.40q of %s: %v, want a refusal with %q", tc.format, tc.code, err, tc.reason)
		}
	}
}

// When a format is set, the sixteen characters are counted with the
// institute's own year, and what passes then can be read for ever.
func TestFormatLength(t *testing.T) {
	for _, tc := range []struct {
		code, format string
		start        int64
		reason       string
	}{
		{"DPS", "{code}/{fy}/{seq:6}", 4, ""}, // 16 exactly
		{"DPS", "{code}/{fy}/{seq:7}", 4, "DPS/26-27/9999999 has 17 characters, and a number may have at most 16"},
		{"DPS", "{code}/{fy}/{seq:7}", 1, ""},
		{"DPS", "{code}/{fy}/{seq:8}", 1, "DPS/2026/99999999 has 17 characters"},
		{"ABCD", "{code}/{fy}/{seq}", 4, "ABCD/26-27/999999 has 17 characters"},
		{"ABCD", "{code}/{fy}/{seq}", 1, ""},
		{"ABCDE", "{code}/{fy}/{seq:5}", 4, "ABCDE/26-27/99999 has 17 characters"},
		{"ABCDE", "{code}/{fy}/{seq:5}", 1, ""},
	} {
		i := dps()
		i.Code, i.FYStart, i.Formats.Receipt = tc.code, tc.start, tc.format
		_, err := i.Format(fees.SeriesReceipt)
		if (err == nil) != (tc.reason == "") || err != nil && !strings.Contains(err.Message, tc.reason) {
			t.Errorf("%s of %s from month %d: %v, want %q", tc.format, tc.code, tc.start, err, tc.reason)
		}
		if _, readErr := fees.ParseFormat(tc.format, tc.code); err == nil && readErr != nil {
			t.Errorf("%s of %s was accepted and cannot be read: %v", tc.format, tc.code, readErr)
		}
	}
}

// Whatever is accepted, every number within its width is sixteen characters of
// the allowed alphabet at most.
func FuzzParseFormat(f *testing.F) {
	for _, s := range []string{"{code}/{fy}/{seq:5}", "{seq}", "R{seq:9}", "{", "}", "{seq:10}", "A{fy}{fy}{seq:1}", "{seq:5}", "é{seq}"} {
		f.Add(s, "DPS", int64(99999))
	}
	legal := regexp.MustCompile(`^[A-Z1-9][A-Z0-9/-]{0,15}$`)
	width := regexp.MustCompile(`\{seq:([1-9])\}`)
	f.Fuzz(func(t *testing.T, format, code string, n int64) {
		number, err := fees.ParseFormat(format, code)
		if err != nil {
			if err.Code != fees.Invalid || err.Message == "" {
				t.Fatalf("%q of %q: refused without a reason: %v", format, code, err)
			}
			return
		}
		limit := int64(1_000_000)
		if m := width.FindStringSubmatch(format); m != nil {
			limit = 1
			for range m[1][0] - '0' {
				limit *= 10
			}
		}
		n = max(n, -n, 1) % limit
		for _, n := range []int64{1, max(n, 1), limit - 1} {
			for _, fy := range []string{"2026", "2026-27", "2099-00"} {
				text := number.Text(fy, n)
				// Years of five characters may be longer: Institute.Format knows.
				measured := strings.Replace(text, fees.FYShort(fy), "2026", strings.Count(format, "{fy}"))
				if !legal.MatchString(measured) || !strings.Contains(text, fmt.Sprint(n)) {
					t.Fatalf("%q of %q: number %d of %s is %q", format, code, n, fy, text)
				}
			}
		}
	})
}

func TestDefaultFormats(t *testing.T) {
	for code, receipt := range map[string]string{
		"DPS": "DPS/26-27/00001", "ABCD": "ABCD/26-27/00001", "ABCDE": "RC/26-27/00001", "A1234567": "RC/26-27/00001",
		"RV": "RC/26-27/00001", "RF": "RC/26-27/00001", "AD": "RC/26-27/00001", "RC": "RC/26-27/00001", "A": "A/26-27/00001",
	} {
		i := dps()
		i.Code, i.Formats = code, fees.DefaultFormats(code)
		if err := i.Validate(); err != nil {
			t.Errorf("%s cannot have its default formats: %v %v", code, err, err.Fields)
		}
		want := map[fees.Series]string{
			fees.SeriesReceipt: receipt, fees.SeriesReversal: "RV/26-27/00001", fees.SeriesRefund: "RF/26-27/00001", fees.SeriesAdjustment: "AD/26-27/00001",
		}
		for _, s := range fees.AllSeries() {
			f, err := i.Format(s)
			if err != nil || f.Example("2026-27") != want[s] {
				t.Errorf("the first %s of %s is %q (%v), want %q", s, code, f.Example("2026-27"), err, want[s])
			}
		}
	}
	i := dps()
	if _, err := i.Format("voucher"); err == nil || err.Code != fees.Invalid {
		t.Errorf("a series that does not exist has a format (%v)", err)
	}
}

// Two series that could print the same number are refused, and no others: an
// independent count of the first numbers agrees.
func TestSeriesDoNotMeet(t *testing.T) {
	for _, tc := range []struct {
		receipt, reversal string
		meet              bool
	}{
		{"A{seq}", "A{seq}", true},
		{"A{seq}", "A{seq:5}", true}, // from 10000
		{"A{seq}", "A1{seq}", true},  // A11
		{"A{seq}", "A9{seq}", true},  // A91
		{"A{seq:3}", "A0{seq:2}", true},
		{"A{seq:3}", "A00{seq:2}", false}, // four digits do not start with 0
		{"A{seq}/5", "A1/{seq}", true},    // A1/5
		{"A/{seq}", "A{seq}", false},
		{"A{seq:5}", "B{seq:5}", false},
		{"A{seq}A", "A{seq}B", false},
		{"A{seq}", "A0{seq}", false}, // an unpadded number has no leading zero
		{"{fy}/{seq}", "26-27/{seq}", true},
		{"{fy}/{seq}", "26-28/{seq}", false},
		{"{code}/{seq}", "DPS/{seq}", true},
		{"{code}/{seq}", "DPT/{seq}", false},
		{"A{seq:1}", "A{seq:9}", true}, // A100000000
		{"A{seq:4}000", "A{seq:3}", true},
		{"A1{seq:2}2", "A{seq}", true},
	} {
		i := dps()
		i.Formats.Receipt, i.Formats.Reversal = tc.receipt, tc.reversal
		err := i.Validate()
		if (err != nil) != tc.meet {
			t.Errorf("%s beside %s: %v, want a collision: %t", tc.receipt, tc.reversal, err, tc.meet)
		}
		if err != nil && !strings.Contains(err.Fields["format_reversal"], "could both be numbered ") {
			t.Errorf("%s beside %s: the reason is %q", tc.receipt, tc.reversal, err.Fields["format_reversal"])
		}
	}

	random := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"0", "1", "2", "10", "/", "-", "26", "26-27", "{fy}"}
	piece := func() string { return pieces[random.IntN(len(pieces))] }
	met := 0
	for range 600 {
		format := func() string {
			seq := []string{"{seq}", "{seq:1}", "{seq:2}", "{seq:3}"}[random.IntN(4)]
			s := "A"
			for range random.IntN(2) {
				s += piece()
			}
			s += seq
			for range random.IntN(2) {
				s += piece()
			}
			return s
		}
		a, b := format(), format()
		if !parses(a) || !parses(b) {
			continue // too long
		}
		i := dps()
		i.Formats.Receipt, i.Formats.Reversal = a, b
		err := i.Validate()
		if meetByCount(t, a, b) {
			if met++; err == nil {
				t.Fatalf("%s and %s share a number, but are accepted", a, b)
			}
		}
		// What the check says is shared must really be a number of both.
		if err != nil {
			_, text, _ := strings.Cut(err.Fields["format_reversal"], "both be numbered ")
			if !isNumberOf(a, text) || !isNumberOf(b, text) {
				t.Fatalf("%s and %s are refused over %q, which is not a number of both", a, b, text)
			}
		}
	}
	if met < 20 {
		t.Fatalf("only %d pairs met: the test has lost its teeth", met)
	}
}

func parses(format string) bool {
	i := dps()
	i.Formats.Receipt = format
	_, err := i.Format(fees.SeriesReceipt)
	return err == nil
}

// meetByCount compares the first thousands of numbers of one year.
func meetByCount(t *testing.T, a, b string) bool {
	t.Helper()
	fa, errA := fees.ParseFormat(a, "DPS")
	fb, errB := fees.ParseFormat(b, "DPS")
	if errA != nil || errB != nil {
		t.Fatal(a, errA, b, errB)
	}
	texts := map[string]bool{}
	for n := range int64(3000) {
		texts[fa.Text("2026-27", n+1)] = true
	}
	for n := range int64(3000) {
		if texts[fb.Text("2026-27", n+1)] {
			return true
		}
	}
	return false
}

// isNumberOf says whether text is a number of format in some year of a century.
func isNumberOf(format, text string) bool {
	f, err := fees.ParseFormat(format, "DPS")
	if err != nil {
		return false
	}
	digits := regexp.MustCompile(`[0-9]+`)
	for year := range 100 {
		fy := fmt.Sprintf("20%02d-%02d", year, (year+1)%100)
		for _, at := range digits.FindAllStringIndex(text, -1) {
			for from := at[0]; from < at[1]; from++ {
				for to := from + 1; to <= at[1]; to++ {
					var n int64
					if _, err := fmt.Sscanf(text[from:to], "%d", &n); err == nil && n > 0 && f.Text(fy, n) == text {
						return true
					}
				}
			}
		}
	}
	return false
}

func BenchmarkNumberText(b *testing.B) {
	i := dps()
	b.ReportAllocs()
	for b.Loop() {
		f, err := i.Format(fees.SeriesReceipt)
		if err != nil || f.Text("2026-27", 42) != "DPS/26-27/00042" {
			b.Fatal(err)
		}
	}
}
