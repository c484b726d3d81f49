package views

import (
	"net/url"
	"slices"

	"raseed/store/fees"
)

// UPI is the code that a payer scans to pay what is on the form.
type UPI struct {
	Base    string // where the picture is; an amount in its query follows what is typed
	Src     string // the picture for Amount, "" where there is none yet
	Amount  string // with its symbol
	Payee   string // the institute, as the payer's telephone names it
	Address string // that the money goes to
}

// upiOf is the code for a student's payment: for what is typed to be paid by UPI,
// or else for all that is due. nil where the institute has no UPI address.
func upiOf(inst fees.Institute, paymentID string, due fees.Amount, p PaymentText) *UPI {
	if !inst.TakesUPI() {
		return nil
	}
	money, amount := inst.Money(), due
	if n := slices.IndexFunc(p.Tenders, func(t TenderText) bool { return t.Mode == string(fees.ModeUPI) }); n >= 0 {
		if typed, wrong := money.Parse(p.Tenders[n].Amount); wrong == nil {
			amount = typed
		}
	}
	v := &UPI{
		Base:  CollectHref(p.Student) + "/upi.svg?" + url.Values{"payment_id": {paymentID}}.Encode() + "&amount=",
		Payee: inst.Name, Address: inst.UPI,
	}
	if amount > 0 {
		v.Src, v.Amount = v.Base+money.Plain(amount), Money(money, amount)
	}
	return v
}
