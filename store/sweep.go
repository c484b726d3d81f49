package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// Sweep finishes, in every institute, what a dead process left and what could
// not be done at the time: it goes on with the closes of tills that were left,
// writes what is missing of family payments, numbers
// the durable rows that still await their number, oldest first, bills the opening
// balances and what one-off charges are still to bill, and for bills that are not
// counted yet recounts the accounts and applies advances; it does what bounced
// cheques bring, and pays out approved refunds. A failure in one institute does
// not keep the others waiting.
// What cannot be read, and a row that was changed before it had its number, is
// left, and logged once.
func (s *Store) Sweep(ctx context.Context) error {
	all, err := s.Institutes(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, inst := range all {
		if err := s.sweep(ctx, inst); err != nil {
			failed = errors.Join(failed, fmt.Errorf("sweep %s: %w", inst.Code, err))
		}
	}
	return failed
}

func (s *Store) sweep(ctx context.Context, inst fees.Institute) error {
	closes := s.sweepShifts(ctx, inst) // first: a row waits while its till is being closed
	shares := s.sweepFamilies(ctx, inst)
	rows := s.sweepRows(ctx, inst.Code, s.numbers)
	_, unbilled := s.sweepOpenings(ctx, inst)
	charges := s.sweepCharges(ctx, inst.Code)
	_, uncounted := s.sweepBills(ctx, inst.Code)
	_, bounces := s.sweepBounces(ctx, inst.Code)
	_, unpaid := s.sweepRefunds(ctx, inst)
	return errors.Join(closes, shares, rows, unbilled, charges, uncounted, bounces, unpaid)
}

// sweepBills counts the bills whose writer did not get to it, and says how many.
func (s *Store) sweepBills(ctx context.Context, institute string) (counted int64, err error) {
	err = sweepMarked(ctx, s, bills, institute, "uncounted", func(left []fees.Bill) error {
		n, err := s.countBills(ctx, institute, left)
		counted += n
		return err
	}, "student", "period", "title", "of", "net", "run", "charge", "revision", "cancelled", "uncounted")
	return counted, err
}

// sweepOpenings bills the opening balances whose writer did not get to it, and
// says how many.
func (s *Store) sweepOpenings(ctx context.Context, inst fees.Institute) (billed int64, err error) {
	err = sweepMarked(ctx, s, students, inst.Code, "opening", func(left []fees.Student) error {
		owed, err := s.openingBills(inst, nil, left)
		if err != nil {
			return err
		}
		made, err := s.takeOver(ctx, inst.Code, owed)
		billed += made
		return err
	}, "institute", "admissionNo", "openingBalance")
	return billed, err
}

// sweepMarked reads the institute's documents that carry a mark, and has each
// batchSize of them finished.
func sweepMarked[T any](ctx context.Context, s *Store, coll, institute, mark string, finish func([]T) error, fields ...string) error {
	var batch []T
	for raw, err := range s.marked(ctx, coll, institute, mark, fields...) {
		if err != nil {
			return err
		}
		var doc T
		if err := bson.Unmarshal(raw, &doc); err != nil {
			s.leave(ctx, coll, raw, "it cannot be read: "+err.Error())
			continue
		}
		if batch = append(batch, doc); len(batch) == batchSize {
			if err := inBatch(batch, finish); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return inBatch(batch, finish)
}

// inBatch finishes all at once, or one by one where one of them stands in the
// way of the others.
func inBatch[T any](batch []T, finish func([]T) error) error {
	failed := finish(batch)
	if failed == nil || len(batch) == 1 || cannotGoOn(failed) {
		return failed
	}
	failed = nil
	for i := range batch {
		failed = errors.Join(failed, finish(batch[i:i+1]))
	}
	return failed
}
