package sqlite

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// row is a document made ready to be written: checked, encoded, and its key
// columns filled, all of which needs no turn at the writer.
type row struct {
	id    []byte
	json  []byte
	keys  []value
	items [][][]byte // for each multikey index
}

func newRow(k *collection, doc []byte) (*row, error) {
	json, err := appendDocument(make([]byte, 0, len(doc)+len(doc)/4), doc)
	if err != nil {
		return nil, err
	}
	r, err := k.keyed(doc)
	if err != nil {
		return nil, err
	}
	r.json = json
	return r, nil
}

// keyed is a row without its text.
func (k *collection) keyed(doc []byte) (*row, error) {
	id, ok := field(doc, "_id")
	if !ok || id.kind != bson.TypeString {
		return nil, errors.New("a document needs an _id, which is a string")
	}
	r := &row{id: id.str(), keys: make([]value, len(k.columns))}
	if err := k.keysOf(doc, r.keys); err != nil {
		return nil, err
	}
	if err := k.checkUnique(doc, r.keys); err != nil {
		return nil, err
	}
	var err error
	r.items, err = k.itemsOf(doc, r.keys)
	return r, err
}

// itemsOf are a document's items for each multikey index.
func (k *collection) itemsOf(doc []byte, keys []value) ([][][]byte, error) {
	if len(k.multis) == 0 {
		return nil, nil
	}
	out := make([][][]byte, len(k.multis))
	for i, m := range k.multis {
		var err error
		if out[i], err = m.itemsOf(doc); err != nil {
			return nil, err
		}
		for _, n := range m.cols {
			if n >= 0 && keys[n].class == null && len(out[i]) > 0 {
				return nil, &fieldError{k.columns[n].path.name, "is missing and belongs to the multikey index " + m.name}
			}
		}
	}
	return out, nil
}

// marshal is the BSON of what a caller hands over as a document.
func marshal(doc any) ([]byte, error) {
	if b, ok := doc.(bson.Raw); ok {
		return b, nil
	}
	return bson.Marshal(doc)
}

// insertJob inserts rows in order, up to the first that is refused.
type insertJob struct {
	k    *collection
	rows []*row
	n    int64
}

func (j *insertJob) do(w *writer) error {
	j.n = 0
	for _, r := range j.rows {
		if err := w.insert(j.k, r); err != nil {
			return err
		}
		j.n++
	}
	return nil
}

func (w *writer) insert(k *collection, r *row) error {
	w.args = append(append(append(w.args[:0], textValue(r.id)), r.keys...), textValue(r.json))
	st, err := w.c.prepare(k.insert)
	if err != nil {
		return err
	}
	// A refusal undoes this statement only; the rest cannot be refused.
	if err := st.run(w.args...); err != nil {
		return k.duplicate(err)
	}
	if len(k.multis) == 0 {
		return nil
	}
	id := w.c.lastRowID()
	for i, m := range k.multis {
		if err := w.setItems(m, m.add, r.id, id, r.keys, r.items[i]); err != nil {
			return err
		}
	}
	return nil
}

// setItems adds or deletes a document's rows of a multikey table.
func (w *writer) setItems(m *multikey, sql, id []byte, row int64, keys []value, items [][]byte) error {
	if len(items) == 0 {
		return nil
	}
	st, err := w.c.prepare(sql)
	if err != nil {
		return err
	}
	for _, item := range items {
		w.args = m.appendEntry(w.args[:0], id, keys, item, row)
		if err := st.run(w.args...); err != nil {
			return err
		}
	}
	return nil
}

// InsertOne inserts a document.
func (db *DB) InsertOne(ctx context.Context, coll string, doc any) error {
	_, err := db.insert(ctx, coll, []any{doc})
	if err != nil {
		return fmt.Errorf("insert into %s: %w", coll, err)
	}
	return nil
}

// chunk is how many documents of a long write share a turn at the writer, so
// that others get theirs: few enough that a receipt, which needs some turns,
// does not wait long while a school is billed.
const chunk = 32

// InsertMany inserts documents in order and stops at the first error.
func (db *DB) InsertMany(ctx context.Context, coll string, docs []any) (int64, error) {
	n := int64(0)
	for len(docs) > 0 {
		part := docs[:min(chunk, len(docs))]
		docs = docs[len(part):]
		in, err := db.insert(ctx, coll, part)
		if err != nil {
			return n + in, fmt.Errorf("insert into %s: %w", coll, partly(err, n > 0))
		}
		n += in
	}
	return n, nil
}

// insert inserts a chunk. A document that cannot be encoded stops it as one
// that is refused does: those before it go in.
func (db *DB) insert(ctx context.Context, coll string, docs []any) (int64, error) {
	k, err := db.collection(coll)
	if err != nil {
		return 0, err
	}
	j := &insertJob{k: k, rows: make([]*row, 0, len(docs))}
	var bad error
	for _, doc := range docs {
		var b []byte
		if b, bad = marshal(doc); bad != nil {
			break
		}
		var r *row
		if r, bad = newRow(k, b); bad != nil {
			break
		}
		j.rows = append(j.rows, r)
	}
	if len(j.rows) > 0 {
		if err := db.write(ctx, j); err != nil {
			if lost(err) {
				return 0, err
			}
			return j.n, err
		}
	}
	return j.n, bad
}
