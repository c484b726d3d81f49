package docdb

import (
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Shape names a kind of query: the operation, the collection, which fields the
// filter looks at and how, and the sort, as in
//
//	find payments _id:range,institute sort date,-_id
//
// It is derived from the call, so it cannot go stale, and says no value, so
// that there are as many shapes as there are lines that query. Conditions are
// named once each, in alphabetical order, those under $and and $or like all
// others: field for equality, field:range for $gt $gte $lt $lte, field:in,
// field:ne and field:exists.
func Shape(op, coll string, filter bson.D, sort []Key) string {
	b := make([]byte, 0, 96)
	b = append(append(append(b, op...), ' '), coll...)
	if names := conditions(make([]string, 0, 8), filter); len(names) > 0 {
		slices.Sort(names)
		b = append(b, ' ')
		b = append(b, strings.Join(slices.Compact(names), ",")...)
	}
	for i, k := range sort {
		if i == 0 {
			b = append(b, " sort "...)
		} else {
			b = append(b, ',')
		}
		if k.Desc {
			b = append(b, '-')
		}
		b = append(b, k.Path...)
	}
	return string(b)
}

func conditions(names []string, filter bson.D) []string {
	for _, e := range filter {
		switch v := e.Value.(type) {
		case bson.A: // of $and, $or
			for _, branch := range v {
				if d, ok := branch.(bson.D); ok {
					names = conditions(names, d)
				}
			}
		case []bson.D:
			for _, branch := range v {
				names = conditions(names, branch)
			}
		case bson.D:
			names = comparisons(names, e.Key, v)
		default:
			names = append(names, e.Key)
		}
	}
	return names
}

// comparisons names what is asked of one field.
func comparisons(names []string, field string, asked bson.D) []string {
	if len(asked) == 0 || !strings.HasPrefix(asked[0].Key, "$") {
		return append(names, field) // equal to a document
	}
	for _, e := range asked {
		switch e.Key {
		case "$eq":
			names = append(names, field)
		case "$gt", "$gte", "$lt", "$lte":
			names = append(names, field+":range")
		default:
			names = append(names, field+":"+e.Key[1:])
		}
	}
	return names
}
