package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// BounceCheque notes that the bank returned a cheque, with the other parts of one
// that was split over a family's receipts, and does all that comes with it: the payment is reversed by a row of today with the charge, and where
// it had other tenders these are entered again as a payment of their own. The
// first step is the cheque's own state with the order in it; what follows has
// keys that follow from it and is finished by the same order again, or by the
// sweep. A cheque that bounced already is the answer, whatever the order says.
//
// Codes: Invalid (Fields reason, charge, day; also where the books are closed
// today), NotFound, Conflict (it is not deposited, cleared, was withdrawn, or
// something of its payment was refunded), Unavailable, Unconfirmed.
func (s *Store) BounceCheque(ctx context.Context, institute string, o fees.BounceOrder) (fees.Cheque, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Cheque{}, err
	}
	today := inst.Today(s.Now())
	refused := o.Check(today)
	c, err := s.Cheque(ctx, institute, o.Cheque)
	if err != nil {
		return c, err
	}
	if c.State != fees.ChequeBounced {
		if refused != nil {
			return c, refused
		}
		parts, err := s.partsOf(ctx, institute, c)
		if err != nil {
			return c, err
		}
		for _, part := range parts {
			if part.State == fees.ChequeBounced {
				continue
			}
			if err := s.refuseBounce(ctx, inst, part, o.Day); err != nil {
				return c, err
			}
		}
		if c, err = s.markBounced(ctx, inst, c, o); err != nil {
			return c, err
		}
	}
	if err := s.finishBounce(ctx, c); err != nil {
		return c, begun("bounce cheque", err)
	}
	if c, err = s.Cheque(ctx, institute, o.Cheque); err != nil {
		return c, begun("bounce cheque", err)
	}
	return c, nil
}

// refuseBounce says why a cheque cannot bounce on that day.
func (s *Store) refuseBounce(ctx context.Context, inst fees.Institute, c fees.Cheque, day fees.Date) error {
	today := inst.Today(s.Now())
	if bad := c.Refuses(fees.ChequeBounced, day, today); bad != nil {
		if bad.Code == fees.Invalid {
			bad.Fields = map[string]string{"day": bad.Message}
		}
		return bad
	}
	if today <= inst.ClosedTo {
		return fees.Errorf(fees.Invalid, "The books are closed up to %s. A bounced cheque's receipt is reversed on the day it is entered: enter it on the next open day.", inst.ClosedTo)
	}
	paid, err := s.Row(ctx, inst.Code, fees.After(c.Row))
	if err != nil {
		return err
	}
	reversal, err := s.Row(ctx, inst.Code, fees.ReversalID(paid.ShortID()))
	switch {
	case err == nil: // and about to take the cheque along
		return fees.Errorf(fees.Conflict, "The receipt of %s was reversed on %s, so there is nothing to take back. Nothing was changed.", c.Name(), reversal.Date)
	case fees.CodeOf(err) != fees.NotFound:
		return err
	}
	return s.refuseRefunded(ctx, paid, c.Amount)
}

// markBounced is the first step. A cheque that somebody else has bounced
// meanwhile is the answer.
func (s *Store) markBounced(ctx context.Context, inst fees.Institute, c fees.Cheque, o fees.BounceOrder) (fees.Cheque, error) {
	if err := s.refuseBounce(ctx, inst, c, o.Day); err != nil {
		return c, err
	}
	paid, err := s.Row(ctx, inst.Code, fees.After(c.Row))
	if err != nil {
		return c, err
	}
	bounce := fees.Bounce{Reason: o.Reason, Charge: o.Charge, By: o.By.Login, ByName: o.By.Name, From: o.By.From}
	if len(paid.Tenders) > 1 {
		bounce.Reentry = s.NewID()
	}
	step := fees.ChequeStep{State: fees.ChequeBounced, At: s.instant(), By: o.By.Signature(), Day: o.Day, Note: o.Reason}
	var now fees.Cheque
	err = s.DB.FindOneAndUpdate(ctx, cheques, chequeAt(c),
		stepUpdate(c, step, bson.D{{Key: "bounce", Value: bounce}, {Key: "bouncing", Value: true}}), docdb.Update{After: true}, &now)
	switch {
	case err == nil:
		s.Log.InfoContext(ctx, "cheque bounced", "cheque", c.ID, "by", o.By.Login, "from", o.By.From)
		return now, nil
	case !errors.Is(err, docdb.ErrNotFound):
		return c, outage("bounce cheque", err)
	}
	if now, err = s.Cheque(ctx, inst.Code, c.ShortID()); err != nil || now.State == fees.ChequeBounced {
		return now, err
	}
	return now, fees.Errorf(fees.Conflict, "%s was changed by somebody else at this moment. Nothing was changed; look at it again.", c.Name())
}

// finishBounce does what a bounced cheque brings, as far as it is not done.
func (s *Store) finishBounce(ctx context.Context, c fees.Cheque) error {
	if !c.Bouncing {
		return nil
	}
	if err := s.takeBackFor(ctx, c); err != nil {
		return err
	}
	if err := s.bounceParts(ctx, c); err != nil {
		return err
	}
	return s.bounceDone(ctx, c)
}

