package fees

import "strings"

// Currency is how an institute reads, writes and words its money.
type Currency struct {
	Code     string // ISO 4217, INR
	Decimals int64  // digits after the dot: 2 for INR, 3 for KWD, 0 for JPY
	Locale   string // en-IN; its region decides grouping and wording
}

// Money is the institute's currency.
func (i Institute) Money() Currency {
	return Currency{Code: i.Currency, Decimals: i.Decimals, Locale: i.Locale}
}

// Plain writes a without grouping, as CSV cells and form fields carry it:
// "-4500.00".
func (c Currency) Plain(a Amount) string { return c.write(a, 0) }

// Format writes a grouped for the locale and without a symbol: "12,34,567.50",
// "-2,500.00". The separators are a comma and a dot everywhere; only the width
// of the groups differs.
func (c Currency) Format(a Amount) string { return c.write(a, c.groupWidth()) }

// groupWidth is how many digits a group has left of the first three: 2 where
// figures are written 12,34,567 and 3 where they are written 1,234,567.
//
// The regions are those whose languages CLDR groups by lakh: India (en, hi),
// Nepal (ne), Bangladesh (bn) and Bhutan (dz). Pakistan (ur), Sri Lanka (si)
// and the Maldives write threes.
func (c Currency) groupWidth() int {
	switch c.region() {
	case "IN", "NP", "BD", "BT":
		return 2
	}
	return 3
}

// lakhs says whether large amounts are worded in lakh and crore. Pakistan
// words its cheques so although it groups figures by threes; Sri Lanka and the
// Maldives use the international words.
func (c Currency) lakhs() bool { return c.groupWidth() == 2 || c.region() == "PK" }

// region is the country of the locale; a locale without one is read as that of
// the currency's country, with which every national ISO 4217 code begins.
func (c Currency) region() string {
	_, rest, found := strings.Cut(strings.ReplaceAll(c.Locale, "_", "-"), "-")
	for found {
		var tag string
		tag, rest, found = strings.Cut(rest, "-")
		switch len(tag) {
		case 1: // an extension begins: en-u-nu-latn
			return c.home()
		case 2:
			return strings.ToUpper(tag)
		}
	}
	return c.home()
}

func (c Currency) home() string { return c.Code[:min(2, len(c.Code))] }

// write renders a with groups of the given width left of the first three
// digits, or without groups when it is 0.
func (c Currency) write(a Amount, width int) string {
	var buf [48]byte // 19 digits, 18 commas, dot and sign fit
	at := len(buf)
	put := func(b byte) { at--; buf[at] = b }
	left := magnitude(a)
	if c.Decimals > 0 {
		for range min(c.Decimals, 18) {
			put('0' + byte(left%10))
			left /= 10
		}
		put('.')
	}
	for run, size := 0, 3; ; run++ {
		if width > 0 && run == size {
			put(',')
			run, size = 0, width
		}
		put('0' + byte(left%10))
		if left /= 10; left == 0 {
			break
		}
	}
	if a < 0 {
		put('-')
	}
	return string(buf[at:])
}
