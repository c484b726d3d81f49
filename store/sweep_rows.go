package store

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// sweepRows numbers the rows that await it, with numbers of the numberer.
func (s *Store) sweepRows(ctx context.Context, institute string, numbers *numberer) error {
	var batch []fees.Row
	var failed error
	swept := 0
	stuck := map[seriesKey]bool{}
	flush := func() { // a series that cannot be numbered does not keep the others waiting
		if len(batch) == 0 {
			return
		}
		key := seriesOf(batch[0])
		if _, looked := stuck[key]; !looked {
			edited, err := s.editedHolders(ctx, key)
			failed = errors.Join(failed, err)
			stuck[key] = err != nil || len(edited) > 0
		}
		if !stuck[key] {
			failed = errors.Join(failed, inBatch(batch, func(rows []fees.Row) error {
				err := s.finishBatch(ctx, rows, numbers)
				if err == nil {
					swept += len(rows)
				}
				return err
			}))
		}
		batch = batch[:0]
	}
	for raw, err := range s.marked(ctx, payments, institute, "awaiting") {
		if err != nil {
			return err
		}
		var row fees.Row
		if err := bson.Unmarshal(raw, &row); err != nil {
			s.leave(ctx, payments, raw, "it cannot be read: "+err.Error())
			continue
		}
		if s.wasEdited(ctx, raw) {
			continue
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

// finishBatch is finish for some rows of one series.
func (s *Store) finishBatch(ctx context.Context, batch []fees.Row, numbers *numberer) error {
	ids := make([]string, len(batch))
	var payers []string
	for i, row := range batch {
		if err := s.bring(ctx, row); err != nil {
			return err
		}
		ids[i] = row.ID
		if !slices.Contains(payers, row.Student) {
			payers = append(payers, row.Student)
		}
	}
	if err := s.recount(ctx, batch[0].Institute, payers); err != nil {
		return err
	}
	_, err := numbers.batch(ctx, seriesOf(batch[0]), ids)
	return err
}

// editedHolders are the rows that were changed before they got the number which
// their counter gave to them. The next numbers of the series would be chained
// to theirs.
func (s *Store) editedHolders(ctx context.Context, key seriesKey) (edited []string, err error) {
	var c counter
	err = s.DB.FindOne(ctx, counters, one(key.institute, key.id()), docdb.Find{}, &c)
	if errors.Is(err, docdb.ErrNotFound) {
		return nil, nil
	}
	if err != nil || len(c.Holders) == 0 {
		return nil, err
	}
	for raw, err := range s.DB.Find(ctx, payments, bson.D{
		{Key: "_id", Value: bson.D{{Key: "$in", Value: c.Holders}}}, {Key: "institute", Value: key.institute},
		{Key: "number", Value: bson.D{{Key: "$exists", Value: false}}},
	}, docdb.Find{}) {
		if err != nil {
			return nil, err
		}
		if s.wasEdited(ctx, raw) {
			edited = append(edited, textOf(raw, "_id"))
		}
	}
	return edited, nil
}

// wasEdited says whether a row is another than was written, and logs that.
func (s *Store) wasEdited(ctx context.Context, raw bson.Raw) bool {
	body, err := bodyOf(raw)
	if err == nil && body == textOf(raw, "body") {
		return false
	}
	s.leave(ctx, payments, raw, "it was changed after it was written, and gets no number")
	return true
}

// leave logs, once, why a document is left as it is.
func (s *Store) leave(ctx context.Context, coll string, raw bson.Raw, why string) {
	id := textOf(raw, "_id")
	if _, before := s.told.LoadOrStore(coll+" "+id, true); !before {
		s.Log.ErrorContext(ctx, "left by the sweep", "collection", coll, "id", id, "why", why)
	}
}
