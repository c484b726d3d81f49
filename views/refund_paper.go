package views

import (
	"raseed/store/fees"
	"raseed/views/print"
)

// refundVoucher makes the paper of a refund say that money was given back, by
// whose leave, and have whoever takes it sign.
func refundVoucher(p *print.Receipt, money fees.Currency, row fees.Row) {
	from := "an advance"
	if row.Refunds != "" {
		from = "what was received by " + NumberOr(row.RefundsText)
	}
	p.Title, p.By, p.Sign, p.GivesBack = "Refund voucher", "Paid back by", "Received by the payer", true
	p.Words = "Paid back: " + money.Words(-row.Total)
	p.Reverses = "Gives back " + from + ": " + row.Reason
	if row.ApprovedName != "" {
		p.Reverses += ". Approved by " + row.ApprovedName
	}
}
