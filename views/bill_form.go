package views

import (
	"strconv"

	"raseed/store/fees"
	"raseed/views/ui"
)

// BillForm takes something off what is billed: it cancels a bill, waives a late
// fee, or cancels what a student who left does not owe. It unfolds on the
// student's page and, when something in it was refused, has a page of its own.
type BillForm struct {
	Action   string // where it is posted
	Summary  string // unfolds it
	Question string // names what is meant, with its amount
	Note     string // what becomes of it
	Button   string
	Hidden   []SentField
	Fields   []ui.FieldView
	Open     bool // unfolded
}

// WaiveFormOf waives a late fee of which so much was paid. The amount is all
// that is open unless another was typed.
func WaiveFormOf(inst fees.Institute, t Typed, b fees.Bill, paid fees.Amount) BillForm {
	money := inst.Money()
	open := b.Net - max(paid, 0)
	amount := billField(t, b.Period, "amount", "Amount ("+Symbol(money)+")", "")
	amount.InputMode = "decimal"
	if amount.Value == "" && amount.Error == "" {
		amount.Value = money.Plain(open)
	}
	return BillForm{
		Action: billAction(b.Student, "waive"), Summary: "Waive",
		Question: "Waive " + Money(money, open) + " of “" + b.Title + "”?",
		Note:     "While its bill is not paid, a late fee grows on beyond what was waived.",
		Button:   "Waive late fee",
		Hidden:   []SentField{{"bill", b.Period}, {"revision", strconv.FormatInt(b.Revision, 10)}},
		Fields:   []ui.FieldView{amount, reasonField(t, b.Period, "For example: bank strike, hardship")},
	}
}

// CancelFormOf cancels a bill.
func CancelFormOf(inst fees.Institute, t Typed, b fees.Bill) BillForm {
	return BillForm{
		Action: billAction(b.Student, "cancel"), Summary: "Cancel bill",
		Question: "Cancel “" + b.Title + "” of " + Money(inst.Money(), b.Net) + "?",
		Note:     "It stays in the statement and charges nothing any more, its late fee neither. A billing run does not bill it again. There is no way back.",
		Button:   "Cancel bill",
		Hidden:   []SentField{{"bill", b.Period}},
		Fields:   []ui.FieldView{reasonField(t, b.Period, "For example: admitted elsewhere")},
	}
}

// LeaveFormOf cancels what a student who left does not owe any more: n bills
// of so much, as far as is known.
func LeaveFormOf(inst fees.Institute, t Typed, s fees.Student, n int64, sum fees.Amount) BillForm {
	last := billField(t, "leave", "last", "Last day that is paid for", "Bills that are due after it are cancelled, but for those on which something was paid")
	last.Type, last.Required = "date", true
	if last.Value == "" && last.Error == "" {
		last.Value = string(s.LeftOn)
	}
	form := BillForm{
		Action: billAction(s.AdmissionNo, "leave"), Summary: "Cancel bills after leaving",
		Question: "Cancel the unpaid bills of " + s.Name + " that are due after the last day?",
		Note:     "There is no way back.",
		Button:   "Cancel bills",
		Fields:   []ui.FieldView{last, reasonField(t, "leave", "For example: left for another town")},
	}
	if s.LeftOn != "" {
		form.Note = "After " + Day(s.LeftOn) + " that is " + Plural(n, "bill") + " of " + Money(inst.Money(), sum) + " in all. " + form.Note
	}
	return form
}

func reasonField(t Typed, of, hint string) ui.FieldView {
	f := billField(t, of, "reason", "Reason", hint)
	f.Required = true
	return f
}

// billField is a field of the form of one bill of a page: its id is its own.
func billField(t Typed, of, name, label, hint string) ui.FieldView {
	return ui.FieldView{
		ID: name + "-" + of, Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), Autocomplete: "off",
	}
}

func billAction(student, deed string) string { return StudentHref(student) + "/bills/" + deed }

// untyped is a form in which nothing was typed.
type untyped struct{}

func (untyped) Value(string) string   { return "" }
func (untyped) Problem(string) string { return "" }

// OfferCorrections adds the forms to a student's page with which bills are
// cancelled and late fees are waived, each where that is possible.
func (v *Student) OfferCorrections(inst fees.Institute, s fees.Student, bills []fees.Bill, rows []fees.Row) {
	paid := fees.PaidOn(rows)
	offers := map[string]BillForm{}
	var after int64
	var sum fees.Amount
	for _, b := range bills {
		switch {
		case b.Cancelled != nil:
		case b.IsLateFee():
			if b.Net > max(paid[b.Period], 0) {
				offers[b.Period] = WaiveFormOf(inst, untyped{}, b, paid[b.Period])
			}
		case b.Uncancellable() == "" && !paidWith(b, bills, paid):
			offers[b.Period] = CancelFormOf(inst, untyped{}, b)
			if s.LeftOn != "" && b.DueDate > s.LeftOn {
				after++
				sum += b.Net
			}
		}
	}
	for i := range v.Entries {
		if form, ok := offers[v.Entries[i].Bill]; ok && v.Entries[i].Bill != "" {
			v.Entries[i].Form = &form
		}
	}
	if s.Status == fees.StudentLeft && len(offers) > 0 {
		form := LeaveFormOf(inst, untyped{}, s, after, sum)
		v.Leave = &form
	}
}

// paidWith says whether money is on b or on a bill that belongs to it.
func paidWith(b fees.Bill, bills []fees.Bill, paid map[string]fees.Amount) bool {
	if paid[b.Period] != 0 {
		return true
	}
	for _, o := range bills {
		if o.Of == b.Period && paid[o.Period] != 0 {
			return true
		}
	}
	return false
}
