package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// keepCheques writes down the cheques and drafts that a payment brought in. They
// are keyed by the payment and done before it has its number: a numbered payment
// has them.
func (s *Store) keepCheques(ctx context.Context, paid fees.Row) error {
	all := fees.ChequesOf(paid)
	if err := s.withPapers(ctx, paid, all); err != nil {
		return fmt.Errorf("keep cheque: %w", err)
	}
	for _, c := range all {
		if err := s.presentedAgain(ctx, &c); err != nil {
			return fmt.Errorf("keep cheque: %w", err)
		}
		if err := s.DB.InsertOne(ctx, cheques, c); err != nil && !docdb.IsDuplicate(err) {
			return fmt.Errorf("keep cheque: %w", err)
		}
	}
	return nil
}

// withPapers notes of the cheques of a payment what the paper is made out for,
// where they are parts of it: the family payment has it whole.
func (s *Store) withPapers(ctx context.Context, paid fees.Row, all []fees.Cheque) error {
	if paid.Family == "" || len(all) == 0 {
		return nil
	}
	p, err := s.FamilyPayment(ctx, paid.Institute, paid.Family)
	if err != nil {
		return err
	}
	for i := range all {
		if whole := p.TenderOf(all[i].Of).Amount; whole > all[i].Amount {
			all[i].Paper = whole
		}
	}
	return nil
}

// presentedAgain links c to the cheque of the student that is the same paper
// and bounced.
func (s *Store) presentedAgain(ctx context.Context, c *fees.Cheque) error {
	before, err := s.chequesOf(ctx, c.Institute, c.Student)
	if err != nil {
		return err
	}
	for _, b := range before {
		if b.State == fees.ChequeBounced && b.ID != c.ID && b.Same(c) {
			c.Again = b.ID // the last of them
			c.History[0].Note = "Presented again after it bounced on " + b.Day.Spoken()
		}
	}
	return nil
}

// withdrawCheques takes the cheques of a payment along when it is reversed, but
// for those that bounced. Where a person reverses it, none bounces any more: one
// that was about to is taken along, and its order is gone.
func (s *Store) withdrawCheques(ctx context.Context, reversal fees.Row) error {
	for n, t := range reversal.Tenders {
		if !t.IsCheque() {
			continue
		}
		if err := s.withdrawCheque(ctx, reversal, fees.ChequeID(reversal.Reverses, n)); err != nil {
			return fmt.Errorf("withdraw cheque: %w", err)
		}
	}
	return nil
}

// withdrawCheque takes one of them along.
func (s *Store) withdrawCheque(ctx context.Context, reversal fees.Row, id string) error {
	for range cancelTries {
		c, err := s.cheque(ctx, reversal.Institute, fees.After(id))
		switch {
		case fees.CodeOf(err) == fees.NotFound: // of a time when none were kept
			return nil
		case err != nil:
			return err
		case c.State == fees.ChequeWithdrawn || c.State == fees.ChequeBounced && reversal.Cheque != "":
			return nil
		}
		step := fees.ChequeStep{
			State: fees.ChequeWithdrawn, At: reversal.RecordedAt, By: reversal.CashierName, Day: reversal.Date,
			Note: "Its receipt was reversed: " + reversal.Reason,
		}
		update := stepUpdate(c, step, nil)
		if c.State == fees.ChequeBounced {
			step.Note = "It did not bounce: its receipt was reversed at that moment by " + reversal.CashierName + ": " + reversal.Reason
			update = append(stepUpdate(c, step, nil), bson.E{Key: "$unset", Value: bson.D{{Key: "bounce", Value: ""}, {Key: "bouncing", Value: ""}}})
		}
		err = s.DB.FindOneAndUpdate(ctx, cheques, chequeAt(c), update, docdb.Update{After: true}, &c)
		if err == nil || !errors.Is(err, docdb.ErrNotFound) {
			return err
		}
	}
	return fmt.Errorf("others were faster %d times: %w", cancelTries, docdb.ErrUnavailable)
}

// chequeAt selects a cheque as long as it is what was read.
func chequeAt(c fees.Cheque) bson.D {
	return append(one(c.Institute, c.ID), bson.E{Key: "state", Value: c.State}, bson.E{Key: "version", Value: c.Version})
}

// stepUpdate brings a cheque into the step's state and sets more fields.
func stepUpdate(c fees.Cheque, step fees.ChequeStep, more bson.D) bson.D {
	fields := append(bson.D{{Key: "state", Value: step.State}, {Key: "day", Value: step.Day}, {Key: "version", Value: c.Version + 1}}, more...)
	return bson.D{{Key: "$set", Value: fields}, {Key: "$push", Value: bson.D{{Key: "history", Value: step}}}}
}
