package store

import (
	"cmp"
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// CloseShift closes a till with what was counted in it, for good: from then on
// it takes no more rows, and the sums of those it has are kept on it. Whoever is
// not its cashier says why. The same order again answers with the same till.
//
// Codes: Invalid with the Fields of fees.CloseOrder.Check, with reason for
// somebody else's till, and with note for one that is short or in excess and
// nobody says why; NotFound; Conflict (it was closed with another count, somebody
// else is closing it, or something of it is not finished: then it stays open);
// Unavailable, Unconfirmed.
func (s *Store) CloseShift(ctx context.Context, institute string, o fees.CloseOrder) (fees.Shift, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Shift{}, err
	}
	if refusal := o.Check(inst.Money()); refusal != nil {
		return fees.Shift{}, refusal
	}
	shift, err := s.Shift(ctx, institute, o.Shift)
	if err != nil {
		return shift, err
	}
	if shift.Cashier == o.By.Login {
		o.Reason = ""
	} else if o.Reason == "" {
		return shift, refusal("The till was not closed.", map[string]string{"reason": "It is the till of " + shift.CashierName + ": say why you close it"})
	}
	count := fees.TillCount{
		Pieces: o.Pieces, Other: o.Other, Counted: o.Counted(), Note: o.Note, Reason: o.Reason,
		By: o.By.Login, ByName: cmp.Or(o.By.Name, o.By.Login), From: o.By.From, At: s.instant(),
	}
	if shift.State != fees.ShiftClosed {
		if err := s.readyToClose(ctx, inst, shift, count); err != nil {
			return shift, err
		}
	}
	return s.closeShift(ctx, inst, shift, count)
}

// readyToClose finishes what of a till is not finished, and says why it cannot
// be closed, so that it is not even begun.
func (s *Store) readyToClose(ctx context.Context, inst fees.Institute, shift fees.Shift, count fees.TillCount) error {
	pending, err := s.pendingOf(ctx, inst, shift)
	if err != nil {
		return err
	}
	for _, row := range pending {
		s.finish(ctx, row)
	}
	sums, err := s.sumShift(ctx, shift)
	if err != nil {
		return err
	}
	if bad := count.Check(&shift, sums, inst.Money()); bad != nil {
		return bad
	}
	return nil
}

// pendingOf are the rows of a till that await their numbers. A family payment of
// its cashier that has not all its receipts yet is a Conflict: it brings more
// rows.
func (s *Store) pendingOf(ctx context.Context, inst fees.Institute, shift fees.Shift) ([]fees.Row, error) {
	for raw, err := range s.marked(ctx, families, inst.Code, "open", "cashier") {
		if err != nil {
			return nil, outage("read family payments", err)
		}
		if textOf(raw, "cashier") == shift.Cashier {
			return nil, fees.Errorf(fees.Conflict, "A family payment is not finished: its receipts come by themselves. The till was not closed: try again in a moment.")
		}
	}
	var pending []fees.Row
	for raw, err := range s.marked(ctx, payments, inst.Code, "awaiting") {
		if err != nil {
			return nil, outage("read rows that await a number", err)
		}
		var row fees.Row
		if textOf(raw, "shift") == shift.ShortID() && bson.Unmarshal(raw, &row) == nil {
			pending = append(pending, row)
		}
	}
	return pending, nil
}

