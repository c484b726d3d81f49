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

// SweepNumbers finishes every durable row that still awaits its number, oldest
// first, in every institute: what a dead process left, and what was recorded
// while the counter could not be reached. A failure in one institute does not
// keep the others waiting.
func (s *Store) SweepNumbers(ctx context.Context) error {
	all, err := s.Institutes(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, inst := range all {
		if err := s.sweepInstitute(ctx, inst.Code); err != nil {
			failed = errors.Join(failed, fmt.Errorf("sweep %s: %w", inst.Code, err))
		}
	}
	return failed
}

func (s *Store) sweepInstitute(ctx context.Context, institute string) error {
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
	for i, row := range batch {
		if row.Kind == fees.KindReversal {
			if err := s.link(ctx, row); err != nil {
				return err
			}
		}
		ids[i] = row.ID
	}
	_, err := s.numbers.batch(ctx, seriesOf(batch[0]), ids)
	return err
}
