package fees

import (
	"net/url"
	"strconv"
	"strings"
)

// UPIHint is how a UPI address is written.
const UPIHint = "A UPI address is written like school@bank"

// ValidUPI says whether s is an address that UPI payments go to: a name of
// letters, digits, ".", "_" and "-", "@", and the name of a bank's handle (NPCI,
// UPI Linking Specifications 1.6).
func ValidUPI(s string) bool {
	name, handle, found := strings.Cut(s, "@")
	return found && len(name) >= 2 && len(s) <= 255 && len(handle) >= 2 &&
		allOf(name, func(r rune) bool { return isASCIIAlnum(r) || strings.ContainsRune("._-", r) }) &&
		allOf(handle, func(r rune) bool { return isASCIIAlnum(r) || r == '.' || r == '-' })
}

// TakesUPI says whether payers of the institute can be shown where to pay by UPI.
func (i Institute) TakesUPI() bool { return i.UPI != "" && i.Currency == "INR" && i.Decimals == 2 }

// UPILink is what a payer's telephone reads: pay that much to the institute, for
// that, under a reference of at most 35 letters and digits ("" for none).
func (i Institute) UPILink(amount Amount, note, ref string) string {
	rupees := strconv.FormatInt(int64(amount)/100, 10)
	paise := strconv.FormatInt(int64(amount)%100+100, 10)[1:]
	// Some telephones read "+" as it stands, so a space is %20. The address is of
	// letters that need no escape.
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	link := "upi://pay?pa=" + i.UPI + "&pn=" + escape(i.Name) + "&am=" + rupees + "." + paise + "&cu=INR&tn=" + escape(note)
	if ref != "" {
		link += "&tr=" + ref
	}
	return link
}
