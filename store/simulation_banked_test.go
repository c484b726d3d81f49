package store

import (
	"fmt"
	"slices"
	"strings"

	"raseed/store/fees"
)

// What holds of cheques and refunds.

const reentered = "Entered again from "

// chequesStand: at every moment a cheque came where it is by steps that there
// are: received, deposited, and then cleared or bounced and never both.
func (r remains) chequesStand() error {
	after := map[fees.ChequeState][]fees.ChequeState{
		"":                   {fees.ChequeReceived},
		fees.ChequeReceived:  {fees.ChequeDeposited, fees.ChequeWithdrawn},
		fees.ChequeDeposited: {fees.ChequeCleared, fees.ChequeBounced, fees.ChequeWithdrawn},
		fees.ChequeCleared:   {fees.ChequeWithdrawn},
		fees.ChequeBounced:   {fees.ChequeWithdrawn}, // where a person was faster with its payment
	}
	for _, c := range r.cheques {
		at := fees.ChequeState("")
		for _, step := range c.History {
			if !slices.Contains(after[at], step.State) {
				return fmt.Errorf("cheque %s became %s when it was %q", c.ID, step.State, at)
			}
			at = step.State
		}
		if at != c.State || c.Version != int64(len(c.History)) {
			return fmt.Errorf("cheque %s is %s at version %d, after %d steps to %s", c.ID, c.State, c.Version, len(c.History), at)
		}
	}
	return nil
}

// banked: nothing of a cheque is left half done, each stands as its payment
// does, and what was entered again was entered once.
func (r remains) banked() error {
	again := map[string]string{}
	for _, row := range r.rows {
		if row.Kind == fees.KindPayment && strings.HasPrefix(row.Remark, reentered) {
			if other, twice := again[row.Remark]; twice {
				return fmt.Errorf("%q twice: %s and %s", row.Remark, other, row.ID)
			}
			again[row.Remark] = row.ID
		}
	}
	cheques := map[string]fees.Cheque{}
	for _, c := range r.cheques {
		cheques[c.ID] = c
	}
	bounced := map[string]fees.Amount{} // by payment
	for _, c := range r.cheques {
		if c.State == fees.ChequeBounced {
			bounced[c.Row] += c.Amount
		}
	}
	for _, c := range r.cheques {
		paid, there := r.byID[c.Row]
		gone := c.State == fees.ChequeBounced || c.State == fees.ChequeWithdrawn
		before := cheques[c.Again]
		switch {
		case c.Bouncing:
			return fmt.Errorf("cheque %s is still bouncing", c.ID)
		case !there || gone != (paid.ReversedBy != ""):
			return fmt.Errorf("cheque %s is %s, and its payment was reversed by %q", c.ID, c.State, paid.ReversedBy)
		case c.State == fees.ChequeWithdrawn && slices.ContainsFunc(c.History, func(s fees.ChequeStep) bool { return s.State == fees.ChequeBounced }) && r.byID[paid.ReversedBy].Cheque != "":
			return fmt.Errorf("cheque %s did not bounce after all, and its payment was reversed for the cheque %s", c.ID, r.byID[paid.ReversedBy].Cheque)
		case c.Again != "" && (before.State != fees.ChequeBounced || before.Number != c.Number):
			return fmt.Errorf("cheque %s is %q again, which is %s", c.ID, c.Again, before.State)
		case c.State != fees.ChequeBounced:
			continue
		}
		rest, reversal := paid.Total-bounced[c.Row], r.byID[paid.ReversedBy]
		reentry := r.byID[fees.Key(c.Institute, c.Bounce.Reentry)]
		cause := cheques[reversal.Cheque]
		switch {
		case cause.Row != c.Row || cause.State != fees.ChequeBounced || cause.Bounce.Charge != reversal.Charge || cause.Bounce.Reason != reversal.Reason:
			return fmt.Errorf("cheque %s bounced, and its payment was reversed for %q (%s), charging %d", c.ID, reversal.Cheque, reversal.Reason, reversal.Charge)
		case reentry.Total != rest || (rest != 0) != (c.Bounce.Reentry != ""):
			return fmt.Errorf("cheque %s bounced, and %q of %d is not the rest of %d", c.ID, c.Bounce.Reentry, reentry.Total, rest)
		}
	}
	for _, row := range r.rows {
		if of := cheques[row.Cheque]; row.Cheque != "" && (of.Row != row.Reverses || of.State != fees.ChequeBounced) {
			return fmt.Errorf("%s is for the cheque %s, which is %s", row.NumberText, row.Cheque, of.State)
		}
		for n, t := range row.Tenders {
			c := cheques[fees.ChequeID(row.ID, n)]
			if row.Kind == fees.KindPayment && t.IsCheque() && (c.Number != t.Ref || c.Amount != t.Amount) {
				return fmt.Errorf("tender %d of %s is of cheque %s, and its cheque is %q", n, row.NumberText, t.Ref, c.Number)
			}
		}
	}
	for told := range r.school.banked {
		if c := cheques[told.id]; !slices.ContainsFunc(c.History, func(s fees.ChequeStep) bool { return s.State == told.state }) {
			return fmt.Errorf("cheque %s was told to be %s, and is %s", told.id, told.state, c.State)
		}
	}
	return nil
}

// refundedWithin: at every moment no more was given back of a payment than it
// brought in, head by head, and nothing of one that was reversed.
func (r remains) refundedWithin() error {
	type of struct{ payment, head string }
	given := map[of]fees.Amount{}
	for _, row := range r.rows {
		if row.Kind != fees.KindRefund {
			continue
		}
		var lines fees.Amount
		for _, l := range row.Lines {
			lines += l.Amount
			given[of{row.Refunds, l.Head}] += l.Amount
		}
		if lines != row.Total || row.Total >= 0 {
			return fmt.Errorf("refund %s is of %d, its lines come to %d", row.ID, row.Total, lines)
		}
		if by := r.byID[row.Refunds].ReversedBy; by != "" {
			return fmt.Errorf("refund %s gives back of %s, which %s takes back", row.ID, row.Refunds, by)
		}
	}
	for _, row := range r.rows {
		for _, l := range row.Lines {
			given[of{row.ID, l.Head}] += l.Amount
		}
	}
	for of, left := range given {
		if of.payment != "" && left < 0 && r.byID[of.payment].Kind == fees.KindPayment {
			return fmt.Errorf("%d more was given back of %s than %s brought in", -left, of.head, of.payment)
		}
	}
	return nil
}

// refunded: nothing of a refund is left half done, each has the row and the row
// the bill that it should, and it was decided as a person was told.
func (r remains) refunded() error {
	state := map[string]fees.RefundState{}
	for _, f := range r.refunds {
		state[f.ID] = f.State
		row, there := r.byID[fees.RefundRowID(f.ID)]
		if f.Active || f.State == fees.RefundApproved || there != (f.State == fees.RefundPaid) || there && row.Total != -f.Amount {
			return fmt.Errorf("refund %s is %s, active %v, and its row is of %d", f.ID, f.State, f.Active, row.Total)
		}
	}
	for told := range r.school.decided {
		if now := state[told.id]; now != told.state {
			return fmt.Errorf("refund %s was told to be %s, and is %q", told.id, told.state, now)
		}
	}
	return nil
}

// refundBill is what the bill of a refund's row comes to, 0 where it needs none.
func refundBill(row fees.Row) (net fees.Amount) {
	for _, l := range row.Lines {
		if l.Head != fees.HeadAdvance {
			net += l.Amount
		}
	}
	return net
}
