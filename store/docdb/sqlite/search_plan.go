package sqlite

import (
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// search is a filter, a sort and a limit made ready to run. SQL narrows by the
// key columns; what they cannot decide is matched, sorted and cut off here.
type search struct {
	k       *collection
	side    *multikey // the SQL begins with its table
	sql     []byte
	args    []value
	rest    []condition // still to be matched
	sort    []sortKey   // still to be sorted by
	limit   int64       // still to be kept, 0 for no limit
	ordered bool        // by SQL
}

type sortKey struct {
	path path
	desc bool
}

// selection is what a search selects.
type selection uint8

const (
	rowAndDoc selection = iota // for those who will write
	docOnly
	rowOnly
)

// newSearch plans a read of a collection.
func newSearch(k *collection, what selection, filter bson.D, sort []docdb.Key, limit int64) (*search, error) {
	conds, err := parseFilter(filter)
	if err != nil {
		return nil, err
	}
	s := &search{k: k, limit: limit}
	w := where{k: k, outer: conds, byKey: namesKeys(conds)}
	w.side = k.sideFor(conds)
	s.side = w.side
	w.b = w.from(what)
	at := len(w.b)
	w.b = append(w.b, " WHERE "...)
	if w.side != nil {
		w.join()
		at = len(w.b)
		w.b = append(w.b, " AND "...)
	}
	start := len(w.b)
	if !w.all(conds) {
		s.rest = conds
	}
	if len(w.b) == start {
		w.b = w.b[:at]
	}
	if err := s.orderBy(&w, sort); err != nil {
		return nil, err
	}
	if limit > 0 && len(s.rest) == 0 && len(s.sort) == 0 {
		s.limit = 0
		w.b = append(w.b, " LIMIT "...)
		w.param(intValue(limit))
	}
	s.sql, s.args = w.b, w.args
	return s, nil
}

// sideFor chooses the multikey index to begin with: the filter fixes the keys
// in front of its array and one of its items.
func (k *collection) sideFor(conds []condition) *multikey {
	for _, m := range k.multis {
		v, ok := equality(conds, m.path.name)
		if !ok || v.kind != bson.TypeString {
			continue
		}
		if _, ok := m.leading(conds); ok {
			return m
		}
	}
	return nil
}

func (w *where) from(what selection) []byte {
	b := append(make([]byte, 0, 384), "SELECT "...)
	switch what {
	case rowOnly:
		b = append(b, '1')
	case rowAndDoc:
		b = append(append(b, w.k.table...), "._row, "...)
		b = append(append(b, w.k.table...), ".doc"...)
	default:
		b = append(append(append(b, "0, "...), w.k.table...), ".doc"...)
	}
	b = append(b, " FROM "...)
	if w.side != nil {
		b = append(append(b, w.side.table...), " CROSS JOIN "...)
	}
	return append(b, w.k.table...)
}

// join writes what the chosen multikey table is searched by.
func (w *where) join() {
	lead, _ := w.side.leading(w.outer)
	for i := range lead {
		w.b = append(append(append(w.b, w.side.table...), '.'), quote(w.side.keys[i].Path)...)
		w.b = append(w.b, " = "...)
		w.param(keyOf(lead[i]))
		w.b = append(w.b, " AND "...)
	}
	w.b = append(append(append(w.b, w.side.table...), '.'), quote(w.side.path.name)...)
	w.b = append(w.b, " = "...)
	w.param(keyOf(w.joined()))
	w.b = append(append(append(w.b, " AND "...), w.k.table...), "._row = "...)
	w.b = append(append(w.b, w.side.table...), "._row"...)
}

// orderBy sorts by key columns where they cover the sort, else leaves it to
// memory.
func (s *search) orderBy(w *where, sort []docdb.Key) error {
	if len(sort) == 0 {
		return nil
	}
	at := len(w.b)
	w.b = append(w.b, " ORDER BY "...)
	keys := make([]sortKey, 0, len(sort))
	columns := true
	for i, key := range sort {
		p, err := parsePath(key.Path)
		if err != nil {
			return fmt.Errorf("sort: %w", err)
		}
		if key.Multi || s.k.multikeyOf(key.Path) != nil {
			return fmt.Errorf("sort: %s is an array", key.Path)
		}
		keys = append(keys, sortKey{p, key.Desc})
		ref, ok := w.ref(key.Path)
		if !ok {
			columns = false
			continue
		}
		if i > 0 {
			w.b = append(w.b, ", "...)
		}
		w.b = append(w.b, ref...)
		if key.Desc {
			w.b = append(w.b, " DESC"...)
		}
	}
	if !columns {
		w.b = w.b[:at]
		s.sort = keys
		return nil
	}
	s.ordered = true
	return nil
}

// errEnough ends a run whose reader wants no more.
var errEnough = errors.New("enough")

// run calls found with the row and the document of each match, in order. The
// document is decoded into what buffer returns, which found may keep.
func (s *search) run(c *conn, buffer func(size int) []byte, found func(row int64, doc []byte) error) error {
	st, err := c.prepare(s.sql)
	if err != nil {
		return err
	}
	defer st.reset()
	if err := st.bind(s.args); err != nil {
		return err
	}
	if len(s.sort) > 0 {
		return s.sorted(st, found)
	}
	left := s.limit
	for {
		more, err := st.step()
		if err != nil || !more {
			return err
		}
		text := st.text(1)
		doc, err := decodeDocument(buffer(len(text)+len(text)/4+64), text)
		if err != nil {
			return err
		}
		if len(s.rest) > 0 && !matches(doc, s.rest) {
			continue
		}
		if err := found(st.int64(0), doc); err != nil {
			return err
		}
		if left--; left == 0 {
			return nil
		}
	}
}

// fresh is the buffer of a document that will be kept.
func fresh(size int) []byte { return make([]byte, 0, size) }

type match struct {
	row  int64
	doc  []byte
	keys []raw
}

// sorted holds all matches in memory to sort them.
func (s *search) sorted(st *stmt, found func(row int64, doc []byte) error) error {
	var all []match
	for {
		more, err := st.step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		doc, err := decodeDocument(nil, st.text(1))
		if err != nil {
			return err
		}
		if !matches(doc, s.rest) {
			continue
		}
		m := match{row: st.int64(0), doc: doc}
		for _, key := range s.sort {
			v, err := sole(doc, key.path)
			if err != nil {
				return fmt.Errorf("sort: %w", err)
			}
			m.keys = append(m.keys, v)
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b match) int {
		for i, key := range s.sort {
			d := compareOrMissing(a.keys[i], b.keys[i])
			if key.desc {
				d = -d
			}
			if d != 0 {
				return d
			}
		}
		return 0
	})
	for i, m := range all {
		if s.limit > 0 && int64(i) == s.limit {
			break
		}
		if err := found(m.row, m.doc); err != nil {
			return err
		}
	}
	return nil
}

// compareOrMissing puts a missing value before all others, as MongoDB does.
func compareOrMissing(a, b raw) int {
	if a.b == nil || b.b == nil {
		return int(b2i(a.b != nil)) - int(b2i(b.b != nil))
	}
	return a.compare(b)
}

// sole is the value at a path, with no bytes where there is none. Where arrays
// would make it several, MongoDB has rules of its own; the subset does not.
func sole(doc []byte, p path) (raw, error) {
	v, ok := field(doc, p.parts[0])
	if !ok {
		return raw{}, nil
	}
	v, _, array := walk(v, p.parts[1:])
	if array || v.kind == bson.TypeArray {
		return raw{}, &fieldError{p.name, "is or goes through an array"}
	}
	return v, nil
}
