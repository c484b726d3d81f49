package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// batchSize is how many documents are read or written in one go: few enough
// that a payment which comes between two batches waits milliseconds.
const batchSize = 96

// tally counts what a merge did, or would do.
type tally struct{ created, updated, unchanged int64 }

// merger makes a collection hold documents, writing only what is new or
// differs. Merging the same ones again after a crash goes on.
type merger[T any] struct {
	s         *Store
	coll      string
	institute string
	key       func(T) string
	// complete fills in what the source does not say, perhaps from the document
	// that is there; nil for a new one.
	complete func(want, have *T)
}

// merge counts what it writes, or when dry would write.
func (m merger[T]) merge(ctx context.Context, docs []T, dry bool) (tally, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var done tally
	for batch := range m.compareAll(ctx, docs) {
		err := batch.err
		if err == nil && len(batch.ops) > 0 && !dry {
			_, err = m.s.writeBatch(ctx, m.coll, batch.ops)
		}
		if err != nil {
			return done, begun("merge "+m.coll, err)
		}
		done.created += batch.created
		done.updated += batch.updated
		done.unchanged += batch.unchanged
	}
	if ctx.Err() != nil {
		return done, begun("merge "+m.coll, ctx.Err())
	}
	return done, nil
}

// comparison is what a batch needs to have written.
type comparison struct {
	tally
	ops []docdb.UpdateOp
	err error
}

// compareAll compares batch after batch until ctx ends, each while the one
// before is written: no two have a document in common.
func (m merger[T]) compareAll(ctx context.Context, docs []T) <-chan comparison {
	ready := make(chan comparison)
	go func() {
		defer close(ready)
		for batch := range slices.Chunk(docs, batchSize) {
			c := m.compare(ctx, batch)
			select {
			case ready <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return ready
}

// compare makes the updates that the batch needs.
func (m merger[T]) compare(ctx context.Context, batch []T) (c comparison) {
	ids := make([]string, len(batch))
	for i, doc := range batch {
		ids[i] = m.key(doc)
	}
	there, err := m.s.readBatch(ctx, m.coll, m.institute, ids)
	if err != nil {
		return comparison{err: err}
	}
	for i, want := range batch {
		raw, old := there[ids[i]]
		var have *T
		if old {
			have = new(T)
			if err := bson.Unmarshal(raw, have); err != nil {
				return comparison{err: err}
			}
		}
		m.complete(&want, have)
		update, err := changes(raw, want)
		switch {
		case err != nil:
			return comparison{err: err}
		case update == nil:
			c.unchanged++
			continue
		case old:
			c.updated++
		default:
			c.created++
		}
		c.ops = append(c.ops, docdb.UpdateOp{Filter: one(m.institute, ids[i]), Update: update, Upsert: true})
	}
	return c
}

// readBatch reads documents by their keys.
func (s *Store) readBatch(ctx context.Context, coll, institute string, ids []string, fields ...string) (map[string]bson.Raw, error) {
	there := make(map[string]bson.Raw, len(ids))
	if len(ids) == 0 {
		return there, nil
	}
	filter := bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}, {Key: "institute", Value: institute}}
	for raw, err := range s.DB.Find(ctx, coll, filter, docdb.Find{Fields: fields}) {
		if err != nil {
			return nil, err
		}
		there[raw.Lookup("_id").StringValue()] = raw
	}
	return there, nil
}

// writeBatch runs updates that may be run twice, and does so where the outcome
// of the first time is not known.
func (s *Store) writeBatch(ctx context.Context, coll string, ops []docdb.UpdateOp) (docdb.BulkResult, error) {
	for attempt := 1; ; attempt++ {
		res, err := s.DB.BulkWrite(ctx, coll, ops, false)
		// Two upserts of one key at once: the loser finds the document next time.
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) || attempt == writeAttempts {
			return res, err
		}
	}
}

// changes is the update that makes the document have (nil: none yet) say what
// want says, nil where it does already. When it was changed does not count.
func changes(have bson.Raw, want any) (bson.D, error) {
	wanted, err := fieldsOf(want)
	if err != nil {
		return nil, err
	}
	var assign, stamp, drop bson.D
	keep := make(map[string]bool, len(wanted))
	for _, field := range wanted {
		keep[field.Key] = true
		switch {
		case field.Key == "_id" || field.Key == "institute": // in the filter
		case field.Key == "updatedAt":
			stamp = append(stamp, field)
		case have == nil || !have.Lookup(field.Key).Equal(field.Value.(bson.RawValue)):
			assign = append(assign, field)
		}
	}
	if have != nil {
		there, err := have.Elements()
		if err != nil {
			return nil, fmt.Errorf("decode: %w", err)
		}
		for _, e := range there {
			if !keep[e.Key()] {
				drop = append(drop, bson.E{Key: e.Key(), Value: ""})
			}
		}
	}
	if len(assign) == 0 && len(drop) == 0 {
		return nil, nil
	}
	var update bson.D
	if assign = append(assign, stamp...); len(assign) > 0 {
		update = append(update, bson.E{Key: "$set", Value: assign})
	}
	if len(drop) > 0 {
		update = append(update, bson.E{Key: "$unset", Value: drop})
	}
	return update, nil
}

// fieldsOf are the fields that a document is stored with, each a bson.RawValue.
func fieldsOf(doc any) (bson.D, error) {
	data, err := bson.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	elements, err := bson.Raw(data).Elements()
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	fields := make(bson.D, len(elements))
	for i, e := range elements {
		fields[i] = bson.E{Key: e.Key(), Value: e.Value()}
	}
	return fields, nil
}

// ownFields is fieldsOf without what an update's filter says already.
func ownFields(doc any) (bson.D, error) {
	fields, err := fieldsOf(doc)
	return slices.DeleteFunc(fields, func(e bson.E) bool { return e.Key == "_id" || e.Key == "institute" }), err
}

// addOp creates a document unless there is one with its key: an upsert that says
// nothing about what is there, so that running it twice or at once cannot matter.
func addOp(institute, id string, doc any) (docdb.UpdateOp, error) {
	fields, err := ownFields(doc)
	return docdb.UpdateOp{Filter: one(institute, id), Update: bson.D{{Key: "$setOnInsert", Value: fields}}, Upsert: true}, err
}
