package views

import (
	"cmp"
	"slices"
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Student is a student's statement: everything billed and received, oldest
// first, with the balance after each.
type Student struct {
	Frame       Frame
	Name        string
	AdmissionNo string
	Class       string
	Status      *ui.StatusView // only when not active
	Facts       []Fact

	Balance Sum    // what is owed; negative in credit
	Credit  string // the balance without its minus, "" unless in credit
	State   string // the balance in a word: to pay, in credit, nothing to pay
	Symbol  string

	// "" when the visitor may not
	CollectHref, EditHref, ChargeHref, GrantsHref, RefundHref string

	Cheques []ChequeLine // where they stand

	Leave            *BillForm // of one who left: cancels bills after the last day
	Entries          []StatementEntry
	Billed, Received string // the sums of the columns
	Empty            ui.EmptyView
}

// Fact is something known, with its name.
type Fact struct{ Name, Value string }

// StatementEntry is one line of a statement. Either Billed or Received is set.
type StatementEntry struct {
	Date, What, Href string
	Detail           string
	Billed, Received string
	Balance          string
	Status           *ui.StatusView // of a receipt that is not simply issued, or a change of a bill
	Bill             string         // Bill.Period where the line is one
	Form             *BillForm      // with which the bill is cancelled or waived
}

// entry is a statement's line before its balance is known.
type entry struct {
	date  fees.Date
	at    time.Time
	moves fees.Amount // what it adds to what is owed
	line  StatementEntry
}

// StudentOf is a student with everything billed and received.
func StudentOf(inst fees.Institute, s fees.Student, bills []fees.Bill, rows []fees.Row) Student {
	v := Student{Name: s.Name, AdmissionNo: s.AdmissionNo, Class: ClassOf(s.Class, s.Section), Symbol: Symbol(inst.Money())}
	if s.Status == fees.StudentLeft {
		v.Status = &ui.StatusView{Kind: "neutral", Word: "Left"}
	}
	for _, f := range []Fact{
		{"Guardian", s.Guardian}, {"Phone", s.Phone}, {"E-mail", s.Email}, {"Family", s.Family}, {"Category", s.Category},
		{"Last day", leftOn(s)},
	} {
		if f.Value != "" {
			v.Facts = append(v.Facts, f)
		}
	}
	v.state(inst, bills, rows)
	return v
}

func leftOn(s fees.Student) string {
	if s.LeftOn == "" {
		return ""
	}
	return Day(s.LeftOn)
}

// state fills in the statement: bills and rows in the order in which they came
// to be owed or paid. The balance is what the bills sum to less what the rows
// sum to.
func (v *Student) state(inst fees.Institute, bills []fees.Bill, rows []fees.Row) {
	money, zone := inst.Money(), inst.Location()
	var billed, received, balance fees.Amount
	entries := make([]entry, 0, len(bills)+len(rows))
	bills = slices.Clone(bills)
	slices.SortStableFunc(bills, func(a, b fees.Bill) int { return cmp.Compare(a.DueDate, b.DueDate) })
	for _, b := range bills {
		billed += b.Net
		entries = append(entries, billEntries(money, zone, b)...)
	}
	for _, r := range rows {
		received += r.Total
		entries = append(entries, entry{date: r.Date, at: r.RecordedAt, moves: -r.Total, line: rowEntry(money, r)})
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.date, b.date), a.at.Compare(b.at))
	})
	for _, e := range entries {
		balance += e.moves
		e.line.Date = Day(e.date)
		e.line.Balance = money.Format(balance)
		v.Entries = append(v.Entries, e.line)
	}
	v.Billed, v.Received, v.Balance = money.Format(billed), money.Format(received), SumOf(money, balance)
	v.State = owes(balance)
	if balance < 0 {
		v.Credit = money.Format(-balance)
	}
}

func owes(balance fees.Amount) string {
	switch {
	case balance > 0:
		return "to pay"
	case balance < 0:
		return "in credit"
	}
	return "nothing to pay"
}

func rowEntry(money fees.Currency, r fees.Row) StatementEntry {
	e := StatementEntry{
		What:     NumberOr(r.NumberText),
		Href:     ReceiptHref(r.ShortID()),
		Detail:   ModesOf(r.Tenders),
		Received: money.Format(r.Total),
	}
	if r.Kind == fees.KindReversal {
		e.Detail = "reverses " + NumberOr(r.ReversesText) + ": " + r.Reason
	}
	if r.Kind == fees.KindRefund {
		e.Detail = "given back: " + r.Reason
	}
	if r.Kind == fees.KindAdjustment {
		e.Detail, e.Received = movesOf(money, r.Lines), ""
	}
	if s := r.Status(); s != fees.StatusIssued {
		pill := StatusPill(s)
		e.Status = &pill
	}
	return e
}
