package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"raseed/store/fees"
)

// A student carries the terms that a search may find it by, each matched whole:
//
//	sharma       s, sh, sha … sharma     a word of the name or the guardian's, from its start
//	aarav sharma "a s", "aa sh"          two of those words at once
//	9000000012   +9000 … +9000000012     a phone number from its start
//	             ~0012                   and by its last four digits
//	F0032        =f0032                  the family
//
// The pairs keep "sharma khan" quick: where thousands have either word, few
// have both. The admission number needs no term; it is the key.
const (
	wordTerms  = 6  // the longest start of a word that is a term; longer is checked on what is found
	phoneTerms = 10 // … and of a phone number
	phoneFrom  = 4  // the shortest part of a phone number that finds it
	nameWords  = 6  // words of the name and the guardian's that count
	pairTerms  = 2  // letters of each word in the longer pair
)

// termsOf are the terms of a student, sorted, none twice, about thirty and at
// most a hundred.
func termsOf(st fees.Student) []string {
	terms := make([]string, 0, 48)
	names := nameWordsOf(st)
	for i, word := range names {
		terms = appendStarts(terms, "", word, 1, wordTerms)
		for _, other := range names[i+1:] {
			terms = append(terms, pairTerm(word, other, 1), pairTerm(word, other, pairTerms))
		}
	}
	for _, phone := range phonesOf(st.Phone) {
		terms = appendStarts(terms, "+", phone, phoneFrom, phoneTerms)
		if len(phone) >= phoneFrom {
			terms = append(terms, "~"+phone[len(phone)-phoneFrom:])
		}
	}
	if family := joined(fold(st.Family)); family != "" {
		terms = append(terms, "="+family)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// appendStarts appends the starts of word that have from to upTo characters.
func appendStarts(terms []string, mark, word string, from, upTo int) []string {
	n := 0
	for i := range word {
		if n > upTo {
			return terms
		}
		if n >= from {
			terms = append(terms, mark+word[:i])
		}
		n++
	}
	if n >= from && n <= upTo {
		terms = append(terms, mark+word)
	}
	return terms
}

func pairTerm(a, b string, letters int) string {
	a, b = leading(a, letters), leading(b, letters)
	if a > b {
		a, b = b, a
	}
	return a + " " + b
}

// leading is the first n characters of s, or s.
func leading(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// nameWordsOf are the words of a student's and the guardian's name. A word with
// an apostrophe or hyphen counts in parts and as one: d'souza is d, souza and
// dsouza.
func nameWordsOf(st fees.Student) []string {
	var all []string
	for _, name := range []string{st.Name, st.Guardian} {
		for _, word := range strings.Fields(fold(name)) {
			parts := words(word)
			if len(parts) > 1 {
				parts = append(parts, strings.Join(parts, ""))
			}
			for _, part := range parts {
				if len(all) < nameWords && !slices.Contains(all, part) {
					all = append(all, part)
				}
			}
		}
	}
	return all
}

// phonesOf are the digits of the numbers in a phone field; one with a country
// code counts without it too.
func phonesOf(field string) []string {
	var all []string
	for _, number := range strings.FieldsFunc(field, func(r rune) bool { return r == '/' || r == ',' || r == ';' }) {
		digits := digitsOf(number)
		if len(digits) > phoneTerms {
			all = append(all, digits[len(digits)-phoneTerms:])
		}
		if digits != "" {
			all = append(all, digits)
		}
	}
	return all[:min(len(all), 4)]
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// fold makes what people take for the same text the same: width, case and
// accents. What belongs to a script (the vowel signs of Devanagari) stays.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	s = strings.ToLower(norm.NFKD.String(s))
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r) {
			return -1
		}
		return r
	}, s)
	return norm.NFC.String(s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// words splits folded text at everything that is no letter, mark or digit.
func words(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r)
	})
}

func joined(folded string) string { return strings.Join(words(folded), "") }
