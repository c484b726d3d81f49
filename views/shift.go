package views

import (
	"net/url"
	"strconv"
	"strings"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Shift is one till: what went through it and what is, or was, in it.
type Shift struct {
	Href    string
	Cashier string
	State   ui.StatusView
	Facts   []Fact
	Symbol  string
	Modes   []ShiftMode
	Total   ShiftMode
	Numbers []ShiftNumbers
	Back    []ShiftBack // what was taken back of its receipts elsewhere
	Cash    []ShiftCash
	// Expected and, once it is closed, Counted and the Verdict on them.
	Expected, Counted Sum
	Closed            bool
	Verdict           ui.AlertView
	Pieces            []ShiftPiece
	Late              *ui.AlertView // what came into it after it was closed
	Slip              string        // where the handover slip is printed; "" while it is open
}

// ShiftMode is what went through a till in one mode of payment.
type ShiftMode struct{ Mode, Tenders, Received, Reversed, Refunded, Net string }

// ShiftNumbers are the numbers that a till gave in one series.
type ShiftNumbers struct{ What, Count, First, Last string }

// ShiftCash is one line of the sum of the cash.
type ShiftCash struct{ What, Note, Amount string }

// ShiftPiece is how many there were of a note or coin.
type ShiftPiece struct{ Piece, Count, Amount string }

// ShiftBack is a receipt of a till that was reversed or refunded through another
// one, or through none.
type ShiftBack struct {
	Receipt, By     Link
	What, Who, When string
	Through, Total  string
}

// ShiftHref is the page of a till.
func ShiftHref(id string) string { return "/tills/" + url.PathEscape(id) }

// ShiftOf is a till with what its rows come to, and what was taken back of them
// elsewhere.
func ShiftOf(inst fees.Institute, s fees.Shift, sums fees.TillSums, elsewhere []fees.TakenBack) Shift {
	money := inst.Money()
	expected := s.Expected(sums.Cash)
	v := Shift{
		Href: ShiftHref(s.ShortID()), Cashier: s.CashierName, State: shiftPill(s.State), Symbol: Symbol(money),
		Facts:    []Fact{{"Cashier", s.CashierName}, {"Opened", Moment(inst, s.OpenedAt)}},
		Total:    shiftMode(money, sums.Total()),
		Cash:     shiftCash(inst, s, sums),
		Expected: SumOf(money, expected), Back: shiftBack(inst, elsewhere),
	}
	v.Total.Mode = "All modes"
	for _, m := range sums.Modes {
		v.Modes = append(v.Modes, shiftMode(money, m))
	}
	for _, n := range sums.Numbers {
		v.Numbers = append(v.Numbers, ShiftNumbers{What: seriesTitle(n.Series) + ", " + n.FY, Count: Count(n.Count), First: n.First, Last: n.Last})
	}
	if s.State == fees.ShiftClosed && s.Count != nil {
		v.Closed, v.Slip = true, v.Href+"/print"
		v.Facts = append(v.Facts, Fact{"Closed", Moment(inst, s.Count.At)})
		if s.Count.By != s.Cashier {
			v.Facts = append(v.Facts, Fact{"Closed by", s.Count.ByName}, Fact{"Because", s.Count.Reason})
		}
		v.Counted = SumOf(money, s.Count.Counted)
		v.Verdict = shiftVerdict(money, s)
		v.Pieces = shiftPieces(money, *s.Count)
		if late := s.NotedLate(); late.Rows > 0 {
			v.Late = &ui.AlertView{Kind: "warning", Title: Plural(late.Rows, "row") + " came in while it was closed", Text: Money(money, late.Total) + ", of it " + Money(money, late.Cash) + " in cash, was on its way from another server. That is in the register under this till's name, and not in its count."}
		}
	}
	return v
}

func shiftMode(money fees.Currency, m fees.ModeSum) ShiftMode {
	return ShiftMode{
		Mode: m.Mode.Title(), Tenders: Count(m.Tenders), Received: money.Format(m.Received),
		Reversed: orDash(money, m.Reversed), Refunded: orDash(money, m.Refunded), Net: money.Format(m.Net()),
	}
}

func shiftBack(inst fees.Institute, all []fees.TakenBack) (lines []ShiftBack) {
	for _, b := range all {
		l := ShiftBack{
			Receipt: Link{Href: ReceiptHref(b.Receipt.ShortID()), Text: NumberOr(b.Receipt.NumberText)},
			By:      Link{Href: ReceiptHref(b.By.ShortID()), Text: NumberOr(b.By.NumberText)},
			What:    "Reversed", Who: b.By.CashierName, When: Moment(inst, b.By.RecordedAt),
			Through: "another till", Total: inst.Money().Format(b.By.Total),
		}
		if b.By.Kind == fees.KindRefund {
			l.What = "Refunded"
		}
		if b.By.Shift == "" {
			l.Through = "no till"
		}
		lines = append(lines, l)
	}
	return lines
}

// orDash is an amount of a column that is mostly nothing.
func orDash(money fees.Currency, a fees.Amount) string {
	if a == 0 {
		return "–"
	}
	return money.Format(a)
}

// shiftCash is how the expected cash comes about.
func shiftCash(inst fees.Institute, s fees.Shift, sums fees.TillSums) []ShiftCash {
	money := inst.Money()
	lines := []ShiftCash{{What: "Opening float", Amount: money.Format(s.Float)}}
	for _, m := range sums.Modes {
		if m.Mode != fees.ModeCash {
			continue
		}
		lines = append(lines, ShiftCash{What: "Cash received", Amount: money.Format(m.Received)})
		if m.Reversed != 0 {
			lines = append(lines, ShiftCash{What: "Cash of reversals", Amount: money.Format(m.Reversed)})
		}
		if m.Refunded != 0 {
			lines = append(lines, ShiftCash{What: "Cash refunded", Amount: money.Format(m.Refunded)})
		}
	}
	for _, d := range s.Drops {
		note := d.At.In(inst.Location()).Format("15:04")
		if d.Note != "" {
			note += ", " + d.Note
		}
		lines = append(lines, ShiftCash{What: "To the safe", Note: note, Amount: money.Format(-d.Amount)})
	}
	return lines
}

func shiftPieces(money fees.Currency, c fees.TillCount) (pieces []ShiftPiece) {
	for _, p := range c.Pieces {
		pieces = append(pieces, ShiftPiece{
			Piece: pieceTitle(p.Piece), Count: Count(p.Count), Amount: money.Format(p.Value * fees.Amount(p.Count)),
		})
	}
	if c.Other != 0 {
		pieces = append(pieces, ShiftPiece{Piece: "Other", Amount: money.Format(c.Other)})
	}
	return pieces
}

// pieceTitle is a note or coin as people call it: "500 note".
func pieceTitle(id string) string {
	kind, value, _ := strings.Cut(id, "-")
	return value + " " + kind
}

func shiftPill(s fees.ShiftState) ui.StatusView {
	switch s {
	case fees.ShiftOpen:
		return ui.StatusView{Kind: "success", Word: "Open"}
	case fees.ShiftClosing:
		return ui.StatusView{Kind: "info", Word: "Being closed"}
	}
	return ui.StatusView{Kind: "neutral", Word: "Closed"}
}

func shiftVerdict(money fees.Currency, s fees.Shift) ui.AlertView {
	d := s.Difference()
	switch {
	case d < 0:
		return ui.AlertView{Kind: "warning", Title: "Short by " + Money(money, -d), Text: s.Count.Note}
	case d > 0:
		return ui.AlertView{Kind: "warning", Title: Money(money, d) + " in excess", Text: s.Count.Note}
	}
	return ui.AlertView{Kind: "success", Title: "The count is right", Text: s.Count.Note}
}

func seriesTitle(s fees.Series) string {
	switch s {
	case fees.SeriesReversal:
		return "Reversals"
	case fees.SeriesRefund:
		return "Refunds"
	case fees.SeriesAdjustment:
		return "Adjustments"
	}
	return "Receipts"
}

// ShiftStrip is the till in a line, as the counter shows it.
type ShiftStrip struct {
	ID    string // of the open till, "" where none is
	Since string
	Cash  string // what must be in it, with its symbol
}

// ShiftStripOf is the till that is open with this net cash of its rows.
func ShiftStripOf(inst fees.Institute, s fees.Shift, cash fees.Amount) ShiftStrip {
	return ShiftStrip{ID: s.ShortID(), Since: s.OpenedAt.In(inst.Location()).Format("15:04"), Cash: Money(inst.Money(), s.Expected(cash))}
}

// OpenID is the id of the till that is open, "" where none is or it is not known.
func (v *ShiftStrip) OpenID() string {
	if v == nil {
		return ""
	}
	return v.ID
}

func decimalsOf(inst fees.Institute) string { return strconv.FormatInt(inst.Decimals, 10) }
