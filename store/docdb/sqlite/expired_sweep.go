package sqlite

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// sweepEvery is how often what has expired is deleted, as on MongoDB.
const sweepEvery = time.Minute

func (db *DB) sweepUntil(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := db.Sweep(ctx); err != nil && ctx.Err() == nil {
			db.opts.Log.Warn("sweep of expired documents failed", "error", err)
		}
	}
}

// Sweep deletes the documents whose TTL field has passed, and says how many.
func (db *DB) Sweep(ctx context.Context) (int64, error) {
	if db.opts.Now == nil {
		return 0, errors.New("sweep: there is no clock")
	}
	now := db.opts.Now()
	n := int64(0)
	for _, k := range *db.collections.Load() {
		if k.ttl == "" {
			continue
		}
		gone, err := db.DeleteMany(ctx, k.name, bson.D{{Key: k.ttl, Value: bson.D{{Key: "$lte", Value: now}}}})
		n += gone
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
