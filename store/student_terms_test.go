package store

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"raseed/store/fees"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Aarav SHARMA", "aarav sharma"},
		{"José Ángel", "jose angel"},
		{"Łukasz", "łukasz"},                   // a letter of its own, no accent
		{"İpek", "ipek"},                       // Turkish
		{"ＦＵＬＬ　ｗｉｄｔｈ", "full width"},           // full width
		{"शर्मा", "शर्मा"},                     // vowel signs belong to the word
		{"مُحَمَّد", "محمد"},                   // Arabic vowel marks do not
		{"नी\u200dलम", "नीलम"},                 // a joiner is not seen
		{"e\u0301te\u0301", "ete"},             // decomposed already
		{"한글", "한글"},                           // composed again
		{"Nguyễn Thị", "nguyen thi"},           // two marks on a letter
		{"ﬁnley", "finley"},                    // a ligature
		{"O'Brien, \"Bo\"", "o'brien, \"bo\""}, // marks that split words are left to words
	} {
		if got := fold(c.in); got != c.want {
			t.Errorf("fold(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTermsOf(t *testing.T) {
	st := fees.Student{Name: "Asha D'Souza", Guardian: "Asha Rao", Family: "F-0032", Phone: "+91 98000-12345"}
	got := termsOf(st)
	for _, want := range []string{
		"a", "ash", "asha", "d", "souza", "dsouza", "rao", "as so", "a r", "=f0032",
		"+9800", "+9800012345", "+9198", "+9198000123", "~2345",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the terms lack %q: %q", want, got)
		}
	}
	for _, not := range []string{"", "98", "+980", "ashaa", "asha d'souza"} {
		if slices.Contains(got, not) {
			t.Errorf("the terms have %q", not)
		}
	}
	if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Errorf("the terms are not sorted or not unique: %q", got)
	}
}

// Every start of a name's word that is short enough is a term, cut at
// characters, and there is a bound to their number.
func FuzzTermsOf(f *testing.F) {
	f.Add("Aarav Sharma", "Rajesh Sharma", "9800012345", "F0001")
	f.Add("शर्मा अ", "مريم خان", "+91 98000 12345 / 98000 12346", "")
	f.Add("X A E A-12 B C D E F", "\xff\xfe", "12", "<b>")
	f.Fuzz(func(t *testing.T, name, guardian, phone, family string) {
		st := fees.Student{Name: name, Guardian: guardian, Phone: phone, Family: family, AdmissionNo: "1"}
		terms := termsOf(st)
		if len(terms) > 120 {
			t.Errorf("%d terms", len(terms))
		}
		for _, term := range terms {
			if utf8.ValidString(name+guardian+phone+family) && !utf8.ValidString(term) {
				t.Errorf("the term %q is not UTF-8", term)
			}
		}
		// Whoever types the name's first words finds the student.
		typed := strings.Join(nameWordsOf(fees.Student{Name: leading(name, 30)}), " ")
		if q := parseQuery(typed); len(q.words) > 0 && len([]rune(fold(name))) < 30 {
			if !q.matches(st) {
				t.Errorf("%q does not find %q (%+v)", typed, name, q)
			}
			term := leading(q.words[0], wordTerms)
			if len(q.words) > 1 {
				term = pairTerm(q.words[0], q.words[1], min(utf8.RuneCountInString(q.words[1]), pairTerms))
			}
			if !slices.Contains(terms, term) {
				t.Errorf("the search for %q looks up %q, which is no term of %q", typed, term, name)
			}
		}
	})
}
