package views

import (
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Cheque is the page of one cheque: where it is, how it came there, and what can
// be done with it.
type Cheque struct {
	Alert   *ui.AlertView
	Title   string
	Amount  string
	Status  ui.StatusView
	Facts   []Fact
	Links   []Link
	History []ChequeStep
	ID      string
	Clear   *ui.FieldView // nil where it cannot clear
	Bounce  *BillForm     // nil where it cannot bounce
	Again   string        // where it is received again; "" where it is not
}

// ChequeStep is one line of a cheque's history.
type ChequeStep struct{ State, Day, At, By, Note string }

// ChequePageOf is the page of a cheque for somebody who may move it or not, and
// may collect or not.
func ChequePageOf(inst fees.Institute, today fees.Date, t Typed, c fees.Cheque, moves, collects bool) Cheque {
	money := inst.Money()
	v := Cheque{Title: c.Name(), Amount: Money(money, c.Amount), Status: ChequePill(c, today), ID: c.ShortID()}
	for _, f := range []Fact{{"Bank", c.Bank}, {"Branch", c.Branch}, {"Dated", Day(c.Date)}, {"Into", c.Account}} {
		if f.Value != "" {
			v.Facts = append(v.Facts, f)
		}
	}
	v.Links = []Link{
		{Href: StudentHref(c.Student), Text: c.StudentName + ", " + c.Student},
		{Href: ReceiptHref(fees.After(c.Row)), Text: "Receipt " + NumberOr(c.Receipt)},
	}
	if c.Family != "" {
		v.Links = append(v.Links, Link{Href: "/receipts/family/" + url.PathEscape(c.Family), Text: "Paid for a family: all receipts"})
	}
	if c.Deposit != "" {
		v.Links = append(v.Links, Link{Href: SlipHref(c.Deposit), Text: "Deposit slip " + fees.SlipNumber(c.Deposit)})
	}
	if c.First != "" {
		v.Links = append(v.Links, Link{Href: ChequeHref(fees.After(c.First)), Text: "On the receipt before, which was reversed"})
	}
	if c.Again != "" {
		v.Links = append(v.Links, Link{Href: ChequeHref(fees.After(c.Again)), Text: "When it was presented before"})
	}
	if c.Next != "" {
		v.Links = append(v.Links, Link{Href: ChequeHref(fees.After(c.Next)), Text: "Presented again"})
	}
	if c.Bounce != nil {
		v.Links = append(v.Links, Link{Href: ReceiptHref(fees.ReversalID(fees.After(c.Row))), Text: "Reversal of the receipt"})
		if c.Bounce.Reentry != "" {
			v.Links = append(v.Links, Link{Href: ReceiptHref(c.Bounce.Reentry), Text: "Receipt of the other tenders, entered again"})
		}
	}
	for _, h := range c.History {
		v.History = append(v.History, ChequeStep{State: h.State.Title(), Day: Day(h.Day), At: Moment(inst, h.At), By: h.By, Note: h.Note})
	}
	if moves && c.State == fees.ChequeDeposited {
		day := dayField(t, "Cleared on", today)
		day.ID = "cleared-day"
		v.Clear = &day
		form := bounceForm(inst, today, t, c)
		v.Bounce = &form
	}
	if collects && c.State == fees.ChequeBounced && c.Next == "" {
		v.Again = ReceiveAgainHref(c)
	}
	return v
}

// ReceiveAgainHref is where a cheque that bounced is received again: the counter
// with its student or, for a part of one, with the whole family.
func ReceiveAgainHref(c fees.Cheque) string {
	counter := CollectHref(c.Student)
	if c.IsPart() {
		counter = FamilyHref(c.Student)
	}
	return counter + "?cheque=" + url.QueryEscape(c.ShortID())
}

func bounceForm(inst fees.Institute, today fees.Date, t Typed, c fees.Cheque) BillForm {
	charge := ui.FieldView{
		Name: "charge", Label: "Charge to the student (" + Symbol(inst.Money()) + ")", Value: t.Value("charge"), Error: t.Problem("charge"),
		Hint: "Only if you bill one", InputMode: "decimal", Autocomplete: "off",
	}
	reason := ui.FieldView{Name: "reason", Label: "Reason", Value: t.Value("reason"), Error: t.Problem("reason"), Hint: "As the bank gave it: funds insufficient", Required: true, Autocomplete: "off"}
	family := ""
	if c.Family != "" {
		family = " Parts of the same cheque on the family's other receipts bounce with it, and the charge is billed once, to the first of the children."
	}
	return BillForm{
		Action: ChequeHref(c.ShortID()) + "/bounce", Summary: "The bank returned it",
		Question: "Bounce " + c.Name() + ", " + Money(inst.Money(), c.Amount) + " of " + c.StudentName + "?",
		Note:     "Its receipt " + NumberOr(c.Receipt) + " is reversed today, and what it had settled is owed again. Other tenders of that receipt are entered again as a receipt of today." + family,
		Button:   "Bounce cheque",
		Fields:   []ui.FieldView{reason, charge, dayField(t, "Returned on", today)},
	}
}

// DepositSlip is a deposit slip.
type DepositSlip struct {
	Number             string // what people call it
	Institute, Address string
	Account, Day, By   string
	Symbol             string
	Rows               []ChequeLine
	Count, Sum, Words  string
}

// DepositSlipOf is the slip of cheques that were deposited together. The parts
// of one that was split over a family's receipts are one line again.
func DepositSlipOf(inst fees.Institute, today fees.Date, all []fees.Cheque) DepositSlip {
	money := inst.Money()
	v := DepositSlip{Institute: inst.Name, Address: inst.Address, Symbol: Symbol(money)}
	for _, c := range all {
		v.Account, v.Number = c.Account, fees.SlipNumber(c.Deposit)
		for _, h := range c.History {
			if h.State == fees.ChequeDeposited {
				v.Day, v.By = Day(h.Day), h.By
			}
		}
	}
	papers := papersOf(all)
	sum := sumPapers(papers)
	v.Rows, v.Count = ChequesOf(inst, today, papers), countPapers(papers)
	v.Sum, v.Words = money.Format(sum), money.Words(sum)
	return v
}
