package fees

import (
	"slices"
	"strings"
	"time"
)

// Refund is money that is given back to a payer: asked for by one, approved by
// another (collection refunds). What the ledger says of it is its row.
type Refund struct {
	ID          string      `bson:"_id"` // INSTITUTE:ULID, minted when the form was rendered
	Institute   string      `bson:"institute"`
	Student     string      `bson:"student"` // admission number
	StudentName string      `bson:"studentName"`
	Payment     string      `bson:"payment,omitempty"`     // id of the payment that it is given back from, "" where it is the advance
	PaymentText string      `bson:"paymentText,omitempty"` // its number as printed
	Lines       []Line      `bson:"lines"`                 // by head, above zero; without a bill
	Amount      Amount      `bson:"amount"`                // sum of Lines
	Mode        Mode        `bson:"mode"`
	Ref         string      `bson:"ref,omitempty"`
	Reason      string      `bson:"reason"`
	State       RefundState `bson:"state"`
	Version     int64       `bson:"version"`          // one more with each state
	Active      bool        `bson:"active,omitempty"` // approved, and its row not known to be written: one for each student

	By       string    `bson:"by"` // login of who asked for it, and hands it out
	ByName   string    `bson:"byName"`
	From     string    `bson:"from,omitempty"` // network address
	AskedAt  time.Time `bson:"askedAt"`
	Decider  string    `bson:"decider,omitempty"` // login of who approved or refused it
	Decided  string    `bson:"decided,omitempty"` // their name
	DecideAt time.Time `bson:"decideAt,omitempty"`
	Why      string    `bson:"why,omitempty"` // why it was refused

	Voucher string `bson:"-"` // its row's number as printed, where it was asked for
}

// RefundState is where a refund is: requested → approved → paid, or requested →
// refused.
type RefundState string

// The states of a refund.
const (
	RefundRequested RefundState = "requested"
	RefundApproved  RefundState = "approved"
	RefundPaid      RefundState = "paid"
	RefundRefused   RefundState = "refused"
)

// RefundStates are the states in the order in which people list them.
func RefundStates() []RefundState {
	return []RefundState{RefundRequested, RefundApproved, RefundPaid, RefundRefused}
}

// Title is what people call the state, "" for what is none.
func (s RefundState) Title() string {
	switch s {
	case RefundRequested:
		return "Asked for"
	case RefundApproved:
		return "Approved"
	case RefundPaid:
		return "Paid out"
	case RefundRefused:
		return "Refused"
	}
	return ""
}

// ShortID is the part of r's id after the institute.
func (r *Refund) ShortID() string { return After(r.ID) }

// ApprovableBy says whether a may approve r as far as r says: nobody approves what
// they asked for themselves, but for an admin.
func (r *Refund) ApprovableBy(a Actor) bool { return a.Login != r.By || a.Role == RoleAdmin }

const refundSuffix = ":refund"

// RefundRowID is the id of the row that a refund of id becomes.
func RefundRowID(id string) string { return id + refundSuffix }

// RefundOf is the id of the refund that the row of id was written for; ok is
// false for what is no refund's row.
func RefundOf(id string) (of string, ok bool) { return strings.CutSuffix(id, refundSuffix) }

// RefundPeriod is what the bill of a refund is for, in the place of a period.
// row is the row's id after the institute. The bill takes back what was charged
// for the heads that are refunded, so that they are not owed again.
func RefundPeriod(fy, row string) string { return fy + "/REFUND/" + row }

// IsRefund says whether b is the bill of a refund.
func (b *Bill) IsRefund() bool { return strings.HasPrefix(b.Period, RefundPeriod(b.FY, "")) }

// RefundBill is the bill of a refund's row; ok is false where only an advance
// is refunded, which was never billed.
func RefundBill(r Row) (b Bill, ok bool) {
	period := RefundPeriod(r.FY, r.ShortID())
	b = Bill{
		ID: Key(r.Institute, r.Student, period), Institute: r.Institute, Student: r.Student,
		FY: r.FY, Period: period, Title: "Refund, " + r.RefundsText, DueDate: r.Date, CreatedAt: r.RecordedAt,
	}
	for _, l := range r.Lines {
		if l.Bill == period {
			b.Lines = append(b.Lines, BillLine{Head: l.Head, HeadName: l.HeadName, Gross: l.Amount, Net: l.Amount})
			b.Net += l.Amount
		}
	}
	return b, len(b.Lines) > 0
}

// Refundable is what can be given back from a payment, by head: what it brought
// in for heads that are refundable, less what was refunded of it, and no more
// than the student's bills and rows still hold for the head. heads are the
// institute's. Nothing of a payment that was reversed.
func Refundable(paid Row, heads []Head, bills []Bill, rows []Row) []Line {
	if paid.Kind != KindPayment || paid.ReversedBy != "" {
		return nil
	}
	var left []Line
	for _, l := range paid.Lines {
		if !l.refundable(heads) {
			continue
		}
		if at := slices.IndexFunc(left, func(o Line) bool { return o.Head == l.Head }); at >= 0 {
			left[at].Amount += l.Amount
			continue
		}
		left = append(left, Line{Head: l.Head, HeadName: l.HeadName, Amount: l.Amount})
	}
	held := heldFor(bills, rows)
	for i := range left {
		for _, r := range rows {
			if r.Kind == KindRefund && r.Refunds == paid.ID {
				left[i].Amount += sumFor(r.Lines, left[i].Head)
			}
		}
		left[i].Amount = min(left[i].Amount, held(left[i].Head))
	}
	return slices.DeleteFunc(left, func(l Line) bool { return l.Amount <= 0 })
}

// HasRefundable says whether r has lines of heads that are refundable.
func (r *Row) HasRefundable(heads []Head) bool {
	return slices.ContainsFunc(r.Lines, func(l Line) bool { return l.refundable(heads) })
}

func (l Line) refundable(heads []Head) bool {
	return l.Head != HeadAdvance && slices.ContainsFunc(heads, func(h Head) bool { return h.Code == l.Head && h.Refundable })
}

// heldFor says what is held for a head: no more than rows credit to it, and no
// more than what of its bills is settled.
func heldFor(bills []Bill, rows []Row) func(head string) Amount {
	dues := DuesOf(bills, rows)
	return func(head string) Amount {
		var credited, settled Amount
		for i := range rows {
			credited += sumFor(rows[i].Lines, head)
		}
		for i := range bills {
			for _, l := range bills[i].Lines {
				if l.Head == head {
					settled += l.Net
				}
			}
		}
		for _, l := range dues.Lines {
			if l.Head == head {
				settled -= l.Open
			}
		}
		return min(credited, settled)
	}
}

func sumFor(lines []Line, head string) (sum Amount) {
	for _, l := range lines {
		if l.Head == head {
			sum += l.Amount
		}
	}
	return sum
}
