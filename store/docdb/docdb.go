// Package docdb is the narrow waist between the ledger and what keeps it: the
// part of MongoDB's language that store may use, spoken in bson.D. Engines are
// mongodb (the official driver) and sqlite (an embedded file). Anything outside
// the subset is refused by the sqlite engine at once, so code that passes there
// runs on MongoDB.
//
// The subset
//
//   - Documents: string, int64 (never int32 or double), bool, UTC datetime,
//     binary, arrays and documents. No null: a field is there or it is not.
//     "_id" is a string, present on every insert.
//   - Filters: equality on dotted paths; $gt $gte $lt $lte $in $ne $exists;
//     $and, $or. A path that is declared as multikey matches an element.
//   - Updates: $set $unset $inc $max $min $setOnInsert $push $pull.
//   - Only single-document atomicity is promised.
package docdb

import (
	"context"
	"errors"
	"iter"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Errors an engine answers with, besides DuplicateKeyError. Everything else is
// a fault of the caller or the engine and is not meant to be handled.
var (
	// ErrNotFound: no document matched.
	ErrNotFound = errors.New("docdb: not found")
	// ErrUnavailable: the engine could not be reached; nothing was attempted.
	ErrUnavailable = errors.New("docdb: unavailable")
	// ErrUnknownOutcome: the write may or may not have been applied. The
	// caller reads back; it never assumes.
	ErrUnknownOutcome = errors.New("docdb: unknown outcome")
)

// DuplicateKeyError says that a unique index refused a write.
type DuplicateKeyError struct {
	Index string // "_id_" or Index.Name; "" where the server does not tell
}

func (e *DuplicateKeyError) Error() string { return "docdb: duplicate key in index " + e.Index }

// IsDuplicate says whether err is a DuplicateKeyError.
func IsDuplicate(err error) bool {
	var d *DuplicateKeyError
	return errors.As(err, &d)
}

// DB is an open database. Its methods are safe for concurrent use.
type DB interface {
	// Ensure creates the collections and indexes that are not there yet.
	// It is called once, before anything else.
	Ensure(ctx context.Context, collections []Collection) error

	InsertOne(ctx context.Context, coll string, doc any) error
	// InsertMany inserts in order and stops at the first error; n is how many
	// went in.
	InsertMany(ctx context.Context, coll string, docs []any) (n int64, err error)

	// FindOne decodes the first match into out (a pointer); ErrNotFound.
	FindOne(ctx context.Context, coll string, filter bson.D, opts Find, out any) error
	// Find streams the matches. A sequence that is not exhausted is closed
	// when the loop ends. An error ends it.
	Find(ctx context.Context, coll string, filter bson.D, opts Find) iter.Seq2[bson.Raw, error]

	// UpdateOne changes one matching document. With upsert the equality
	// fields of the filter and $setOnInsert make the new one.
	UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts Update) (UpdateResult, error)
	// FindOneAndUpdate is UpdateOne that decodes the document as it was
	// before, or with After as it became; ErrNotFound.
	FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts Update, out any) error
	// BulkWrite runs update-ones. Each is atomic by itself, the whole is not.
	// Unordered goes on after an error and returns the first.
	BulkWrite(ctx context.Context, coll string, ops []UpdateOp, ordered bool) (BulkResult, error)

	// DeleteOne and DeleteMany are for holds, sessions and the like; never
	// for rows of the ledger.
	DeleteOne(ctx context.Context, coll string, filter bson.D) (int64, error)
	DeleteMany(ctx context.Context, coll string, filter bson.D) (int64, error)

	// Count counts the matches, at most limit of them when limit > 0.
	Count(ctx context.Context, coll string, filter bson.D, limit int64) (int64, error)
	// Group folds the matches into one document per combination of the By
	// fields: {by1, by2 …, as1, as2 …}, dots in By kept as nested documents'
	// last name. Order is by the By fields. No match: no document.
	Group(ctx context.Context, coll string, filter bson.D, g Group) ([]bson.Raw, error)

	// Explain tells how a Find would be run.
	Explain(ctx context.Context, coll string, filter bson.D, opts Find) (Plan, error)

	Ping(ctx context.Context) error
	Close() error
}

