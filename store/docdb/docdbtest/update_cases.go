package docdbtest

import (
	"errors"
	"math"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// changed are updates of one document.
var changed = []struct {
	name         string
	before       bson.D
	update, want bson.D
	modified     int64
}{
	{"set new", d("a", int64(1)), d("$set", d("b", "x")), d("a", int64(1), "b", "x"), 1},
	{"set keeps the order", d("a", int64(1), "b", int64(2), "c", int64(3)), d("$set", d("b", "x")), d("a", int64(1), "b", "x", "c", int64(3)), 1},
	{"set the same", d("a", int64(1)), d("$set", d("a", int64(1))), d("a", int64(1)), 0},
	{"set within", d("a", d("x", int64(1), "y", int64(2))), d("$set", d("a.y", "new")), d("a", d("x", int64(1), "y", "new")), 1},
	{"set within nothing", d("z", true), d("$set", d("a.b.c", int64(1))), d("z", true, "a", d("b", d("c", int64(1)))), 1},
	{"set two within", d("z", true), d("$set", d("a.b", int64(1), "a.c", int64(2))), d("z", true, "a", d("b", int64(1), "c", int64(2))), 1},
	{"set document", d("a", int64(1)), d("$set", d("a", d("x", bson.A{d("y", "z")}))), d("a", d("x", bson.A{d("y", "z")})), 1},
	{"unset", d("a", int64(1), "b", int64(2), "c", int64(3)), d("$unset", d("b", "")), d("a", int64(1), "c", int64(3)), 1},
	{"unset within", d("a", d("x", int64(1), "y", int64(2))), d("$unset", d("a.x", "")), d("a", d("y", int64(2))), 1},
	{"unset what is not there", d("a", int64(1)), d("$unset", d("b", "", "c.d", "", "a.x", "")), d("a", int64(1)), 0},
	{"set and unset", d("a", int64(1), "b", true), d("$set", d("n", int64(7)), "$unset", d("b", "")), d("a", int64(1), "n", int64(7)), 1},
	{"inc", d("a", int64(1)), d("$inc", d("a", int64(41))), d("a", int64(42)), 1},
	{"inc down", d("a", int64(1)), d("$inc", d("a", int64(-3))), d("a", int64(-2)), 1},
	{"inc by nothing", d("a", int64(1)), d("$inc", d("a", int64(0))), d("a", int64(1)), 0},
	{"inc new", d("a", int64(1)), d("$inc", d("b", int64(5), "c.d", int64(6))), d("a", int64(1), "b", int64(5), "c", d("d", int64(6))), 1},
	{"inc to the edge", d("a", int64(math.MaxInt64-1)), d("$inc", d("a", int64(1))), d("a", int64(math.MaxInt64)), 1},
	{"max up", d("a", int64(1)), d("$max", d("a", int64(2))), d("a", int64(2)), 1},
	{"max stays", d("a", int64(3)), d("$max", d("a", int64(2))), d("a", int64(3)), 0},
	{"max new", d("z", true), d("$max", d("a", "x")), d("z", true, "a", "x"), 1},
	{"min down", d("a", day(9)), d("$min", d("a", day(1))), d("a", day(1)), 1},
	{"min stays", d("a", "a"), d("$min", d("a", "b")), d("a", "a"), 0},
	{"push", d("a", bson.A{int64(1)}), d("$push", d("a", d("x", "y"))), d("a", bson.A{int64(1), d("x", "y")}), 1},
	{"push new", d("z", true), d("$push", d("a", "x")), d("z", true, "a", bson.A{"x"}), 1},
	{"push within", d("a", d("b", bson.A{})), d("$push", d("a.b", "x")), d("a", d("b", bson.A{"x"})), 1},
	{"push the eleventh", d("a", bson.A{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}), d("$push", d("a", "10")), d("a", bson.A{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}), 1},
	{"pull", d("a", bson.A{"x", "y", "x", int64(1)}), d("$pull", d("a", "x")), d("a", bson.A{"y", int64(1)}), 1},
	{"pull none", d("a", bson.A{"x"}), d("$pull", d("a", "y")), d("a", bson.A{"x"}), 0},
	{"pull from nothing", d("z", true), d("$pull", d("a", "y")), d("z", true), 0},
	{"pull documents", d("a", bson.A{d("id", int64(1), "t", "x"), d("id", int64(2)), "id"}), d("$pull", d("a", d("id", int64(1)))), d("a", bson.A{d("id", int64(2)), "id"}), 1},
	{"setOnInsert does nothing", d("a", int64(1)), d("$set", d("a", int64(2)), "$setOnInsert", d("b", true)), d("a", int64(2)), 1},
}

func (s *suite) updates(t *testing.T) {
	db := s.db(t)
	for _, c := range changed {
		s.run(t, c.name, func(t *testing.T) {
			id := "U:" + c.name
			insert(t, db, "plain", append(d("_id", id), c.before...))
			res, err := db.UpdateOne(ctx, "plain", d("_id", id), c.update, docdb.Update{})
			must(t, err)
			if want := (docdb.UpdateResult{Matched: 1, Modified: c.modified}); res != want {
				t.Errorf("result is %+v, want %+v", res, want)
			}
			// New fields may come in another order on another engine.
			sameFields(t, one(t, db, "plain", id), append(d("_id", id), c.want...))
		})
	}
	for _, c := range []struct {
		name   string
		before bson.D
		update bson.D
	}{
		{"inc overflow", d("a", int64(math.MaxInt64)), d("$inc", d("a", int64(1)))},
		{"inc underflow", d("a", int64(math.MinInt64)), d("$inc", d("a", int64(-1)))},
		{"inc of text", d("a", "x"), d("$inc", d("a", int64(1)))},
		{"push onto text", d("a", "x"), d("$push", d("a", int64(1)))},
		{"set within text", d("a", "x"), d("$set", d("a.b", int64(1)))},
		{"one good and one bad", d("a", "x", "b", int64(1)), d("$set", d("b", int64(2)), "$inc", d("a", int64(1)))},
		{"the key", d("a", "x"), d("$set", d("_id", "other"))},
		{"no such operator", d("a", "x"), d("$frobnicate", d("a", int64(1)))},
		{"the same field twice", d("a", int64(1)), d("$set", d("a", int64(2)), "$inc", d("a", int64(1)))},
		{"a field and one within", d("b", int64(1)), d("$set", d("a", bson.D{}, "a.b", int64(1)))},
	} {
		s.run(t, "refused/"+c.name, func(t *testing.T) {
			id := "R:" + c.name
			want := append(d("_id", id), c.before...)
			insert(t, db, "plain", want)
			if _, err := db.UpdateOne(ctx, "plain", d("_id", id), c.update, docdb.Update{}); err == nil {
				t.Error("no error")
			}
			same(t, one(t, db, "plain", id), want)
		})
	}
	s.run(t, "no match", func(t *testing.T) {
		res, err := db.UpdateOne(ctx, "plain", d("_id", "nobody"), d("$set", d("a", true)), docdb.Update{})
		if err != nil || res != (docdb.UpdateResult{}) {
			t.Errorf("result is %+v, %v", res, err)
		}
	})
	s.run(t, "one only", func(t *testing.T) {
		insert(t, db, "plain", d("_id", "T:1", "twin", true), d("_id", "T:2", "twin", true))
		res, err := db.UpdateOne(ctx, "plain", d("twin", true), d("$set", d("hit", true)), docdb.Update{})
		must(t, err)
		if n, _ := db.Count(ctx, "plain", d("hit", true), 0); n != 1 || res.Matched != 1 {
			t.Errorf("%d documents changed, %d said to match, want 1 and 1", n, res.Matched)
		}
	})
	s.run(t, "set once", func(t *testing.T) {
		insert(t, db, "things", d("_id", "S:1", "institute", "S", "series", "r", "awaiting", true, "at", int64(1)))
		set := func(n int64) docdb.UpdateResult {
			res, err := db.UpdateOne(ctx, "things", d("_id", "S:1", "number", d("$exists", false)),
				d("$set", d("number", n), "$unset", d("awaiting", "")), docdb.Update{})
			must(t, err)
			return res
		}
		if first, second := set(1), set(2); first.Matched != 1 || second.Matched != 0 {
			t.Errorf("first matched %d, second %d, want 1 and 0", first.Matched, second.Matched)
		}
		found(t, db, "things", d("institute", "S", "awaiting", true), nil)
		found(t, db, "things", d("institute", "S", "series", "r", "number", int64(1)), []string{"S:1"})
	})
}

func (s *suite) upserts(t *testing.T) {
	up := docdb.Update{Upsert: true}
	s.run(t, "inserts", func(t *testing.T) {
		db := s.db(t)
		res, err := db.UpdateOne(ctx, "things", d("_id", "P:1", "institute", "P"),
			d("$set", d("a", int64(1)), "$inc", d("n", int64(2)), "$setOnInsert", d("b.c", "x")), up)
		must(t, err)
		if res != (docdb.UpdateResult{Upserted: true}) {
			t.Errorf("result is %+v", res)
		}
		sameFields(t, one(t, db, "things", "P:1"), d("_id", "P:1", "institute", "P", "a", int64(1), "n", int64(2), "b", d("c", "x")))
	})
	s.run(t, "updates", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", d("_id", "P:1", "institute", "P", "a", int64(1)))
		res, err := db.UpdateOne(ctx, "things", d("_id", "P:1"), d("$set", d("a", int64(2)), "$setOnInsert", d("b", true)), up)
		must(t, err)
		if res != (docdb.UpdateResult{Matched: 1, Modified: 1}) {
			t.Errorf("result is %+v", res)
		}
		sameFields(t, one(t, db, "things", "P:1"), d("_id", "P:1", "institute", "P", "a", int64(2)))
	})
	s.run(t, "setOnInsert alone", func(t *testing.T) {
		db := s.db(t)
		for i, want := range []docdb.UpdateResult{{Upserted: true}, {Matched: 1}, {Matched: 1}} {
			res, err := db.UpdateOne(ctx, "things", d("_id", "P:1"), d("$setOnInsert", d("institute", "P", "n", int64(i))), up)
			must(t, err)
			if res != want {
				t.Errorf("run %d: result is %+v, want %+v", i, res, want)
			}
		}
		sameFields(t, one(t, db, "things", "P:1"), d("_id", "P:1", "institute", "P", "n", int64(0)))
	})
	s.run(t, "key taken", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", d("_id", "P:1", "institute", "P", "a", int64(1)))
		_, err := db.UpdateOne(ctx, "things", d("_id", "P:1", "a", int64(2)), d("$set", d("b", true)), up)
		wantDuplicate(t, err, "_id_")
		same(t, one(t, db, "things", "P:1"), d("_id", "P:1", "institute", "P", "a", int64(1)))
	})
}

