package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// DecideRefund approves a refund, which writes its row, or refuses it. The
// approval comes first and is the order to write the row, whose key follows from
// it; the same decision again, or the sweep, finishes what was left. A decision
// that was made so before is the answer.
//
// Codes: Invalid (Field why; also where the books are closed today), NotFound,
// Forbidden (by who asked for it, unless an admin), Conflict (decided otherwise;
// there is not as much any more; another refund of the student is under way),
// Unavailable, Unconfirmed.
func (s *Store) DecideRefund(ctx context.Context, institute string, d fees.RefundDecision) (fees.Refund, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Refund{}, err
	}
	if bad := d.Check(); bad != nil {
		return fees.Refund{}, bad
	}
	r, err := s.Refund(ctx, institute, d.ID)
	if err != nil {
		return r, err
	}
	if r.State == fees.RefundRequested {
		if r, err = s.decide(ctx, inst, r, d); err != nil {
			return r, err
		}
	}
	if r.State == fees.RefundRequested {
		return r, fees.Errorf(fees.Conflict, "This refund was changed by somebody else at this moment. Nothing was changed; look at it again.")
	}
	if refused := r.State == fees.RefundRefused; refused == d.Approve {
		return r, fees.Errorf(fees.Conflict, "This refund was %s by %s. Nothing was changed.", map[bool]string{true: "refused", false: "approved"}[refused], r.Decided)
	}
	if !d.Approve {
		return r, nil
	}
	if err := s.payRefund(ctx, inst, r); err != nil {
		if fees.CodeOf(err) == fees.Conflict {
			return r, err
		}
		return r, begun("pay refund", err)
	}
	if r, err = s.Refund(ctx, institute, d.ID); err != nil {
		return r, begun("pay refund", err)
	}
	return r, nil
}

// decide is the first step. What somebody else has decided meanwhile is the
// answer.
func (s *Store) decide(ctx context.Context, inst fees.Institute, r fees.Refund, d fees.RefundDecision) (fees.Refund, error) {
	if d.Approve && !r.ApprovableBy(d.By) {
		return r, fees.Errorf(fees.Forbidden, "You asked for this refund yourself: somebody else has to approve it.")
	}
	fields := bson.D{
		{Key: "state", Value: fees.RefundRefused}, {Key: "version", Value: r.Version + 1},
		{Key: "decider", Value: d.By.Login}, {Key: "decided", Value: d.By.Signature()}, {Key: "decideAt", Value: s.instant()},
	}
	if d.Approve {
		if today := inst.Today(s.Now()); today <= inst.ClosedTo {
			return r, fees.Errorf(fees.Invalid, "The books are closed up to %s. A refund is dated the day it is approved; approve it on the next open day.", inst.ClosedTo.Spoken())
		}
		if err := s.within(ctx, inst, r); err != nil {
			// There is less because this very refund was paid at this moment.
			if now, unread := s.Refund(ctx, inst.Code, r.ShortID()); unread == nil && now.Version != r.Version {
				return now, nil
			}
			return r, err
		}
		fields[0].Value = fees.RefundApproved
		fields = append(fields, bson.E{Key: "active", Value: true})
	} else {
		fields = append(fields, bson.E{Key: "why", Value: d.Why})
	}
	var now fees.Refund
	err := s.DB.FindOneAndUpdate(ctx, refunds, refundAt(r), bson.D{{Key: "$set", Value: fields}}, docdb.Update{After: true}, &now)
	switch {
	case err == nil:
		s.Log.InfoContext(ctx, "refund decided", "refund", r.ID, "state", now.State, "by", d.By.Login, "from", d.By.From)
		return now, nil
	case docdb.IsDuplicate(err):
		return r, fees.Errorf(fees.Conflict, "Another refund of %s is being paid out at this moment. Nothing was changed; try again in a moment.", r.StudentName)
	case !errors.Is(err, docdb.ErrNotFound):
		return r, outage("decide on a refund", err)
	}
	return s.Refund(ctx, inst.Code, r.ShortID())
}

// refundAt selects a refund as long as it is what was read.
func refundAt(r fees.Refund) bson.D {
	return append(one(r.Institute, r.ID), bson.E{Key: "state", Value: r.State}, bson.E{Key: "version", Value: r.Version})
}

