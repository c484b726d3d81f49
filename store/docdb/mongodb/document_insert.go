package mongodb

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// InsertOne inserts doc, durable on a majority when it returns nil.
func (db *DB) InsertOne(ctx context.Context, coll string, doc any) error {
	return db.write(ctx, "insert into", coll, db.timeout, func(ctx context.Context) error {
		_, err := db.db.Collection(coll).InsertOne(ctx, doc, options.InsertOne().SetComment(docdb.Shape("insert", coll, nil, nil)))
		return err
	})
}

// InsertMany inserts docs in order up to the first that is refused. With
// ErrUnknownOutcome n is 0: how many went in is part of what is not known.
func (db *DB) InsertMany(ctx context.Context, coll string, docs []any) (n int64, err error) {
	if len(docs) == 0 {
		return 0, nil
	}
	err = db.write(ctx, "insert into", coll, db.timeFor(len(docs)), func(ctx context.Context) error {
		res, err := db.db.Collection(coll).InsertMany(ctx, docs, options.InsertMany().SetComment(docdb.Shape("insertMany", coll, nil, nil)))
		var refused mongo.BulkWriteException
		if err == nil || errors.As(err, &refused) && refused.WriteConcernError == nil {
			n = int64(len(res.InsertedIDs))
		}
		return err
	})
	return n, err
}
