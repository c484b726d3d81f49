package store

import (
	"context"
	"errors"
	"log/slog"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// finishFamily writes what a family payment still lacks. It never fails: what
// could not be done now the sweep does later, and the payment comes back Open.
func (s *Store) finishFamily(ctx context.Context, inst fees.Institute, p fees.FamilyPayment) fees.FamilyPayment {
	if err := s.tryFinishFamily(ctx, inst, p); err != nil {
		s.Log.Warn("a family payment waits for its receipts", slog.String("payment", p.ID), slog.Any("error", err))
		return p
	}
	p.Open = false
	return p
}

func (s *Store) tryFinishFamily(ctx context.Context, inst fees.Institute, p fees.FamilyPayment) error {
	if !p.Open {
		return nil
	}
	for _, child := range p.Children {
		row, err := s.writeShare(ctx, inst, p, child)
		if err != nil {
			return err
		}
		s.finish(ctx, row)
	}
	_, err := s.DB.UpdateOne(ctx, families, one(p.Institute, p.ID), bson.D{{Key: "$unset", Value: bson.D{{Key: "open", Value: ""}}}}, docdb.Update{})
	if errors.Is(err, docdb.ErrUnknownOutcome) {
		return nil // if it was not done, the sweep does it
	}
	return outageOrNil("close family payment", err)
}

// writeShare is the row of a child's share, written where it is not there yet.
func (s *Store) writeShare(ctx context.Context, inst fees.Institute, p fees.FamilyPayment, child fees.FamilyShare) (fees.Row, error) {
	order := p.OrderOf(child)
	digest := digestOf(order)
	row, err := s.recorded(ctx, p.Institute, order.ID, digest)
	if fees.CodeOf(err) != fees.NotFound {
		return row, err
	}
	// Closed since the money was taken: a closed day changes for nobody.
	if order.Date <= inst.ClosedTo {
		order.Date = inst.Today(s.Now())
	}
	return s.writePayment(ctx, inst, order, digest)
}

// writeShareThroughTill is writeRow for a child's row: it goes through the till
// that was open when the money was taken, and where that is closed since through
// none.
func (s *Store) writeShareThroughTill(ctx context.Context, inst fees.Institute, row fees.Row, taken string) (fees.Row, error) {
	err := s.throughTill(ctx, inst, row.Cashier, "", func(open string) (err error) {
		if open == taken {
			row.EnterTill(open)
		}
		row, err = s.writeRow(ctx, row)
		return err
	})
	return row, err
}

// sweepFamilies writes the rows that are missing of the family payments that
// somebody did not get to the end of.
func (s *Store) sweepFamilies(ctx context.Context, inst fees.Institute) error {
	return sweepMarked(ctx, s, families, inst.Code, "open", func(left []fees.FamilyPayment) error {
		var failed error
		for _, p := range left {
			failed = errors.Join(failed, s.tryFinishFamily(ctx, inst, p))
		}
		return failed
	})
}
