package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// Group folds the matches. Where all fields are key columns SQLite does it, if
// it can from an index alone; else the documents are read.
func (db *DB) Group(ctx context.Context, coll string, filter bson.D, g docdb.Group) ([]bson.Raw, error) {
	out, err := db.group(ctx, coll, filter, g)
	if err != nil {
		return nil, fmt.Errorf("group in %s: %w", coll, err)
	}
	return out, nil
}

func (db *DB) group(ctx context.Context, coll string, filter bson.D, g docdb.Group) (out []bson.Raw, err error) {
	k, err := db.collection(coll)
	if err != nil {
		return nil, err
	}
	f, err := newFold(g)
	if err != nil {
		return nil, err
	}
	s, err := newSearch(k, docOnly, filter, nil, 0)
	if err != nil {
		return nil, err
	}
	if f.intoSQL(s) {
		err = db.read(ctx, func(c *conn) error {
			out, err = f.rows(c, s)
			return err
		})
		return out, err
	}
	err = db.read(ctx, func(c *conn) error {
		return s.run(c, reused(), func(_ int64, doc []byte) error { return f.add(doc) })
	})
	return f.result(), err
}

// fold is a Group at work.
type fold struct {
	by     []path
	names  []string // of the output fields
	accs   []docdb.Acc
	paths  []path // of the accumulators
	groups map[string]*folded
}

type folded struct {
	by   []raw
	accs []raw // no bytes where there is no value yet
}

func newFold(g docdb.Group) (*fold, error) {
	f := &fold{accs: g.Accs, groups: map[string]*folded{}}
	for _, name := range g.By {
		p, err := parsePath(name)
		if err != nil {
			return nil, err
		}
		f.by = append(f.by, p)
		f.names = append(f.names, p.parts[len(p.parts)-1])
	}
	for _, a := range g.Accs {
		p := path{}
		switch a.Op {
		case docdb.CountN:
		case docdb.Sum, docdb.Min, docdb.Max:
			var err error
			if p, err = parsePath(a.Path); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("accumulator %q is outside of the subset", a.Op)
		}
		f.paths = append(f.paths, p)
		f.names = append(f.names, a.As)
	}
	for i, name := range f.names {
		if name == "" || slices.Contains(f.names[:i], name) {
			return nil, fmt.Errorf("two results are called %q", name)
		}
	}
	return f, nil
}

// intoSQL rewrites the search to fold in SQL, where it can.
func (f *fold) intoSQL(s *search) bool {
	if len(s.rest) > 0 {
		return false
	}
	w := where{k: s.k, side: s.side}
	var by, all []string
	for _, p := range f.by {
		ref, ok := w.ref(p.name)
		if !ok {
			return false
		}
		by = append(by, ref)
	}
	all = append(all, by...)
	for i, a := range f.accs {
		ref, ok := w.ref(f.paths[i].name)
		switch {
		case a.Op == docdb.CountN:
			all = append(all, "count(*)")
		case !ok:
			return false
		case a.Op == docdb.Sum:
			all = append(all, "coalesce(sum(iif(typeof("+ref+")='integer',"+ref+",0)),0)")
		default:
			all = append(all, string(a.Op)+"("+ref+")")
		}
	}
	_, from, _ := strings.Cut(string(s.sql), " FROM ")
	sql := "SELECT count(*)," + strings.Join(append(all, "0"), ",") + " FROM " + from
	if len(by) > 0 {
		sql += " GROUP BY " + strings.Join(by, ",") + " ORDER BY " + strings.Join(by, ",")
	}
	s.sql = []byte(sql)
	return true
}

// rows reads the groups that SQL folded.
func (f *fold) rows(c *conn, s *search) ([]bson.Raw, error) {
	st, err := c.prepare(s.sql)
	if err != nil {
		return nil, err
	}
	defer st.reset()
	if err := st.bind(s.args); err != nil {
		return nil, err
	}
	var out []bson.Raw
	for {
		more, err := st.step()
		if err != nil {
			return nil, err
		}
		if !more {
			return out, nil
		}
		if st.int64(0) == 0 { // SQL folds nothing into one row, MongoDB into none
			continue
		}
		vals := make([]raw, len(f.names))
		for i := range vals {
			vals[i], _ = rawOfKey(st.value(int32(i + 1)))
		}
		out = append(out, f.document(vals))
	}
}

func (f *fold) document(vals []raw) bson.Raw {
	doc := []byte{0, 0, 0, 0}
	for i, v := range vals {
		if v.b != nil {
			doc = appendElement(doc, []byte(f.names[i]), v)
		}
	}
	return frame(doc, 0)
}

// add folds one document.
func (f *fold) add(doc []byte) error {
	var key []byte
	by := make([]raw, len(f.by))
	for i, p := range f.by {
		v, err := sole(doc, p)
		if err != nil {
			return err
		}
		key = append(append(key, byte(v.kind)), v.b...)
		by[i] = v
	}
	g, ok := f.groups[string(key)]
	if !ok {
		g = &folded{accs: make([]raw, len(f.accs))}
		for _, v := range by { // the document's memory is used again
			g.by = append(g.by, v.clone())
		}
		f.groups[string(key)] = g
	}
	for i, a := range f.accs {
		if err := g.add(i, a.Op, doc, f.paths[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *folded) add(i int, op docdb.AccOp, doc []byte, p path) error {
	acc := g.accs[i]
	if op == docdb.CountN || op == docdb.Sum {
		n, sum := int64(1), int64(0)
		if acc.b != nil {
			sum = acc.int64()
		}
		if op == docdb.Sum {
			v, err := sole(doc, p)
			if err != nil {
				return err
			}
			n = 0
			if v.kind == bson.TypeInt64 {
				n = v.int64()
			}
		}
		if n > 0 && sum > math.MaxInt64-n || n < 0 && sum < math.MinInt64-n {
			return errors.New("integer overflow")
		}
		g.accs[i] = rawInt(bson.TypeInt64, sum+n)
		return nil
	}
	v, err := sole(doc, p)
	if err != nil || v.b == nil {
		return err
	}
	if acc.b == nil || op == docdb.Min && v.compare(acc) < 0 || op == docdb.Max && v.compare(acc) > 0 {
		g.accs[i] = v.clone()
	}
	return nil
}

func (f *fold) result() []bson.Raw {
	all := make([]*folded, 0, len(f.groups))
	for _, g := range f.groups {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *folded) int {
		for i := range a.by {
			if d := compareOrMissing(a.by[i], b.by[i]); d != 0 {
				return d
			}
		}
		return 0
	})
	var out []bson.Raw
	for _, g := range all {
		out = append(out, f.document(append(g.by, g.accs...)))
	}
	return out
}
