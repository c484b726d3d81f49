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
// that was split over a family's receipts, and does all that comes with it: the
// payment is reversed by a row of today with the charge, and where it had other
// tenders these are entered again as a payment of their own. The first step is
// the cheque's own state with the order in it; what follows has keys that follow
// from it and is finished by the same order again, or by the sweep. A cheque
// that bounced already is the answer, whatever the order says.
//
// Where a person reversed the payment at the same moment, that reversal stands:
// the mark is taken back, nothing else is done, and it is a Conflict.
//
// Codes: Invalid (Fields reason, charge, day; also where the books are closed
// today), NotFound, Conflict (also where it is not deposited, cleared, was
// withdrawn, or something of its payment was refunded), Unavailable, Unconfirmed.
func (s *Store) BounceCheque(ctx context.Context, institute string, o fees.BounceOrder) (fees.Cheque, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Cheque{}, err
	}
	today := inst.Today(s.Now())
	refused := o.Check(today)
	c, err := s.cheque(ctx, institute, o.Cheque)
	if err != nil {
		return c, err
	}
	if c.State != fees.ChequeBounced {
		if refused != nil {
			return c, refused
		}
		began, err := s.beginBounce(ctx, inst, c, o)
		if fees.CodeOf(err) == fees.Conflict { // as of who bounced it at this moment?
			if now, unread := s.cheque(ctx, institute, o.Cheque); unread == nil && now.State == fees.ChequeBounced {
				began, err = now, nil
			}
		}
		if err != nil {
			return began, err
		}
		c = began
	}
	if err := s.finishBounce(ctx, c); errors.Is(err, errNotBounced) {
		return c, err
	} else if err != nil {
		return c, begun("bounce cheque", err)
	}
	if c, err = s.cheque(ctx, institute, o.Cheque); err != nil {
		return c, begun("bounce cheque", err)
	}
	if c.State != fees.ChequeBounced { // a part, of which the others did
		return c, fees.Errorf(fees.Conflict, "The receipt of this part of %s was reversed at this moment, and the part was withdrawn with it. The other parts bounced.", c.Name())
	}
	return c, nil
}

// beginBounce marks the cheque, of one that is in parts the first: of two people
// who bounce two parts at once, one bills the charge. Where the first bounced
// before, the part does without it. It answers with what was marked.
func (s *Store) beginBounce(ctx context.Context, inst fees.Institute, c fees.Cheque, o fees.BounceOrder) (fees.Cheque, error) {
	all, err := s.withParts(ctx, inst.Code, []fees.Cheque{c})
	if err != nil {
		return c, err
	}
	for _, part := range all {
		if part.State == fees.ChequeBounced {
			continue
		}
		if err := s.refuseBounce(ctx, inst, part, o.Day); err != nil {
			return c, err
		}
	}
	first := fees.FirstPart(all, c)
	if first.State == fees.ChequeBounced {
		first, o.Charge = c, 0
	}
	return s.markBounced(ctx, inst, first, o)
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
		return fees.Errorf(fees.Invalid, "The books are closed up to %s. A bounced cheque's receipt is reversed on the day it is entered: enter it on the next open day.", inst.ClosedTo.Spoken())
	}
	paid, err := s.Row(ctx, inst.Code, fees.After(c.Row))
	if err != nil {
		return err
	}
	reversal, err := s.Row(ctx, inst.Code, fees.ReversalID(paid.ShortID()))
	switch {
	case err == nil: // and about to take the cheque along
		return fees.Errorf(fees.Conflict, "The receipt of %s was reversed on %s, so there is nothing to take back. Nothing was changed.", c.Name(), reversal.Date.Spoken())
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
	bounce := fees.Bounce{Reason: o.Reason, Charge: o.Charge, By: o.By.Login, ByName: o.By.Name, From: o.By.From}
	step := fees.ChequeStep{State: fees.ChequeBounced, At: s.instant(), By: o.By.Signature(), Day: o.Day, Note: o.Reason}
	var now fees.Cheque
	err := s.DB.FindOneAndUpdate(ctx, cheques, chequeAt(c),
		stepUpdate(c, step, bson.D{{Key: "bounce", Value: bounce}, {Key: "bouncing", Value: true}}), docdb.Update{After: true}, &now)
	switch {
	case err == nil:
		s.Log.InfoContext(ctx, "cheque bounced", "cheque", c.ID, "by", o.By.Login, "from", o.By.From)
		return now, nil
	case !errors.Is(err, docdb.ErrNotFound):
		return c, outage("bounce cheque", err)
	}
	if now, err = s.cheque(ctx, inst.Code, c.ShortID()); err != nil || now.State == fees.ChequeBounced {
		return now, err
	}
	return now, fees.Errorf(fees.Conflict, "%s was changed by somebody else at this moment. Nothing was changed; look at it again.", c.Name())
}

