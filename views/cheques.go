package views

import (
	"net/url"
	"slices"
	"strings"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Cheques is the list of cheques and drafts of one state.
type Cheques struct {
	Alert    *ui.AlertView // why something was refused
	Tabs     []Link        // by state
	InHand   []ChequeSum   // what waits for what
	State    string
	From, To ui.FieldView
	Symbol   string
	Sum      string // of everything that the filter selects
	Of       string // how many these are
	Rows     []ChequeLine
	Batch    *ChequeBatch // nil where nothing is done with several at once
	Empty    ui.EmptyView
	Pager    ui.PagerView
}

// ChequeSum is what cheques come to, and how many they are.
type ChequeSum struct{ Name, Amount, Count string }

// ChequeBatch is the form around the list: it takes the chosen ones to the
// bank, or notes that they cleared.
type ChequeBatch struct {
	Action, Button, Note string
	Hidden               []SentField
	Fields               []ui.FieldView
	Problem              string // of the choice
	Chosen               string // how many are chosen, and what they come to

	Symbol, Locale, Decimals string // for the script that goes on counting
}

// ChequeLine is one cheque of a list.
type ChequeLine struct {
	Href, Name, Bank, Date, Day string // Date is the one written on it, Day since when it is in its state
	Student                     Link
	Receipt                     Link
	Amount                      string
	Status                      ui.StatusView
	ID                          string // to choose it by; "" where it cannot be chosen
	Checked                     bool
	Paper                       Paper
}

// Paper is the piece of paper that a line of a list is, or is a part of.
type Paper struct {
	ID    string // of the first of the list's lines that are it
	Minor string // its amount in minor units
	Draft bool
}

// ChequeHref is the page of a cheque, id being the part of its key after the
// institute.
func ChequeHref(id string) string { return "/cheques/" + url.PathEscape(id) }

// SlipHref is the page of a deposit slip.
func SlipHref(id string) string { return "/cheques/deposits/" + url.PathEscape(id) }

// ChequesHref is the list of cheques of a state.
func ChequesHref(s fees.ChequeState) string { return "/cheques?state=" + url.QueryEscape(string(s)) }

// ChequePill is the state of a cheque in a word and a colour, on a day.
func ChequePill(c fees.Cheque, today fees.Date) ui.StatusView {
	switch c.State {
	case fees.ChequeReceived:
		if c.Date > today {
			return ui.StatusView{Kind: "info", Word: "Post-dated"}
		}
		return ui.StatusView{Kind: "warning", Word: "In hand"}
	case fees.ChequeDeposited:
		return ui.StatusView{Kind: "info", Word: "Deposited"}
	case fees.ChequeCleared:
		return ui.StatusView{Kind: "success", Word: "Cleared"}
	case fees.ChequeBounced:
		return ui.StatusView{Kind: "error", Word: "Bounced"}
	}
	return ui.StatusView{Kind: "neutral", Word: c.State.Title()}
}

// ChequesOf are the lines of a list of cheques.
func ChequesOf(inst fees.Institute, today fees.Date, all []fees.Cheque) []ChequeLine {
	lines := make([]ChequeLine, len(all))
	for i, c := range all {
		lines[i] = ChequeLine{
			Href: ChequeHref(c.ShortID()), Name: c.Name(), Bank: bankOf(c), Date: Day(c.Date), Day: Day(c.Since()),
			Student: Link{Href: StudentHref(c.Student), Text: c.StudentName},
			Receipt: Link{Href: ReceiptHref(fees.After(c.Row)), Text: NumberOr(c.Receipt)},
			Amount:  inst.Money().Format(c.Amount), Status: ChequePill(c, today),
		}
	}
	return lines
}

// offer says of what the chosen lines are, how many that is, and what it comes
// to. All parts of a piece of paper go where one of them goes.
func (v *Cheques) offer(inst fees.Institute, all []fees.Cheque) {
	var chosen []fees.Cheque
	for _, paper := range papersOf(all) {
		there := false
		for i, c := range all {
			if paper.OnePaper(&c) {
				v.Rows[i].Paper = Paper{ID: paper.ShortID(), Minor: SumOf(inst.Money(), paper.Amount).Minor, Draft: paper.Mode == fees.ModeDraft}
				there = there || v.Rows[i].Checked
			}
		}
		if there {
			chosen = append(chosen, paper)
		}
	}
	b := v.Batch
	b.Symbol, b.Locale, b.Decimals = v.Symbol, inst.Locale, decimalsOf(inst)
	if b.Chosen = "Nothing is chosen"; len(chosen) > 0 {
		b.Chosen = "Chosen: " + countPapers(chosen) + ", " + Money(inst.Money(), sumPapers(chosen))
	}
}

func bankOf(c fees.Cheque) string {
	if c.Branch == "" {
		return c.Bank
	}
	return c.Bank + ", " + c.Branch
}

// ChequesPageOf is the list with the filter as typed.
func ChequesPageOf(inst fees.Institute, today fees.Date, t Typed, f fees.ChequeFilter, all []fees.Cheque, total fees.ChequeTotal, sums fees.ChequesInHand) Cheques {
	money := inst.Money()
	v := Cheques{
		State: string(f.State), Symbol: Symbol(money), Rows: ChequesOf(inst, today, all),
		From: ui.FieldView{Name: "from", Label: "From", Type: "date", Value: t.Value("from"), Error: t.Problem("from")},
		To:   ui.FieldView{Name: "to", Label: "To", Type: "date", Value: t.Value("to"), Error: t.Problem("to")},
		Sum:  money.Format(total.Amount), Of: countTotal(total),
		Empty: ui.EmptyView{Title: "No cheque is " + strings.ToLower(f.State.Title()), Hint: "Cheques and demand drafts that are taken at the counter come here by themselves."},
	}
	for _, s := range fees.ChequeStates() {
		v.Tabs = append(v.Tabs, Link{Href: ChequesHref(s), Text: s.Title(), Current: s == f.State})
	}
	for _, of := range []struct {
		name string
		sum  fees.ChequeTotal
	}{{"To deposit today", sums.Due}, {"Post-dated", sums.PostDated}, {"At the bank", sums.Deposited}} {
		v.InHand = append(v.InHand, ChequeSum{of.name, Money(money, of.sum.Amount), countTotal(of.sum)})
	}
	return v
}

// countTotal says how many cheques a list sums: "3 cheques", and where some are
// parts of one that was split over a family's receipts "3 cheques and 2 parts of
// split ones".
func countTotal(t fees.ChequeTotal) string {
	whole := Plural(t.Count-t.Parts, "cheque")
	switch t.Parts {
	case 0:
		return whole
	case t.Count:
		return Plural(t.Parts, "part") + " of split cheques"
	}
	return whole + " and " + Plural(t.Parts, "part") + " of split ones"
}

// OfferDeposit lets those that are due be taken to the bank under a slip of that
// id. chosen are those that were chosen before; where again is false nobody chose
// yet, and all are.
func (v *Cheques) OfferDeposit(inst fees.Institute, t Typed, id, account string, today fees.Date, all []fees.Cheque, chosen []string, again bool) {
	v.Batch = &ChequeBatch{
		Action: "/cheques/deposit", Button: "Deposit the chosen", Problem: t.Problem("cheque"), Hidden: []SentField{{"deposit_id", id}},
		Note: "They go onto one deposit slip, which can be printed.",
		Fields: []ui.FieldView{
			{Name: "account", Label: "Into bank account", Value: orTyped(t, "account", account), Error: t.Problem("account"), Required: true, Autocomplete: "off"},
			dayField(t, "On", today),
		},
	}
	for i, c := range all {
		if c.State == fees.ChequeReceived && c.Date <= today {
			v.Rows[i].ID = c.ShortID()
			v.Rows[i].Checked = !again || slices.Contains(chosen, c.ShortID())
		}
	}
	v.offer(inst, all)
}

// OfferClear lets deposited ones be noted as cleared.
func (v *Cheques) OfferClear(inst fees.Institute, t Typed, today fees.Date, all []fees.Cheque, chosen []string) {
	v.Batch = &ChequeBatch{
		Action: "/cheques/clear", Button: "Mark as cleared", Problem: t.Problem("cheque"),
		Note:   "One that the bank returned is opened by itself and bounced there.",
		Fields: []ui.FieldView{dayField(t, "Cleared on", today)},
	}
	for i, c := range all {
		v.Rows[i].ID, v.Rows[i].Checked = c.ShortID(), slices.Contains(chosen, c.ShortID())
	}
	v.offer(inst, all)
}

// Keep has the form lead back to the same page of the list where it is refused.
func (b *ChequeBatch) Keep(f fees.ChequeFilter, after string) {
	for _, kept := range []SentField{{"from", string(f.From)}, {"to", string(f.To)}, {"after", after}} {
		if kept.Value != "" {
			b.Hidden = append(b.Hidden, kept)
		}
	}
}

func dayField(t Typed, label string, today fees.Date) ui.FieldView {
	return ui.FieldView{
		Name: "day", Label: label, Type: "date", Value: orTyped(t, "day", string(today)), Error: t.Problem("day"), Required: true,
		Attrs: map[string]any{"max": string(today)},
	}
}

// orTyped is what was typed into a field, or else what it begins with.
func orTyped(t Typed, name, begin string) string {
	if typed := t.Value(name); typed != "" || t.Problem(name) != "" {
		return typed
	}
	return begin
}

// ChequesBriefOf are the lines of a receipt's or a student's cheques, with links
// to their pages for those who may see them.
func ChequesBriefOf(inst fees.Institute, today fees.Date, all []fees.Cheque, linked bool) []ChequeLine {
	lines := ChequesOf(inst, today, all)
	for i := range lines {
		if !linked {
			lines[i].Href = ""
		}
	}
	return lines
}
