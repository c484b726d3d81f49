package sqlite

import (
	"slices"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// matches says whether a document fulfils all conditions, exactly as MongoDB
// would, arrays included. It decides what no column of the table can.
func matches(doc []byte, all []condition) bool {
	for i := range all {
		if !all[i].matches(doc) {
			return false
		}
	}
	return true
}

func (c *condition) matches(doc []byte) bool {
	switch c.op {
	case opOr:
		return slices.ContainsFunc(c.any, func(branch []condition) bool { return matches(doc, branch) })
	case opNe:
		return !reach(doc, c.path.parts, func(v raw) bool { return anyItem(v, c.val.equal) })
	case opExists:
		return reach(doc, c.path.parts, func(raw) bool { return true })
	case opMissing:
		return !reach(doc, c.path.parts, func(raw) bool { return true })
	}
	return reach(doc, c.path.parts, func(v raw) bool { return anyItem(v, c.holds) })
}

// holds says whether one value fulfils the condition.
func (c *condition) holds(v raw) bool {
	switch c.op {
	case opEq:
		return v.equal(c.val)
	case opIn:
		return slices.ContainsFunc(c.vals, v.equal)
	}
	if v.kind != c.val.kind { // values of other types are not compared
		return false
	}
	switch d := v.compare(c.val); c.op {
	case opGt:
		return d > 0
	case opGte:
		return d >= 0
	case opLt:
		return d < 0
	default:
		return d <= 0
	}
}

// anyItem says whether the value or, where it is an array, one of its items is
// accepted.
func anyItem(v raw, accept func(raw) bool) bool {
	if accept(v) {
		return true
	}
	return v.kind == bson.TypeArray &&
		slices.ContainsFunc(items(v), func(e element) bool { return accept(e.raw) })
}

// reach follows a path, into every document of an array on the way, and says
// whether one of the values at its end is accepted.
func reach(doc []byte, parts []string, accept func(raw) bool) bool {
	v, ok := field(doc, parts[0])
	if !ok {
		return false
	}
	return descend(v, parts[1:], accept)
}

func descend(v raw, parts []string, accept func(raw) bool) bool {
	if len(parts) == 0 {
		return accept(v)
	}
	switch v.kind {
	case bson.TypeEmbeddedDocument:
		return reach(v.b, parts, accept)
	case bson.TypeArray:
		in := items(v)
		if n, err := strconv.Atoi(parts[0]); err == nil && n >= 0 && n < len(in) && descend(in[n].raw, parts[1:], accept) {
			return true
		}
		for _, e := range in {
			if e.kind == bson.TypeEmbeddedDocument && reach(e.b, parts, accept) {
				return true
			}
		}
	}
	return false
}