func (s *suite) findAndUpdates(t *testing.T) {
	db := s.db(t)
	insert(t, db, "counters", d("_id", "c", "seq", int64(5)))
	var out struct {
		ID  string `bson:"_id"`
		Seq int64  `bson:"seq"`
	}
	inc := d("$inc", d("seq", int64(1)))
	s.run(t, "before", func(t *testing.T) {
		must(t, db.FindOneAndUpdate(ctx, "counters", d("_id", "c"), inc, docdb.Update{}, &out))
		if out.Seq != 5 {
			t.Errorf("before it was %d, want 5", out.Seq)
		}
	})
	s.run(t, "after", func(t *testing.T) {
		must(t, db.FindOneAndUpdate(ctx, "counters", d("_id", "c"), inc, docdb.Update{After: true}, &out))
		if out.Seq != 7 {
			t.Errorf("after it is %d, want 7", out.Seq)
		}
	})
	s.run(t, "compare and set", func(t *testing.T) {
		err := db.FindOneAndUpdate(ctx, "counters", d("_id", "c", "seq", int64(6)), inc, docdb.Update{}, &out)
		if !errors.Is(err, docdb.ErrNotFound) {
			t.Errorf("error is %v, want ErrNotFound", err)
		}
		must(t, db.FindOneAndUpdate(ctx, "counters", d("_id", "c", "seq", int64(7)), d("$inc", d("seq", int64(1)), "$set", d("holders", bson.A{"a", "b"})), docdb.Update{After: true}, &out))
		sameFields(t, one(t, db, "counters", "c"), d("_id", "c", "seq", int64(8), "holders", bson.A{"a", "b"}))
	})
	s.run(t, "no match", func(t *testing.T) {
		if err := db.FindOneAndUpdate(ctx, "counters", d("_id", "x"), inc, docdb.Update{After: true}, &out); !errors.Is(err, docdb.ErrNotFound) {
			t.Errorf("error is %v, want ErrNotFound", err)
		}
	})
	s.run(t, "upsert", func(t *testing.T) {
		must(t, db.FindOneAndUpdate(ctx, "counters", d("_id", "new"), inc, docdb.Update{After: true, Upsert: true}, &out))
		if out.ID != "new" || out.Seq != 1 {
			t.Errorf("got %+v, want new with 1", out)
		}
		err := db.FindOneAndUpdate(ctx, "counters", d("_id", "newer"), inc, docdb.Update{Upsert: true}, &out)
		if !errors.Is(err, docdb.ErrNotFound) {
			t.Errorf("before it was inserted there was %v, want ErrNotFound", err)
		}
		one(t, db, "counters", "newer")
	})
	s.run(t, "sort", func(t *testing.T) {
		insert(t, db, "things", d("_id", "P:1", "institute", "P", "v", int64(2)), d("_id", "P:2", "institute", "P", "v", int64(1)), d("_id", "P:3", "institute", "P", "v", int64(3)))
		var got bson.Raw
		must(t, db.FindOneAndUpdate(ctx, "things", d("institute", "P", "taken", d("$exists", false)), d("$set", d("taken", true)), docdb.Update{Sort: keys("v", "_id")}, &got))
		if id := got.Lookup("_id").StringValue(); id != "P:2" {
			t.Errorf("took %s first, want P:2", id)
		}
	})
}

