package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"raseed/store/fees"
	"raseed/views/ui"
)

// PaymentText is the payment form as it was typed, and what is wrong with it
// by field name; the n-th (from 0) of a repeated field is "tender_amount.1".
// ID is that of the row within the institute.
type PaymentText struct {
	ID, Student, Date, Remark string
	Shift                     string // the till that was open when it was rendered, "" for none
	Hold                      string // the token of the hold that the form has, "" for none
	Tenders                   []TenderText
	Lines                     []LineText
	Problems                  map[string]string
	Asked                     map[string]bool // references that were received already, until they are in RefsAgain
	RefsAgain                 []string        // those that the cashier says are right
	first, today              fees.Date
}

// Between says of which days the payment may be, both included.
func (p *PaymentText) Between(first, today fees.Date) { p.first, p.today = first, today }

// TenderText is one way of paying as it was typed.
type TenderText struct{ Mode, Amount, Ref, Bank, Branch, Date, Last4 string }

// LineText is what a cashier wants settled of one head of one bill, as typed.
type LineText struct{ Bill, Head, Amount string }

// Blank says whether nothing at all was typed.
func (t TenderText) Blank() bool {
	return strings.TrimSpace(t.Mode+t.Amount+t.Ref+t.Bank+t.Branch+t.Date+t.Last4) == ""
}

// ref is the reference as the ledger asks about it.
func (t TenderText) ref() string { return strings.ToUpper(strings.Join(strings.Fields(t.Ref), " ")) }

// Till is the payment form.
type Till struct {
	Action    string        // where it is sent
	Page      string        // where it is entered
	PaymentID string        // the key of the row that this will be
	Hold      string        // the token of its hold
	Shift     string        // the till that it goes through, "" for none
	Waits     bool          // somebody else collects: it cannot be recorded yet
	Student   *ui.FieldView // asked for when the one on the form was refused
	StudentNo string        // otherwise carried along
	Symbol    string
	Locale    string
	Decimals  string
	Due       Sum
	Tenders   []TillTender // the first, then those of a split
	Split     bool         // more than one is in use
	Lines     []TillLine
	LinesOpen bool
	Date      ui.FieldView
	Remark    ui.FieldView
	UPI       *UPI   // nil where nothing can be scanned
	Today     string // of the institute, 2026-11-30
	MoreOpen  bool
	Again     bool   // it is to be sent again as it is
	Unread    bool   // what is due could not be read
	Problems  []Link // what is wrong, each leading to its field
}

// TillTender is the fields of one way of paying.
type TillTender struct {
	Mode                                   ui.SelectView
	Amount, Ref, Bank, Branch, Date, Last4 ui.FieldView
	Again                                  *RefAgain // the question about its reference; nil where there is none
}

// RefAgain asks whether a reference that was received already is right.
type RefAgain struct {
	ID, Ref        string
	Yes, Autofocus bool
}

// TillLine is one open head of one bill that may be settled by choice.
type TillLine struct {
	Bill, Head string
	Amount     ui.FieldView
}

// tenderRows is how many ways of paying the form offers.
const tenderRows = 4

// TillOf is the form for what is due, as it was typed. known is nil when the
// student on the form is not one of the institute: then another can be entered.
func TillOf(inst fees.Institute, d fees.Dues, known *fees.Student, p PaymentText) Till {
	money := inst.Money()
	t := Till{
		Action: "/payments", Page: CollectHref(p.Student), Hold: p.Hold, Shift: p.Shift,
		PaymentID: fees.Key(inst.Code, p.ID), StudentNo: p.Student,
		Symbol: Symbol(money), Locale: inst.Locale, Decimals: strconv.FormatInt(inst.Decimals, 10),
		Due: SumOf(money, d.Due), Today: string(p.today),
		Date: ui.FieldView{Name: "date", Label: "Date, if not today", Type: "date", Value: p.Date,
			Error: p.Problems["date"], Autocomplete: "off"},
		Remark: ui.FieldView{Name: "remark", Label: "Remark", Value: p.Remark, Error: p.Problems["remark"],
			Autocomplete: "off", Attrs: templ.Attributes{"maxlength": "200"}},
	}
	if p.first <= p.today && p.today != "" {
		t.Date.Hint = "From " + Day(p.first) + " to today"
		t.Date.Attrs = templ.Attributes{"min": string(p.first), "max": string(p.today)}
	}
	if known != nil {
		t.UPI = upiOf(inst, t.PaymentID, d.Due, p)
	} else {
		t.Student = &ui.FieldView{Name: "student", Label: "Admission number", Value: p.Student, Error: p.Problems["student"], Autocomplete: "off", Required: true}
	}
	for n := range max(tenderRows, len(p.Tenders)) {
		var typed TenderText
		if n < len(p.Tenders) {
			typed = p.Tenders[n]
		}
		t.Tenders = append(t.Tenders, tillTender(n, typed, t.Symbol, p))
		t.Split = t.Split || n > 0 && !typed.Blank()
	}
	for _, l := range d.Lines {
		t.addLine(money, l, p)
	}
	t.MoreOpen = p.Date != "" || p.Remark != "" || t.Date.Error != "" || t.Remark.Error != ""
	t.tellProblems(p.Problems)
	return t
}