// closeShift closes a till of which nothing is pending. It is closed to rows
// first and summed then, so that what it is closed with is all there is.
func (s *Store) closeShift(ctx context.Context, inst fees.Institute, shift fees.Shift, count fees.TillCount) (fees.Shift, error) {
	open, err := s.tills.shut(ctx, inst.Code, shift.Cashier)
	if err != nil {
		return shift, outage("close till", err)
	}
	defer open()
	for range writeAttempts {
		switch {
		case shift.State == fees.ShiftClosed:
			return shift, s.sameClose(inst, shift, count)
		case shift.State == fees.ShiftClosing && shift.Count.Same(count):
			return s.settleClose(ctx, inst, shift)
		case shift.State == fees.ShiftClosing && !shift.Left(s.instant()):
			return shift, fees.Errorf(fees.Conflict, "%s is closing this till at the moment, with another count. Nothing was changed.", shift.Count.ByName)
		}
		begun := func(now fees.Shift) bool { return now.State == fees.ShiftClosing && now.Count.Same(count) }
		now, made, err := s.changeShift(ctx, shift, bson.D{
			{Key: "state", Value: fees.ShiftClosing}, {Key: "closing", Value: true}, {Key: "count", Value: count},
		}, nil, begun)
		if err != nil {
			return shift, err
		}
		if shift = now; made {
			return s.settleClose(ctx, inst, shift)
		}
	}
	return shift, fees.Errorf(fees.Conflict, "The till is being used in another place. It was not closed: try again.")
}

// settleClose closes a till that takes no more rows, or opens it again and says
// why it cannot be closed: a payment may have come between the last look and the
// first step.
func (s *Store) settleClose(ctx context.Context, inst fees.Institute, shift fees.Shift) (fees.Shift, error) {
	count := *shift.Count
	sums, err := s.sumShift(ctx, shift)
	if err != nil {
		return shift, unconfirmed("close till", lostAnswer, err) // the sweep goes on with it
	}
	unset := func(fields ...string) bson.D {
		var drop bson.D
		for _, field := range fields {
			drop = append(drop, bson.E{Key: field, Value: ""})
		}
		return bson.D{{Key: "$unset", Value: drop}}
	}
	if bad := count.Check(&shift, sums, inst.Money()); bad != nil {
		now, _, err := s.changeShift(ctx, shift, bson.D{{Key: "state", Value: fees.ShiftOpen}}, unset("closing", "count"),
			func(now fees.Shift) bool { return now.State == fees.ShiftOpen })
		if err != nil {
			return shift, unconfirmed("open till again", lostAnswer, err)
		}
		return now, bad
	}
	now, _, err := s.changeShift(ctx, shift, bson.D{{Key: "state", Value: fees.ShiftClosed}, {Key: "sums", Value: sums}}, unset("closing", "active"),
		func(now fees.Shift) bool { return now.State == fees.ShiftClosed })
	switch {
	case err != nil:
		return shift, unconfirmed("close till", lostAnswer, err)
	case now.State != fees.ShiftClosed:
		return now, fees.Errorf(fees.Conflict, "The till was opened again in another place. It was not closed: try again.")
	}
	s.Log.InfoContext(ctx, "till closed", "till", now.ID, "by", count.By, "from", count.From, "difference", int64(now.Difference()))
	return now, s.sameClose(inst, now, count)
}

// sameClose answers a close of a till that is closed: nothing is wrong where the
// same was counted.
func (s *Store) sameClose(inst fees.Institute, shift fees.Shift, count fees.TillCount) error {
	if shift.Count.Same(count) {
		return nil
	}
	return fees.Errorf(fees.Conflict, "This till was closed by %s at %s with %s counted. Nothing was changed.",
		shift.Count.ByName, shift.Count.At.In(inst.Location()).Format("15:04 on 2 January"), inst.Money().Format(shift.Count.Counted))
}

// sweepShifts goes on with the closes that were left.
func (s *Store) sweepShifts(ctx context.Context, inst fees.Institute) error {
	return sweepMarked(ctx, s, shifts, inst.Code, "closing", func(left []fees.Shift) error {
		for _, shift := range left {
			if !shift.Left(s.instant()) {
				continue
			}
			_, err := s.closeShift(ctx, inst, shift, *shift.Count)
			if code := fees.CodeOf(err); err != nil && code != fees.Invalid && code != fees.Conflict {
				return fmt.Errorf("go on closing till %s: %w", shift.ID, err)
			}
		}
		return nil
	})
}