func (s *suite) bulks(t *testing.T) {
	s.run(t, "sums", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", d("_id", "P:1", "institute", "P"), d("_id", "P:2", "institute", "P", "n", int64(1)))
		res, err := db.BulkWrite(ctx, "things", []docdb.UpdateOp{
			{Filter: d("_id", "P:1"), Update: d("$set", d("n", int64(1)))},
			{Filter: d("_id", "P:2"), Update: d("$set", d("n", int64(1)))},
			{Filter: d("_id", "P:3"), Update: d("$setOnInsert", d("institute", "P")), Upsert: true},
			{Filter: d("_id", "P:4"), Update: d("$set", d("n", int64(1)))},
			{Filter: d("_id", "P:5"), Update: d("$setOnInsert", d("institute", "P")), Upsert: true},
			{Filter: d("_id", "P:5"), Update: d("$setOnInsert", d("institute", "P")), Upsert: true},
		}, false)
		must(t, err)
		if res.Matched != 3 || res.Modified != 1 || len(res.Upserts) != 2 || res.Upserts[0] != 2 || res.Upserts[1] != 4 {
			t.Errorf("result is %+v, want 3 matched, 1 modified, upserts 2 and 4", res)
		}
	})
	s.run(t, "long", func(t *testing.T) {
		db := s.db(t)
		fill(t, db, "P", 700)
		var ops []docdb.UpdateOp
		for doc, err := range db.Find(ctx, "things", d("institute", "P"), docdb.Find{}) {
			must(t, err)
			ops = append(ops, docdb.UpdateOp{Filter: d("_id", doc.Lookup("_id").StringValue()), Update: d("$set", d("done", true))})
		}
		ops = append(ops, docdb.UpdateOp{Filter: d("_id", "P:new"), Update: d("$set", d("done", true)), Upsert: true})
		res, err := db.BulkWrite(ctx, "things", ops, true)
		must(t, err)
		if res.Modified != 700 || len(res.Upserts) != 1 || res.Upserts[0] != 700 {
			t.Errorf("result is %d modified, upserts %v, want 700 and [700]", res.Modified, res.Upserts)
		}
	})
	twins := func(t *testing.T, db docdb.DB) []docdb.UpdateOp {
		insert(t, db, "things", d("_id", "P:0", "institute", "P", "series", "r", "number", int64(7)), d("_id", "P:1", "institute", "P"))
		return []docdb.UpdateOp{
			{Filter: d("_id", "P:1"), Update: d("$set", d("a", true))},
			{Filter: d("_id", "P:2"), Update: d("$setOnInsert", d("institute", "P", "series", "r", "number", int64(7))), Upsert: true},
			{Filter: d("_id", "P:3"), Update: d("$setOnInsert", d("institute", "P")), Upsert: true},
		}
	}
	s.run(t, "unordered goes on", func(t *testing.T) {
		db := s.db(t)
		res, err := db.BulkWrite(ctx, "things", twins(t, db), false)
		wantDuplicate(t, err, "by_number")
		if res.Modified != 1 || len(res.Upserts) != 1 || res.Upserts[0] != 2 {
			t.Errorf("result is %+v, want 1 modified and upsert 2", res)
		}
		one(t, db, "things", "P:3")
		found(t, db, "things", d("_id", "P:2"), nil)
	})
	s.run(t, "ordered stops", func(t *testing.T) {
		db := s.db(t)
		res, err := db.BulkWrite(ctx, "things", twins(t, db), true)
		wantDuplicate(t, err, "by_number")
		if res.Modified != 1 || len(res.Upserts) != 0 {
			t.Errorf("result is %+v, want 1 modified and no upsert", res)
		}
		found(t, db, "things", d("_id", d("$in", bson.A{"P:2", "P:3"})), nil)
	})
	s.run(t, "none", func(t *testing.T) {
		if res, err := s.db(t).BulkWrite(ctx, "things", nil, true); err != nil || res.Matched != 0 {
			t.Errorf("result is %+v, %v", res, err)
		}
	})
}

