package mongodb

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"

	"raseed/store/docdb"
)

// checkRetries finds out before the first payment does whether the server takes
// the driver's retryable writes: a standalone mongod behind a proxy, and some
// services, refuse every write that is one.
func (db *DB) checkRetries(ctx context.Context, collections []docdb.Collection, l lacks) error {
	if len(collections) == 0 {
		return nil
	}
	nothing := bson.D{{Key: "_id", Value: ""}}
	_, err := db.db.Collection(collections[0].Name).UpdateOne(ctx, nothing, bson.D{{Key: "$set", Value: bson.D{{Key: "probed", Value: true}}}})
	if !refusesRetries(err) {
		return nil // another error is for the operation that needs the answer
	}
	l.add(lacksRetries, db.db.Name())
	old := db.client
	if err := db.connect(db.db.Name(), db.clientOptions().SetRetryWrites(false)); err != nil {
		return err
	}
	if err := old.Disconnect(ctx); err != nil {
		return fmt.Errorf("connect without retryable writes: %w", err)
	}
	return nil
}

// refusesRetries knows the driver's reading of IllegalOperation ("Transaction
// numbers are only allowed on a replica set member or mongos"), and what
// services say.
func refusesRetries(err error) bool {
	var server mongo.ServerError
	return errors.Is(err, driver.ErrUnsupportedStorageEngine) ||
		errors.As(err, &server) && server.HasErrorMessage("etryable writes")
}
