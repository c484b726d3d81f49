package mongodb

import (
	"context"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// UpdateOne changes one matching document; DuplicateKeyError, ErrUnavailable,
// ErrUnknownOutcome. No match is no error.
func (db *DB) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	var out docdb.UpdateResult
	change := options.UpdateOne().SetUpsert(opts.Upsert).SetComment(docdb.Shape("update", coll, filter, nil))
	err := db.write(ctx, "update", coll, db.timeout, func(ctx context.Context) error {
		res, err := db.db.Collection(coll).UpdateOne(ctx, where(filter), update, change)
		if err != nil {
			return err
		}
		out = docdb.UpdateResult{Matched: res.MatchedCount, Modified: res.ModifiedCount, Upserted: res.UpsertedCount > 0}
		return nil
	})
	return out, err
}

// FindOneAndUpdate changes one matching document and decodes it into out as it
// was before, or with After as it became. ErrNotFound: none matched, or an
// upsert made one and there is no before.
func (db *DB) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	change := options.FindOneAndUpdate().SetUpsert(opts.Upsert).SetComment(docdb.Shape("findAndUpdate", coll, filter, opts.Sort))
	if opts.After {
		change.SetReturnDocument(options.After)
	}
	if len(opts.Sort) > 0 {
		change.SetSort(keyDoc(opts.Sort))
	}
	var res *mongo.SingleResult
	err := db.write(ctx, "find and update", coll, db.timeout, func(ctx context.Context) error {
		res = db.db.Collection(coll).FindOneAndUpdate(ctx, where(filter), update, change)
		return res.Err()
	})
	if err != nil {
		return err
	}
	// Outside of write: the update is done, whatever decoding says.
	return readError("decode updated document of", coll, res.Decode(out))
}

// BulkWrite runs ops; the result counts what was done before or beside an
// error. With ErrUnknownOutcome more may have been done than it counts.
func (db *DB) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (docdb.BulkResult, error) {
	if len(ops) == 0 {
		return docdb.BulkResult{}, nil
	}
	models := make([]mongo.WriteModel, len(ops))
	for i, op := range ops {
		models[i] = mongo.NewUpdateOneModel().SetFilter(where(op.Filter)).SetUpdate(op.Update).SetUpsert(op.Upsert)
	}
	bulk := options.BulkWrite().SetOrdered(ordered).SetComment(docdb.Shape("bulk", coll, docdb.FirstFilter(ops), nil))
	var out docdb.BulkResult
	err := db.write(ctx, "bulk update", coll, db.timeFor(len(ops)), func(ctx context.Context) error {
		res, err := db.db.Collection(coll).BulkWrite(ctx, models, bulk)
		if res != nil {
			out = bulkResult(res, ordered && err != nil)
		}
		return err
	})
	return out, err
}

// bulkResult reads the driver's result. The server counts an upsert as a
// match; the driver takes that back, but not when an ordered bulk stopped.
func bulkResult(res *mongo.BulkWriteResult, stopped bool) docdb.BulkResult {
	out := docdb.BulkResult{Matched: res.MatchedCount, Modified: res.ModifiedCount}
	if stopped {
		out.Matched -= res.UpsertedCount
	}
	for _, position := range slices.Sorted(maps.Keys(res.UpsertedIDs)) {
		out.Upserts = append(out.Upserts, int(position))
	}
	return out
}
