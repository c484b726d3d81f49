package wiretest

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// collection is what the server was told of a collection.
type collection struct {
	name    string
	options bson.D // of create and collMod: the validator and its like
	indexes []*index
}

// index is an index as createIndexes said it.
type index struct {
	name  string
	spec  bson.Raw
	multi []string // paths that have held a list
}

func (x *index) keys() []docdb.Key {
	var keys []docdb.Key
	elements, err := x.spec.Lookup("key").Document().Elements()
	if err != nil {
		return nil
	}
	for _, e := range elements {
		direction, _ := e.Value().AsInt64OK()
		keys = append(keys, docdb.Key{Path: e.Key(), Desc: direction < 0, Multi: slices.Contains(x.multi, e.Key())})
	}
	return keys
}

func (x *index) flag(option string) bool {
	on, _ := x.spec.Lookup(option).BooleanOK()
	return on
}

// declared is the collection as the engine wants it said.
func (k *collection) declared() docdb.Collection {
	out := docdb.Collection{Name: k.name}
	for _, x := range k.indexes {
		decl := docdb.Index{Name: x.name, Keys: x.keys(), Unique: x.flag("unique")}
		if filter, ok := x.spec.Lookup("partialFilterExpression").DocumentOK(); ok {
			if err := bson.Unmarshal(filter, &decl.Partial); err != nil {
				decl.Partial = nil
			}
		}
		out.Indexes = append(out.Indexes, decl)
	}
	return out
}

// learn notes which indexed paths hold a list in a document or an update, and
// says whether one is new.
func (k *collection) learn(doc bson.Raw) (grown bool) {
	for _, x := range k.indexes {
		for _, key := range x.keys() {
			for _, part := range []bson.Raw{doc, fieldsOf(doc, "$set"), fieldsOf(doc, "$setOnInsert")} {
				if !key.Multi && lookup(part, key.Path).Type == bson.TypeArray {
					x.multi, grown = append(x.multi, key.Path), true
					break
				}
			}
			if !key.Multi && !lookup(fieldsOf(doc, "$push"), key.Path).IsZero() {
				x.multi, grown = append(x.multi, key.Path), true
			}
		}
	}
	return grown
}

// fieldsOf is a document within another, nil where there is none.
func fieldsOf(doc bson.Raw, name string) bson.Raw {
	fields, _ := doc.Lookup(name).DocumentOK()
	return fields
}
