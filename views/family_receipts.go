package views

import (
	"raseed/store/fees"
	"raseed/views/print"
	"raseed/views/ui"
)

// FamilyReceipts is the page of a family payment: a receipt for each child.
type FamilyReceipts struct {
	Frame    Frame
	Href     string
	Family   string
	Date     string
	Total    Sum
	Symbol   string
	Words    string
	Receipts []FamilyReceipt
	Tenders  []FamilyTender
	Remark   string
	Cashier  string
	At       string
	Pending  bool   // a receipt is still to be written, or to be numbered
	ID       string // the payment's whole key
	Collect  string // where the family's next payment is taken; "" for those who may not
	Next     string // where the next payer's is
	Print    *Link  // nil while something is pending
	Prints   []Link // the other formats
	PDF      *Link  // all receipts as a file; nil while something is pending
}

// FamilyReceipt is one child's receipt.
type FamilyReceipt struct {
	Href, Number string // "" while it is still to be written
	Student      Link
	Total        string
	Advance      string // what of it was kept as an advance, "" for none
	Balance      Sum    // what the child owed after it
	Status       ui.StatusView
}

// FamilyTender is one way in which the payment was handed over.
type FamilyTender struct{ Mode, Details, Amount string }

// FamilyReceiptsOf is a family payment as its page shows it. rows are those
// that it has become so far, and format the paper that the counter uses.
func FamilyReceiptsOf(inst fees.Institute, p fees.FamilyPayment, rows []fees.Row, format print.Format) FamilyReceipts {
	money := inst.Money()
	v := FamilyReceipts{
		Href: FamilyReceiptsHref(p.ShortID()), ID: p.ID, Family: p.Family, Date: Day(p.Date),
		Total: SumOf(money, p.Total), Symbol: Symbol(money), Words: money.Words(p.Total),
		Remark: p.Remark, Cashier: p.CashierName, At: Moment(inst, p.RecordedAt),
	}
	there := make(map[string]fees.Row, len(rows))
	for _, row := range rows {
		there[row.ShortID()] = row
	}
	for _, c := range p.Children {
		r := FamilyReceipt{
			Student: Link{Href: StudentHref(c.Student), Text: c.Name}, Total: money.Format(c.Amount), Status: StatusPill(fees.StatusPending),
		}
		if row, ok := there[c.Row]; ok {
			r.Href, r.Number, r.Status, r.Balance = ReceiptHref(c.Row), row.NumberText, StatusPill(row.Status()), balanceOf(money, row.BalanceAfter)
			for _, l := range row.Lines {
				if l.Head == fees.HeadAdvance && row.ReversedBy == "" {
					r.Advance = Money(money, l.Amount)
				}
			}
		}
		v.Pending = v.Pending || r.Number == ""
		v.Receipts = append(v.Receipts, r)
	}
	for _, t := range p.Tenders {
		v.Tenders = append(v.Tenders, FamilyTender{Mode: t.Mode.Title(), Details: tenderDetails(t), Amount: money.Format(t.Amount)})
	}
	v.Prints = printLinks(v.Href, format)
	if !v.Pending {
		v.Print, v.Prints = &v.Prints[0], v.Prints[1:]
		v.PDF = &Link{Href: v.Href + ".pdf", Text: "PDF of all"}
	}
	return v
}
