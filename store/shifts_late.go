package store

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// noteLate notes on a till that was closed what came into it since, before the
// row that did has its number: another process may have let the row in just
// before the till was closed in this one. A row that finds its till closing has
// to wait, as nobody can tell yet whether it is in its sums; a till is not closed
// with a row in them that has no number.
func (s *Store) noteLate(ctx context.Context, row fees.Row) error {
	if row.Shift == "" {
		return nil
	}
	cashier := row.Cashier
	if row.Kind == fees.KindReversal { // goes through the till of what it takes back
		shift, err := s.Shift(ctx, row.Institute, row.Shift)
		if err != nil && fees.CodeOf(err) != fees.NotFound {
			return err
		}
		cashier = shift.Cashier
	}
	leave, err := s.tills.enter(ctx, row.Institute, cashier) // a close in this process comes to its end first
	if err != nil {
		return err
	}
	leave()
	for range writeAttempts {
		shift, err := s.Shift(ctx, row.Institute, row.Shift)
		switch {
		case fees.CodeOf(err) == fees.NotFound:
			return nil // the audit tells
		case err != nil:
			return err
		case shift.State == fees.ShiftClosing:
			return fmt.Errorf("the till %s of the row is being closed", shift.ID)
		case shift.State == fees.ShiftOpen:
			return nil
		}
		sums, err := s.sumShift(ctx, shift)
		if err != nil {
			return err
		}
		late := shift.LateBy(sums)
		if late == shift.NotedLate() {
			return nil
		}
		res, err := s.DB.UpdateOne(ctx, shifts, append(one(shift.Institute, shift.ID), bson.E{Key: "version", Value: shift.Version}),
			bson.D{{Key: "$set", Value: bson.D{{Key: "late", Value: late}}}, {Key: "$inc", Value: bson.D{{Key: "version", Value: int64(1)}}}}, docdb.Update{})
		if err != nil || res.Matched > 0 {
			return outageOrNil("note late rows of a till", err)
		}
	}
	return fmt.Errorf("note late rows of the till %s: %w", row.Shift, docdb.ErrUnavailable)
}
