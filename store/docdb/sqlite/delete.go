package sqlite

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// deleteJob deletes the matches of a search, which is limited.
type deleteJob struct {
	search *search
	n      int64
}

func (j *deleteJob) do(w *writer) error {
	type match struct {
		row int64
		doc []byte
	}
	j.n = 0
	var found []match
	// All are found before one is deleted: a search must not meet its own
	// traces.
	err := j.search.run(w.c, fresh, func(row int64, doc []byte) error {
		found = append(found, match{row, doc})
		return nil
	})
	if err != nil {
		return err
	}
	k := j.search.k
	for _, m := range found {
		if err := w.delete(k, m.row, m.doc); err != nil {
			return err
		}
		j.n++
	}
	return nil
}

func (w *writer) delete(k *collection, row int64, doc []byte) error {
	if len(k.multis) > 0 {
		w.oldKeys = resized(w.oldKeys, len(k.columns))
		if err := k.keysOf(doc, w.oldKeys); err != nil {
			return err
		}
		id, _ := field(doc, "_id")
		lists, err := k.itemsOf(doc, w.oldKeys)
		if err != nil {
			return err
		}
		for i, m := range k.multis {
			if err := w.setItems(m, m.del, id.str(), row, w.oldKeys, lists[i]); err != nil {
				return err
			}
		}
	}
	w.sql = append(append(append(w.sql[:0], "DELETE FROM "...), k.table...), " WHERE _row=?"...)
	st, err := w.c.prepare(w.sql)
	if err != nil {
		return err
	}
	return st.run(intValue(row))
}

// DeleteOne deletes the first match.
func (db *DB) DeleteOne(ctx context.Context, coll string, filter bson.D) (int64, error) {
	n, err := db.delete(ctx, coll, filter, 1)
	if err != nil {
		return n, fmt.Errorf("delete one in %s: %w", coll, err)
	}
	return n, nil
}

// DeleteMany deletes all matches, a chunk at a time.
func (db *DB) DeleteMany(ctx context.Context, coll string, filter bson.D) (int64, error) {
	n := int64(0)
	for {
		part, err := db.delete(ctx, coll, filter, chunk)
		if err != nil {
			return n, fmt.Errorf("delete in %s: %w", coll, partly(err, n > 0))
		}
		n += part
		if part < chunk {
			return n, nil
		}
	}
}

func (db *DB) delete(ctx context.Context, coll string, filter bson.D, limit int64) (int64, error) {
	k, err := db.collection(coll)
	if err != nil {
		return 0, err
	}
	s, err := newSearch(k, rowAndDoc, filter, nil, limit)
	if err != nil {
		return 0, err
	}
	j := &deleteJob{search: s}
	if err := db.write(ctx, j); err != nil {
		return 0, err
	}
	return j.n, nil
}
