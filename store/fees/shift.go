package fees

import (
	"slices"
	"time"
)

// ShiftState says how far a shift is: open → closing → closed. One that could
// not be closed is open again.
type ShiftState string

// The states of a shift.
const (
	ShiftOpen    ShiftState = "open"
	ShiftClosing ShiftState = "closing" // its rows are being summed: it takes no more
	ShiftClosed  ShiftState = "closed"
)

// ClosingTime is how long whoever closes a shift has it to themselves, more than
// a payment that was let into it takes to be written. After that it is taken for
// left.
const ClosingTime = time.Minute

// Shift is one cashier's till from opening float to counted close (collection
// shifts). A cashier has one at a time. Its rows carry its id (Row.Shift); once
// it is closed nothing of it changes.
type Shift struct {
	ID          string     `bson:"_id"` // INSTITUTE:ULID, minted when the form was rendered
	Institute   string     `bson:"institute"`
	Cashier     string     `bson:"cashier"` // login
	CashierName string     `bson:"cashierName"`
	From        string     `bson:"from,omitempty"` // network address of the counter
	State       ShiftState `bson:"state"`
	Active      bool       `bson:"active,omitempty"`  // true until it is closed
	Closing     bool       `bson:"closing,omitempty"` // true while it is closing
	Version     int64      `bson:"version"`           // from 1, one more with each change
	Date        Date       `bson:"date"`              // on which it was opened
	OpenedAt    time.Time  `bson:"openedAt"`
	Float       Amount     `bson:"float"` // the cash in it when it was opened
	Drops       []Drop     `bson:"drops,omitempty"`

	Count *TillCount `bson:"count,omitempty"` // of the close that is under way, or was made
	Sums  *TillSums  `bson:"sums,omitempty"`  // of its rows, once it is closed
	Late  *LateSums  `bson:"late,omitempty"`  // of rows that came after that
}

// LateSums are what rows come to that another process had under way into a till
// while it was closed. They are in no count.
type LateSums struct {
	Rows  int64  `bson:"rows"`
	Cash  Amount `bson:"cash"`
	Total Amount `bson:"total"`
}

// Drop is cash that was taken out of a till and put into the safe.
type Drop struct {
	ID     string    `bson:"id"` // a ULID, minted when the form was rendered
	Amount Amount    `bson:"amount"`
	Note   string    `bson:"note,omitempty"`
	By     string    `bson:"by"` // login
	At     time.Time `bson:"at"`
}

// TillCount is the cash that was counted when a till was closed.
type TillCount struct {
	Pieces  []Counted `bson:"pieces,omitempty"`
	Other   Amount    `bson:"other,omitempty"`  // notes and coins that are not listed one by one
	Counted Amount    `bson:"counted"`          // all of it
	Note    string    `bson:"note,omitempty"`   // why it is short or in excess
	Reason  string    `bson:"reason,omitempty"` // why somebody else than its cashier closes it
	By      string    `bson:"by"`               // login
	ByName  string    `bson:"byName"`
	From    string    `bson:"from,omitempty"`
	At      time.Time `bson:"at"`
}

// Counted is how many there were of one note or coin.
type Counted struct {
	Piece string `bson:"piece"` // Piece.ID
	Value Amount `bson:"value"` // of one
	Count int64  `bson:"count"` // at least 1
}

// ShortID is the part of s's id after the institute, as rows and addresses
// carry it.
func (s *Shift) ShortID() string { return After(s.ID) }

// Dropped is what was taken to the safe.
func (s *Shift) Dropped() (sum Amount) {
	for _, d := range s.Drops {
		sum += d.Amount
	}
	return sum
}

// Expected is the cash that must be in the till when cash is the net cash of its
// rows: the float and that, less what was taken to the safe.
func (s *Shift) Expected(cash Amount) Amount { return s.Float + cash - s.Dropped() }

// Difference is what a closed till had more (or, negative, less) than expected;
// 0 while it is not closed.
func (s *Shift) Difference() Amount {
	if s.Count == nil || s.Sums == nil {
		return 0
	}
	return s.Count.Counted - s.Expected(s.Sums.Cash)
}

// LateBy is what rows come to that are in sums and not in what s was closed with;
// zero while it is not closed.
func (s *Shift) LateBy(sums TillSums) LateSums {
	if s.Sums == nil {
		return LateSums{}
	}
	return LateSums{Rows: sums.Rows - s.Sums.Rows, Cash: sums.Cash - s.Sums.Cash, Total: sums.Total().Net() - s.Sums.Total().Net()}
}

// NotedLate is what is noted of them.
func (s *Shift) NotedLate() LateSums {
	if s.Late == nil {
		return LateSums{}
	}
	return *s.Late
}

// Left says whether whoever was closing s is taken to have left it: it has taken
// too long, or is said to begin so much later that a clock was wrong.
func (s *Shift) Left(at time.Time) bool {
	return s.State == ShiftClosing && s.Count != nil && at.Sub(s.Count.At).Abs() >= ClosingTime
}

// Same says whether the same money was counted.
func (c *TillCount) Same(o TillCount) bool {
	return c.Counted == o.Counted && c.Other == o.Other && c.By == o.By && slices.Equal(c.Pieces, o.Pieces)
}

// Check says why a till with these sums cannot be closed with this count: a row
// still awaits its number (Conflict), or it is short or in excess and nobody
// says why (Invalid, Field note).
func (c *TillCount) Check(s *Shift, sums TillSums, money Currency) *Error {
	if sums.Awaiting > 0 {
		what := "A receipt of this till awaits its number"
		if sums.Awaiting > 1 {
			what = "Some receipts of this till await their numbers"
		}
		return Errorf(Conflict, "%s, which come by themselves. The till was not closed: try again in a moment.", what)
	}
	expected := s.Expected(sums.Cash)
	if c.Counted == expected || c.Note != "" {
		return nil
	}
	what := "short by " + money.Format(expected-c.Counted)
	if c.Counted > expected {
		what = money.Format(c.Counted-expected) + " in excess"
	}
	bad := Errorf(Invalid, "The till was not closed: %s was counted and %s is expected, so it is %s. Count again, or say in the note why.",
		money.Format(c.Counted), money.Format(expected), what)
	bad.Fields = map[string]string{"note": "It is " + what + ": say why, or count again"}
	return bad
}
