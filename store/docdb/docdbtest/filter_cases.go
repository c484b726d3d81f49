package docdbtest

import (
	"math"
	"slices"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

func day(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }

// typed are documents whose v is of every type there is.
var typed = map[string]any{
	"int5": int64(5), "int-3": int64(-3), "intmax": int64(math.MaxInt64),
	"str5": "5", "apple": "apple", "empty": "", "zebra": "zebra",
	"true": true, "false": false,
	"day1": day(1), "day9": day(9),
	"bin": []byte{1, 2}, "bin0": []byte{0}, "none": nil,
}

// scalarFilters are conditions on v and the documents they match. A comparison
// meets values of its own type only.
var scalarFilters = []struct {
	name string
	v    any
	want []string
}{
	{"equal int", int64(5), []string{"int5"}},
	{"equal string that looks like a number", "5", []string{"str5"}},
	{"equal empty string", "", []string{"empty"}},
	{"equal true", true, []string{"true"}},
	{"equal false", false, []string{"false"}},
	{"equal date", day(9), []string{"day9"}},
	{"equal binary", []byte{1, 2}, []string{"bin"}},
	{"equal nothing", "nothing", nil},
	{"eq", d("$eq", int64(5)), []string{"int5"}},
	{"greater than int", d("$gt", int64(-3)), []string{"int5", "intmax"}},
	{"at least int", d("$gte", int64(-3)), []string{"int5", "int-3", "intmax"}},
	{"less than int", d("$lt", int64(5)), []string{"int-3"}},
	{"at most int", d("$lte", int64(5)), []string{"int5", "int-3"}},
	{"above the largest int", d("$gt", int64(math.MaxInt64)), nil},
	{"int range", d("$gt", int64(-3), "$lte", int64(5)), []string{"int5"}},
	{"empty int range", d("$gt", int64(5), "$lt", int64(5)), nil},
	{"greater than string", d("$gt", "5"), []string{"apple", "zebra"}},
	{"at least empty string", d("$gte", ""), []string{"str5", "apple", "empty", "zebra"}},
	{"less than string", d("$lt", "b"), []string{"str5", "apple", "empty"}},
	{"string prefix", d("$gte", "app", "$lt", "apq"), []string{"apple"}},
	{"greater than date", d("$gt", day(1)), []string{"day9"}},
	{"at most date", d("$lte", day(9)), []string{"day1", "day9"}},
	{"greater than false", d("$gt", false), []string{"true"}},
	{"at most true", d("$lte", true), []string{"true", "false"}},
	{"greater than binary", d("$gt", []byte{9}), []string{"bin"}},
	{"less than binary", d("$lt", []byte{1, 2}), []string{"bin0"}},
	{"types that exclude each other", d("$gt", int64(0), "$lt", "z"), nil},
	{"in", d("$in", bson.A{int64(5), "apple", true, day(1), "nothing"}), []string{"int5", "apple", "true", "day1"}},
	{"in one", d("$in", bson.A{"apple"}), []string{"apple"}},
	{"in strings", d("$in", []string{"apple", "zebra", "5"}), []string{"apple", "zebra", "str5"}},
	{"in none", d("$in", bson.A{}), nil},
	{"not equal", d("$ne", int64(5)), []string{"int-3", "intmax", "str5", "apple", "empty", "zebra", "true", "false", "day1", "day9", "bin", "bin0", "none"}},
	{"not equal and more", d("$ne", "apple", "$gte", ""), []string{"str5", "empty", "zebra"}},
	{"exists", d("$exists", true), []string{"int5", "int-3", "intmax", "str5", "apple", "empty", "zebra", "true", "false", "day1", "day9", "bin", "bin0"}},
	{"does not exist", d("$exists", false), []string{"none"}},
	{"equal to a document", d("x", int64(1)), nil},
}

func (s *suite) filters(t *testing.T) {
	db := s.db(t)
	for id, v := range typed {
		doc, other := d("_id", id, "institute", "P"), d("_id", "Q"+id, "institute", "Q")
		if v != nil {
			doc, other = with(doc, "v", v, "w", v, "deep", d("x", v), "low", d("x", v)), with(other, "v", v, "w", v, "deep", d("x", v), "low", d("x", v))
		}
		insert(t, db, "things", doc, other)
	}
	// v and deep.x are indexed, w and low.x are not: the answers are the same.
	for _, path := range []string{"v", "w", "deep.x", "low.x"} {
		for _, c := range scalarFilters {
			s.run(t, path+"/"+c.name, func(t *testing.T) {
				found(t, db, "things", d("institute", "P", path, c.v), c.want)
			})
		}
		logic := []struct {
			name   string
			filter bson.D
			want   []string
		}{
			{"or", d("$or", bson.A{d(path, int64(5)), d(path, "apple"), d(path, d("$gt", day(1)))}), []string{"int5", "apple", "day9"}},
			{"or across fields", d("$or", bson.A{d(path, int64(5)), d("_id", "none"), d("x", d("$exists", true))}), []string{"int5", "none"}},
			{"or with all", d("$or", bson.A{d(path, int64(5)), bson.D{}}), ids(t, db.Find(ctx, "things", d("institute", "P"), docdb.Find{}))},
			{"and", d("$and", bson.A{d(path, d("$gt", int64(-9))), d(path, d("$lt", int64(9)))}), []string{"int5", "int-3"}},
			{"and of ors", d("$and", bson.A{
				d("$or", bson.A{d(path, int64(5)), d(path, int64(-3))}),
				d("$or", bson.A{d(path, d("$lt", int64(0))), d(path, "apple")})}), []string{"int-3"}},
			{"or of ands", d("$or", bson.A{
				d("$and", bson.A{d(path, d("$gte", "a")), d(path, d("$lt", "b"))}),
				d(path, d("$gte", int64(6)), "institute", "P")}), []string{"apple", "intmax"}},
			{"or of ranges", d("$or", bson.A{d(path, d("$lt", int64(0))), d(path, d("$gt", int64(5)))}), []string{"int-3", "intmax"}},
			{"contradiction", d("$and", bson.A{d(path, int64(5)), d(path, "5")}), nil},
		}
		for _, c := range logic {
			s.run(t, path+"/"+c.name, func(t *testing.T) {
				found(t, db, "things", with(d("institute", "P"), c.filter[0].Key, c.filter[0].Value), c.want)
			})
		}
	}
	s.run(t, "whole documents", func(t *testing.T) {
		insert(t, db, "plain",
			d("_id", "ab", "sub", d("a", int64(1), "b", "x")),
			d("_id", "ba", "sub", d("b", "x", "a", int64(1))),
			d("_id", "a", "sub", d("a", int64(1))))
		found(t, db, "plain", d("sub", d("a", int64(1), "b", "x")), []string{"ab"})
		found(t, db, "plain", d("sub.a", int64(1)), []string{"ab", "ba", "a"})
	})
	s.run(t, "arrays", s.arrays)
}

// found checks what a filter matches, for Find and for Count.
func found(t *testing.T, db docdb.DB, coll string, filter bson.D, want []string) {
	t.Helper()
	got := ids(t, db.Find(ctx, coll, filter, docdb.Find{}))
	want = slices.Clone(want)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%v finds\n %v, want\n %v", filter, got, want)
	}
	n, err := db.Count(ctx, coll, filter, 0)
	if err != nil || n != int64(len(want)) {
		t.Errorf("%v counts %d (%v), want %d", filter, n, err, len(want))
	}
}

