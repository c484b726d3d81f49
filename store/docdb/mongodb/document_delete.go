package mongodb

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// DeleteOne deletes one match and says how many it was.
func (db *DB) DeleteOne(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = db.write(ctx, "delete from", coll, db.timeout, func(ctx context.Context) error {
		res, err := db.db.Collection(coll).DeleteOne(ctx, where(filter),
			options.DeleteOne().SetComment(docdb.Shape("delete", coll, filter, nil)))
		if err == nil {
			n = res.DeletedCount
		}
		return err
	})
	return n, err
}

// DeleteMany deletes every match and says how many they were.
func (db *DB) DeleteMany(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = db.write(ctx, "delete from", coll, manyDocuments*db.timeout, func(ctx context.Context) error {
		res, err := db.db.Collection(coll).DeleteMany(ctx, where(filter),
			options.DeleteMany().SetComment(docdb.Shape("deleteMany", coll, filter, nil)))
		if err == nil {
			n = res.DeletedCount
		}
		return err
	})
	return n, err
}
