package store

import (
	"slices"
	"strings"
	"unicode/utf8"

	"raseed/store/fees"
)

// query is what somebody typed to find a student: every token must fit.
type query struct {
	tokens []token
	words  []string // of all tokens, the longest first, none the start of another
}

// token is one typed word and the ways in which it may be meant.
type token struct {
	words  []string // starts of words of the name or the guardian's
	number string   // start of the admission number
	phones []string // start or end of the phone number
	family string
	exact  bool // has a digit or slash, so that it is likelier a number than a name
}

// queryMost bounds what is looked at of a query, in characters.
const queryMost = 100

func parseQuery(typed string) query {
	folded := fold(leading(typed, queryMost))
	tokens := strings.Fields(folded)
	if len(tokens) > 1 && isPhone(folded) {
		tokens = []string{digitsOf(folded)} // 98000 12345
	}
	var q query
	for _, text := range tokens {
		t := token{words: words(text), exact: strings.ContainsAny(text, "0123456789/")}
		if len(t.words) == 0 || len(q.words) == nameWords {
			continue
		}
		if len(tokens) == 1 || t.exact {
			t.family = joined(text)
			if no, bad := fees.NormalAdmissionNo(strings.TrimRight(text, "/")); bad == nil {
				t.number = no
			}
			if isPhone(text) {
				t.phones = phonesOf(digitsOf(text))
			}
		}
		q.tokens = append(q.tokens, t)
		q.words = append(q.words, t.words...)
	}
	q.words = longest(q.words)
	return q
}

func isPhone(text string) bool {
	return strings.Trim(text, "0123456789 +-()/.") == "" && len(digitsOf(text)) >= phoneFrom
}

// longest sorts the words by length, the longest first, and leaves out those
// that another begins with.
func longest(all []string) []string {
	slices.SortStableFunc(all, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	kept := all[:0]
	for _, word := range all {
		if !slices.ContainsFunc(kept, func(longer string) bool { return strings.HasPrefix(longer, word) }) {
			kept = append(kept, word)
		}
	}
	return kept
}

func (q query) matches(st fees.Student) bool {
	names := nameWordsOf(st)
	for _, t := range q.tokens {
		if !t.matches(st, names) {
			return false
		}
	}
	return len(q.tokens) > 0
}

func (t token) matches(st fees.Student, names []string) bool {
	if t.number != "" && strings.HasPrefix(st.AdmissionNo, t.number) ||
		t.family != "" && t.family == joined(fold(st.Family)) || beginAny(t.words, names) {
		return true
	}
	if len(t.phones) == 0 {
		return false
	}
	return slices.ContainsFunc(phonesOf(st.Phone), func(phone string) bool {
		return slices.ContainsFunc(t.phones, func(part string) bool {
			return strings.HasPrefix(phone, part) || strings.HasSuffix(phone, part)
		})
	})
}

// beginAny says whether each start begins one of the words.
func beginAny(starts, words []string) bool {
	for _, s := range starts {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, s) }) {
			return false
		}
	}
	return true
}

// rank orders what a query found, the likeliest first: the very number, then
// numbers that begin so, the student's own name, the rest.
func (q query) rank(st fees.Student) int {
	for _, t := range q.tokens {
		switch {
		case t.number == st.AdmissionNo:
			return 0
		case t.exact && t.number != "" && strings.HasPrefix(st.AdmissionNo, t.number):
			return 1
		}
	}
	if beginAny(q.words, nameWordsOf(fees.Student{Name: st.Name})) {
		return 2
	}
	return 3
}