// takeBackFor reverses the payment of a bounced cheque and enters its other
// tenders again.
func (s *Store) takeBackFor(ctx context.Context, c fees.Cheque) error {
	allowed := func(context.Context, fees.Row) error { return nil } // when it was marked
	if _, err := s.reverse(ctx, c.Institute, fees.ReversalOrder{
		ID: fees.After(c.Row), Reason: c.Bounce.Reason, Charge: c.Bounce.Charge, By: c.Bounce.Actor(),
	}, allowed); err != nil {
		return err
	}
	if c.Bounce.Reentry == "" {
		return nil
	}
	if err := s.reenter(ctx, c); err != nil {
		return fmt.Errorf("enter the other tenders again: %w", err)
	}
	return nil
}

func (s *Store) bounceDone(ctx context.Context, c fees.Cheque) error {
	_, err := s.DB.UpdateOne(ctx, cheques, one(c.Institute, c.ID), bson.D{{Key: "$unset", Value: bson.D{{Key: "bouncing", Value: ""}}}}, docdb.Update{})
	return err
}

// bounceParts bounces the other parts of a cheque, without the charge, which is
// billed once. One that cannot bounce any more, as of a receipt that was reversed
// at this moment, stays where it is.
func (s *Store) bounceParts(ctx context.Context, c fees.Cheque) error {
	parts, err := s.partsOf(ctx, c.Institute, c)
	if err != nil || len(parts) == 0 {
		return err
	}
	inst, err := s.Institute(ctx, c.Institute)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if part.State != fees.ChequeBounced {
			part, err = s.markBounced(ctx, inst, part, fees.BounceOrder{Cheque: part.ShortID(), Reason: c.Bounce.Reason, Day: c.Day, By: c.Bounce.Actor()})
			if fees.CodeOf(err) == fees.Conflict {
				s.Log.WarnContext(ctx, "a part of a bounced cheque stays", slog.String("cheque", part.ID), slog.Any("error", err))
				continue
			}
			if err != nil {
				return err
			}
		}
		if !part.Bouncing {
			continue
		}
		if err := s.takeBackFor(ctx, part); err != nil {
			return err
		}
		if err := s.bounceDone(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// reenter records the tenders that did not bounce as a payment of today. Other
// cheques among them stay where they are: their documents are written before the
// payment, which would have them received anew.
func (s *Store) reenter(ctx context.Context, c fees.Cheque) error {
	inst, err := s.Institute(ctx, c.Institute)
	if err != nil {
		return err
	}
	paid, err := s.Row(ctx, c.Institute, fees.After(c.Row))
	if err != nil {
		return err
	}
	o := fees.PaymentOrder{ID: c.Bounce.Reentry, Student: paid.Student, Remark: "Entered again from " + paid.NumberText + ": " + c.Name() + " bounced", By: c.Bounce.Actor()}
	var kept []string // the cheques that come along, "" for other tenders
	for n, t := range paid.Tenders {
		id := fees.ChequeID(paid.ID, n)
		if id == c.ID {
			continue
		}
		if !t.IsCheque() {
			id = ""
		}
		o.Tenders, kept = append(o.Tenders, t), append(kept, id)
	}
	digest := digestOf(o)
	row, err := s.recorded(ctx, inst.Code, o.ID, digest)
	if fees.CodeOf(err) == fees.NotFound {
		if err = s.carryCheques(ctx, paid, o, kept); err == nil {
			row, err = s.writePayment(ctx, inst, o, digest)
		}
	}
	if err != nil {
		return err
	}
	s.finish(ctx, row)
	return nil
}

// carryCheques writes the cheques of the payment o as they were before that of
// the same paper was withdrawn with the payment paid.
func (s *Store) carryCheques(ctx context.Context, paid fees.Row, o fees.PaymentOrder, kept []string) error {
	for n, id := range kept {
		if id == "" {
			continue
		}
		c, err := s.Cheque(ctx, paid.Institute, fees.After(id))
		if fees.CodeOf(err) == fees.NotFound { // it is received anew
			continue
		}
		if err != nil {
			return err
		}
		next := c.CarriedTo(fees.Key(paid.Institute, o.ID), n, paid.NumberText)
		if err := s.DB.InsertOne(ctx, cheques, next); err != nil && !docdb.IsDuplicate(err) {
			return err
		}
	}
	return nil
}

// sweepBounces finishes what bounced cheques still bring, and says of how many.
func (s *Store) sweepBounces(ctx context.Context, institute string) (done int64, err error) {
	err = sweepMarked(ctx, s, cheques, institute, "bouncing", func(left []fees.Cheque) error {
		for _, c := range left {
			if err := s.finishBounce(ctx, c); err != nil {
				return fmt.Errorf("finish the bounce of %s: %w", c.ID, err)
			}
			done++
		}
		return nil
	})
	return done, err
}
