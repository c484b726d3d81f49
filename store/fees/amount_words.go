package fees

import (
	"strconv"
	"strings"
)

// Words writes a as a cheque does, the unit first and "Only" last, in lakh and
// crore where the locale counts so and in million and billion elsewhere:
//
//	12500002  Rupees One Lakh Twenty Five Thousand and Two Paise Only
//	   10000  Rupees One Hundred Only
//	     100  Rupee One Only
//	      50  Fifty Paise Only
//	       0  Rupees Zero Only
//	 -250000  Minus Rupees Two Thousand Five Hundred Only
//
// Crores above ninety-nine are counted on: One Hundred Crore, One Lakh Crore.
// A currency whose names are not known, or whose institute counts in other
// decimals than it has, is "XYZ Twelve and 25/100 Only".
func (c Currency) Words(a Amount) string {
	unit := uint64(c.unit())
	major, minor := magnitude(a)/unit, magnitude(a)%unit
	b := make([]byte, 0, 160)
	if a < 0 {
		b = append(b, "Minus "...)
	}
	names, known := currencyNames(c.Code)
	if !known || names.decimals != c.Decimals {
		b = append(b, c.Code...)
		b = c.appendNumber(append(b, ' '), major)
		if minor > 0 {
			b = append(b, " and "...)
			b = strconv.AppendUint(b, minor, 10)
			b = strconv.AppendUint(append(b, '/'), unit, 10)
		}
		return string(append(b, " Only"...))
	}
	if major > 0 || minor == 0 {
		b = append(b, pick(major, names.major, names.majors)...)
		b = c.appendNumber(append(b, ' '), major)
		if minor > 0 {
			b = append(b, " and "...)
		}
	}
	if minor > 0 {
		b = c.appendNumber(b, minor)
		b = append(append(b, ' '), pick(minor, names.minor, names.minors)...)
	}
	return string(append(b, " Only"...))
}

func pick(n uint64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (c Currency) appendNumber(b []byte, n uint64) []byte {
	if c.lakhs() {
		return appendLakhs(b, n)
	}
	return appendMillions(b, n)
}

// appendLakhs words n as South Asia does.
func appendLakhs(b []byte, n uint64) []byte {
	if n >= 1_00_00_000 {
		b = append(appendLakhs(b, n/1_00_00_000), " Crore"...)
		if n %= 1_00_00_000; n == 0 {
			return b
		}
		b = append(b, ' ')
	}
	if n >= 1_00_000 {
		b = append(appendSmall(b, n/1_00_000), " Lakh"...)
		if n %= 1_00_000; n == 0 {
			return b
		}
		b = append(b, ' ')
	}
	return appendThousands(b, n)
}

// appendMillions words n on the short scale.
func appendMillions(b []byte, n uint64) []byte {
	for _, scale := range [...]struct {
		size uint64
		name string
	}{
		{1e18, " Quintillion"}, {1e15, " Quadrillion"}, {1e12, " Trillion"}, {1e9, " Billion"}, {1e6, " Million"},
	} {
		if n < scale.size {
			continue
		}
		b = append(appendSmall(b, n/scale.size), scale.name...)
		if n %= scale.size; n == 0 {
			return b
		}
		b = append(b, ' ')
	}
	return appendThousands(b, n)
}

// appendThousands words n below a million.
func appendThousands(b []byte, n uint64) []byte {
	if n < 1000 {
		return appendSmall(b, n)
	}
	b = append(appendSmall(b, n/1000), " Thousand"...)
	if n %= 1000; n > 0 {
		b = appendSmall(append(b, ' '), n)
	}
	return b
}

const (
	ones = "Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen " +
		"Fifteen Sixteen Seventeen Eighteen Nineteen"
	tens = "Zero Ten Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety"
)

// appendSmall words n below a thousand.
func appendSmall(b []byte, n uint64) []byte {
	if n >= 100 {
		b = append(appendWord(b, ones, n/100), " Hundred"...)
		if n %= 100; n == 0 {
			return b
		}
		b = append(b, ' ')
	}
	if n < 20 {
		return appendWord(b, ones, n)
	}
	b = appendWord(b, tens, n/10)
	if n %= 10; n > 0 {
		b = appendWord(append(b, ' '), ones, n)
	}
	return b
}

// appendWord appends the n-th (from 0) of words.
func appendWord(b []byte, words string, n uint64) []byte {
	for range n {
		_, words, _ = strings.Cut(words, " ")
	}
	word, _, _ := strings.Cut(words, " ")
	return append(b, word...)
}
