package fees_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
)

// dps is an institute that holds.
func dps() fees.Institute {
	return fees.Institute{
		Code: "DPS", Name: "Dayanand Public School", Address: "12 Station Road\nPune 411001", TimeZone: "Asia/Kolkata", FYStart: 4,
		Currency: "INR", Decimals: 2, Locale: "en-IN", Formats: fees.DefaultFormats("DPS"), ClosedTo: "2026-03-31",
	}
}

func TestInstituteValidate(t *testing.T) {
	for name, change := range map[string]func(*fees.Institute){
		"as it is":           func(i *fees.Institute) {},
		"no address":         func(i *fees.Institute) { i.Address = "" },
		"nothing closed":     func(i *fees.Institute) { i.ClosedTo = "" },
		"no locale":          func(i *fees.Institute) { i.Locale = "" },
		"one letter":         func(i *fees.Institute) { i.Code = "A" },
		"code of eight":      func(i *fees.Institute) { i.Code = "A1234567"; i.Formats = fees.DefaultFormats(i.Code) },
		"calendar year":      func(i *fees.Institute) { i.FYStart = 1 },
		"year from December": func(i *fees.Institute) { i.FYStart = 12 },
		"four decimals":      func(i *fees.Institute) { i.Currency, i.Decimals = "CLF", 4 },
		"code to the ends":   func(i *fees.Institute) { i.Code = "AZ09" },
		"long address":       func(i *fees.Institute) { i.Address = strings.Repeat("line\n", 40) },
		"long locale":        func(i *fees.Institute) { i.Locale = "en-IN-" + strings.Repeat("x", 29) },
		"name in its script": func(i *fees.Institute) {
			i.Name = "दिल्ली पब्लिक स्कूल"
			i.Locale = "hi-Deva-IN"
		},
		"three decimals": func(i *fees.Institute) { i.Currency, i.Decimals, i.Locale = "KWD", 3, "ar-KW" },
		// Only a year of four digits leaves room for five-letter codes.
		"calendar year, five letters": func(i *fees.Institute) {
			i.FYStart, i.Code, i.Formats.Receipt = 1, "ABCDE", "{code}/{fy}/{seq:5}"
		},
	} {
		i := dps()
		change(&i)
		if err := i.Validate(); err != nil {
			t.Errorf("%s: refused: %v %v", name, err, err.Fields)
		}
	}
	for _, tc := range []struct {
		change func(*fees.Institute)
		fields string
	}{
		{func(i *fees.Institute) { i.Code = "" }, "code"},
		{func(i *fees.Institute) { i.Code = "dps" }, "code"},
		{func(i *fees.Institute) { i.Code = "1DPS" }, "code"},
		{func(i *fees.Institute) { i.Code = "9DPS" }, "code"},
		{func(i *fees.Institute) { i.Code = "ABCDEFGHI" }, "code"},
		{func(i *fees.Institute) { i.Code = "D:S" }, "code"},
		{func(i *fees.Institute) { i.Code = "DÉ" }, "code"},
		{func(i *fees.Institute) { i.Name = "  " }, "name"},
		{func(i *fees.Institute) { i.Name = strings.Repeat("x", 121) }, "name"},
		{func(i *fees.Institute) { i.Name = "a\x00b" }, "name"},
		{func(i *fees.Institute) { i.Address = "a\nb\x07" }, "address"},
		{func(i *fees.Institute) { i.Address = strings.Repeat("line\n", 41) }, "address"},
		{func(i *fees.Institute) { i.TimeZone = "" }, "tz"},
		{func(i *fees.Institute) { i.TimeZone = "Local" }, "tz"},
		{func(i *fees.Institute) { i.TimeZone = "Asia/Poona" }, "tz"},
		{func(i *fees.Institute) { i.FYStart = 0 }, "fy_start"},
		{func(i *fees.Institute) { i.FYStart = 13 }, "fy_start"},
		{func(i *fees.Institute) { i.Currency = "inr" }, "currency"},
		{func(i *fees.Institute) { i.Currency = "RUPEE" }, "currency"},
		{func(i *fees.Institute) { i.Decimals = -1 }, "decimals"},
		{func(i *fees.Institute) { i.Decimals = 5 }, "decimals"},
		{func(i *fees.Institute) { i.Locale = "en IN" }, "locale"},
		{func(i *fees.Institute) { i.Locale = strings.Repeat("en-", 12) }, "locale"},
		{func(i *fees.Institute) { i.ClosedTo = "2026-02-30" }, "closed_to"},
		{func(i *fees.Institute) { i.Formats.Receipt = "" }, "format_receipt"},
		{func(i *fees.Institute) { i.Formats.Reversal = "rv/{seq}" }, "format_reversal"},
		{func(i *fees.Institute) { i.Formats.Refund = "RF/{fy}" }, "format_refund"},
		{func(i *fees.Institute) { i.Formats.Adjustment = i.Formats.Receipt }, "format_adjustment"},
		{func(i *fees.Institute) { i.Code, i.Formats.Receipt = "ABCDE", "{code}/{fy}/{seq:5}" }, "format_receipt"},
		{func(i *fees.Institute) { *i = fees.Institute{} }, "code currency fy_start name tz"},
		{func(i *fees.Institute) { i.Code, i.FYStart = "", 0 }, "code fy_start"},
	} {
		i := dps()
		tc.change(&i)
		err := i.Validate()
		if err == nil {
			t.Errorf("%+v: not refused, want a problem of %s", i, tc.fields)
			continue
		}
		if got := strings.Join(slices.Sorted(maps.Keys(err.Fields)), " "); got != tc.fields || err.Code != fees.Invalid || err.Message == "" {
			t.Errorf("%+v: problems of %q (%v), want %q", i, got, err, tc.fields)
		}
	}
}

func BenchmarkInstituteValidate(b *testing.B) {
	i := dps()
	b.ReportAllocs()
	for b.Loop() {
		if err := i.Validate(); err != nil {
			b.Fatal(err)
		}
	}
}
