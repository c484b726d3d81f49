package mongodb

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// keptIndex is an index as the server lists it.
type keptIndex struct {
	Name    string        `bson:"name"`
	Keys    bson.D        `bson:"key"`
	Unique  bool          `bson:"unique"`
	Partial bson.Raw      `bson:"partialFilterExpression"`
	TTL     bson.RawValue `bson:"expireAfterSeconds"`

	Collation bson.Raw `bson:"collation"`
}

// keptIndexes lists what the server has, by name.
func (db *DB) keptIndexes(ctx context.Context, coll string) (map[string]*keptIndex, error) {
	cursor, err := db.db.Collection(coll).Indexes().List(ctx)
	if err != nil {
		return nil, readError("list indexes of", coll, err)
	}
	var list []*keptIndex
	if err := cursor.All(ctx, &list); err != nil {
		return nil, readError("list indexes of", coll, err)
	}
	kept := make(map[string]*keptIndex, len(list))
	for _, k := range list {
		kept[k.Name] = k
	}
	return kept, nil
}

// checkIndex compares an index with what the server keeps of it (nil: nothing).
// What would let two rows share a unique key, or refuse a row that is allowed,
// is an error; what is only slower or left to us is noted in l.
func (db *DB) checkIndex(ctx context.Context, coll string, want index, have *keptIndex, l lacks) error {
	name := coll + "." + want.Name
	switch {
	case have == nil && want.Unique && want.Partial == nil:
		return fmt.Errorf("unique index %s of %s: the server accepted it and does not list it", want.Name, coll)
	case have == nil:
		l.add(lacksIndex, name)
		have = &keptIndex{}
	case !sameKeys(have.Keys, want.Keys):
		return fmt.Errorf("index %s of %s: the server has one of that name on %v; drop it and start again", want.Name, coll, have.Keys)
	case have.Collation != nil:
		return fmt.Errorf("index %s of %s: it has a collation, by which keys that differ would be the same; drop it and start again", want.Name, coll)
	case have.Unique && !want.Unique:
		return fmt.Errorf("index %s of %s: it is unique on the server and must not be; drop it and start again", want.Name, coll)
	case want.Unique && want.Partial == nil && (!have.Unique || have.Partial != nil):
		return fmt.Errorf("index %s of %s: it must be unique and is not on this server; drop it and start again, or use another server", want.Name, coll)
	}
	if want.Partial != nil {
		if err := db.checkPartial(ctx, coll, want, have, l); err != nil {
			return err
		}
	}
	if want.ttl && have.TTL.IsZero() {
		l.add(lacksTTL, name)
		db.startSweeping()
	}
	return nil
}

// checkPartial looks after an index that should be over some documents only. A
// unique one of these is the ledger's safety net: numbers are kept apart by
// the counters, with or without it.
func (db *DB) checkPartial(ctx context.Context, coll string, want index, have *keptIndex, l lacks) error {
	name := coll + "." + want.Name
	switch {
	case have.Partial != nil && !sameDocument(have.Partial, want.Partial) && have.Unique:
		// It may refuse what is allowed: every second payment.
		return fmt.Errorf("index %s of %s: it is unique over the documents with %v and must be over those with %v; drop it and start again",
			want.Name, coll, have.Partial, want.Partial)
	case have.Partial != nil && have.Unique == want.Unique:
		if !sameDocument(have.Partial, want.Partial) {
			l.add(lacksFilter, name)
		}
		return nil
	case have.Unique && have.Partial == nil:
		// Over all documents it would refuse the second row without the
		// field: a payment that is not numbered yet.
		if err := db.db.Collection(coll).Indexes().DropOne(ctx, want.Name); err != nil {
			return readError("drop index "+want.Name+" of", coll, err)
		}
		if err := db.createIndex(ctx, coll, want.plain()); err != nil {
			return err
		}
	}
	if want.Unique {
		l.add(lacksSafetyNet, name)
	} else {
		l.add(lacksPartial, name)
	}
	return nil
}

// checkStrangers refuses indexes that somebody else made where they would
// refuse a write or delete a document. Others are none of our business.
func checkStrangers(coll string, wanted []index, kept map[string]*keptIndex) error {
	for name, have := range kept {
		ours := name == "_id_" || slices.ContainsFunc(wanted, func(i index) bool { return i.Name == name })
		if !ours && (have.Unique || !have.TTL.IsZero()) {
			return fmt.Errorf("index %s of %s is none of Raseed's, and would refuse or delete documents: drop it and start again", name, coll)
		}
	}
	return nil
}

// sameKeys compares paths and directions.
func sameKeys(have bson.D, want []docdb.Key) bool {
	if len(have) != len(want) {
		return false
	}
	for i, k := range want {
		way := 1
		if k.Desc {
			way = -1
		}
		if have[i].Key != k.Path || direction(have[i].Value) != way {
			return false
		}
	}
	return true
}

// direction is 1 or -1, which servers list as any numeric type, and 0 for an
// index that has none ("text", "hashed" and the like).
func direction(v any) int {
	switch d := v.(type) {
	case int32:
		return int(d)
	case int64:
		return int(d)
	case float64:
		return int(d)
	default:
		return 0
	}
}
