package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// updateJob changes the first match of a search.
type updateJob struct {
	search  *search
	update  *update
	columns []int // that the update may change
	upsert  *row  // what to insert where nothing matches
	seeded  []byte
	unfit   error // why that cannot be inserted
	want    bool  // the document, as it was or, with after, as it became
	after   bool

	res docdb.UpdateResult
	doc []byte
}

func newUpdateJob(k *collection, filter, change bson.D, sort []docdb.Key, upsert bool) (*updateJob, error) {
	s, err := newSearch(k, rowAndDoc, filter, sort, 1)
	if err != nil {
		return nil, err
	}
	u, err := parseUpdate(change)
	if err != nil {
		return nil, err
	}
	j := &updateJob{search: s, update: u}
	for i, c := range k.columns {
		if u.touches(c.path.name) {
			j.columns = append(j.columns, i)
		}
	}
	if !upsert {
		if len(u.changes) == 0 {
			return nil, errors.New("update: $setOnInsert alone changes nothing without an upsert")
		}
		return j, nil
	}
	conds, err := parseFilter(filter)
	if err != nil {
		return nil, err
	}
	if j.seeded, j.unfit = u.seed(conds); j.unfit == nil {
		j.upsert, j.unfit = newRow(k, j.seeded)
	}
	return j, nil
}

func (j *updateJob) do(w *writer) error {
	j.res, j.doc = docdb.UpdateResult{}, nil
	k := j.search.k
	row, found := int64(0), false
	err := j.search.run(w.c, w.oldBuffer, func(at int64, doc []byte) error {
		row, found, w.old = at, true, doc
		return nil
	})
	if err != nil {
		return err
	}
	if !found {
		return j.insert(w)
	}
	j.res.Matched = 1
	if w.new, err = apply(w.new[:0], w.old, j.update.changes); err != nil {
		return err
	}
	if j.want {
		doc := w.old
		if j.after {
			doc = w.new
		}
		j.doc = bytes.Clone(doc)
	}
	if bytes.Equal(w.old, w.new) {
		return nil
	}
	j.res.Modified = 1
	return j.replace(w, k, row)
}

func (w *writer) oldBuffer(size int) []byte {
	w.old = slices.Grow(w.old[:0], size)
	return w.old
}

func (j *updateJob) insert(w *writer) error {
	if j.upsert == nil {
		return j.unfit
	}
	if err := w.insert(j.search.k, j.upsert); err != nil {
		return err
	}
	j.res.Upserted = true
	if j.want && j.after {
		j.doc = j.seeded
	}
	return nil
}

// replace writes w.new over w.old: the document and the key columns that are
// not what they were.
func (j *updateJob) replace(w *writer, k *collection, row int64) error {
	var err error
	if w.json, err = appendDocument(w.json[:0], w.new); err != nil {
		return err
	}
	w.oldKeys, w.newKeys = resized(w.oldKeys, len(k.columns)), resized(w.newKeys, len(k.columns))
	if len(j.columns) > 0 || len(k.multis) > 0 {
		if err := k.keysOf(w.old, w.oldKeys); err != nil {
			return err
		}
		if err := k.keysOf(w.new, w.newKeys); err != nil {
			return err
		}
		if err := k.checkUnique(w.new, w.newKeys); err != nil {
			return err
		}
	}
	var before, after [][][]byte
	id, _ := field(w.new, "_id")
	if len(k.multis) > 0 {
		if before, err = k.itemsOf(w.old, w.oldKeys); err != nil {
			return err
		}
		if after, err = k.itemsOf(w.new, w.newKeys); err != nil {
			return err
		}
	}
	w.args = append(w.args[:0], textValue(w.json))
	w.sql = append(append(append(w.sql[:0], "UPDATE "...), k.table...), " SET doc=?"...)
	for _, n := range j.columns {
		if !w.oldKeys[n].equal(w.newKeys[n]) {
			w.sql = append(append(append(w.sql, ','), k.columns[n].name...), "=?"...)
			w.args = append(w.args, w.newKeys[n])
		}
	}
	w.sql = append(w.sql, " WHERE _row=?"...)
	w.args = append(w.args, intValue(row))
	st, err := w.c.prepare(w.sql)
	if err != nil {
		return err
	}
	// A refusal undoes this statement only; the rest cannot be refused.
	if err := st.run(w.args...); err != nil {
		return k.duplicate(err)
	}
	for i, m := range k.multis {
		if sameItems(before[i], after[i]) && !w.moved(m) {
			continue
		}
		if err := w.setItems(m, m.del, id.str(), row, w.oldKeys, before[i]); err != nil {
			return err
		}
		if err := w.setItems(m, m.add, id.str(), row, w.newKeys, after[i]); err != nil {
			return err
		}
	}
	return nil
}

// moved says whether a scalar key of a multikey index changed.
func (w *writer) moved(m *multikey) bool {
	return slices.ContainsFunc(m.cols, func(n int) bool { return n >= 0 && !w.oldKeys[n].equal(w.newKeys[n]) })
}

func sameItems(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

func resized(keys []value, n int) []value {
	keys = slices.Grow(keys[:0], n)[:n]
	clear(keys)
	return keys
}

// UpdateOne changes one matching document.
func (db *DB) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	res, err := db.updateOne(ctx, coll, filter, update, opts)
	if err != nil {
		return docdb.UpdateResult{}, fmt.Errorf("update in %s: %w", coll, err)
	}
	return res, nil
}

func (db *DB) updateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	if len(opts.Sort) > 0 || opts.After {
		return docdb.UpdateResult{}, errors.New("the options Sort and After belong to FindOneAndUpdate")
	}
	k, err := db.collection(coll)
	if err != nil {
		return docdb.UpdateResult{}, err
	}
	j, err := newUpdateJob(k, filter, update, nil, opts.Upsert)
	if err != nil {
		return docdb.UpdateResult{}, err
	}
	err = db.write(ctx, j)
	return j.res, err
}

// FindOneAndUpdate changes one matching document and decodes it.
func (db *DB) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	doc, err := db.findAndUpdate(ctx, coll, filter, update, opts)
	if err == nil && doc == nil {
		err = docdb.ErrNotFound
	}
	if err == nil {
		err = decode(doc, out)
	}
	if err != nil {
		return fmt.Errorf("find and update in %s: %w", coll, err)
	}
	return nil
}

func (db *DB) findAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) ([]byte, error) {
	k, err := db.collection(coll)
	if err != nil {
		return nil, err
	}
	j, err := newUpdateJob(k, filter, update, opts.Sort, opts.Upsert)
	if err != nil {
		return nil, err
	}
	j.want, j.after = true, opts.After
	err = db.write(ctx, j)
	return j.doc, err
}
