package store

import (
	"context"
	"log/slog"
	"slices"

	"raseed/store/fees"
)

// ReversePayment takes a whole payment back by a row of its own, dated today
// and numbered in the reversals' series; the payment stays, with a pointer to
// it. The reversal's key is derived from the payment's, so there is never a
// second: again, the answer is the first one. Where that was made for a cheque
// that bounced, and not for what o says, it is a Conflict that says so.
//
// Codes: Invalid, NotFound, Conflict (also where the row is not a payment, or
// something of it was refunded), Unavailable, Unconfirmed.
func (s *Store) ReversePayment(ctx context.Context, institute string, o fees.ReversalOrder) (fees.Row, error) {
	o.Cheque = ""
	row, err := s.reverse(ctx, institute, o, func(ctx context.Context, paid fees.Row) error { return s.refuseRefunded(ctx, paid, paid.Total) })
	if err == nil && row.Cheque != "" {
		err = s.sameReversal(ctx, row, o)
	}
	return row, err
}

// sameReversal is a Conflict where a bounce took a payment back for another reason
// or charge than a person was about to.
func (s *Store) sameReversal(ctx context.Context, bounced fees.Row, o fees.ReversalOrder) error {
	if bad := o.Check(); bad != nil { // brings it into its normal form
		return bad
	}
	if bounced.Reason == o.Reason && bounced.Charge == o.Charge {
		return nil
	}
	inst, err := s.Institute(ctx, bounced.Institute)
	if err != nil {
		return err
	}
	c, err := s.cheque(ctx, bounced.Institute, fees.After(bounced.Cheque))
	if err != nil {
		return err
	}
	charge := "without a charge"
	if bounced.Charge != 0 {
		charge = "with a charge of " + inst.Money().Format(bounced.Charge)
	}
	return fees.Errorf(fees.Conflict, "%s bounced, and for that %s was reversed already, on %s by %s, %s: %s. What you entered was not added to it; nothing was changed.",
		c.Name(), bounced.ReversesText, bounced.Date.Spoken(), bounced.CashierName, charge, bounced.Reason)
}

// reverse is ReversePayment that writes nothing where refuse says why not.
func (s *Store) reverse(ctx context.Context, institute string, o fees.ReversalOrder, refuse func(context.Context, fees.Row) error) (fees.Row, error) {
	if refusal := o.Check(); refusal != nil {
		return fees.Row{}, refusal
	}
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Row{}, err
	}
	paid, err := s.Row(ctx, institute, o.ID)
	if err != nil {
		return fees.Row{}, err
	}
	if paid.Kind != fees.KindPayment {
		return fees.Row{}, fees.Errorf(fees.Conflict, "%s is not a payment: only a payment can be reversed.", paid.NumberText)
	}
	reversal, err := s.Row(ctx, institute, fees.ReversalID(o.ID))
	if fees.CodeOf(err) == fees.NotFound {
		if today := inst.Today(s.Now()); today <= inst.ClosedTo {
			return fees.Row{}, fees.Errorf(fees.Invalid, "The books are closed up to %s. A reversal is dated the day it is made; reverse it on the next open day.", inst.ClosedTo.Spoken())
		}
		// Numbered first, so that the reversal can name what it takes back.
		if paid, err = s.tryFinish(ctx, paid); err != nil {
			return fees.Row{}, outage("reverse payment", err)
		}
		reversal, err = s.writeReversal(ctx, inst, paid, o, refuse)
	}
	if err != nil {
		return fees.Row{}, err
	}
	return s.finish(ctx, reversal), nil
}

func (s *Store) writeReversal(ctx context.Context, inst fees.Institute, paid fees.Row, o fees.ReversalOrder, refuse func(context.Context, fees.Row) error) (fees.Row, error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(inst.Code, paid.Student))
	if err != nil {
		return fees.Row{}, outage("reverse payment", err)
	}
	defer unlock()
	if err := refuse(ctx, paid); err != nil {
		return fees.Row{}, err
	}
	dues, err := s.Dues(ctx, inst.Code, paid.Student)
	if err != nil {
		return fees.Row{}, err
	}
	row := paid // the snapshot of payer and institute is the payment's
	row.ID = paid.ID + ":reversal"
	row.Kind, row.Series = fees.KindReversal, fees.SeriesReversal
	row.RecordedAt = s.instant()
	row.Date = inst.Today(row.RecordedAt) // today, never back in the original's day
	row.FY = inst.FY(row.Date)
	row.Format = inst.Formats.Reversal
	row.Lines = slices.Clone(paid.Lines)
	for i := range row.Lines {
		row.Lines[i].Amount = -row.Lines[i].Amount
	}
	row.Tenders = slices.Clone(paid.Tenders)
	for i := range row.Tenders {
		row.Tenders[i].Amount = -row.Tenders[i].Amount
	}
	row.Total = -paid.Total
	row.BalanceAfter = dues.Balance + paid.Total + o.Charge
	row.Remark, row.Reason, row.Charge = "", o.Reason, o.Charge
	row.Reverses, row.ReversesText, row.Takes = paid.ID, paid.NumberText, fees.TakeKey(paid.ID, 1)
	row.Cheque = o.Cheque
	row.Cashier, row.CashierName, row.From = o.By.Login, o.By.Name, o.By.From
	// Any reversal of this payment is the same one, whatever its reason says.
	row.Digest = digestOf(fees.PaymentOrder{Student: paid.ID})
	row.Body, row.ReversedBy, row.Refs = "", "", nil
	row = attached{}.on(row)
	if row, err = s.writeBack(ctx, inst, row, paid); err != nil {
		return row, err
	}
	// At once, so that no counter of this process sees the row without it. Where it
	// fails the row has no number yet, and whoever finishes it bills it.
	if err := s.billReversal(ctx, row); err != nil {
		s.Log.WarnContext(ctx, "the charge of a reversal is not billed yet", slog.String("row", row.ID), slog.Any("error", err))
	}
	return row, nil
}

// writeBack writes the reversal of paid. It goes through the till that paid went
// into as long as that is open, for there its money is, whoever takes it back; else
// through the till of who does. For a bounce it is always the latter, as what is
// entered again goes there.
func (s *Store) writeBack(ctx context.Context, inst fees.Institute, row, paid fees.Row) (fees.Row, error) {
	if paid.Shift != "" && row.Cheque == "" {
		there := false
		err := s.throughTill(ctx, inst, paid.Cashier, "", func(open string) (err error) {
			if there = open == paid.Shift; there {
				row.EnterTill(open)
				row, err = s.writeRow(ctx, row)
			}
			return err
		})
		if there || err != nil {
			return row, err
		}
	}
	return s.writeThroughTill(ctx, inst, row, "")
}
