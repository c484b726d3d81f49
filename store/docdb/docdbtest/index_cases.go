package docdbtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

func (s *suite) uniques(t *testing.T) {
	numbered := func(id string, n int64) bson.D {
		return d("_id", id, "institute", "P", "series", "r", "number", n)
	}
	s.run(t, "refuses a twin", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", numbered("P:1", 1), numbered("P:2", 2))
		wantDuplicate(t, db.InsertOne(ctx, "things", numbered("P:3", 2)), "by_number")
		found(t, db, "things", d("_id", "P:3"), nil)
	})
	s.run(t, "allows what differs", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", numbered("P:1", 1),
			d("_id", "Q:1", "institute", "Q", "series", "r", "number", int64(1)),
			d("_id", "P:2", "institute", "P", "series", "v", "number", int64(1)))
	})
	s.run(t, "minds only what is partial", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", d("_id", "P:1", "institute", "P", "series", "r"), d("_id", "P:2", "institute", "P", "series", "r"))
		insert(t, db, "things",
			d("_id", "P:3", "institute", "P", "code", "x", "kind", "coded"),
			d("_id", "P:4", "institute", "P", "code", "x", "kind", "other"),
			d("_id", "P:5", "institute", "P", "code", "x"),
			d("_id", "P:6", "institute", "P", "kind", "coded"),
			d("_id", "P:7", "institute", "P", "kind", "coded"))
		wantDuplicate(t, db.InsertOne(ctx, "things", d("_id", "P:8", "institute", "P", "code", "x", "kind", "coded")), "by_code")
	})
	s.run(t, "on update", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", numbered("P:1", 1), d("_id", "P:2", "institute", "P", "series", "r"))
		_, err := db.UpdateOne(ctx, "things", d("_id", "P:2"), d("$set", d("number", int64(1), "note", "x")), docdb.Update{})
		wantDuplicate(t, err, "by_number")
		same(t, one(t, db, "things", "P:2"), d("_id", "P:2", "institute", "P", "series", "r"))
	})
	s.run(t, "free again", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", numbered("P:1", 1), numbered("P:2", 2))
		_, err := db.DeleteOne(ctx, "things", d("_id", "P:1"))
		must(t, err)
		insert(t, db, "things", numbered("P:3", 1))
		_, err = db.UpdateOne(ctx, "things", d("_id", "P:2"), d("$unset", d("number", "")), docdb.Update{})
		must(t, err)
		insert(t, db, "things", numbered("P:4", 2))
	})
}

func (s *suite) expiry(t *testing.T) {
	db := s.db(t)
	insert(t, db, "holds",
		d("_id", "past", "expiresAt", time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)),
		d("_id", "future", "expiresAt", time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)),
		d("_id", "never"))
	sweep, ok := db.(interface {
		Sweep(context.Context) (int64, error)
	})
	if !ok {
		t.Skip("this engine sweeps in its own time")
	}
	n, err := sweep.Sweep(ctx)
	if err != nil || n != 1 {
		t.Errorf("swept %d (%v), want 1", n, err)
	}
	found(t, db, "holds", bson.D{}, []string{"future", "never"})
}

// plans checks that what an index is declared for is found by it.
func (s *suite) plans(t *testing.T) {
	db := s.db(t)
	for i := range 300 {
		insert(t, db, "things", d("_id", fmt.Sprintf("P:%03d", i), "institute", "P", "v", int64(i%50), "date", fmt.Sprint(i/10), "series", "r", "number", int64(i), "tags", bson.A{fmt.Sprint("t", i%9)}))
	}
	newest := []docdb.Key{{Path: "date", Desc: true}, {Path: "_id", Desc: true}}
	for _, c := range []struct {
		name   string
		filter bson.D
		sort   []docdb.Key
		index  string
	}{
		{"key", d("_id", "P:001"), nil, "_id_"},
		{"key in", d("_id", d("$in", bson.A{"P:001", "P:002", "P:003"})), nil, "_id_"},
		{"key range", d("_id", d("$gte", "P:", "$lt", "P;")), keys("_id"), "_id_"},
		{"key and state", d("_id", "P:001", "number", d("$exists", false)), nil, "_id_"},
		{"prefix of an index", d("institute", "P", "v", int64(3)), keys("_id"), "by_v"},
		{"range", d("institute", "P", "v", d("$gte", int64(3), "$lt", int64(9))), keys("v", "_id"), "by_v"},
		{"open range", d("institute", "P", "v", d("$gt", int64(3))), keys("v", "_id"), "by_v"},
		{"backwards", d("institute", "P"), newest, "by_date"},
		{"page", d("institute", "P", "$or", bson.A{d("date", d("$lt", "5")), d("date", "5", "_id", d("$lt", "P:055"))}), newest, "by_date"},
		{"dates from to", d("institute", "P", "date", d("$gte", "1", "$lte", "2")), newest, "by_date"},
		{"path", d("institute", "P", "deep.x", "a"), keys("_id"), "by_deep"},
		{"partial by existence", d("institute", "P", "series", "r", "number", int64(3)), nil, "by_number"},
		{"partial by existence, sorted", d("institute", "P", "series", "r", "number", d("$exists", true)), keys("number"), "by_number"},
		{"partial by range", d("institute", "P", "series", "r", "number", d("$gt", int64(10))), keys("number"), "by_number"},
		{"partial by value", d("institute", "P", "awaiting", true), keys("at", "_id"), "awaiting"},
		{"partial by both", d("institute", "P", "code", "x", "kind", "coded"), nil, "by_code"},
		{"item", d("institute", "P", "tags", "t1"), keys("_id"), "by_tag"},
		{"item prefix", d("institute", "P", "tags", d("$gte", "t", "$lt", "u")), nil, ""},
		{"expired", nil, nil, ""},
	} {
		s.run(t, c.name, func(t *testing.T) {
			coll, filter := "things", c.filter
			if filter == nil {
				coll, filter = "holds", d("expiresAt", d("$lte", time.UnixMilli(0)))
			}
			plan, err := db.Explain(ctx, coll, filter, docdb.Find{Sort: c.sort, Limit: 20})
			must(t, err)
			if plan.Scan || plan.MemorySort {
				t.Errorf("scan %v, memory sort %v:\n%s", plan.Scan, plan.MemorySort, plan.Text)
			}
			if plan.Index != "" && c.index != "" && plan.Index != c.index {
				t.Errorf("index is %s, want %s:\n%s", plan.Index, c.index, plan.Text)
			}
		})
	}
	s.run(t, "scan is told", func(t *testing.T) {
		plan, err := db.Explain(ctx, "things", d("note", "x"), docdb.Find{})
		must(t, err)
		if !plan.Scan {
			t.Errorf("a filter without index is not called a scan:\n%s", plan.Text)
		}
	})
	s.run(t, "memory sort is told", func(t *testing.T) {
		plan, err := db.Explain(ctx, "things", d("institute", "P"), docdb.Find{Sort: keys("note", "_id")})
		must(t, err)
		if !plan.MemorySort {
			t.Errorf("a sort without index is not called one in memory:\n%s", plan.Text)
		}
	})
}
