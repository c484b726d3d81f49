package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// Explain tells how a Find would be run.
func (db *DB) Explain(ctx context.Context, coll string, filter bson.D, opts docdb.Find) (docdb.Plan, error) {
	p, err := db.explain(ctx, coll, filter, opts)
	if err != nil {
		return docdb.Plan{}, fmt.Errorf("explain in %s: %w", coll, err)
	}
	return p, nil
}

func (db *DB) explain(ctx context.Context, coll string, filter bson.D, opts docdb.Find) (p docdb.Plan, err error) {
	k, err := db.collection(coll)
	if err != nil {
		return p, err
	}
	s, err := newSearch(k, docOnly, filter, opts.Sort, opts.Limit)
	if err != nil {
		return p, err
	}
	p.MemorySort = len(s.sort) > 0
	var lines []string
	err = db.read(ctx, func(c *conn) error {
		st, err := c.prepare(append([]byte("EXPLAIN QUERY PLAN "), s.sql...))
		if err != nil {
			return err
		}
		defer st.reset()
		if err := st.bind(s.args); err != nil {
			return err
		}
		for {
			more, err := st.step()
			if err != nil || !more {
				return err
			}
			lines = append(lines, string(st.text(3)))
		}
	})
	for _, line := range lines {
		k.read(&p, line)
	}
	p.Text = strings.Join(append(lines, string(s.sql)), "\n")
	return p, err
}

// read takes in a line of SQLite's plan, such as
// "SEARCH payments USING INDEX payments.by_date (institute=? AND date>?)".
func (k *collection) read(p *docdb.Plan, line string) {
	words := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "USE TEMP B-TREE"):
		p.MemorySort = true
		return
	case len(words) < 2 || words[0] != "SEARCH" && words[0] != "SCAN":
		return
	}
	name := k.indexIn(words)
	// A partial index is read whole where the filter asks for just that part.
	if words[0] == "SCAN" && !k.isPartial(name) {
		p.Scan = true
	}
	if p.Index == "" { // the first table decides which documents are read
		p.Index = name
	}
}

// indexIn is the index that a line of a plan uses, "" where it uses none.
func (k *collection) indexIn(words []string) string {
	for _, m := range k.multis {
		if words[1] == k.name+"__"+m.name {
			return m.name
		}
	}
	for _, word := range words[2:] {
		if name, ok := strings.CutPrefix(word, k.name+"."); ok {
			return name
		}
		if strings.HasPrefix(word, "sqlite_autoindex_") {
			return "_id_"
		}
	}
	return ""
}

func (k *collection) isPartial(name string) bool {
	return slices.ContainsFunc(k.indexes, func(x *index) bool { return x.name == name && len(x.partial) > 0 })
}
