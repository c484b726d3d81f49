package fees_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"raseed/store/fees"
)

func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "  ": "", "Asha": "Asha", " lead and trail ": "lead and trail", "Line\r\nbreak\tand  more": "Line break and more",
		"ＦＵＬＬ\u3000ｗｉｄｔｈ": "ＦＵＬＬ ｗｉｄｔｈ", "مريم خان": "مريم خان", "आशा शर्मा": "आशा शर्मा", "क्\u200dष": "क्\u200dष",
		`=HYPERLINK("x")`: `=HYPERLINK("x")`, "<b>&amp;": "<b>&amp;", "a\u2028b\u0085c": "a b c", "👩‍👧": "👩‍👧",
		strings.Repeat("आ", 20): strings.Repeat("आ", 20),
	} {
		if got, err := fees.CleanText(in, 20); err != nil || got != want {
			t.Errorf("%q: got %q (%v), want %q", in, got, err, want)
		}
	}
	for in, reason := range map[string]string{
		"a\x00b": "U+0000", "a\x1b[31m": "U+001B", "\x7f": "U+007F", "a\u0081": "U+0081", "pay\u202eetov": "U+202E", "\u2066a": "U+2066", "a\u202ab": "U+202A", "\u2069": "U+2069",
		"a\xff": "not UTF-8", "\xc3": "not UTF-8", strings.Repeat("आ", 21): "At most 20 characters, and these are 21",
	} {
		if got, err := fees.CleanText(in, 20); err == nil || err.Code != fees.Invalid || got != "" || !strings.Contains(err.Message, reason) {
			t.Errorf("%q: got %q, %v; want a refusal with %q", in, got, err, reason)
		}
	}
}

func FuzzCleanText(f *testing.F) {
	for _, s := range []string{"", " a  b ", "a\x00", "\xff", "\u202e", "é\u0301", "a\u3000b"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got, err := fees.CleanText(s, limit)
		if err != nil {
			if err.Code != fees.Invalid || err.Message == "" || got != "" || !utf8.ValidString(err.Message) {
				t.Fatalf("%q: %q, %v", s, got, err)
			}
			return
		}
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > max(limit, 0) || strings.ContainsFunc(got, unicode.IsControl) ||
			strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Fatalf("%q is cleaned to %q", s, got)
		}
		if again, err := fees.CleanText(got, limit); err != nil || again != got {
			t.Fatalf("%q is cleaned to %q, and that to %q (%v)", s, got, again, err)
		}
		// Only white space goes.
		drop := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if drop(s) != drop(got) {
			t.Fatalf("%q lost more than white space: %q", s, got)
		}
	})
}