// errNotBounced is in the chain of a Conflict after which a cheque is withdrawn, and
// nothing is left to be done of its bounce.
var errNotBounced = errors.New("the payment was reversed by a person")

// finishBounce does what a bounced cheque brings, as far as it is not done. It is
// a Conflict where a person was faster with the payment, and the cheque did not
// bounce.
func (s *Store) finishBounce(ctx context.Context, c fees.Cheque) error {
	if !c.Bouncing {
		return nil
	}
	reversal, err := s.takeBackFor(ctx, c)
	if err != nil {
		return err
	}
	if err := s.bounceParts(ctx, c); err != nil {
		return err
	}
	return s.enterRest(ctx, c, reversal)
}

// takeBackFor reverses the payment of a bounced cheque. Once there is a reversal
// for a bounce, or one by a person, it is for good which it is: in the second case
// the cheque is withdrawn with the payment.
func (s *Store) takeBackFor(ctx context.Context, c fees.Cheque) (fees.Row, error) {
	allowed := func(context.Context, fees.Row) error { return nil } // when it was marked
	reversal, err := s.reverse(ctx, c.Institute, fees.ReversalOrder{
		ID: fees.After(c.Row), Reason: c.Bounce.Reason, Charge: c.Bounce.Charge, Cheque: c.ID, By: c.Bounce.Actor(),
	}, allowed)
	if err != nil {
		return reversal, err
	}
	// None of the payment's cheques changes any more: it bounced by now or never.
	if err := s.withdrawCheques(ctx, reversal); err != nil {
		return reversal, err
	}
	if reversal.Cheque == "" {
		return reversal, fmt.Errorf("%w: %w", errNotBounced, fees.Errorf(fees.Conflict,
			"The receipt of %s was reversed by %s at this moment, and the cheque was withdrawn with it: %s. It is not marked as bounced, and nothing was charged for it.",
			c.Name(), reversal.CashierName, reversal.Reason))
	}
	return reversal, nil
}

// enterRest enters what did not bounce of a payment again, and notes that all that
// the bounce of c brings is done.
func (s *Store) enterRest(ctx context.Context, c fees.Cheque, reversal fees.Row) error {
	again, err := s.reenter(ctx, c, reversal)
	if err != nil {
		return fmt.Errorf("enter the other tenders again: %w", err)
	}
	done := bson.D{{Key: "$unset", Value: bson.D{{Key: "bouncing", Value: ""}}}}
	if again != "" {
		done = append(done, bson.E{Key: "$set", Value: bson.D{{Key: "bounce.reentry", Value: again}}})
	}
	_, err = s.DB.UpdateOne(ctx, cheques, one(c.Institute, c.ID), done, docdb.Update{})
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
		reversal, err := s.takeBackFor(ctx, part)
		if errors.Is(err, errNotBounced) {
			s.Log.WarnContext(ctx, "a part of a bounced cheque stays", slog.String("cheque", part.ID), slog.Any("error", err))
			continue
		}
		if err == nil {
			err = s.enterRest(ctx, part, reversal)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepBounces finishes what bounced cheques still bring, and says of how many.
func (s *Store) sweepBounces(ctx context.Context, institute string) (done int64, err error) {
	err = sweepMarked(ctx, s, cheques, institute, "bouncing", func(left []fees.Cheque) error {
		for _, c := range left {
			err := s.finishBounce(ctx, c)
			if errors.Is(err, errNotBounced) {
				s.Log.WarnContext(ctx, "a cheque was withdrawn before it bounced", slog.String("cheque", c.ID), slog.Any("error", err))
				continue
			}
			if err != nil {
				return fmt.Errorf("finish the bounce of %s: %w", c.ID, err)
			}
			done++
		}
		return nil
	})
	return done, err
}
