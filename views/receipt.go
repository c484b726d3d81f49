package views

import (
	"strings"

	"raseed/store/fees"
	"raseed/views/print"
	"raseed/views/ui"
)

// Receipt is the page of one ledger row.
type Receipt struct {
	Frame    Frame
	Href     string
	What     string // payment, reversal, adjustment
	ID       string // the row's whole key
	Number   string // "" while the row awaits it
	Status   ui.StatusView
	Total    Sum
	Figure   string // Total without its minus
	Symbol   string
	Words    string
	Paper    print.Receipt
	Balance  Sum    // what the student owed once the row was written
	Advance  string // what of it was kept as an advance; "" for none
	Linked   *Link  // the reversal of this row, or what this row takes back
	Reverse  *Reverse
	Student  Link
	Family   string       // the family payment that it is part of, "" for none
	Collect  string       // where this student's next payment is taken; "" for those who may not
	Next     string       // where the next payer's is
	Format   print.Format // in which it is printed
	Print    *Link        // nil while there is no number to be found by
	Prints   []Link       // the other formats
	Paid     Paid         // what the ways of payment are headed by
	PDF      *Link        // the receipt as a file; nil while there is no number
	Printed  []PrintLine
	Cheques  []ChequeLine // where its cheques stand
	Refunded []Link       // the vouchers by which something of it was given back
	Refund   string       // where something of it is asked back; "" where nothing can be, or not by the visitor

	AskReversal bool // the visitor collects and may not reverse
}

// ReceiptOf is a row as its own page shows it. reversal is the row that took
// it back, nil where there is none. format is the paper that the counter uses.
func ReceiptOf(inst fees.Institute, row fees.Row, reversal *fees.Row, format print.Format) Receipt {
	money := moneyOf(inst, row)
	r := Receipt{
		Href: ReceiptHref(row.ShortID()), ID: row.ID, Number: row.NumberText, Status: StatusPill(row.Status()),
		Total: SumOf(money, row.Total), Symbol: Symbol(money), What: string(row.Kind),
		Paper: PaperOf(inst, row, reversal), Balance: balanceOf(money, row.BalanceAfter),
		Student: Link{Href: StudentHref(row.Student), Text: row.StudentName}, Figure: money.Format(abs(row.Total)), Format: format, Paid: paidOf(row),
	}
	r.Words = r.Paper.Words
	if row.Family != "" && row.Kind == fees.KindPayment {
		r.Family = FamilyReceiptsHref(row.Family)
	}
	for _, l := range row.Lines {
		if row.Kind == fees.KindPayment && l.Head == fees.HeadAdvance && reversal == nil {
			r.Advance = Money(money, l.Amount)
		}
	}
	switch {
	case reversal != nil:
		r.Linked = &Link{Href: ReceiptHref(reversal.ShortID()), Text: "Reversed by " + NumberOr(reversal.NumberText) + " on " + Day(reversal.Date)}
	case row.Reverses != "":
		r.Linked = &Link{Href: ReceiptHref(fees.After(row.Reverses)), Text: "Reverses " + NumberOr(row.ReversesText)}
	case row.Kind == fees.KindAdjustment:
		r.Linked = reversalOf(row)
	case row.Refunds != "":
		r.Linked = &Link{Href: ReceiptHref(fees.After(row.Refunds)), Text: "Given back from " + NumberOr(row.RefundsText)}
	}
	r.Prints = printLinks(r.Href, format)
	if row.NumberText != "" {
		r.Print, r.Prints = &r.Prints[0], r.Prints[1:]
		r.PDF = &Link{Href: r.Href + ".pdf", Text: "PDF"}
		r.Paper.Duplicate = "DUPLICATE, copied from the screen"
	}
	return r
}

// moneyOf is the currency a row was written in.
func moneyOf(inst fees.Institute, row fees.Row) fees.Currency {
	money := inst.Money()
	if row.Currency != "" {
		money.Code = row.Currency
	}
	return money
}

// PaperOf is a row as it is printed: only what the row itself says, so that a
// later reprint is the same.
func PaperOf(inst fees.Institute, row fees.Row, reversal *fees.Row) print.Receipt {
	money := moneyOf(inst, row)
	p := print.Receipt{
		Institute: row.InstituteName, Address: row.InstituteAddress, Logo: LogoHref(row.Logo), Footer: row.InstituteFooter, Title: "Fee receipt", Sign: "Signature",
		Number: row.NumberText, Date: Day(row.Date),
		Student: row.StudentName, AdmissionNo: row.Student, Class: ClassOf(row.Class, row.Section), Guardian: row.Guardian,
		Symbol: Symbol(money), Total: money.Format(row.Total), Sum: Money(money, row.Total), Words: money.Words(row.Total),
		BalanceAfter: balanceOf(money, row.BalanceAfter).Text, Remark: row.Remark,
		By: "Received by", Cashier: row.CashierName, RecordedAt: Moment(inst, row.RecordedAt),
	}
	for _, l := range row.Lines {
		line := print.Line{Title: l.Title, Head: l.HeadName, Amount: money.Format(l.Amount)}
		if line.Title == line.Head { // an opening balance is said once
			line.Title = ""
		}
		p.Lines = append(p.Lines, line)
	}
	for _, t := range row.Tenders {
		p.Tenders = append(p.Tenders, print.Tender{Mode: t.Mode.Title(), Details: tenderDetails(t), Amount: money.Format(t.Amount)})
		if t.IsCheque() && row.Kind == fees.KindPayment {
			p.Note = "Cheques and drafts are subject to realisation."
		}
	}
	if reversal != nil {
		p.Reversed = "Reversed by " + NumberOr(reversal.NumberText) + " on " + Day(reversal.Date)
	}
	switch row.Kind {
	case fees.KindAdjustment:
		voucher(&p, row)
	case fees.KindRefund:
		refundVoucher(&p, money, row)
	case fees.KindReversal:
		p.Title, p.By = "Reversal of a receipt", "Reversed by"
		p.Reverses = "Takes back " + NumberOr(row.ReversesText) + ": " + row.Reason
	}
	return p
}

func tenderDetails(t fees.Tender) string {
	parts := make([]string, 0, 3)
	for _, part := range []string{last4(t.Last4), t.Ref, t.Bank, t.Branch, Day(t.Date)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}
