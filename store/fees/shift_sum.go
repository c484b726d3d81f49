package fees

import (
	"cmp"
	"slices"
)

// TillSums are what the rows of a shift come to.
type TillSums struct {
	Rows    int64         `bson:"rows"`
	Cash    Amount        `bson:"cash"`              // received, less reversed and refunded
	Modes   []ModeSum     `bson:"modes,omitempty"`   // in the order in which a counter offers them
	Numbers []NumberRange `bson:"numbers,omitempty"` // by year and series
	// Awaiting is how many rows have no number yet: none once a till is closed.
	Awaiting int64 `bson:"-"`
}

// ModeSum is what went through a till in one mode.
type ModeSum struct {
	Mode     Mode   `bson:"mode"`
	Tenders  int64  `bson:"tenders"`  // how many were received
	Received Amount `bson:"received"` // 0 or more
	Reversed Amount `bson:"reversed"` // 0 or less, as in the rows
	Refunded Amount `bson:"refunded"` // 0 or less
}

// Net is what is left of it.
func (m ModeSum) Net() Amount { return m.Received + m.Reversed + m.Refunded }

// NumberRange is the first and the last number that a till gave in a series.
// Between them there are numbers of other tills.
type NumberRange struct {
	FY     string `bson:"fy"`
	Series Series `bson:"series"`
	Count  int64  `bson:"count"`
	First  string `bson:"first"` // as printed
	Last   string `bson:"last"`

	first, last int64
}

// Add counts one more row. The numbers of a series may come in any order.
func (t *TillSums) Add(row *Row) {
	t.Rows++
	for _, tender := range row.Tenders {
		m := t.mode(tender.Mode)
		switch row.Kind {
		case KindReversal:
			m.Reversed += tender.Amount
		case KindRefund:
			m.Refunded += tender.Amount
		default:
			m.Received += tender.Amount
			m.Tenders++
		}
		if tender.Mode == ModeCash {
			t.Cash += tender.Amount
		}
	}
	if row.Number == 0 {
		t.Awaiting++
		return
	}
	t.number(row)
}

// Total is the sum over all modes.
func (t *TillSums) Total() (sum ModeSum) {
	for _, m := range t.Modes {
		sum.Tenders += m.Tenders
		sum.Received += m.Received
		sum.Reversed += m.Reversed
		sum.Refunded += m.Refunded
	}
	return sum
}

func (t *TillSums) mode(mode Mode) *ModeSum {
	order := func(m ModeSum, want int) int { return cmp.Compare(modeOrder(m.Mode), want) }
	i, there := slices.BinarySearchFunc(t.Modes, modeOrder(mode), order)
	if !there {
		t.Modes = slices.Insert(t.Modes, i, ModeSum{Mode: mode})
	}
	return &t.Modes[i]
}

func modeOrder(mode Mode) int { return slices.Index(Modes(), mode) }

func (t *TillSums) number(row *Row) {
	i, there := slices.BinarySearchFunc(t.Numbers, row, func(n NumberRange, r *Row) int {
		return cmp.Or(cmp.Compare(n.FY, r.FY), cmp.Compare(seriesOrder(n.Series), seriesOrder(r.Series)))
	})
	if !there {
		t.Numbers = slices.Insert(t.Numbers, i, NumberRange{FY: row.FY, Series: row.Series, first: row.Number})
	}
	n := &t.Numbers[i]
	n.Count++
	if row.Number <= n.first {
		n.first, n.First = row.Number, row.NumberText
	}
	if row.Number >= n.last {
		n.last, n.Last = row.Number, row.NumberText
	}
}

func seriesOrder(series Series) int { return slices.Index(AllSeries(), series) }

// EnterTill notes the shift that r goes through, "" for none, and with it what
// cash it moves.
func (r *Row) EnterTill(shift string) {
	r.Shift, r.Cash = shift, 0
	if shift != "" {
		r.Cash = CashOf(r.Tenders)
	}
}

// CashOf is the cash among tenders.
func CashOf(tenders []Tender) (sum Amount) {
	for _, t := range tenders {
		if t.Mode == ModeCash {
			sum += t.Amount
		}
	}
	return sum
}
