package fees

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanText is s as it is stored: trimmed, every run of white space (line
// breaks too) one space. It is Invalid when it is not UTF-8, has a control
// character or one that reorders what follows on paper (the bidirectional
// overrides), or has more than limit characters. Empty is fine.
func CleanText(s string, limit int) (string, *Error) {
	if !utf8.ValidString(s) {
		return "", Errorf(Invalid, "The text is not readable (it is not UTF-8)")
	}
	s = strings.Join(strings.Fields(s), " ")
	if bad, ok := firstOutside(s, func(r rune) bool { return !unicode.IsControl(r) && !reorders(r) }); ok {
		return "", Errorf(Invalid, "The hidden character U+%04X may not be in the text", bad)
	}
	if n := utf8.RuneCountInString(s); n > limit {
		return "", Errorf(Invalid, "At most %d characters, and these are %d", limit, n)
	}
	return s, nil
}

func reorders(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// firstOutside is the first character of s that is not allowed.
func firstOutside(s string, allowed func(rune) bool) (rune, bool) {
	for _, r := range s {
		if !allowed(r) {
			return r, true
		}
	}
	return 0, false
}

func allOf(s string, allowed func(rune) bool) bool {
	_, bad := firstOutside(s, allowed)
	return !bad
}
