package docdbtest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

func (s *suite) finds(t *testing.T) {
	db := s.db(t)
	insert(t, db, "things",
		d("_id", "P:1", "institute", "P", "v", int64(1), "deep", d("x", "a", "y", d("z", int64(9))), "lines", bson.A{d("head", "T", "amount", int64(5)), d("head", "L")}),
		d("_id", "P:2", "institute", "P", "v", int64(2), "deep", d("x", "b")),
		d("_id", "Q:1", "institute", "Q", "v", int64(1)),
	)
	s.run(t, "none", func(t *testing.T) {
		var out bson.Raw
		if err := db.FindOne(ctx, "things", d("_id", "P:3"), docdb.Find{}, &out); !errors.Is(err, docdb.ErrNotFound) {
			t.Errorf("error is %v, want ErrNotFound", err)
		}
		if got := ids(t, db.Find(ctx, "things", d("institute", "R"), docdb.Find{})); len(got) != 0 {
			t.Errorf("found %v", got)
		}
	})
	s.run(t, "one with sort", func(t *testing.T) {
		var out struct {
			ID string `bson:"_id"`
		}
		must(t, db.FindOne(ctx, "things", d("institute", "P"), docdb.Find{Sort: []docdb.Key{{Path: "v", Desc: true}, {Path: "_id"}}}, &out))
		if out.ID != "P:2" {
			t.Errorf("first by falling v is %s, want P:2", out.ID)
		}
	})
	for _, c := range []struct {
		name   string
		fields []string
		want   bson.D
	}{
		{"a field", []string{"v"}, d("_id", "P:1", "v", int64(1))},
		{"the key", []string{"_id"}, d("_id", "P:1")},
		{"document order", []string{"lines", "v"}, d("_id", "P:1", "v", int64(1), "lines", bson.A{d("head", "T", "amount", int64(5)), d("head", "L")})},
		{"within a document", []string{"deep.y.z"}, d("_id", "P:1", "deep", d("y", d("z", int64(9))))},
		{"within an array", []string{"lines.head"}, d("_id", "P:1", "lines", bson.A{d("head", "T"), d("head", "L")})},
		{"missing", []string{"nothing", "deep.nothing", "v.nothing"}, d("_id", "P:1", "deep", bson.D{})},
	} {
		s.run(t, "fields/"+c.name, func(t *testing.T) {
			var out bson.Raw
			must(t, db.FindOne(ctx, "things", d("_id", "P:1"), docdb.Find{Fields: c.fields}, &out))
			same(t, out, c.want)
		})
	}
	s.run(t, "key ranges", func(t *testing.T) {
		got := ids(t, db.Find(ctx, "things", d("_id", d("$gte", "P:", "$lt", "P;")), docdb.Find{Sort: keys("_id")}))
		if !slices.Equal(got, []string{"P:1", "P:2"}) {
			t.Errorf("found %v", got)
		}
	})
	s.run(t, "all", func(t *testing.T) {
		type thing struct {
			ID string `bson:"_id"`
			V  int64  `bson:"v"`
		}
		got, err := docdb.All[thing](db.Find(ctx, "things", d("institute", "P"), docdb.Find{Sort: keys("_id")}))
		must(t, err)
		if fmt.Sprint(got) != "[{P:1 1} {P:2 2}]" {
			t.Errorf("got %v", got)
		}
	})
	s.run(t, "a written document is seen at once", func(t *testing.T) {
		for i := range 200 {
			id := fmt.Sprintf("now%d", i)
			insert(t, db, "plain", d("_id", id))
			one(t, db, "plain", id)
		}
	})
}

func (s *suite) sorts(t *testing.T) {
	db := s.db(t)
	// In the order of their bytes, which is the order of code points.
	names := []string{"", "\x00", "A", "Z", "a", "a\x00b", "a b", "aa", "b", "é", "क", "\uffff", "𝒳"}
	for i := range names {
		j := (i*7 + 3) % len(names)
		insert(t, db, "things", d("_id", fmt.Sprintf("P:%02d", j), "institute", "P", "v", names[j], "w", names[j], "pair", int64(j/3), "date", int64(j/3)))
	}
	insert(t, db, "things", d("_id", "P:99", "institute", "P"), d("_id", "P:50", "institute", "P", "v", int64(3), "w", int64(3)))
	want := []string{"P:99", "P:50"}
	for i := range names {
		want = append(want, fmt.Sprintf("P:%02d", i))
	}
	backwards := slices.Clone(want)
	slices.Reverse(backwards)
	for _, field := range []string{"v", "w"} {
		s.run(t, "bytes of "+field, func(t *testing.T) {
			got := ids(t, db.Find(ctx, "things", d("institute", "P"), docdb.Find{Sort: keys(field, "_id")}))
			if !slices.Equal(got, want) {
				t.Errorf("order is\n %v, want\n %v", got, want)
			}
			got = ids(t, db.Find(ctx, "things", d("institute", "P"), docdb.Find{Sort: []docdb.Key{{Path: field, Desc: true}, {Path: "_id", Desc: true}}}))
			if !slices.Equal(got, backwards) {
				t.Errorf("falling order is\n %v, want\n %v", got, backwards)
			}
		})
	}
	for _, field := range []string{"date", "pair"} {
		s.run(t, "mixed by "+field, func(t *testing.T) {
			got := ids(t, db.Find(ctx, "things", d("institute", "P", field, d("$exists", true)),
				docdb.Find{Sort: []docdb.Key{{Path: field, Desc: true}, {Path: "_id"}}, Limit: 6}))
			if want := []string{"P:12", "P:09", "P:10", "P:11", "P:06", "P:07"}; !slices.Equal(got, want) {
				t.Errorf("order is %v, want %v", got, want)
			}
		})
	}
	s.run(t, "pages by key", func(t *testing.T) {
		sort := []docdb.Key{{Path: "date", Desc: true}, {Path: "_id", Desc: true}}
		whole := ids(t, db.Find(ctx, "things", d("institute", "P", "date", d("$exists", true)), docdb.Find{Sort: sort}))
		var paged []string
		filter := d("institute", "P", "date", d("$exists", true))
		for range len(names) {
			docs, err := docdb.All[struct {
				ID   string `bson:"_id"`
				Date int64  `bson:"date"`
			}](db.Find(ctx, "things", filter, docdb.Find{Sort: sort, Limit: 2}))
			must(t, err)
			if len(docs) == 0 {
				break
			}
			for _, doc := range docs {
				paged = append(paged, doc.ID)
			}
			last := docs[len(docs)-1]
			filter = d("institute", "P", "$or", bson.A{d("date", d("$lt", last.Date)), d("date", last.Date, "_id", d("$lt", last.ID))})
		}
		if !slices.Equal(paged, whole) || len(whole) != len(names) {
			t.Errorf("pages give\n %v, the whole list is\n %v", paged, whole)
		}
	})
}
