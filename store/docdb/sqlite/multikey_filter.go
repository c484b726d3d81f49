package sqlite

import (
	"bytes"

	"go.mongodb.org/mongo-driver/v2/bson"
)

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
