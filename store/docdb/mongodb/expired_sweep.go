package mongodb

import (
	"context"
	"maps"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Sweep deletes the documents whose TTL field has passed, and says how many.
// Where the server keeps TTL indexes it does so by itself.
func (db *DB) Sweep(ctx context.Context) (n int64, err error) {
	db.mu.Lock()
	ttl := maps.Clone(db.ttl)
	db.mu.Unlock()
	now := db.now()
	for _, coll := range slices.Sorted(maps.Keys(ttl)) {
		gone, err := db.DeleteMany(ctx, coll, bson.D{{Key: ttl[coll], Value: bson.D{{Key: "$lte", Value: now}}}})
		n += gone
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// startSweeping sweeps every minute until Close.
func (db *DB) startSweeping() {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.stopSweeping != nil {
		return
	}
	var ctx context.Context
	ctx, db.stopSweeping = context.WithCancel(context.Background())
	db.sweeper.Go(func() {
		tick := time.NewTicker(db.sweepEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if _, err := db.Sweep(ctx); err != nil && ctx.Err() == nil {
				db.log.Warn("sweep of expired documents failed", "error", err)
			}
		}
	})
}
