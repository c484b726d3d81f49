package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
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

// column is a key column: one indexed path of the documents, kept beside them.
type column struct {
	path  path
	title string
	name  string // quoted
	full  string // with the table's name
	// presence columns belong to paths that are only asked to exist: any value
	// may lie there, and the column says no more than that one does.
	presence bool
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

// multikey is an index over the items of an array: a table beside the
// collection with a row for each item.
type multikey struct {
	name  string
	table string // quoted
	sql   string
	path  path
	keys  []docdb.Key
	cols  []int // as in index.keys; the array's is -2
	add   []byte
	del   []byte
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

func (k *collection) addMultikey(x docdb.Index, at int) error {
	if x.Unique || len(x.Partial) > 0 {
		return errors.New("a multikey index is neither unique nor partial")
	}
	p, err := parsePath(x.Keys[at].Path)
	if err != nil {
		return err
	}
	if _, ok := k.column(p.name); ok {
		return fmt.Errorf("%s is an array here and a scalar in another index", p.name)
	}
	m := &multikey{name: x.Name, table: quote(k.name + "__" + x.Name), path: p, keys: x.Keys}
	for i, key := range x.Keys {
		n := colItems
		if i != at {
			if key.Multi {
				return errors.New("more than one array")
			}
			if n, err = k.addColumn(key.Path, false); err != nil {
				return err
			}
		}
		m.cols = append(m.cols, n)
	}
	k.multis = append(k.multis, m)
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

// column is the key column that holds a path's value.
func (k *collection) column(name string) (int, bool) {
	for i, c := range k.columns {
		if !c.presence && c.path.name == name {
			return i, true
		}
	}
	return 0, false
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
	if v.kind == bson.TypeBoolean {
		return true
	}
	for _, x := range k.indexes {
		for _, c := range x.partial {
			if c.op == opEq && c.path.name == name && c.val.equal(v) {
				return true
			}
		}
	}
	return false
}

// keysOf fills in the key columns of a document.
func (k *collection) keysOf(doc []byte, keys []value) error {
	clear(keys)
	b, err := body(doc)
	if err != nil {
		return err
	}
	for len(b) > 0 {
		var e element
		if e, b, err = next(b); err != nil {
			return err
		}
		for _, n := range k.byHead[string(e.key)] {
			if keys[n], err = k.columns[n].of(e.raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// of is the column's value in a document whose field at the head of the path
// is v.
func (c *column) of(v raw) (value, error) {
	v, ok, array := walk(v, c.path.parts[1:])
	if array {
		return value{}, &fieldError{c.path.name, "is indexed and goes through an array"}
	}
	if !ok {
		return value{}, nil
	}
	if !scalar(v.kind) {
		if !c.presence {
			return value{}, &fieldError{c.path.name, "is indexed and not a scalar"}
		}
		return value{class: blob, b: []byte{byte(v.kind)}}, nil
	}
	return keyOf(v), nil
}

// keyOf is how a key column holds a scalar. SQLite sorts integers before text
// before blobs; a blob begins with its BSON type. So the columns sort like
// MongoDB does, type by type, and a type is a range of the index.
func keyOf(v raw) value {
	switch v.kind {
	case bson.TypeInt64:
		return intValue(v.int64())
	case bson.TypeString:
		return textValue(v.str())
	case bson.TypeDateTime:
		b := append(make([]byte, 0, 9), byte(v.kind))
		return value{class: blob, b: binary.BigEndian.AppendUint64(b, uint64(v.int64())^1<<63)}
	case bson.TypeBinary: // shorter ones first, then the subtype, then the bytes
		b := append(make([]byte, 0, len(v.b)+1), byte(v.kind))
		b = binary.BigEndian.AppendUint32(b, binary.LittleEndian.Uint32(v.b))
		return value{class: blob, b: append(b, v.b[4:]...)}
	default:
		return value{class: blob, b: []byte{byte(v.kind), v.b[0]}}
	}
}

// rawOfKey undoes keyOf; ok is false where there is no value.
func rawOfKey(v value) (r raw, ok bool) {
	switch v.class {
	case null:
		return raw{}, false
	case integer:
		return rawInt(bson.TypeInt64, v.num), true
	case text:
		return rawString(string(v.b)), true
	}
	r.kind = bson.Type(v.b[0])
	switch r.kind {
	case bson.TypeDateTime:
		return rawInt(r.kind, int64(binary.BigEndian.Uint64(v.b[1:])^1<<63)), true
	case bson.TypeBinary:
		r.b = binary.LittleEndian.AppendUint32(nil, binary.BigEndian.Uint32(v.b[1:]))
		r.b = append(r.b, v.b[5:]...)
	default:
		r.b = append(r.b, v.b[1])
	}
	return r, true
}

// checkUnique refuses a document that leaves out a field of a unique index:
// MongoDB would take it for null, once.
func (k *collection) checkUnique(doc []byte, keys []value) error {
	for _, x := range k.indexes {
		if !x.unique {
			continue
		}
		for _, n := range x.keys {
			if n >= 0 && keys[n].class == null && matches(doc, x.partial) {
				return &fieldError{k.columns[n].path.name, "is missing and belongs to the unique index " + x.name}
			}
		}
	}
	return nil
}

// itemsOf are the distinct items that a multikey index holds of a document.
func (m *multikey) itemsOf(doc []byte) ([][]byte, error) {
	v, ok := field(doc, m.path.parts[0])
	if !ok {
		return nil, nil
	}
	v, ok, array := walk(v, m.path.parts[1:])
	if array {
		return nil, &fieldError{m.path.name, "is indexed and goes through an array"}
	}
	if !ok {
		return nil, nil
	}
	list := []element{{raw: v}}
	if v.kind == bson.TypeArray {
		list = items(v)
	}
	out := make([][]byte, 0, len(list))
	for _, e := range list {
		if e.kind != bson.TypeString {
			return nil, &fieldError{m.path.name, "is a multikey index and holds something that is no string"}
		}
		out = append(out, e.str())
	}
	return distinct(out), nil
}

func distinct(all [][]byte) [][]byte {
	seen := make(map[string]bool, len(all))
	out := all[:0]
	for _, s := range all {
		if !seen[string(s)] {
			seen[string(s)] = true
			out = append(out, s)
		}
	}
	return out
}