// arrays checks that a path matches the items of an array, and goes into its
// documents.
func (s *suite) arrays(t *testing.T) {
	db := s.db(t)
	insert(t, db, "plain",
		d("_id", "ab", "tags", bson.A{"a", "b"}),
		d("_id", "b", "tags", bson.A{"b"}),
		d("_id", "scalar", "tags", "a"),
		d("_id", "empty", "tags", bson.A{}),
		d("_id", "none"),
		d("_id", "ints", "tags", bson.A{int64(1), int64(10)}),
		d("_id", "lines", "lines", bson.A{d("head", "T", "amount", int64(5)), d("head", "L", "amount", int64(50))}),
		d("_id", "line", "lines", d("head", "T", "amount", int64(7))),
	)
	for _, c := range []struct {
		name   string
		filter bson.D
		want   []string
	}{
		{"item", d("tags", "a"), []string{"ab", "scalar"}},
		{"whole", d("tags", bson.A{"a", "b"}), []string{"ab"}},
		{"whole in another order", d("tags", bson.A{"b", "a"}), nil},
		{"empty", d("tags", bson.A{}), []string{"empty"}},
		{"in", d("tags", d("$in", bson.A{"a", int64(10)})), []string{"ab", "scalar", "ints"}},
		{"not equal", d("tags", d("$ne", "a")), []string{"b", "empty", "none", "ints", "lines", "line"}},
		{"exists", d("tags", d("$exists", true)), []string{"ab", "b", "scalar", "empty", "ints"}},
		{"range", d("tags", d("$gt", int64(5))), []string{"ints"}},
		{"two items may meet two bounds", d("tags", d("$gt", int64(5), "$lt", int64(5))), []string{"ints"}},
		{"field of items", d("lines.head", "L"), []string{"lines"}},
		{"field of item or document", d("lines.head", "T"), []string{"lines", "line"}},
		{"two fields of different items", d("lines.head", "T", "lines.amount", int64(50)), []string{"lines"}},
		{"position", d("tags.1", "b"), []string{"ab"}},
	} {
		s.run(t, c.name, func(t *testing.T) { found(t, db, "plain", c.filter, c.want) })
	}
}

