package fees

import "strings"

// Validate says what is wrong with the institute's settings: Invalid, with
// Fields code, name, address, footer, upi, tz, fy_start, currency, decimals, locale,
// closed_to and format_receipt, format_reversal, format_refund,
// format_adjustment.
func (i Institute) Validate() *Error {
	p := make(problems)
	if !ValidCode(i.Code) {
		p.add("code", "The code is 1 to 8 capital letters and digits, a letter first")
	}
	if name, err := CleanText(i.Name, 120); err != nil {
		p.add("name", err.Message)
	} else if name == "" {
		p.add("name", "Enter the institute's name")
	}
	if _, err := CleanText(i.Address, 200); err != nil {
		p.add("address", err.Message)
	}
	if _, err := CleanText(i.Footer, 200); err != nil {
		p.add("footer", err.Message)
	}
	if i.UPI != "" && !ValidUPI(i.UPI) {
		p.add("upi", UPIHint)
	}
	if _, ok := zone(i.TimeZone); !ok {
		p.add("tz", "There is no time zone of that name; write it like Asia/Kolkata")
	}
	if i.FYStart < 1 || i.FYStart > 12 {
		p.add("fy_start", "The financial year starts in a month from 1 to 12")
	}
	if len(i.Currency) != 3 || strings.Trim(i.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		p.add("currency", "The currency is three capital letters, like INR")
	}
	if i.Decimals < 0 || i.Decimals > 4 {
		p.add("decimals", "A currency has 0 to 4 decimals")
	}
	if !allOf(i.Locale, isLocaleChar) || len(i.Locale) > 35 {
		p.add("locale", "The locale is written like en-IN")
	}
	if i.ClosedTo != "" && !i.ClosedTo.Valid() {
		p.add("closed_to", "The closing date is not a date")
	}
	if p["code"] == "" && p["fy_start"] == "" { // numbers are made of both
		i.checkFormats(p.add)
	}
	return p.err("The institute's settings have mistakes")
}

// ValidCode says whether s is an institute's code: a capital letter and up to
// seven more or digits.
func ValidCode(s string) bool {
	if len(s) < 1 || len(s) > 8 || s[0] <= '9' {
		return false
	}
	return allOf(s, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' })
}

func isLocaleChar(r rune) bool { return isASCIIAlnum(r) || r == '-' || r == '_' }
