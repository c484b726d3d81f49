package fees

import (
	"strconv"
	"strings"
)

// NumberFormat renders the numbers of one series. Its tokens are {code} (the
// institute's code), {fy} (the short year, 26-27) and exactly one of {seq} and
// {seq:N} (the number, padded with zeros to N digits, 1 to 9).
type NumberFormat struct {
	before, after []formatPart // around the number
	pad           int
}

// formatPart is literal text, or the financial year.
type formatPart struct {
	text string
	fy   bool
}

const (
	// maxNumberText is the length a number may have on paper, and the
	// characters below are those it may have: rule 46(b) of India's CGST Rules
	// 2017, "a consecutive serial number not exceeding sixteen characters …
	// containing alphabets or numerals or special characters hyphen or dash
	// and slash". E-invoicing refuses a number that starts with 0, / or -.
	maxNumberText = 16
	// maxUnpadded is how far {seq} without a width is assumed to count.
	maxUnpadded = 999_999
)

// ParseFormat reads a number format for an institute of that code. It is
// Invalid unless every number up to the largest of its width (999999 for a
// plain {seq}) gives at most sixteen capital letters, digits, "-" and "/" that
// start with none of 0, - and /.
//
// It takes a year to be four digits, the shortest there is, so that it reads
// every format that was once accepted. A format that is being set is checked
// with the institute's own years, by Institute.Format and Institute.Validate.
func ParseFormat(format, code string) (NumberFormat, *Error) {
	return parseFormat(format, code, "2026")
}

func parseFormat(format, code, fy string) (NumberFormat, *Error) {
	refuse := func(text string, args ...any) (NumberFormat, *Error) {
		return NumberFormat{}, Errorf(Invalid, text, args...)
	}
	if !ValidCode(code) {
		return refuse("The institute's code has to be set first")
	}
	var f NumberFormat
	part, counted := &f.before, false
	for rest := format; rest != ""; {
		literal, tail, found := strings.Cut(rest, "{")
		if bad, ok := firstOutside(literal, isNumberChar); ok {
			return refuse("%s may not be in a number: use capital letters, digits, - and /", describe(bad))
		}
		if literal != "" {
			*part = append(*part, formatPart{text: literal})
		}
		if !found {
			break
		}
		token, tail, closed := strings.Cut(tail, "}")
		if !closed {
			return refuse("A { is not closed: write {code}, {fy} or {seq:5}")
		}
		rest = tail
		switch {
		case token == "code":
			*part = append(*part, formatPart{text: code})
		case token == "fy":
			*part = append(*part, formatPart{fy: true})
		case token == "seq" || len(token) == len("seq:5") && token[:4] == "seq:" && token[4] >= '1' && token[4] <= '9':
			if counted {
				return refuse("The number {seq} may stand only once")
			}
			if token != "seq" {
				f.pad = int(token[4] - '0')
			}
			part, counted = &f.after, true
		default:
			return refuse("{%.20s} is not known: use {code}, {fy} and {seq:5} (1 to 9 digits)", token)
		}
	}
	if !counted {
		return refuse("The number itself is missing: add {seq:5}")
	}
	last := f.Text(fy, f.reach())
	if len(last) > maxNumberText {
		return refuse("%.40s has %d characters, and a number may have at most %d", last, len(last), maxNumberText)
	}
	if first := f.Text(fy, 1)[0]; first == '0' || first == '-' || first == '/' {
		return refuse("A number may not start with %c", first)
	}
	return f, nil
}

// reach is the largest number whose text is checked when a format is set.
func (f NumberFormat) reach() int64 {
	if f.pad == 0 {
		return maxUnpadded
	}
	n := int64(1)
	for range f.pad {
		n *= 10
	}
	return n - 1
}

// Text is number n of the financial year fy ("2026-27") as printed. A number
// beyond the format's width is longer, never refused.
func (f NumberFormat) Text(fy string, n int64) string {
	b := make([]byte, 0, 32)
	b = appendParts(b, f.before, fy)
	var number [20]byte
	digits := strconv.AppendInt(number[:0], n, 10)
	for range f.pad - len(digits) {
		b = append(b, '0')
	}
	return string(appendParts(append(b, digits...), f.after, fy))
}

// Example is the first number of the financial year fy, to show beside a
// format that is being edited.
func (f NumberFormat) Example(fy string) string { return f.Text(fy, 1) }

func appendParts(b []byte, parts []formatPart, fy string) []byte {
	for _, p := range parts {
		if p.fy {
			b = append(b, FYShort(fy)...)
		} else {
			b = append(b, p.text...)
		}
	}
	return b
}

func isNumberChar(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '/'
}
