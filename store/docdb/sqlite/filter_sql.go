package sqlite

import (
	"slices"

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
	// byKey: the filter names its documents. Without statistics SQLite takes
	// an index on the institute for better than more than a few keys, and reads
	// all of it; a unary plus keeps it from that.
	byKey bool
}

func namesKeys(conds []condition) bool {
	return slices.ContainsFunc(conds, func(c condition) bool {
		return c.path.name == "_id" && (c.op == opEq || c.op == opIn)
	})
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
	if w.byKey {
		return "+" + w.k.columns[n].full, true
	}
	return w.k.columns[n].full, true
}

// all writes a conjunction.
func (w *where) all(conds []condition) (exact bool) {
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
		if !w.one(c) {
			exact = false
		}
		if len(w.b) == from {
			w.b = w.b[:at]
		}
	}
	for i := range spans {
		if !w.span(&spans[i], start) && !spans[i].loose {
			exact = false
		}
	}
	return exact
}

func (w *where) param(v value) {
	w.b = append(w.b, '?')
	w.args = append(w.args, v)
}

// one writes one condition that is not a range.
func (w *where) one(c *condition) (exact bool) {
	if c.op == opOr {
		return w.or(c)
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
	for i := range min(n, maxIn) {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.param(vals[min(i, len(vals)-1)])
	}
	w.b = append(w.b, ')')
}

// or writes a $or, or nothing where a branch has no column to go by.
func (w *where) or(c *condition) (exact bool) {
	b, args := len(w.b), len(w.args)
	exact = true
	for i, branch := range c.any {
		w.b = append(w.b, []string{"(", " OR "}[min(i, 1)]...)
		from := len(w.b)
		decided := w.all(branch)
		exact = exact && decided
		if len(w.b) == from { // as far as SQL can tell this branch takes all
			w.b, w.args = w.b[:b], w.args[:args]
			return decided
		}
	}
	w.b = append(w.b, ')')
	return exact
}

func equality(conds []condition, name string) (raw, bool) {
	for i := range conds {
		if conds[i].op == opEq && conds[i].path.name == name {
			return conds[i].val, true
		}
	}
	return raw{}, false
}
