package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// OwnTill is the cashier's own till: opening it, or what went through it with
// what empties and closes it.
type OwnTill struct {
	Alert *ui.AlertView
	Link  *Link // where the alert leads on
	Open  *OpenTill
	Shift *Shift
	Drop  *DropTill
	Close *CloseTill
	Rows  []ShiftRow // those before, the newest first
	All   bool       // everybody's may be seen
}

// OpenTill is the form that opens a till.
type OpenTill struct {
	ID    string // of the till that it will be
	Float ui.FieldView
}

// DropTill is the form that takes cash to the safe.
type DropTill struct {
	Shift, ID    string
	Amount, Note ui.FieldView
	Open         bool
}

// CloseTill is the form that closes a till.
type CloseTill struct {
	Action, Shift            string
	Expected                 Sum
	Symbol, Locale, Decimals string
	Notes, Coins             []CountField
	Other                    ui.FieldView
	Note                     ui.FieldView
	Reason                   *ui.FieldView // for somebody else's
	Open                     bool
}

// CountField asks for how many there are of a note or coin.
type CountField struct {
	ui.FieldView
	Minor string // the value of one
}

// OpenTillOf is the form that opens a till under id, as typed.
func OpenTillOf(inst fees.Institute, id string, t Typed) *OpenTill {
	return &OpenTill{ID: id, Float: ui.FieldView{
		Name: "float", Label: "Opening float (" + Symbol(inst.Money()) + ")", Value: t.Value("float"), Error: t.Problem("float"),
		Hint: "The cash that is in it now, for change. Empty for none.", InputMode: "decimal", Autocomplete: "off", Autofocus: true,
	}}
}

// DropTillOf is the form that takes cash from a till to the safe under id, as
// typed.
func DropTillOf(inst fees.Institute, s fees.Shift, id string, t Typed) *DropTill {
	amount, note := t.Value("amount"), t.Value("note")
	return &DropTill{
		Shift: s.ShortID(), ID: id, Open: amount != "" || note != "",
		Amount: ui.FieldView{ID: "drop-amount", Name: "amount", Label: "Amount (" + Symbol(inst.Money()) + ")", Value: amount,
			Error: t.Problem("amount"), InputMode: "decimal", Autocomplete: "off", Required: true},
		Note: ui.FieldView{ID: "drop-note", Name: "note", Label: "Note", Value: note, Error: t.Problem("note"), Autocomplete: "off"},
	}
}

// CloseTillOf is the form that closes a till with what is expected in it, as
// typed; own says that it is the visitor's.
func CloseTillOf(inst fees.Institute, s fees.Shift, expected fees.Amount, own bool, t Typed) *CloseTill {
	money := inst.Money()
	v := &CloseTill{
		Action: ShiftHref(s.ShortID()) + "/close", Shift: s.ShortID(), Expected: SumOf(money, expected),
		Symbol: Symbol(money), Locale: inst.Locale, Decimals: decimalsOf(inst),
		Other: ui.FieldView{Name: "other", Label: "Other notes and coins (" + Symbol(money) + ")", Value: t.Value("other"), Error: t.Problem("other"),
			InputMode: "decimal", Autocomplete: "off"},
		Note: ui.FieldView{ID: "close-note", Name: "note", Label: "Note", Value: t.Value("note"), Error: t.Problem("note"),
			Hint: "Needed where the count is not what is expected.", Autocomplete: "off"},
	}
	if own {
		v.Action = "/till/close"
	} else {
		v.Reason = &ui.FieldView{Name: "reason", Label: "Why you close it", Value: t.Value("reason"), Error: t.Problem("reason"), Autocomplete: "off", Required: true}
	}
	for _, p := range money.Pieces() {
		name := fees.CountField(p.ID)
		f := CountField{Minor: SumOf(money, p.Value).Minor, FieldView: ui.FieldView{
			Name: name, Label: pieceTitle(p.ID), Value: t.Value(name), Error: t.Problem(name), InputMode: "numeric", Autocomplete: "off",
		}}
		if p.Note {
			v.Notes = append(v.Notes, f)
		} else {
			v.Coins = append(v.Coins, f)
		}
		v.Open = v.Open || f.Value != ""
	}
	if len(v.Notes)+len(v.Coins) == 0 {
		v.Other.Label = "Cash counted (" + Symbol(money) + ")"
	}
	v.Open = v.Open || v.Other.Value != "" || v.Note.Value != "" || t.Value("shift") != ""
	return v
}

// ShiftRow is a till in a list.
type ShiftRow struct {
	Href, Cashier, Opened, Closed, Cash string
	State, Difference                   ui.StatusView
}

// ShiftRowOf is a till in a list; cash is the net cash of the rows of one that is
// not closed.
func ShiftRowOf(inst fees.Institute, s fees.Shift, cash fees.Amount) ShiftRow {
	money := inst.Money()
	row := ShiftRow{Href: ShiftHref(s.ShortID()), Cashier: s.CashierName, Opened: Moment(inst, s.OpenedAt), State: shiftPill(s.State), Cash: money.Format(s.Expected(cash))}
	if s.State != fees.ShiftClosed || s.Count == nil {
		return row
	}
	row.Closed, row.Cash = Moment(inst, s.Count.At), money.Format(s.Count.Counted)
	switch d := s.Difference(); {
	case d < 0:
		row.Difference = ui.StatusView{Kind: "warning", Word: "Short by " + money.Format(-d)}
	case d > 0:
		row.Difference = ui.StatusView{Kind: "warning", Word: money.Format(d) + " in excess"}
	default:
		row.Difference = ui.StatusView{Kind: "success", Word: "Right"}
	}
	return row
}

// Tills are all tills of an institute.
type Tills struct {
	Symbol string
	Open   []ShiftRow
	Rows   []ShiftRow
	Of     string // the cashier whose they are, "" for everybody's
	Pager  ui.PagerView
}

// OneTill is the page of one till.
type OneTill struct {
	Alert *ui.AlertView
	Shift Shift
	Close *CloseTill // nil for those who may not
	Back  Link
}
