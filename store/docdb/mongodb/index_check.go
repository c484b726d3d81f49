package mongodb

import (
	"bytes"
	"context"
	"fmt"

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
// is an error; what is only slower or left to us is logged.
func (db *DB) checkIndex(ctx context.Context, coll string, want index, have *keptIndex) error {
	log := db.log.With("collection", coll, "index", want.Name)
	switch {
	case have == nil && want.Unique && want.Partial == nil:
		return fmt.Errorf("unique index %s of %s: the server accepted it and does not list it", want.Name, coll)
	case have == nil:
		log.Warn("the server accepted an index and does not list it: reading is slower")
		have = &keptIndex{}
	case !sameKeys(have.Keys, want.Keys):
		return fmt.Errorf("index %s of %s: the server has one of that name on %v; drop it and start again", want.Name, coll, have.Keys)
	case have.Unique && !want.Unique:
		return fmt.Errorf("index %s of %s: it is unique on the server and must not be; drop it and start again", want.Name, coll)
	case want.Unique && want.Partial == nil && (!have.Unique || have.Partial != nil):
		return fmt.Errorf("index %s of %s: it must be unique and is not on this server; drop it and start again, or use another server", want.Name, coll)
	}
	if want.Partial != nil {
		if err := db.checkPartial(ctx, coll, want, have); err != nil {
			return err
		}
	}
	if want.ttl && have.TTL.IsZero() {
		log.Warn("the server has no TTL indexes: this process deletes the expired documents")
		db.startSweeping()
	}
	return nil
}

// checkPartial looks after an index that should be over some documents only. A
// unique one of these is the ledger's safety net: numbers are kept apart by
// the counters, with or without it.
func (db *DB) checkPartial(ctx context.Context, coll string, want index, have *keptIndex) error {
	log := db.log.With("collection", coll, "index", want.Name)
	switch {
	case have.Partial != nil && have.Unique == want.Unique:
		if filter, err := bson.Marshal(want.Partial); err != nil || !bytes.Equal(filter, have.Partial) {
			log.Warn("a partial index has another filter on the server", "have", have.Partial.String())
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
		log.Warn("the safety net is off: the server has no partial unique indexes; the protocol does not need it, audit does its work")
	} else {
		log.Warn("the server has no partial indexes: the index is over all documents, larger and otherwise the same")
	}
	return nil
}

// sameKeys compares paths and directions; servers list directions as any
// numeric type.
func sameKeys(have bson.D, want []docdb.Key) bool {
	if len(have) != len(want) {
		return false
	}
	for i, k := range want {
		if have[i].Key != k.Path || isDescending(have[i].Value) != k.Desc {
			return false
		}
	}
	return true
}

func isDescending(direction any) bool {
	switch d := direction.(type) {
	case int32:
		return d < 0
	case int64:
		return d < 0
	case float64:
		return d < 0
	default: // "text", "hashed" and the like: of no direction
		return false
	}
}
