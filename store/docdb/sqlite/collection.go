package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"raseed/store/docdb"
)

// collection is a declared collection: a table, its key columns and what is
// promised about them.
type collection struct {
	name    string
	table   string // quoted
	columns []*column
	byHead  map[string][]int // first part of a path: the columns it leads to
	indexes []*index
	multis  []*multikey
	ttl     string
	insert  []byte // the INSERT statement
}

// index is a plain index over key columns.
type index struct {
	name    string
	sql     string
	keys    []int // columns; -1 is _id
	unique  bool
	partial []condition
	refusal string // SQLite's words when a unique index refuses
}

const (
	colID    = -1
	colItems = -2
)

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func validName(name string) bool {
	for _, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "__") && !strings.HasPrefix(strings.ToLower(name), "sqlite_")
}

// newCollection works out the table for a declaration.
func newCollection(d docdb.Collection) (*collection, error) {
	if !validName(d.Name) {
		return nil, fmt.Errorf("collection name %q: letters, digits and single underscores only", d.Name)
	}
	k := &collection{name: d.Name, table: quote(d.Name), byHead: map[string][]int{}, ttl: d.TTL}
	decl := d.Indexes
	if d.TTL != "" {
		decl = append(decl[:len(decl):len(decl)], docdb.Index{Name: "ttl", Keys: []docdb.Key{{Path: d.TTL}}})
	}
	seen := map[string]bool{}
	for _, x := range decl {
		if !validName(x.Name) || seen[x.Name] {
			return nil, fmt.Errorf("index name %q of %s: letters, digits and single underscores only, once each", x.Name, d.Name)
		}
		seen[x.Name] = true
		if err := k.addIndex(x); err != nil {
			return nil, fmt.Errorf("index %s.%s: %w", d.Name, x.Name, err)
		}
	}
	if err := k.addPartials(decl); err != nil {
		return nil, err
	}
	k.insert = k.insertSQL()
	return k, nil
}

func (k *collection) addIndex(x docdb.Index) error {
	if len(x.Keys) == 0 {
		return errors.New("no keys")
	}
	for i, key := range x.Keys {
		if key.Multi {
			return k.addMultikey(x, i)
		}
	}
	out := &index{name: x.Name, unique: x.Unique}
	refused := make([]string, 0, len(x.Keys))
	for _, key := range x.Keys {
		n, err := k.addColumn(key.Path, false)
		if err != nil {
			return err
		}
		out.keys = append(out.keys, n)
		refused = append(refused, k.name+"."+key.Path)
	}
	out.refusal = "UNIQUE constraint failed: " + strings.Join(refused, ", ")
	k.indexes = append(k.indexes, out)
	return nil
}

// addPartials parses the conditions of partial indexes, once all key columns
// are known: a path that is indexed needs no presence column.
func (k *collection) addPartials(decl []docdb.Index) error {
	for _, x := range k.indexes {
		for _, d := range decl {
			if d.Name != x.name || len(d.Partial) == 0 {
				continue
			}
			var err error
			if x.partial, err = parseFilter(d.Partial); err != nil {
				return fmt.Errorf("index %s.%s: %w", k.name, x.name, err)
			}
			for _, c := range x.partial {
				if c.op != opExists && (c.op != opEq || !scalar(c.val.kind)) {
					return fmt.Errorf("index %s.%s: a partial index wants $exists: true or a scalar", k.name, x.name)
				}
				if _, err := k.addColumn(c.path.name, c.op == opExists); err != nil {
					return err
				}
			}
		}
	}
	for _, x := range k.indexes {
		x.sql = k.indexSQL(x, decl)
	}
	for _, m := range k.multis {
		k.multikeySQL(m)
	}
	return nil
}

// addColumn finds or makes the key column of a path.
func (k *collection) addColumn(name string, presence bool) (int, error) {
	if name == "_id" {
		return colID, nil
	}
	p, err := parsePath(name)
	if err != nil {
		return 0, err
	}
	if n, ok := k.column(name); ok {
		return n, nil
	}
	if !presence && k.multikeyOf(name) != nil {
		return 0, fmt.Errorf("%s is a scalar here and an array in another index", name)
	}
	title := name
	if presence {
		if n, ok := k.present(name); ok {
			return n, nil
		}
		title += "?"
	}
	// SQLite's column names ignore case and a few are taken.
	for _, taken := range []string{"doc", "_id", "_row"} {
		if strings.EqualFold(title, taken) {
			return 0, fmt.Errorf("a field named %q cannot be indexed", name)
		}
	}
	for _, c := range k.columns {
		if c.presence == presence && strings.EqualFold(c.path.name, name) {
			return 0, fmt.Errorf("fields %q and %q differ in case only", c.path.name, name)
		}
	}
	k.columns = append(k.columns, &column{p, title, quote(title), k.table + "." + quote(title), presence})
	n := len(k.columns) - 1
	k.byHead[p.parts[0]] = append(k.byHead[p.parts[0]], n)
	return n, nil
}

// present is the key column that tells whether a path exists.
func (k *collection) present(name string) (int, bool) {
	for i, c := range k.columns {
		if c.path.name == name {
			return i, true
		}
	}
	return 0, false
}

// literal says whether an equality decides that a partial index may be used:
// SQLite sees that only where the value stands in the text.
func (k *collection) literal(name string, v raw) bool {
	for _, x := range k.indexes {
		for _, c := range x.partial {
			if c.op == opEq && c.path.name == name && c.val.equal(v) {
				return true
			}
		}
	}
	return false
}
