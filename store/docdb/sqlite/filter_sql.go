package sqlite

import (
	"bytes"
	"encoding/hex"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maxIn is how many values $in may have: SQLite has 32766 parameters.
const maxIn = 30_000

// where turns conditions into SQL over key columns. What no column can decide
// it leaves out, so the SQL finds all matches and maybe more; exact says that
// it finds no more.
type where struct {
	k    *collection
	side *multikey // joined in front of the collection
	b    []byte
	args []value
	// outer are the equalities that hold for the whole filter.
	outer []condition
}

// bound is one end of a range.
type bound struct {
	val  raw
	open bool
}

// span is what the conditions of one path leave of one type's values.
type span struct {
	path   path
	kind   bson.Type
	lo, hi *bound
	none   bool // contradictory
	loose  bool // of a $or: may be wider than the filter
}

// ref is the SQL of a path's value.
func (w *where) ref(name string) (string, bool) {
	if w.side != nil {
		for i, key := range w.side.keys {
			if key.Path == name && w.side.cols[i] != colItems {
				return w.side.table + "." + quote(name), true
			}
		}
	}
	if name == "_id" {
		return w.k.table + "._id", true
	}
	n, ok := w.k.column(name)
	if !ok {
		return "", false
	}
	return w.k.columns[n].full, true
}

// all writes a conjunction. With plain, its columns are hidden from the choice
// of indexes.
func (w *where) all(conds []condition, plain bool) (exact bool) {
	exact = true
	var spans []span
	start := len(w.b)
	for i := range conds {
		c := &conds[i]
		switch c.op {
		case opGt, opGte, opLt, opLte:
			if w.k.multikeyOf(c.path.name) == nil {
				spans = narrow(spans, c)
				continue
			}
		case opOr:
			for _, s := range w.hull(c) {
				spans = join(spans, s)
			}
		}
		at := len(w.b)
		if at > start {
			w.b = append(w.b, " AND "...)
		}
		from := len(w.b)
		if !w.one(c, plain) {
			exact = false
		}
		if len(w.b) == from {
			w.b = w.b[:at]
		}
	}
	for i := range spans {
		if !w.span(&spans[i], plain, start) && !spans[i].loose {
			exact = false
		}
	}
	return exact
}

// narrow merges a range condition into the spans.
func narrow(spans []span, c *condition) []span {
	s := span{path: c.path, kind: c.val.kind}
	b := &bound{c.val, c.op == opGt || c.op == opLt}
	if c.op == opGt || c.op == opGte {
		s.lo = b
	} else {
		s.hi = b
	}
	return join(spans, s)
}

// join intersects a span with those there are.
func join(spans []span, s span) []span {
	for i := range spans {
		o := &spans[i]
		if o.path.name != s.path.name {
			continue
		}
		if o.kind != s.kind {
			// A scalar is of one type; an array's items may be of two.
			if o.loose || s.loose {
				continue
			}
			o.none = true
			return spans
		}
		o.lo = tighter(o.lo, s.lo, 1)
		o.hi = tighter(o.hi, s.hi, -1)
		o.loose = o.loose && s.loose
		return spans
	}
	return append(spans, s)
}

// tighter is the bound that lets less through; sign is 1 for lower bounds.
func tighter(a, b *bound, sign int) *bound {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	switch d := a.val.compare(b.val) * sign; {
	case d > 0 || d == 0 && a.open:
		return a
	}
	return b
}

// hull finds ranges that every branch of a $or lies in, where one of them asks
// for a range: that is how a list continues after its last row, and the index
// can begin there.
func (w *where) hull(c *condition) []span {
	var out []span
	for i, branch := range c.any {
		var spans []span
		for j := range branch {
			b := &branch[j]
			if _, ok := w.ref(b.path.name); !ok {
				continue
			}
			switch b.op {
			case opEq:
				if scalar(b.val.kind) {
					spans = append(spans, span{path: b.path, kind: b.val.kind, lo: &bound{val: b.val}, hi: &bound{val: b.val}})
				}
			case opGt, opGte, opLt, opLte:
				spans = narrow(spans, b)
			}
		}
		if i == 0 {
			out = spans
			continue
		}
		out = unite(out, spans)
	}
	ranges := out[:0]
	for _, s := range out {
		if s.none || s.lo == nil && s.hi == nil || asksEqualityOnly(c, s.path.name) {
			continue
		}
		s.loose = true
		ranges = append(ranges, s)
	}
	return ranges
}

func asksEqualityOnly(c *condition, name string) bool {
	for _, branch := range c.any {
		for i := range branch {
			if branch[i].path.name == name && branch[i].op != opEq {
				return false
			}
		}
	}
	return true
}

// unite keeps the paths that both have, as wide as both.
func unite(a, b []span) []span {
	var out []span
	for _, s := range a {
		for _, o := range b {
			if s.path.name != o.path.name || s.kind != o.kind || s.none || o.none {
				continue
			}
			s.lo, s.hi = wider(s.lo, o.lo, 1), wider(s.hi, o.hi, -1)
			out = append(out, s)
			break
		}
	}
	return out
}

func wider(a, b *bound, sign int) *bound {
	if a == nil || b == nil {
		return nil
	}
	if tighter(a, b, sign) == a {
		return b
	}
	return a
}

// span writes a range and says whether a column decided it. MongoDB compares
// values of one type only: where the range is open, the type's end closes it.
func (w *where) span(s *span, plain bool, start int) bool {
	ref, ok := w.ref(s.path.name)
	if !ok {
		return false
	}
	if len(w.b) > start {
		w.b = append(w.b, " AND "...)
	}
	if s.none || s.path.name == "_id" && s.kind != bson.TypeString {
		w.b = append(w.b, '0')
		return true
	}
	if plain {
		ref = "+" + ref
	}
	lo, hi := bracket(s.kind)
	if s.path.name == "_id" {
		lo, hi = "", ""
	}
	wrote := w.end(ref, s.lo, " >", lo, false)
	w.end(ref, s.hi, " <", hi, wrote)
	return true
}

// end writes one end of a range: the bound, or else the end of the type.
func (w *where) end(ref string, b *bound, sign, close string, and bool) bool {
	if b == nil && close == "" {
		return and
	}
	if and {
		w.b = append(w.b, " AND "...)
	}
	w.b = append(append(w.b, ref...), sign...)
	if b == nil {
		w.b = append(w.b, close...)
		return true
	}
	if !b.open {
		w.b = append(w.b, '=')
	}
	w.param(keyOf(b.val))
	return true
}

// bracket is where the values of a type begin and end in a key column, as SQL
// that follows > and <.
func bracket(kind bson.Type) (lo, hi string) {
	switch kind {
	case bson.TypeInt64:
		return "", " ''"
	case bson.TypeString:
		return "= ''", " x''"
	}
	return "= x'" + hex.EncodeToString([]byte{byte(kind)}) + "'", " x'" + hex.EncodeToString([]byte{byte(kind) + 1}) + "'"
}

func (w *where) param(v value) {
	w.b = append(w.b, '?')
	w.args = append(w.args, v)
}

// one writes one condition that is not a range.
func (w *where) one(c *condition, plain bool) (exact bool) {
	if c.op == opOr {
		return w.or(c, plain)
	}
	if m := w.k.multikeyOf(c.path.name); m != nil {
		return w.items(m, c)
	}
	if c.op == opExists || c.op == opMissing {
		return w.exists(c)
	}
	ref, ok := w.ref(c.path.name)
	if !ok {
		return false
	}
	if plain {
		ref = "+" + ref
	}
	switch c.op {
	case opEq:
		if !w.comparable(c.path.name, c.val.kind) {
			w.b = append(w.b, '0')
			return true
		}
		w.b = append(append(w.b, ref...), " = "...)
		w.equalTo(c.path.name, c.val)
	case opNe:
		if !w.comparable(c.path.name, c.val.kind) {
			return true
		}
		w.b = append(append(w.b, ref...), " IS NOT "...)
		w.param(keyOf(c.val))
	case opIn:
		w.in(ref, c)
	}
	return true
}

// comparable says whether a column can hold values of the type at all.
func (w *where) comparable(name string, kind bson.Type) bool {
	return scalar(kind) && (name != "_id" || kind == bson.TypeString)
}

func (w *where) equalTo(name string, v raw) {
	if w.k.literal(name, v) {
		w.b = appendLiteral(w.b, keyOf(v))
		return
	}
	w.param(keyOf(v))
}

// exists asks a column whether it has a value.
func (w *where) exists(c *condition) bool {
	test := " IS NOT NULL"
	if c.op == opMissing {
		test = " IS NULL"
	}
	ref, ok := w.ref(c.path.name)
	if !ok {
		n, ok := w.k.present(c.path.name)
		if !ok {
			return false
		}
		ref = w.k.columns[n].full
	}
	w.b = append(append(w.b, ref...), test...)
	return true
}

// in writes $in. The list is filled up to a power of two, so that there are
// few texts to prepare.
func (w *where) in(ref string, c *condition) {
	var vals []value
	for _, v := range c.vals {
		if w.comparable(c.path.name, v.kind) {
			vals = append(vals, keyOf(v))
		}
	}
	switch len(vals) {
	case 0:
		w.b = append(w.b, '0')
		return
	case 1:
		w.b = append(append(w.b, ref...), " = "...)
		w.param(vals[0])
		return
	}
	w.b = append(append(w.b, ref...), " IN ("...)
	w.list(vals)
}

// list writes the values of an IN and its closing bracket.
func (w *where) list(vals []value) {
	n := 1
	for n < len(vals) {
		n *= 2
	}
	for i := range min(n, max(maxIn, len(vals))) {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.param(vals[min(i, len(vals)-1)])
	}
	w.b = append(w.b, ')')
}

// or writes a $or, or nothing where a branch has no column to go by.
func (w *where) or(c *condition, plain bool) (exact bool) {
	b, args := len(w.b), len(w.args)
	plain = plain || len(w.hull(c)) > 0
	exact = true
	for i, branch := range c.any {
		w.b = append(w.b, []string{"(", " OR "}[min(i, 1)]...)
		from := len(w.b)
		decided := w.all(branch, plain)
		exact = exact && decided
		if len(w.b) == from { // as far as SQL can tell this branch takes all
			w.b, w.args = w.b[:b], w.args[:args]
			return decided
		}
	}
	w.b = append(w.b, ')')
	return exact
}

// items asks a multikey's table which documents have an item.
func (w *where) items(m *multikey, c *condition) (exact bool) {
	var vals []value
	switch c.op {
	case opEq:
		if c.val.kind == bson.TypeArray {
			return false
		}
		vals = stringsOnly([]raw{c.val})
	case opIn:
		for _, v := range c.vals {
			if v.kind == bson.TypeArray {
				return false
			}
		}
		vals = stringsOnly(c.vals)
	case opGt, opGte, opLt, opLte:
		vals = stringsOnly([]raw{c.val})
	default:
		return false
	}
	if len(vals) == 0 {
		w.b = append(w.b, '0')
		return true
	}
	if w.side == m && c.op == opEq && bytes.Equal(w.joined().str(), vals[0].b) {
		return true // it is what the join asks for
	}
	lead, ok := m.leading(w.outer)
	if !ok {
		return false
	}
	w.b = append(append(w.b, w.k.table...), "._row IN (SELECT _row FROM "+m.table+" WHERE "...)
	for i := range lead {
		w.b = append(w.b, quote(m.keys[i].Path)+" = "...)
		w.param(keyOf(lead[i]))
		w.b = append(w.b, " AND "...)
	}
	ref := quote(m.path.name)
	switch c.op {
	case opEq, opIn:
		w.b = append(append(w.b, ref...), " IN ("...)
		w.list(vals)
	default:
		spans := narrow(nil, c)
		w.end(ref, spans[0].lo, " >", "= ''", false)
		w.end(ref, spans[0].hi, " <", " x''", true)
	}
	w.b = append(w.b, ')')
	return true
}

func stringsOnly(in []raw) []value {
	var out []value
	for _, v := range in {
		if v.kind == bson.TypeString {
			out = append(out, keyOf(v))
		}
	}
	return out
}

// leading are the values of the keys before the array, where the filter fixes
// all of them.
func (m *multikey) leading(outer []condition) ([]raw, bool) {
	var out []raw
	for i, key := range m.keys {
		if m.cols[i] == colItems {
			return out, true
		}
		v, ok := equality(outer, key.Path)
		if !ok || !scalar(v.kind) {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func equality(conds []condition, name string) (raw, bool) {
	for i := range conds {
		if conds[i].op == opEq && conds[i].path.name == name {
			return conds[i].val, true
		}
	}
	return raw{}, false
}

// joined is the item that the join asks for.
func (w *where) joined() raw {
	v, _ := equality(w.outer, w.side.path.name)
	return v
}

// multikeyOf is the multikey index of a path.
func (k *collection) multikeyOf(name string) *multikey {
	for _, m := range k.multis {
		if m.path.name == name {
			return m
		}
	}
	return nil
}