// payRefund writes the row of an approved refund and finishes it. Where there is
// not as much any more, the refund is asked for again: Conflict.
func (s *Store) payRefund(ctx context.Context, inst fees.Institute, r fees.Refund) error {
	if !r.Active {
		return nil
	}
	row, err := s.writeRefund(ctx, inst, r)
	if err != nil {
		return err
	}
	s.finish(ctx, row)
	return s.paidOut(ctx, row)
}

// refunded is the row that a refund has become; NotFound.
func (s *Store) refunded(ctx context.Context, r fees.Refund) (fees.Row, error) {
	return s.Row(ctx, r.Institute, fees.After(fees.RefundRowID(r.ID)))
}

// writeRefund makes the row durable, unless it is there. No other refund of the
// student is under way in any process, and in this one nothing else of the
// student: what there is to give back is looked at for good.
func (s *Store) writeRefund(ctx context.Context, inst fees.Institute, r fees.Refund) (fees.Row, error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(inst.Code, r.Student))
	if err != nil {
		return fees.Row{}, outage("pay refund", err)
	}
	defer unlock()
	if row, err := s.refunded(ctx, r); fees.CodeOf(err) != fees.NotFound {
		return row, err
	}
	if today := inst.Today(s.Now()); today <= inst.ClosedTo {
		return fees.Row{}, s.askAgain(ctx, r, fees.Errorf(fees.Conflict, "The books were closed up to %s meanwhile. Nothing was given back; approve it on the next open day.", inst.ClosedTo.Spoken()))
	}
	if err := s.within(ctx, inst, r); err != nil {
		// Another process may have written this very row at this moment.
		if row, absent := s.refunded(ctx, r); fees.CodeOf(absent) != fees.NotFound {
			return row, absent
		}
		if fees.CodeOf(err) == fees.Conflict {
			err = s.askAgain(ctx, r, err)
		}
		return fees.Row{}, err
	}
	student, err := s.Student(ctx, inst.Code, r.Student)
	if err != nil {
		return fees.Row{}, err
	}
	dues, err := s.Dues(ctx, inst.Code, r.Student)
	if err != nil {
		return fees.Row{}, err
	}
	row := s.refundRow(inst, student, r, dues.Balance)
	if r.Payment != "" {
		before, err := s.DB.Count(ctx, payments, bson.D{
			{Key: "institute", Value: inst.Code}, {Key: "student", Value: r.Student}, {Key: "refunds", Value: r.Payment},
		}, 0)
		if err != nil {
			return row, outage("count refunds", err)
		}
		row.Takes = fees.TakeKey(r.Payment, before+1)
	}
	row, err = s.writeThroughTill(ctx, inst, row, "")
	if errors.Is(err, errTaken) {
		return row, s.askAgain(ctx, r, fees.Errorf(fees.Conflict, "%s was reversed at this moment. Nothing was given back.", r.PaymentText))
	}
	if err != nil {
		return row, err
	}
	// At once, so that no counter of this process sees the row without it.
	return row, s.billRefund(ctx, row)
}

// askAgain takes an approval back, and answers with why.
func (s *Store) askAgain(ctx context.Context, r fees.Refund, why error) error {
	_, err := s.DB.UpdateOne(ctx, refunds, refundAt(r), bson.D{
		{Key: "$set", Value: bson.D{{Key: "state", Value: fees.RefundRequested}, {Key: "version", Value: r.Version + 1}}},
		{Key: "$unset", Value: bson.D{{Key: "active", Value: ""}, {Key: "decider", Value: ""}, {Key: "decided", Value: ""}, {Key: "decideAt", Value: ""}}},
	}, docdb.Update{})
	if err != nil {
		return fmt.Errorf("take the approval back: %w", err)
	}
	return why
}

// sweepRefunds writes the rows of approved refunds that have none, and says how
// many.
func (s *Store) sweepRefunds(ctx context.Context, inst fees.Institute) (done int64, err error) {
	err = sweepMarked(ctx, s, refunds, inst.Code, "active", func(left []fees.Refund) error {
		for _, r := range left {
			err := s.payRefund(ctx, inst, r)
			if fees.CodeOf(err) == fees.Conflict { // it is asked for again
				s.Log.WarnContext(ctx, "an approved refund was not paid", "refund", r.ID, "why", err)
				continue
			}
			if err != nil {
				return fmt.Errorf("pay refund %s: %w", r.ID, err)
			}
			done++
		}
		return nil
	})
	return done, err
}