// SendAgain puts the cursor where Enter sends the form as it is.
func (t *Till) SendAgain() {
	t.Again = true
	for n := range t.Tenders {
		t.Tenders[n].Amount.Autofocus = false
	}
}

// TillUnread is the form as it was typed while what the student owes cannot be
// read: nothing that was typed is left out, and nothing is said to be due.
func TillUnread(inst fees.Institute, p PaymentText) Till {
	t := TillOf(inst, fees.Dues{}, &fees.Student{}, p)
	t.Due, t.Unread = Sum{Text: "–"}, true
	for _, typed := range p.Lines {
		if strings.TrimSpace(typed.Amount) == "" {
			continue
		}
		t.Lines = append(t.Lines, TillLine{Bill: typed.Bill, Head: typed.Head, Amount: ui.FieldView{
			ID: FieldKey("line_amount", len(t.Lines)), Name: "line_amount", Label: typed.Bill + " " + typed.Head,
			Value: typed.Amount, InputMode: "decimal", Autocomplete: "off",
		}})
		t.LinesOpen = true
	}
	return t
}

func tillTender(n int, typed TenderText, symbol string, p PaymentText) TillTender {
	problems := p.Problems
	id := func(name string) string { return FieldKey(name, n) }
	options := make([]ui.Option, 0, len(fees.Modes())+1)
	if n > 0 || !slices.Contains(fees.Modes(), fees.Mode(typed.Mode)) {
		options = append(options, ui.Option{Value: "", Label: "Choose…"})
	}
	for _, m := range fees.Modes() {
		options = append(options, ui.Option{Value: string(m), Label: m.Title()})
	}
	field := func(name, label, value string) ui.FieldView {
		return ui.FieldView{ID: id(name), Name: name, Label: label, Value: value, Error: problems[id(name)], Autocomplete: "off",
			// A blank placeholder lets the style sheet tell empty fields from filled ones.
			Attrs: templ.Attributes{"placeholder": " "}}
	}
	t := TillTender{
		Mode: ui.SelectView{ID: id("tender_mode"), Name: "tender_mode", Label: "Paid by", Value: typed.Mode, Options: options,
			Error: problems[id("tender_mode")]},
		Amount: field("tender_amount", "Amount ("+symbol+")", typed.Amount),
		Ref:    field("tender_ref", "Number or reference", typed.Ref),
		Bank:   field("tender_bank", "Bank", typed.Bank),
		Branch: field("tender_branch", "Branch", typed.Branch),
		Date:   field("tender_date", "Date on it", typed.Date),
		Last4:  field("tender_last4", "Last 4 digits", typed.Last4),
	}
	t.Last4.InputMode = "numeric"
	if yes := slices.Contains(p.RefsAgain, typed.ref()); typed.ref() != "" && (yes || p.Asked[typed.ref()]) {
		t.Again = &RefAgain{ID: id("ref_again"), Ref: typed.ref(), Yes: yes}
	}
	t.Amount.InputMode = "decimal"
	t.Date.Type = "date"
	return t
}

// addLine offers one open line, with what was typed for it.
func (t *Till) addLine(money fees.Currency, l fees.DueLine, p PaymentText) {
	n := slices.IndexFunc(p.Lines, func(typed LineText) bool { return typed.Bill == l.Bill && typed.Head == l.Head })
	line := TillLine{Bill: l.Bill, Head: l.Head, Amount: ui.FieldView{
		ID: FieldKey("line_amount", len(t.Lines)), Name: "line_amount",
		Label: titled(l), Hint: "of " + money.Format(l.Open),
		InputMode: "decimal", Autocomplete: "off",
	}}
	if n >= 0 {
		line.Amount.Value = p.Lines[n].Amount
		line.Amount.Error = cmp.Or(p.Problems[FieldKey("line_amount", n)], p.Problems[FieldKey("line_bill", n)])
		t.LinesOpen = t.LinesOpen || line.Amount.Value != "" || line.Amount.Error != ""
	}
	t.Lines = append(t.Lines, line)
}

// titled is a line with its bill's title; an opening balance is said once.
func titled(l fees.DueLine) string {
	if l.Title == l.HeadName {
		return l.Title
	}
	return l.Title + " " + l.HeadName
}

// FieldKey names the n-th (from 0) of a repeated field.
func FieldKey(name string, n int) string { return name + "." + strconv.Itoa(n) }
