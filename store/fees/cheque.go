package fees

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Cheque is a cheque or demand draft that was taken at a counter (collection
// cheques): where it is now, and how it came there. There is one for each such
// tender of a payment.
type Cheque struct {
	ID          string      `bson:"_id"` // INSTITUTE:ROW:N, the N-th tender of payment ROW
	Institute   string      `bson:"institute"`
	Student     string      `bson:"student"` // admission number
	StudentName string      `bson:"studentName"`
	Row         string      `bson:"row"`  // id of the payment
	Mode        Mode        `bson:"mode"` // ModeCheque or ModeDraft
	Number      string      `bson:"number"`
	Bank        string      `bson:"bank,omitempty"`
	Branch      string      `bson:"branch,omitempty"`
	Date        Date        `bson:"date"` // from which it can be deposited: its own, or where it shows none the payment's
	Amount      Amount      `bson:"amount"`
	State       ChequeState `bson:"state"`
	Day         Date        `bson:"day"`               // Date while it is in hand; then the bank's day of State
	Version     int64       `bson:"version"`           // one more with each state
	Account     string      `bson:"account,omitempty"` // what it was deposited into
	Deposit     string      `bson:"deposit,omitempty"` // id of the deposit slip that it is on: a ULID
	Family      string      `bson:"family,omitempty"`  // the family payment (the part of its id after the institute) over whose receipts it may be split: its parts are moved together
	Of          int64       `bson:"of,omitempty"`      // which of the family payment's tenders it is, or is a part of; from 1
	Paper       Amount      `bson:"paper,omitempty"`   // what the paper is made out for, where it is a part of one
	Again       string      `bson:"again,omitempty"`   // id of the bounced one that is presented again with it

	First string `bson:"first,omitempty"` // id of the one in whose place it is, when the payment of that was entered again

	History  []ChequeStep `bson:"history"` // oldest first
	Bounce   *Bounce      `bson:"bounce,omitempty"`
	Bouncing bool         `bson:"bouncing,omitempty"` // true until everything that its bounce brings is done

	Receipt string `bson:"-"` // the payment's number as printed, where it was asked for
	Next    string `bson:"-"` // id of the one with which a bounced one is presented again, where it was asked for; "" where there is none
}

// ChequeState is where a cheque is: received → deposited → cleared | bounced. A
// payment that is reversed for another reason takes its cheques along to
// withdrawn.
type ChequeState string

// The states of a cheque.
const (
	ChequeReceived  ChequeState = "received"
	ChequeDeposited ChequeState = "deposited"
	ChequeCleared   ChequeState = "cleared"
	ChequeBounced   ChequeState = "bounced"
	ChequeWithdrawn ChequeState = "withdrawn"
)

// ChequeStates are the states in the order in which people list them.
func ChequeStates() []ChequeState {
	return []ChequeState{ChequeReceived, ChequeDeposited, ChequeCleared, ChequeBounced, ChequeWithdrawn}
}

// ChequeStep is a state that a cheque came into.
type ChequeStep struct {
	State ChequeState `bson:"state"`
	At    time.Time   `bson:"at"`
	By    string      `bson:"by"`
	Day   Date        `bson:"day"` // of the payment, or the bank's
	Note  string      `bson:"note,omitempty"`
}

// Bounce is what was ordered when a cheque bounced. It is written with the
// state, so that whoever comes next can finish it.
type Bounce struct {
	Reason  string `bson:"reason"`
	Charge  Amount `bson:"charge,omitempty"`
	Reentry string `bson:"reentry,omitempty"` // id, after the institute, of the payment that re-enters what did not bounce; "" where there is none, or not yet
	By      string `bson:"by"`                // login
	ByName  string `bson:"byName"`
	From    string `bson:"from,omitempty"` // network address
}

// Actor is who ordered it.
func (b *Bounce) Actor() Actor { return Actor{Login: b.By, Name: b.ByName, From: b.From} }

// ShortID is the part of c's id after the institute, as addresses carry it.
func (c *Cheque) ShortID() string { return After(c.ID) }

// Name is what people call it: "Cheque 004512".
func (c *Cheque) Name() string {
	if c.Mode == ModeDraft {
		return "Draft " + c.Number
	}
	return "Cheque " + c.Number
}

// Title is what people call the state, "" for what is none.
func (s ChequeState) Title() string {
	switch s {
	case ChequeReceived:
		return "In hand"
	case ChequeDeposited:
		return "Deposited"
	case ChequeCleared:
		return "Cleared"
	case ChequeBounced:
		return "Bounced"
	case ChequeWithdrawn:
		return "Withdrawn"
	}
	return ""
}

// IsCheque says whether t is a cheque or a demand draft.
func (t Tender) IsCheque() bool { return t.Mode == ModeCheque || t.Mode == ModeDraft }

// ChequeID is the id of the cheque that is the n-th (from 0) tender of row id.
func ChequeID(id string, n int) string { return id + ":" + strconv.Itoa(n) }

// ChequesOf are the cheques and drafts that a payment brings in, as it is
// recorded.
func ChequesOf(r Row) []Cheque {
	var all []Cheque
	for n, t := range r.Tenders {
		if !t.IsCheque() {
			continue
		}
		date := cmp.Or(t.Date, r.Date)
		all = append(all, Cheque{
			ID: ChequeID(r.ID, n), Institute: r.Institute, Student: r.Student, StudentName: r.StudentName, Row: r.ID,
			Family: r.Family, Of: t.Of, Mode: t.Mode, Number: t.Ref, Bank: t.Bank, Branch: t.Branch, Date: date, Amount: t.Amount,
			State: ChequeReceived, Day: date, Version: 1,
			History: []ChequeStep{{State: ChequeReceived, At: r.RecordedAt, By: cmp.Or(r.CashierName, r.Cashier), Day: r.Date}},
		})
	}
	return all
}

// ReentryID is the id, after the institute, of the payment that re-enters what
// did not bounce of the payment that a reversal takes back: a ULID of the
// reversal's time whose rest is a digest. However many of its cheques bounce at
// once, there is one.
func ReentryID(reversal Row) string { return derivedID(timeID(reversal.RecordedAt), reversal.Body) }

// InTill says whether c, which was taken into a till, was in it at that instant:
// not at the bank yet, and not withdrawn.
func (c *Cheque) InTill(at time.Time) bool {
	for _, step := range slices.Backward(c.History) {
		if !step.At.After(at) {
			return step.State == ChequeReceived
		}
	}
	return false
}

// SlipNumber is what people call the deposit slip of that id, a ULID: the last
// five of its letters and digits.
func SlipNumber(id string) string { return id[max(0, len(id)-5):] }

// MadeOutFor is the amount of the paper, of which c may be a part.
func (c *Cheque) MadeOutFor() Amount { return max(c.Paper, c.Amount) }

// Same says whether o looks like the same piece of paper: one of the same kind,
// number, bank and amount.
func (c *Cheque) Same(o *Cheque) bool {
	return c.Mode == o.Mode && c.Number == o.Number && strings.EqualFold(c.Bank, o.Bank) && c.MadeOutFor() == o.MadeOutFor()
}

// Refuses says why c does not come into the state next on that day: Conflict
// where its own state forbids it, Invalid where the day does. today is the
// institute's.
func (c *Cheque) Refuses(next ChequeState, day, today Date) *Error {
	from := map[ChequeState]ChequeState{ChequeDeposited: ChequeReceived, ChequeCleared: ChequeDeposited, ChequeBounced: ChequeDeposited}[next]
	if c.State != from {
		return Errorf(Conflict, "%s of %s %s. Nothing was changed.", c.Name(), c.StudentName, c.stands())
	}
	last := c.Since()
	switch {
	case day > today:
		return Errorf(Invalid, "The day lies in the future")
	case day < last:
		return Errorf(Invalid, "%s was %s on %s, which is later", c.Name(), c.State, last.Spoken())
	case next == ChequeDeposited && c.Date > day:
		return Errorf(Invalid, "%s is dated %s and cannot be deposited before that day", c.Name(), c.Date.Spoken())
	}
	return nil
}

// Since is the day on which c came into its state: while it is in hand, the day
// on which it was received.
func (c *Cheque) Since() Date { return c.History[len(c.History)-1].Day }

// stands is what became of c, as the rest of a sentence.
func (c *Cheque) stands() string {
	day := c.Since().Spoken()
	switch c.State {
	case ChequeReceived:
		return "is still in hand: deposit it first"
	case ChequeDeposited:
		return "was deposited already, on " + day
	case ChequeCleared:
		return "cleared on " + day + " and cannot bounce or be deposited any more"
	case ChequeBounced:
		return "bounced on " + day + ": it is received again as a new payment"
	}
	return "was withdrawn on " + day + ", when its receipt was reversed"
}

// CarriedTo is c, whose payment was reversed for another tender's sake, as the
// n-th tender of the payment row that was entered in its place. It is where it
// was before it was withdrawn.
func (c Cheque) CarriedTo(row string, n int, from string) Cheque {
	c.First, c.ID, c.Row = c.ID, ChequeID(row, n), row
	c.History = slices.Clone(c.History)
	if last := len(c.History) - 1; c.State == ChequeWithdrawn && last > 0 {
		c.History = c.History[:last]
	}
	step := c.History[len(c.History)-1]
	c.State, c.Day = step.State, step.Day
	if c.State == ChequeReceived {
		c.Day = c.Date
	}
	c.Version = int64(len(c.History))
	c.History[0].Note = "First on " + from
	return c
}
