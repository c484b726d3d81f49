package views

import (
	"net/url"

	"raseed/store/fees"
)

// UPI is the code that a payer scans to pay what is on the form.
type UPI struct {
	Base    string // where the picture is; an amount in its query follows what is typed
	Src     string // the picture for what is due
	Address string // that the money goes to
}

// UPIOf is the code for a student's payment of that amount; nil where the
// institute has no UPI address, or nothing is due.
func UPIOf(inst fees.Institute, student, paymentID string, amount fees.Amount) *UPI {
	if !inst.TakesUPI() || amount <= 0 {
		return nil
	}
	base := CollectHref(student) + "/upi.svg?" + url.Values{"payment_id": {paymentID}}.Encode() + "&amount="
	return &UPI{Base: base, Src: base + inst.Money().Plain(amount), Address: inst.UPI}
}
