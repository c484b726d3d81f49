package docdbtest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

const racers = 16

// race runs f from many goroutines that start at once.
func race(f func(n int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for n := range racers {
		all.Go(func() {
			<-start
			f(n)
		})
	}
	close(start)
	all.Wait()
}

func (s *suite) races(t *testing.T) {
	s.run(t, "increments", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "counters", d("_id", "c", "seq", int64(0)))
		const each = 100
		var mu sync.Mutex
		var got []int64
		race(func(int) {
			for range each {
				var out struct {
					Seq int64 `bson:"seq"`
				}
				if err := db.FindOneAndUpdate(ctx, "counters", d("_id", "c"), d("$inc", d("seq", int64(1))), docdb.Update{After: true}, &out); err != nil {
					t.Error(err)
				}
				mu.Lock()
				got = append(got, out.Seq)
				mu.Unlock()
			}
		})
		slices.Sort(got)
		for i, n := range got {
			if n != int64(i+1) {
				t.Fatalf("place %d holds %d: a number was lost or given twice", i+1, n)
			}
		}
		same(t, one(t, db, "counters", "c"), d("_id", "c", "seq", int64(racers*each)))
	})
	s.run(t, "compare and set", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "counters", d("_id", "c", "seq", int64(0)))
		const goal = 400
		var won atomic.Int64
		race(func(n int) {
			for {
				var c struct {
					Seq int64 `bson:"seq"`
				}
				if err := db.FindOne(ctx, "counters", d("_id", "c"), docdb.Find{}, &c); err != nil {
					t.Error(err)
					return
				}
				if c.Seq >= goal {
					return
				}
				var after bson.Raw
				err := db.FindOneAndUpdate(ctx, "counters", d("_id", "c", "seq", c.Seq), d("$inc", d("seq", int64(1)), "$set", d("holder", fmt.Sprint(n))), docdb.Update{After: true}, &after)
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, docdb.ErrNotFound) {
					t.Error(err)
					return
				}
			}
		})
		if won.Load() != goal {
			t.Errorf("%d of %d steps were won by somebody", won.Load(), goal)
		}
	})
	s.run(t, "inserts of one key", func(t *testing.T) {
		db := s.db(t)
		for round := range 30 {
			var won atomic.Int64
			id := fmt.Sprint("r", round)
			race(func(n int) {
				err := db.InsertOne(ctx, "plain", d("_id", id, "by", int64(n)))
				if err == nil {
					won.Add(1)
				} else if !docdb.IsDuplicate(err) {
					t.Error(err)
				}
			})
			if won.Load() != 1 {
				t.Fatalf("round %d: %d inserts of one key won", round, won.Load())
			}
		}
	})
	s.run(t, "inserts of one number", func(t *testing.T) {
		db := s.db(t)
		for round := range 30 {
			var won atomic.Int64
			race(func(n int) {
				err := db.InsertOne(ctx, "things", d("_id", fmt.Sprint("r", round, "by", n), "institute", "P", "series", "r", "number", int64(round)))
				if err == nil {
					won.Add(1)
				} else if !docdb.IsDuplicate(err) {
					t.Error(err)
				}
			})
			if won.Load() != 1 {
				t.Fatalf("round %d: %d documents got one number", round, won.Load())
			}
		}
	})
	s.run(t, "upserts of one key", func(t *testing.T) {
		db := s.db(t)
		for round := range 30 {
			var inserted atomic.Int64
			id := fmt.Sprint("P:", round)
			race(func(n int) {
				res, err := db.UpdateOne(ctx, "plain", d("_id", id), d("$setOnInsert", d("by", int64(n))), docdb.Update{Upsert: true})
				if res.Upserted {
					inserted.Add(1)
				}
				// A server may tell the loser of the race so.
				if err != nil && !docdb.IsDuplicate(err) {
					t.Error(err)
				}
			})
			if n, _ := db.Count(ctx, "plain", d("_id", id), 0); n != 1 || inserted.Load() != 1 {
				t.Fatalf("round %d: %d documents, %d say they made it, want 1 and 1", round, n, inserted.Load())
			}
		}
	})
	s.run(t, "set once", func(t *testing.T) {
		db := s.db(t)
		for round := range 30 {
			id := fmt.Sprint("P:", round)
			insert(t, db, "things", d("_id", id, "institute", "P", "series", "r"))
			var won atomic.Int64
			race(func(n int) {
				res, err := db.BulkWrite(ctx, "things", []docdb.UpdateOp{{
					Filter: d("_id", id, "number", d("$exists", false)),
					Update: d("$set", d("number", int64(round*100+n))),
				}}, false)
				if err != nil {
					t.Error(err)
				}
				won.Add(res.Modified)
			})
			if won.Load() != 1 {
				t.Fatalf("round %d: a field that is set once was set %d times", round, won.Load())
			}
		}
	})
	s.run(t, "pushes", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "plain", d("_id", "p"))
		race(func(n int) {
			for i := range 20 {
				if _, err := db.UpdateOne(ctx, "plain", d("_id", "p"), d("$push", d("list", int64(n*100+i))), docdb.Update{}); err != nil {
					t.Error(err)
				}
			}
		})
		var out struct {
			List []int64 `bson:"list"`
		}
		must(t, db.FindOne(ctx, "plain", d("_id", "p"), docdb.Find{}, &out))
		slices.Sort(out.List)
		if len(slices.Compact(out.List)) != racers*20 {
			t.Errorf("%d different items are in the list, want %d", len(out.List), racers*20)
		}
	})
}
