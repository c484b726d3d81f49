package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"raseed/store/docdb"
)

var _ docdb.Checker = (*DB)(nil)

// Check reads the whole file: SQLite's own check of its pages first, then
// every document against its key, its key columns and its multikey tables. A
// document or a column that somebody edited by hand no longer agrees.
func (db *DB) Check(ctx context.Context) iter.Seq2[docdb.Damage, error] {
	return func(yield func(docdb.Damage, error) bool) {
		found := func(d docdb.Damage) error {
			if !yield(d, nil) {
				return errEnough
			}
			return nil
		}
		err := db.read(ctx, func(c *conn) error {
			if err := checkPages(c, found); err != nil {
				return err
			}
			for _, k := range *db.collections.Load() {
				if err := k.check(c, found); err != nil {
					return fmt.Errorf("check %s: %w", k.name, err)
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(docdb.Damage{}, err)
		}
	}
}

// checkPages asks SQLite for the first ten things wrong with the file.
func checkPages(c *conn, found func(docdb.Damage) error) error {
	st, err := c.prepare([]byte("PRAGMA quick_check(10)"))
	if err != nil {
		return err
	}
	defer st.reset()
	for {
		more, err := st.step()
		if err != nil || !more {
			return err
		}
		if said := string(st.text(0)); said != "ok" {
			if err := found(docdb.Damage{Text: "the database file is damaged: " + said}); err != nil {
				return err
			}
		}
	}
}

// check holds every document of a collection against what lies beside it.
func (k *collection) check(c *conn, found func(docdb.Damage) error) error {
	if len(k.multis) > 0 { // documents and items of one snapshot, beside a writer
		if err := c.once("BEGIN"); err != nil {
			return err
		}
		defer func() { _ = c.once("ROLLBACK") }() // may have ended with an error
	}
	sql := "SELECT _row, _id, doc"
	for _, col := range k.columns {
		sql += ", " + col.name
	}
	st, err := c.prepare([]byte(sql + " FROM " + k.table + " ORDER BY _row"))
	if err != nil {
		return err
	}
	defer st.reset()
	buffer, items := reused(), make([]int64, len(k.multis))
	for {
		more, err := st.step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		text, wrong := st.text(2), ""
		doc, err := decodeDocument(buffer(len(text)+len(text)/4+64), text)
		if err != nil {
			wrong = "the document cannot be read: " + err.Error()
		} else if wrong, err = k.disagreement(c, st, doc, items); err != nil {
			return err
		}
		if wrong == "" {
			continue
		}
		if err := found(docdb.Damage{Coll: k.name, ID: string(st.text(1)), Text: wrong}); err != nil {
			return err
		}
	}
	for i, m := range k.multis {
		n, err := c.number("SELECT count(*) FROM " + m.table)
		if err != nil {
			return err
		}
		if n > items[i] {
			if err := found(docdb.Damage{Coll: k.name, Text: fmt.Sprintf("the table %s has %d entries that no document asks for", m.table, n-items[i])}); err != nil {
				return err
			}
		}
	}
	return nil
}

// disagreement says in what the row at hand differs from its document, and
// counts the document's items.
func (k *collection) disagreement(c *conn, st *stmt, doc []byte, items []int64) (string, error) {
	r, err := k.keyed(doc)
	if err != nil {
		return "the document could not have been written: " + err.Error(), nil //nolint:nilerr // it is the finding
	}
	if string(r.id) != string(st.text(1)) {
		return fmt.Sprintf("the document says that it is %s", r.id), nil
	}
	for i, col := range k.columns {
		if kept := st.value(int32(i + 3)); !kept.equal(r.keys[i]) {
			return fmt.Sprintf("the column %s differs from the document", col.name), nil
		}
	}
	for i, m := range k.multis {
		items[i] += int64(len(r.items[i]))
		if lacks, err := m.lacks(c, r, st.int64(0), r.items[i]); err != nil || lacks {
			return fmt.Sprintf("the table %s differs from the document", m.table), err
		}
	}
	return "", nil
}

// lacks says whether the multikey table is without one of a row's items.
func (m *multikey) lacks(c *conn, r *row, at int64, items [][]byte) (bool, error) {
	for _, item := range items {
		st, err := c.prepare(m.has)
		if err != nil {
			return false, err
		}
		err = st.bind(m.appendEntry(nil, r.id, r.keys, item, at))
		there := false
		if err == nil {
			there, err = st.step()
		}
		st.reset()
		if err != nil || !there {
			return true, err
		}
	}
	return false, nil
}
