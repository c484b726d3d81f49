package mongodb

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// DeleteOne deletes one match and says how many it was.
func (db *DB) DeleteOne(ctx context.Context, coll string, filter bson.D) (int64, error) {
	return remove(ctx, coll, func(ctx context.Context) (*mongo.DeleteResult, error) {
		return db.db.Collection(coll).DeleteOne(ctx, where(filter))
	})
}

// DeleteMany deletes every match and says how many they were.
func (db *DB) DeleteMany(ctx context.Context, coll string, filter bson.D) (int64, error) {
	return remove(ctx, coll, func(ctx context.Context) (*mongo.DeleteResult, error) {
		return db.db.Collection(coll).DeleteMany(ctx, where(filter))
	})
}

func remove(ctx context.Context, coll string, do func(context.Context) (*mongo.DeleteResult, error)) (n int64, err error) {
	err = write(ctx, "delete from", coll, func(ctx context.Context) error {
		res, err := do(ctx)
		if err == nil {
			n = res.DeletedCount
		}
		return err
	})
	return n, err
}
