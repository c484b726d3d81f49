package sqlite

import (
	"encoding/hex"

	"go.mongodb.org/mongo-driver/v2/bson"
)

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
func (w *where) span(s *span, start int) bool {
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
