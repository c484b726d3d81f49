package views

import (
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Collect is the counter: a search, the student it found with what they owe,
// and the till.
type Collect struct {
	Frame   Frame
	Search  Search
	Student *Payer  // nil until somebody is chosen
	Family  *Family // all children of a family in a student's place; nil otherwise
	Till    *Till   // nil when there is nothing to be paid into
	Notice  *Notice
	Shift   *ShiftStrip // the cashier's till; nil where it is not known
	Hold    *Hold       // nil where nothing is held or waited for
}

// Notice is what stands in the till's place, or above it.
type Notice struct {
	Alert ui.AlertView
	Links []Link
}

// Payer is a student at the counter: who they are, what they owe, what they
// paid last.
type Payer struct {
	AdmissionNo, Name, Class, Guardian, Phone string
	Href                                      string // their statement
	Family                                    string // where all children of the family are paid for at once, "" where there are no others
	Left                                      bool   // no longer at the school
	Symbol                                    string
	Bills                                     []PayerBill
	Due, Advance, Balance                     Sum
	HasAdvance                                bool
	Receipts                                  []PayerReceipt // newest first
}

// PayerBill is one bill that is still owed, by head.
type PayerBill struct {
	Title, DueDate string
	Overdue        bool
	Lines          []PayerLine // none where the title says it all
	Open           string
}

// PayerLine is one head of a bill.
type PayerLine struct{ Head, Open string }

// PayerReceipt is one of a student's rows.
type PayerReceipt struct {
	Href, Number, Date, Modes, Total string
	Status                           ui.StatusView
}

// lastReceipts is how many of a student's rows the counter shows.
const lastReceipts = 3

// PayerOf is a student at the counter. rows are theirs, oldest first.
func PayerOf(inst fees.Institute, today fees.Date, s fees.Student, d fees.Dues, rows []fees.Row) Payer {
	money := inst.Money()
	p := Payer{
		AdmissionNo: s.AdmissionNo, Name: s.Name, Class: ClassOf(s.Class, s.Section), Guardian: s.Guardian, Phone: s.Phone,
		Href: StudentHref(s.AdmissionNo), Left: s.Status == fees.StudentLeft,
		Symbol: Symbol(money),
		Due:    SumOf(money, d.Due), Advance: SumOf(money, d.Advance), Balance: SumOf(money, d.Balance),
		HasAdvance: d.Advance > 0,
	}
	var open fees.Amount
	for i, l := range d.Lines {
		if i == 0 || l.Bill != d.Lines[i-1].Bill {
			open = 0
			p.Bills = append(p.Bills, PayerBill{Title: l.Title, DueDate: Day(l.DueDate), Overdue: l.DueDate < today})
		}
		b := &p.Bills[len(p.Bills)-1]
		open += l.Open
		b.Open = money.Format(open)
		if l.HeadName != l.Title { // an opening balance is said once
			b.Lines = append(b.Lines, PayerLine{Head: l.HeadName, Open: money.Format(l.Open)})
		}
	}
	for i := len(rows) - 1; i >= 0 && len(p.Receipts) < lastReceipts; i-- {
		r := rows[i]
		p.Receipts = append(p.Receipts, PayerReceipt{
			Href: ReceiptHref(r.ShortID()), Number: NumberOr(r.NumberText), Date: Day(r.Date),
			Modes: ModesOf(r.Tenders), Total: money.Format(r.Total), Status: StatusPill(r.Status()),
		})
	}
	return p
}

// CollectHref is the counter with a student on it.
func CollectHref(admissionNo string) string { return "/collect/" + url.PathEscape(admissionNo) }
