package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Sweep finishes, in every institute, what a dead process left and what could
// not be done at the time: it numbers the durable rows that still await their
// number, oldest first, bills what one-off charges are still to bill, and for
// bills that are not counted yet recounts the accounts and applies advances. A
// failure in one institute does not keep the others waiting.
func (s *Store) Sweep(ctx context.Context) error {
	all, err := s.Institutes(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, inst := range all {
		if err := errors.Join(s.sweepRows(ctx, inst.Code), s.sweepCharges(ctx, inst.Code), s.sweepBills(ctx, inst.Code)); err != nil {
			failed = errors.Join(failed, fmt.Errorf("sweep %s: %w", inst.Code, err))
		}
	}
	return failed
}

func (s *Store) sweepRows(ctx context.Context, institute string) error {
	var batch []fees.Row
	var failed error
	swept := 0
	flush := func() { // a series that cannot be numbered does not keep the others waiting
		if err := s.finishBatch(ctx, batch); err != nil {
			failed = errors.Join(failed, err)
		} else {
			swept += len(batch)
		}
		batch = batch[:0]
	}
	waiting := s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: institute}, {Key: "awaiting", Value: true}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "_id"}}})
	for raw, err := range waiting {
		if err != nil {
			return err
		}
		var row fees.Row
		if err := bson.Unmarshal(raw, &row); err != nil {
			return err
		}
		// A batch is of one series; so is a numberer's.
		if len(batch) == batchMost || len(batch) > 0 && seriesOf(batch[0]) != seriesOf(row) {
			flush()
		}
		batch = append(batch, row)
	}
	flush()
	if swept > 0 {
		s.Log.Info("numbered rows that were waiting", slog.String("institute", institute), slog.Int("rows", swept))
	}
	return failed
}

// finishBatch is finish for many rows of one series.
func (s *Store) finishBatch(ctx context.Context, batch []fees.Row) error {
	if len(batch) == 0 {
		return nil
	}
	ids := make([]string, len(batch))
	var payers []string
	for i, row := range batch {
		if row.Kind == fees.KindReversal {
			if err := s.linkAll(ctx, row); err != nil {
				return err
			}
		}
		ids[i] = row.ID
		if !slices.Contains(payers, row.Student) {
			payers = append(payers, row.Student)
		}
	}
	if err := s.recount(ctx, batch[0].Institute, payers); err != nil {
		return err
	}
	_, err := s.numbers.batch(ctx, seriesOf(batch[0]), ids)
	return err
}

// sweepBills counts the bills whose writer did not get to it.
func (s *Store) sweepBills(ctx context.Context, institute string) error {
	for {
		left, err := docdb.All[fees.Bill](s.DB.Find(ctx, bills,
			bson.D{{Key: "institute", Value: institute}, {Key: "uncounted", Value: true}},
			docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "_id"}}, Limit: batchSize, Fields: []string{"student", "title", "net", "run", "charge", "revision", "uncounted"}}))
		if err != nil {
			return err
		}
		if err := s.countBills(ctx, institute, left); err != nil || len(left) < batchSize {
			return err
		}
	}
}
