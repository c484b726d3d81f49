package mongodb

import (
	"bytes"
	"context"
	"iter"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// batchDocs is how many documents one round trip of a Find brings. It bounds
// memory, which the server's own bound of 16 MB does not.
const batchDocs = 1000

// FindOne decodes the first match into out; ErrNotFound, ErrUnavailable.
func (db *DB) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	ctx, done := db.within(ctx, db.timeout)
	defer done()
	find := options.FindOne().SetComment(docdb.Shape("findOne", coll, filter, opts.Sort))
	if len(opts.Sort) > 0 {
		find.SetSort(keyDoc(opts.Sort))
	}
	if len(opts.Fields) > 0 {
		find.SetProjection(fieldDoc(opts.Fields))
	}
	return readError("find one in", coll, db.db.Collection(coll).FindOne(ctx, where(filter), find).Decode(out))
}

// Find streams the matches; each raw document is the caller's to keep.
// ErrUnavailable may come after some were seen.
func (db *DB) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		find := options.Find().SetBatchSize(batchSize(opts.Limit)).SetLimit(opts.Limit).
			SetComment(docdb.Shape("find", coll, filter, opts.Sort))
		if len(opts.Sort) > 0 {
			find.SetSort(keyDoc(opts.Sort))
		}
		if len(opts.Fields) > 0 {
			find.SetProjection(fieldDoc(opts.Fields))
		}
		first, done := db.within(ctx, db.timeout)
		cursor, err := db.db.Collection(coll).Find(first, where(filter), find)
		done()
		if err != nil {
			yield(nil, readError("find in", coll, err))
			return
		}
		defer db.closeCursor(ctx, cursor)
		for db.next(ctx, cursor) {
			// Current is the driver's: it promises the bytes until Next only.
			if !yield(bytes.Clone(cursor.Current), nil) {
				return
			}
		}
		if err := cursor.Err(); err != nil {
			yield(nil, readError("find in", coll, err))
		}
	}
}

// next goes to the next document. Each batch has an operation's time, however
// long the whole takes.
func (db *DB) next(ctx context.Context, cursor *mongo.Cursor) bool {
	if cursor.RemainingBatchLength() == 0 {
		var done context.CancelFunc
		ctx, done = db.within(ctx, db.timeout)
		defer done()
	}
	return cursor.Next(ctx)
}

// closeCursor has the server let go of a cursor, also when the reader has gone.
func (db *DB) closeCursor(ctx context.Context, cursor *mongo.Cursor) {
	ctx, done := db.within(context.WithoutCancel(ctx), db.timeout)
	defer done()
	_ = cursor.Close(ctx)
}

// Count counts the matches, at most limit of them when limit > 0.
func (db *DB) Count(ctx context.Context, coll string, filter bson.D, limit int64) (int64, error) {
	ctx, done := db.within(ctx, manyDocuments*db.timeout)
	defer done()
	count := options.Count().SetComment(docdb.Shape("count", coll, filter, nil))
	if limit > 0 {
		count.SetLimit(limit)
	}
	n, err := db.db.Collection(coll).CountDocuments(ctx, where(filter), count)
	return n, readError("count in", coll, err)
}

// batchSize lets a page come in one round trip: a batch that could hold one
// more than the limit tells the server that the cursor is done.
func batchSize(limit int64) int32 {
	if limit > 0 && limit < batchDocs {
		return int32(limit) + 1
	}
	return batchDocs
}

// where is filter as the driver wants it: never nil.
func where(filter bson.D) bson.D {
	if filter == nil {
		return bson.D{}
	}
	return filter
}

// keyDoc is the document of a sort or an index: {path: 1 or -1, …}.
func keyDoc(keys []docdb.Key) bson.D {
	doc := make(bson.D, len(keys))
	for i, k := range keys {
		doc[i] = bson.E{Key: k.Path, Value: int32(1)}
		if k.Desc {
			doc[i].Value = int32(-1)
		}
	}
	return doc
}

// fieldDoc is the projection to fields; _id comes by itself.
func fieldDoc(fields []string) bson.D {
	doc := make(bson.D, len(fields))
	for i, f := range fields {
		doc[i] = bson.E{Key: f, Value: int32(1)}
	}
	return doc
}
