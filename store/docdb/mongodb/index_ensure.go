package mongodb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// index is a declared index, or the one behind a collection's TTL.
type index struct {
	docdb.Index
	ttl bool
}

func indexesOf(c docdb.Collection) []index {
	var all []index
	for _, i := range c.Indexes {
		all = append(all, index{Index: i})
	}
	if c.TTL != "" {
		all = append(all, index{Index: docdb.Index{Name: "ttl_" + c.TTL, Keys: []docdb.Key{{Path: c.TTL}}}, ttl: true})
	}
	return all
}

// ensureIndexes creates the indexes of a collection that are not there yet, and
// reads all of them back.
func (db *DB) ensureIndexes(ctx context.Context, c docdb.Collection, l lacks) error {
	wanted := indexesOf(c)
	kept, err := db.keptIndexes(ctx, c.Name)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(wanted), func(i index) bool { _, ok := kept[i.Name]; return ok })
	if err := db.createIndexes(ctx, c.Name, missing); err != nil {
		return err
	}
	if len(missing) > 0 {
		if kept, err = db.keptIndexes(ctx, c.Name); err != nil {
			return err
		}
	}
	if err := checkStrangers(c.Name, wanted, kept); err != nil {
		return err
	}
	for _, i := range wanted {
		if err := db.checkIndex(ctx, c.Name, i, kept[i.Name], l); err != nil {
			return err
		}
	}
	return nil
}

// optionRefusedCodes: the server does not know a command or an option, in the
// words of different servers: BadValue, FailedToParse, CommandNotFound,
// CannotCreateIndex, InvalidOptions, CommandNotSupported,
// InvalidIndexSpecificationOption, NotImplemented, feature not supported.
var optionRefusedCodes = []int{2, 9, 59, 67, 72, 115, 197, 238, 303}

// createIndexes creates all in one command, for a server may build them in one
// pass. Where it refuses an option they are created one by one, those with the
// option as plain indexes, which are still good for reading.
func (db *DB) createIndexes(ctx context.Context, coll string, missing []index) error {
	if len(missing) == 0 {
		return nil
	}
	models := make([]mongo.IndexModel, len(missing))
	for i, m := range missing {
		models[i] = m.model()
	}
	_, err := db.db.Collection(coll).Indexes().CreateMany(ctx, models)
	if !hasCode(err, optionRefusedCodes...) {
		return createError(coll, "indexes", err)
	}
	for _, m := range missing {
		if err := db.createIndex(ctx, coll, m); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) createIndex(ctx context.Context, coll string, i index) error {
	_, err := db.db.Collection(coll).Indexes().CreateOne(ctx, i.model())
	if plain := i.plain(); hasCode(err, optionRefusedCodes...) && (i.ttl || i.Partial != nil) {
		_, err = db.db.Collection(coll).Indexes().CreateOne(ctx, plain.model())
	}
	return createError(coll, "index "+i.Name, err)
}

func createError(coll, what string, err error) error {
	if mongo.IsDuplicateKeyError(err) {
		return fmt.Errorf("create unique %s of %s: there are documents that it forbids: %w", what, coll, err)
	}
	return readError("create "+what+" of", coll, err)
}

// plain is the index without what a server may refuse. Unique without partial
// would forbid documents that are allowed, so it goes too.
func (i index) plain() index {
	if i.Partial != nil {
		i.Partial, i.Unique = nil, false
	}
	i.ttl = false
	return i
}

func (i index) model() mongo.IndexModel {
	opts := options.Index().SetName(i.Name)
	if i.Unique {
		opts.SetUnique(true)
	}
	if i.Partial != nil {
		opts.SetPartialFilterExpression(i.Partial)
	}
	if i.ttl {
		opts.SetExpireAfterSeconds(0)
	}
	return mongo.IndexModel{Keys: keyDoc(i.Keys), Options: opts}
}

func hasCode(err error, codes ...int) bool {
	var server mongo.ServerError
	return errors.As(err, &server) && slices.ContainsFunc(codes, server.HasErrorCode)
}