func (s *suite) deletes(t *testing.T) {
	db := s.db(t)
	fill(t, db, "P", 350)
	fill(t, db, "Q", 3)
	s.run(t, "one", func(t *testing.T) {
		if n, err := db.DeleteOne(ctx, "things", d("institute", "P", "v", d("$gte", int64(340)))); n != 1 || err != nil {
			t.Fatalf("deleted %d, %v", n, err)
		}
		if n, _ := db.Count(ctx, "things", d("institute", "P"), 0); n != 349 {
			t.Errorf("%d are left, want 349", n)
		}
	})
	s.run(t, "none", func(t *testing.T) {
		if n, err := db.DeleteOne(ctx, "things", d("_id", "nobody")); n != 0 || err != nil {
			t.Errorf("deleted %d, %v", n, err)
		}
	})
	s.run(t, "many", func(t *testing.T) {
		if n, err := db.DeleteMany(ctx, "things", d("institute", "P")); n != 349 || err != nil {
			t.Fatalf("deleted %d, %v", n, err)
		}
		found(t, db, "things", bson.D{}, []string{"Q:000000", "Q:000001", "Q:000002"})
	})
	s.run(t, "by a field without index", func(t *testing.T) {
		insert(t, db, "plain", d("_id", "a", "x", true), d("_id", "b"), d("_id", "c", "x", true))
		if n, err := db.DeleteMany(ctx, "plain", d("x", true)); n != 2 || err != nil {
			t.Fatalf("deleted %d, %v", n, err)
		}
		found(t, db, "plain", bson.D{}, []string{"b"})
	})
}