// Collection declares a collection and what is promised about it.
type Collection struct {
	Name    string
	Indexes []Index
	// TTL names a datetime field after which a document may be deleted, "" for
	// none. It only cleans up; nothing may depend on when.
	TTL string
	// Schema is what every document has to look like, in MongoDB's $jsonSchema
	// language; nil for anything. It is a second line of defence, against hands
	// and bugs: the mongodb engine gives it to the server as a validator, the
	// sqlite engine does not look at it, and docdbtest.Validated holds tests to
	// it.
	Schema bson.D
	// Shard names the field by which a sharded cluster may distribute the
	// collection, "" where it has to stay whole. Every unique index begins with
	// it, "_id" says it too, and every write's filter has it and the "_id".
	Shard string
}

// Index declares an index. Names are unique within the collection.
type Index struct {
	Name   string
	Keys   []Key
	Unique bool
	// Partial limits the index to documents that match: {field: {$exists:
	// true}} or {field: value}, conjunctions of these. A unique index over a
	// field that may be missing has to be partial.
	Partial bson.D
}

// Key is one field of an index. Multi says that the field is an array of
// strings, each of which is indexed (at most one such field in an index).
type Key struct {
	Path  string
	Desc  bool
	Multi bool
}

// Find are the options of a read. Sort ends in a unique field; Skip does not
// exist on purpose: lists page by key.
type Find struct {
	Sort  []Key
	Limit int64
	// Fields are the only fields to return (with _id); all when empty.
	Fields []string
}

// Update are the options of an update.
type Update struct {
	Upsert bool
	// After makes FindOneAndUpdate return the document as it became.
	After bool
	// Sort chooses which match FindOneAndUpdate takes.
	Sort []Key
}

// UpdateResult says what an update did. On an upsert that inserted, Matched is
// 0 and Upserted true.
type UpdateResult struct {
	Matched  int64
	Modified int64
	Upserted bool
}

// UpdateOp is one update-one of a BulkWrite.
type UpdateOp struct {
	Filter bson.D
	Update bson.D
	Upsert bool
}

// BulkResult sums a BulkWrite. Upserts holds the positions of the operations
// that inserted.
type BulkResult struct {
	Matched  int64
	Modified int64
	Upserts  []int
}

// Group describes a fold.
type Group struct {
	By   []string
	Accs []Acc
}

// Acc is one accumulator. Path is ignored for count. A sum over documents that
// lack the field is 0; a min or max over none is absent.
type Acc struct {
	As   string
	Op   AccOp
	Path string
}

// AccOp is what an accumulator does.
type AccOp string

// The accumulators.
const (
	Sum    AccOp = "sum"
	CountN AccOp = "count"
	Min    AccOp = "min"
	Max    AccOp = "max"
)

// Plan is how a Find would be run. Scan means that the engine would read
// documents that no index chose; Sorted in memory is MemorySort.
type Plan struct {
	Scan       bool
	MemorySort bool
	Index      string // the index used, "_id_" for the key, "" when unknown
	Text       string // the engine's own words
}

// All decodes every document of a Find into a T.
func All[T any](docs iter.Seq2[bson.Raw, error]) ([]T, error) {
	var out []T
	for raw, err := range docs {
		if err != nil {
			return nil, err
		}
		var t T
		if err := bson.Unmarshal(raw, &t); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Damage is something an engine keeps that does not hold together.
type Damage struct {
	Coll string // "" for the file as a whole
	ID   string // the document, "" where it cannot be told
	Text string // for people
}

// Checker is an engine that keeps more than the documents themselves, and can
// tell where that no longer agrees with them.
type Checker interface {
	// Check reads everything and yields what is damaged. An error ends it.
	Check(ctx context.Context) iter.Seq2[Damage, error]
}
