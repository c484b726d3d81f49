package docdbtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// fill inserts n documents of an institute.
func fill(t *testing.T, db docdb.DB, institute string, n int) {
	t.Helper()
	docs := make([]any, n)
	for i := range docs {
		docs[i] = d("_id", fmt.Sprintf("%s:%06d", institute, i), "institute", institute, "v", int64(i), "head", fmt.Sprint("H", i%7), "total", int64(i))
	}
	if _, err := db.InsertMany(ctx, "things", docs); err != nil {
		t.Fatalf("fill: %v", err)
	}
}

func (s *suite) streams(t *testing.T) {
	s.run(t, "flat memory", func(t *testing.T) {
		db := s.db(t)
		const n = 100_000
		fill(t, db, "P", n)
		var base, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&base)
		seen := int64(0)
		for doc, err := range db.Find(ctx, "things", d("institute", "P"), docdb.Find{Sort: keys("v", "_id")}) {
			must(t, err)
			if v := doc.Lookup("v").Int64(); v != seen {
				t.Fatalf("document %d has v %d: out of order", seen, v)
			}
			if seen++; seen%20_000 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&now)
				if grown := int64(now.HeapAlloc) - int64(base.HeapAlloc); grown > 8<<20 {
					t.Fatalf("%d documents into the stream the heap has grown by %d MiB: they are held", seen, grown>>20)
				}
			}
		}
		if seen != n {
			t.Errorf("saw %d documents, want %d", seen, n)
		}
	})
	s.run(t, "early end", func(t *testing.T) {
		db := s.db(t)
		fill(t, db, "P", 500)
		for range 300 { // were a cursor or connection kept, this would run out of them
			for _, err := range db.Find(ctx, "things", d("institute", "P"), docdb.Find{}) {
				must(t, err)
				break
			}
		}
		insert(t, db, "things", d("_id", "P:new", "institute", "P"))
		one(t, db, "things", "P:new")
	})
	s.run(t, "twice from one sequence", func(t *testing.T) {
		db := s.db(t)
		fill(t, db, "P", 5)
		docs := db.Find(ctx, "things", d("institute", "P"), docdb.Find{})
		if a, b := ids(t, docs), ids(t, docs); len(a) != 5 || len(b) != 5 {
			t.Errorf("saw %d, then %d documents, want 5 each", len(a), len(b))
		}
	})
	s.run(t, "reads and writes within", func(t *testing.T) {
		db := s.db(t)
		fill(t, db, "P", 300)
		for doc, err := range db.Find(ctx, "things", d("institute", "P"), docdb.Find{}) {
			must(t, err)
			id := doc.Lookup("_id").StringValue()
			_, err := db.UpdateOne(ctx, "things", d("_id", id), d("$set", d("seen", true)), docdb.Update{})
			must(t, err)
			if !one(t, db, "things", id).Lookup("seen").Boolean() {
				t.Fatalf("%s: what was written within the loop is not read within it", id)
			}
		}
		if n, err := db.Count(ctx, "things", d("institute", "P", "seen", true), 0); n != 300 || err != nil {
			t.Errorf("%d documents were updated (%v), want 300", n, err)
		}
	})
	s.run(t, "nested by many", func(t *testing.T) {
		db := s.db(t)
		fill(t, db, "P", 20)
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				n := 0
				find := func(f func()) {
					for _, err := range db.Find(ctx, "things", d("institute", "P"), docdb.Find{Limit: 8}) {
						if err != nil {
							t.Error(err)
						}
						f()
					}
				}
				find(func() { find(func() { find(func() { n++ }) }) })
				if n != 8*8*8 {
					t.Errorf("three loops within each other ran %d times, want 512", n)
				}
			})
		}
		all.Wait()
	})
}

func (s *suite) counts(t *testing.T) {
	db := s.db(t)
	fill(t, db, "P", 150)
	for _, c := range []struct {
		filter bson.D
		limit  int64
		want   int64
	}{
		{d("institute", "P"), 0, 150},
		{d("institute", "P"), 20, 20},
		{d("institute", "P"), 1000, 150},
		{d("institute", "P", "v", d("$lt", int64(10))), 0, 10},
		{d("institute", "P", "note", d("$exists", false)), 7, 7},
		{d("institute", "Q"), 0, 0},
		{d("institute", "Q"), 5, 0},
		{bson.D{}, 0, 150},
		{nil, 0, 150},
	} {
		s.run(t, fmt.Sprint(c.filter, " limit ", c.limit), func(t *testing.T) {
			if n, err := db.Count(ctx, "things", c.filter, c.limit); n != c.want || err != nil {
				t.Errorf("%d (%v), want %d", n, err, c.want)
			}
		})
	}
}

func (s *suite) contexts(t *testing.T) {
	db := s.db(t)
	fill(t, db, "P", 2000)
	s.run(t, "ended before", func(t *testing.T) {
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := db.InsertOne(gone, "things", d("_id", "P:x")); err == nil {
			t.Error("an insert whose context had ended says that it was done")
		}
		var out bson.Raw
		if err := db.FindOne(gone, "things", d("_id", "P:000001"), docdb.Find{}, &out); !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v, want context.Canceled within it", err)
		}
		if n, _ := db.Count(ctx, "things", d("_id", "P:x"), 0); n != 0 {
			t.Error("an insert whose context had ended was done")
		}
	})
	s.run(t, "ended within a stream", func(t *testing.T) {
		going, cancel := context.WithCancel(ctx)
		defer cancel()
		n, failed := 0, error(nil)
		for _, err := range db.Find(going, "things", d("institute", "P"), docdb.Find{}) {
			if failed = err; err != nil {
				break
			}
			if n++; n == 5 {
				cancel()
			}
		}
		if !errors.Is(failed, context.Canceled) {
			t.Errorf("after %d documents the stream ended with %v, want context.Canceled within it", n, failed)
		}
		one(t, db, "things", "P:000001")
	})
}