func (s *suite) multikeys(t *testing.T) {
	db := s.db(t)
	insert(t, db, "things",
		d("_id", "P:1", "institute", "P", "tags", bson.A{"asha", "verma", "asha"}, "v", int64(1)),
		d("_id", "P:2", "institute", "P", "tags", bson.A{"ashok", "verma"}, "v", int64(2)),
		d("_id", "P:3", "institute", "P", "tags", bson.A{}, "v", int64(3)),
		d("_id", "P:4", "institute", "P", "v", int64(4)),
		d("_id", "Q:1", "institute", "Q", "tags", bson.A{"asha"}, "v", int64(1)),
	)
	cases := []struct {
		name   string
		filter bson.D
		want   []string
	}{
		{"item", d("institute", "P", "tags", "verma"), []string{"P:1", "P:2"}},
		{"item that is twice in a document", d("institute", "P", "tags", "asha"), []string{"P:1"}},
		{"two items", d("institute", "P", "$and", bson.A{d("tags", "asha"), d("tags", "verma")}), []string{"P:1"}},
		{"item and more", d("institute", "P", "tags", "verma", "v", d("$gt", int64(1))), []string{"P:2"}},
		{"in", d("institute", "P", "tags", d("$in", bson.A{"asha", "ashok", "verma"})), []string{"P:1", "P:2"}},
		{"prefix", d("institute", "P", "tags", d("$gte", "ash", "$lt", "asi")), []string{"P:1", "P:2"}},
		{"prefix of one", d("institute", "P", "tags", d("$gte", "ashok")), []string{"P:1", "P:2"}},
		{"or", d("institute", "P", "$or", bson.A{d("tags", "ashok"), d("v", int64(4))}), []string{"P:2", "P:4"}},
		{"not equal", d("institute", "P", "tags", d("$ne", "asha")), []string{"P:2", "P:3", "P:4"}},
		{"exists", d("institute", "P", "tags", d("$exists", true)), []string{"P:1", "P:2", "P:3"}},
		{"whole", d("institute", "P", "tags", bson.A{"ashok", "verma"}), []string{"P:2"}},
		{"without the institute", d("tags", "asha"), []string{"P:1", "Q:1"}},
		{"another type", d("institute", "P", "tags", int64(1)), nil},
		{"nothing", d("institute", "P", "tags", "nothing"), nil},
	}
	for _, c := range cases {
		s.run(t, c.name, func(t *testing.T) { found(t, db, "things", c.filter, c.want) })
	}
	s.run(t, "sorted", func(t *testing.T) {
		got := ids(t, db.Find(ctx, "things", d("institute", "P", "tags", "verma"), docdb.Find{Sort: []docdb.Key{{Path: "_id", Desc: true}}, Limit: 1}))
		if !slices.Equal(got, []string{"P:2"}) {
			t.Errorf("last is %v, want P:2", got)
		}
	})
	s.run(t, "after updates", func(t *testing.T) {
		update := func(id string, u bson.D) {
			t.Helper()
			_, err := db.UpdateOne(ctx, "things", d("_id", id), u, docdb.Update{})
			must(t, err)
		}
		update("P:1", d("$push", d("tags", "new")))
		update("P:2", d("$pull", d("tags", "verma")))
		update("P:3", d("$set", d("tags", bson.A{"verma", "late"})))
		update("P:4", d("$set", d("institute", "R", "tags", bson.A{"moved"})))
		update("P:4", d("$set", d("institute", "S")))
		update("Q:1", d("$unset", d("tags", "")))
		found(t, db, "things", d("institute", "P", "tags", "new"), []string{"P:1"})
		found(t, db, "things", d("institute", "P", "tags", "verma"), []string{"P:1", "P:3"})
		found(t, db, "things", d("institute", "R", "tags", "moved"), nil)
		found(t, db, "things", d("institute", "S", "tags", "moved"), []string{"P:4"})
		found(t, db, "things", d("institute", "Q", "tags", "asha"), nil)
		_, err := db.DeleteOne(ctx, "things", d("_id", "P:1"))
		must(t, err)
		found(t, db, "things", d("institute", "P", "tags", "asha"), nil)
		insert(t, db, "things", d("_id", "P:1", "institute", "P", "tags", bson.A{"again"}))
		found(t, db, "things", d("institute", "P", "tags", "new"), nil)
		found(t, db, "things", d("institute", "P", "tags", "again"), []string{"P:1"})
	})
}
