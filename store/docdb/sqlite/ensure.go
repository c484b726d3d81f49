package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"raseed/store/docdb"
)

// Ensure creates the tables, key columns and indexes that are not there yet,
// fills in what is new from the documents, and drops what a declared collection
// no longer declares. It is one transaction.
func (db *DB) Ensure(ctx context.Context, collections []docdb.Collection) error {
	all := maps.Clone(*db.collections.Load())
	var declared []*collection
	for _, d := range collections {
		k, err := newCollection(d)
		if err != nil {
			return fmt.Errorf("ensure: %w", err)
		}
		all[k.name] = k
		declared = append(declared, k)
	}
	if err := db.shape(ctx, declared); err != nil {
		return fmt.Errorf("ensure: %w", err)
	}
	db.collections.Store(&all)
	return nil
}

func (db *DB) shape(ctx context.Context, declared []*collection) error {
	if !db.opts.ReadOnly {
		return db.submit(ctx, &task{job: ensureJob(declared), alone: true, done: make(chan error, 1)})
	}
	return db.read(ctx, func(c *conn) error {
		for _, k := range declared {
			d, err := k.difference(c)
			if err != nil {
				return err
			}
			if d.lacks() {
				return fmt.Errorf("%s is not in the file as this version declares it; let the server of this version start once", k.name)
			}
		}
		return nil
	})
}

// ensureJob shapes the declared collections. It has a transaction of its own.
type ensureJob []*collection

func (j ensureJob) do(w *writer) error {
	if err := w.c.exec("BEGIN IMMEDIATE"); err != nil {
		return unavailable(err)
	}
	for _, k := range j {
		if err := w.ensure(k); err != nil {
			err = fmt.Errorf("%s: %w", k.name, k.duplicate(err))
			return errors.Join(explain(err), w.rollback())
		}
	}
	if err := w.c.exec("COMMIT"); err != nil {
		return errors.Join(explain(err), w.rollback())
	}
	return nil
}

// difference is what sets a table apart from its declaration.
type difference struct {
	missing    bool // the table itself
	add        []*column
	drop       []string // columns, quoted
	index      []*index
	multis     []*multikey
	dropIndex  []string // quoted
	dropTables []string // quoted
}

func (d *difference) lacks() bool {
	return d.missing || len(d.add)+len(d.index)+len(d.multis) > 0
}

func (k *collection) difference(c *conn) (*difference, error) {
	d := &difference{}
	columns, err := c.pairs("SELECT name, '' FROM pragma_table_info(?)", k.name)
	if err != nil {
		return nil, err
	}
	d.missing = len(columns) == 0
	for _, col := range k.columns {
		if _, ok := columns[col.title]; !ok {
			d.add = append(d.add, col)
		}
		delete(columns, col.title)
	}
	for name := range columns {
		if name != "_row" && name != "_id" && name != "doc" {
			d.drop = append(d.drop, quote(name))
		}
	}
	indexes, err := c.pairs("SELECT name, sql FROM sqlite_master WHERE type='index' AND sql IS NOT NULL AND tbl_name=?", k.name)
	if err != nil {
		return nil, err
	}
	for _, x := range k.indexes {
		name := k.name + "." + x.name
		if indexes[name] != x.sql {
			d.index = append(d.index, x)
			continue
		}
		delete(indexes, name)
	}
	for name := range indexes {
		d.dropIndex = append(d.dropIndex, quote(name))
	}
	tables, err := c.pairs("SELECT name, sql FROM sqlite_master WHERE type='table' AND substr(name,1,length(?1)+2)=?1||'__'", k.name)
	if err != nil {
		return nil, err
	}
	for _, m := range k.multis {
		name := k.name + "__" + m.name
		if tables[name] != m.sql {
			d.multis = append(d.multis, m)
			continue
		}
		delete(tables, name)
	}
	for name := range tables {
		d.dropTables = append(d.dropTables, quote(name))
	}
	return d, nil
}

// ensure makes the difference go away.
func (w *writer) ensure(k *collection) error {
	d, err := k.difference(w.c)
	if err != nil {
		return err
	}
	var first, last []string
	for _, name := range d.dropIndex {
		first = append(first, "DROP INDEX "+name)
	}
	for _, name := range d.dropTables {
		first = append(first, "DROP TABLE "+name)
	}
	for _, name := range d.drop {
		first = append(first, "ALTER TABLE "+k.table+" DROP COLUMN "+name)
	}
	if d.missing {
		first = append(first, k.createSQL())
	} else {
		for _, col := range d.add {
			first = append(first, "ALTER TABLE "+k.table+" ADD COLUMN "+col.name)
		}
	}
	for _, m := range d.multis {
		first = append(first, m.sql)
	}
	for _, x := range d.index {
		last = append(last, x.sql)
	}
	for _, sql := range first {
		if err := w.c.once(sql); err != nil {
			return err
		}
	}
	if d.lacks() && !d.missing {
		if err := w.backfill(k, d); err != nil {
			return err
		}
	}
	for _, sql := range last {
		if err := w.c.once(sql); err != nil {
			return err
		}
	}
	return nil
}

// backfill fills new key columns and multikey tables from the documents, and
// checks them as an insert would.
func (w *writer) backfill(k *collection, d *difference) error {
	set := make([]string, 0, len(d.add))
	for _, col := range d.add {
		set = append(set, col.name+"=?")
	}
	update := "UPDATE " + k.table + " SET " + strings.Join(set, ",") + " WHERE _row=?"
	type match struct {
		row int64
		doc []byte
	}
	last := int64(0)
	for {
		var part []match
		s := &search{k: k, sql: []byte("SELECT _row, doc FROM " + k.table + " WHERE _row>? ORDER BY _row LIMIT 500"), args: []value{intValue(last)}}
		err := s.run(w.c, fresh, func(row int64, doc []byte) error {
			part = append(part, match{row, doc})
			return nil
		})
		if err != nil || len(part) == 0 {
			return err
		}
		for _, m := range part {
			last = m.row
			r, err := newRow(k, m.doc)
			if err != nil {
				return err
			}
			args := make([]value, 0, len(d.add)+1)
			for i, col := range k.columns {
				if slices.Contains(d.add, col) {
					args = append(args, r.keys[i])
				}
			}
			if len(args) > 0 {
				if err := w.c.exec(update, append(args, intValue(m.row))...); err != nil {
					return err
				}
			}
			for i, multi := range k.multis {
				if slices.Contains(d.multis, multi) {
					if err := w.setItems(multi, multi.add, r.id, m.row, r.keys, r.items[i]); err != nil {
						return err
					}
				}
			}
		}
	}
}

// pairs reads two text columns.
func (c *conn) pairs(sql, arg string) (map[string]string, error) {
	st, err := c.prepare([]byte(sql))
	if err != nil {
		return nil, err
	}
	defer st.reset()
	if err := st.bind([]value{textValue([]byte(arg))}); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for {
		more, err := st.step()
		if err != nil || !more {
			return out, err
		}
		out[string(st.text(0))] = string(st.text(1))
	}
}
