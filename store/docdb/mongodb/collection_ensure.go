package mongodb

import (
	"context"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// ensureTimeout bounds a start: an index over a large ledger is built in it.
const ensureTimeout = time.Hour

// Codes of answers to create and collMod.
const (
	codeNamespaceExists = 48
	codeUnauthorized    = 13
)

// Ensure creates the collections, validators and indexes that are not there
// yet, and changes validators that differ. It reads all of it back, logs what
// the server does not keep, a line for each kind, and takes over what can be
// done without. An error that is not ErrUnavailable says that the database
// would break a promise, and what to do about it.
func (db *DB) Ensure(ctx context.Context, collections []docdb.Collection) error {
	ctx, done := db.within(ctx, ensureTimeout)
	defer done()
	l := lacks{}
	for _, ensure := range []func(context.Context, []docdb.Collection, lacks) error{
		db.ensureCollections, db.checkShards, db.checkRetries,
	} {
		if err := ensure(ctx, collections, l); err != nil {
			return err
		}
	}
	for _, c := range collections {
		if c.TTL != "" {
			db.mu.Lock()
			db.ttl[c.Name] = c.TTL
			db.mu.Unlock()
		}
		if err := db.ensureIndexes(ctx, c, l); err != nil {
			return err
		}
	}
	l.log(db.log)
	return nil
}

// keptCollection is a collection as the server lists it.
type keptCollection struct {
	Validator bson.Raw `bson:"validator"`
	Level     string   `bson:"validationLevel"`
	Action    string   `bson:"validationAction"`
	Collation bson.Raw `bson:"collation"`
}

// validates says whether every write to the collection is held to c's schema:
// a server lists the level and the action where they are not the usual ones.
func (k keptCollection) validates(c docdb.Collection) bool {
	return sameDocument(k.Validator, validator(c)) && (k.Level == "" || k.Level == "strict") && (k.Action == "" || k.Action == "error")
}

func (db *DB) keptCollections(ctx context.Context) (map[string]keptCollection, error) {
	list, err := db.db.ListCollectionSpecifications(ctx, bson.D{})
	if err != nil {
		return nil, readError("list collections of", db.db.Name(), err)
	}
	kept := make(map[string]keptCollection, len(list))
	for _, c := range list {
		var k keptCollection
		if len(c.Options) > 0 {
			if err := bson.Unmarshal(c.Options, &k); err != nil {
				return nil, fmt.Errorf("list collections of %s: %w", db.db.Name(), err)
			}
		}
		kept[c.Name] = k
	}
	return kept, nil
}

func (db *DB) ensureCollections(ctx context.Context, collections []docdb.Collection, l lacks) error {
	kept, err := db.keptCollections(ctx)
	if err != nil {
		return err
	}
	changed := false
	lack := map[string]string{}
	for _, c := range collections {
		have, there := kept[c.Name]
		switch {
		case !there:
			err = db.create(ctx, c)
		case have.Collation != nil:
			return fmt.Errorf("collection %s: it has a collation, by which keys that differ would be the same; make a database without one and start again", c.Name)
		case c.Schema == nil || have.validates(c):
			continue
		default:
			lack[c.Name], err = db.setValidator(ctx, c)
		}
		if err != nil {
			return err
		}
		changed = true
	}
	if changed {
		if kept, err = db.keptCollections(ctx); err != nil {
			return err
		}
	}
	for _, c := range collections {
		if c.Schema == nil || kept[c.Name].validates(c) {
			continue
		}
		if lack[c.Name] == "" {
			lack[c.Name] = lacksValidators
		}
		l.add(lack[c.Name], c.Name)
	}
	return nil
}

// create makes a collection, without a validator where the server refuses that.
func (db *DB) create(ctx context.Context, c docdb.Collection) error {
	var err error
	if c.Schema != nil {
		err = db.db.CreateCollection(ctx, c.Name, options.CreateCollection().
			SetValidator(validator(c)).SetValidationLevel("strict").SetValidationAction("error"))
	}
	if c.Schema == nil || hasCode(err, optionRefusedCodes...) {
		err = db.db.CreateCollection(ctx, c.Name)
	}
	if hasCode(err, codeNamespaceExists) { // another process starts at the same time
		return nil
	}
	return readError("create collection", c.Name, err)
}

// setValidator gives a collection that is there its validator; lack says why
// the server did not take it.
func (db *DB) setValidator(ctx context.Context, c docdb.Collection) (lack string, err error) {
	err = db.db.RunCommand(ctx, bson.D{
		{Key: "collMod", Value: c.Name},
		{Key: "validator", Value: validator(c)},
		{Key: "validationLevel", Value: "strict"},
		{Key: "validationAction", Value: "error"},
	}).Err()
	switch {
	case hasCode(err, codeUnauthorized):
		return lacksCollMod, nil
	case hasCode(err, optionRefusedCodes...):
		return lacksValidators, nil
	default:
		return "", readError("set the validator of", c.Name, err)
	}
}

func validator(c docdb.Collection) bson.D {
	return bson.D{{Key: "$jsonSchema", Value: c.Schema}}
}

// sameDocument compares what the server lists with what it was given; servers
// list numbers as any numeric type.
func sameDocument(have bson.Raw, want bson.D) bool {
	wanted, err := bson.Marshal(want)
	return err == nil && have != nil && plain(have) == plain(wanted)
}

// plain is a document as JSON that does not tell numeric types apart.
func plain(doc bson.Raw) string {
	text, err := bson.MarshalExtJSON(doc, false, false)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
