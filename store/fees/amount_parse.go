package fees

import (
	"fmt"
	"strings"
	"unicode"
)

// Parse reads an amount as a cashier types it: digits, grouped by commas in
// the locale's way or not at all, and at most Decimals digits after a dot.
// Space around it is dropped. Anything else (signs, exponents, symbols, other
// scripts' digits, groups of the wrong width, more than MaxAmount) is Invalid
// with the reason, never guessed at. "0" is 0: whether that will do is the
// caller's to say.
func (c Currency) Parse(s string) (Amount, *Error) {
	return c.parse(strings.TrimSpace(s))
}

// ParseSigned is Parse that also takes a leading minus, for opening balances
// in the payer's favour.
func (c Currency) ParseSigned(s string) (Amount, *Error) {
	s = strings.TrimSpace(s)
	rest, negative := strings.CutPrefix(s, "-")
	if negative && rest == "" || strings.ContainsAny(rest, "-−–(") {
		return 0, Errorf(Invalid, "Write one plain minus sign directly before the figure, like -500")
	}
	a, err := c.parse(rest)
	if negative {
		a = -a
	}
	return a, err
}

func (c Currency) parse(s string) (Amount, *Error) {
	whole, fraction, dotted := strings.Cut(s, ".")
	if whole == "" || dotted && fraction == "" || int64(len(fraction)) > c.Decimals {
		return 0, c.refuse(s)
	}
	if strings.IndexByte(whole, ',') >= 0 && !grouped(whole, c.groupWidth()) {
		return 0, c.refuse(s)
	}
	var a Amount
	digit := func(b byte) bool {
		if b < '0' || b > '9' {
			return false
		}
		// Beyond the limit the value no longer matters, only that it is.
		if a <= MaxAmount {
			a = a*10 + Amount(b-'0')
		}
		return true
	}
	for i := range len(whole) {
		if whole[i] != ',' && !digit(whole[i]) {
			return 0, c.refuse(s)
		}
	}
	for i := range len(fraction) {
		if !digit(fraction[i]) {
			return 0, c.refuse(s)
		}
	}
	for range c.Decimals - int64(len(fraction)) {
		digit('0')
	}
	if a > MaxAmount {
		return 0, Errorf(Invalid, "The largest amount is %s", c.Format(MaxAmount))
	}
	return a, nil
}

// grouped says whether the commas of s stand where a figure has them: one to
// width digits without a leading zero, groups of width, and three at the end.
func grouped(s string, width int) bool {
	n := len(s)
	if n < 5 || s[n-4] != ',' || s[0] == '0' {
		return false
	}
	head := s[:n-4]
	for i := range len(head) {
		if (head[len(head)-1-i] == ',') != (i%(width+1) == width) {
			return false
		}
	}
	return head[0] != ',' && !strings.Contains(s[n-3:], ",")
}

// refuse says in a cashier's words why s is not an amount.
func (c Currency) refuse(s string) *Error {
	say := func(format string, args ...any) *Error { return Errorf(Invalid, format, args...) }
	example := c.Format(1234567*c.unit() + c.unit()/2)
	if s == "" {
		return say("Enter an amount")
	}
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9', r == ',', r == '.':
		case r == '-', r == '−', r == '–', r == '(':
			return say("The amount cannot be negative")
		case r == '+':
			return say("Write the amount without a plus sign")
		case unicode.IsSpace(r):
			return say("Write the amount without spaces inside, like %s", example)
		case unicode.IsDigit(r):
			return say("Write the amount with the digits 0 to 9")
		case r == 'e' || r == 'E':
			return say("Write the amount in full digits, like %s", example)
		case unicode.IsLetter(r), unicode.Is(unicode.Sc, r), r == '%':
			return say("Write only the figure, without %q", string(r))
		default:
			return say("%s cannot be part of an amount; write it like %s", describe(r), example)
		}
	}
	whole, fraction, dotted := strings.Cut(s, ".")
	switch {
	case strings.Contains(fraction, ".") || strings.Contains(fraction, ","):
		return say("Use commas between groups of digits and one dot before the decimals, like %s", example)
	case strings.Contains(whole, ","):
		if !grouped(whole, c.groupWidth()) {
			return say("The commas are not where they belong: write it like %s, or without commas", example)
		}
	}
	switch {
	case c.Decimals <= 0 && dotted:
		return say("%s has no decimals: write a whole number", c.Code)
	case whole == "":
		return say("Put a digit before the dot, like 0.5")
	case dotted && fraction == "":
		return say("Put digits after the dot, or leave the dot out")
	default:
		return say("At most %d digits may follow the dot", c.Decimals)
	}
}

// unit is one major unit in minor ones: 100 for INR.
func (c Currency) unit() Amount {
	u := Amount(1)
	for range min(c.Decimals, 18) {
		u *= 10
	}
	return u
}

// describe names a character for a message, invisible ones by their code.
func describe(r rune) string {
	if unicode.IsGraphic(r) && r != unicode.ReplacementChar {
		return fmt.Sprintf("“%c”", r)
	}
	return fmt.Sprintf("The hidden character U+%04X", r)
}
