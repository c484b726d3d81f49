package docdbtest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// documents checks that what goes in comes out, byte for byte.
func (s *suite) documents(t *testing.T) {
	db := s.db(t)
	deep := d("leaf", int64(1))
	for range 40 {
		deep = d("in", deep)
	}
	for name, value := range map[string]any{
		"empty string":     "",
		"text":             "Asha Verma, ₹1,25,000.02 — आशा वर्मा 𝒳",
		"controls":         "a\tb\nc\rd\be\ff\x01\x1f\x7f",
		"nul":              "before\x00after\x00",
		"quotes":           `"\" \\ / </script> \u0041`,
		"separators":       "line\u2028paragraph\u2029bom\ufeff",
		"long text":        strings.Repeat("हिन्दी", 5000),
		"zero":             int64(0),
		"largest":          int64(math.MaxInt64),
		"smallest":         int64(math.MinInt64),
		"beyond a double":  int64(1<<53 + 1),
		"true":             true,
		"false":            false,
		"date":             time.Date(2026, 11, 30, 10, 0, 0, 123e6, time.UTC),
		"date before 1970": time.Date(1947, 8, 15, 0, 0, 0, 1e6, time.UTC),
		"year 1":           time.Time{},
		"far date":         bson.DateTime(math.MaxInt64 / 1000),
		"old date":         bson.DateTime(math.MinInt64 / 1000),
		"binary":           []byte{0, 1, 2, 0xff},
		"empty binary":     []byte{},
		"binary subtype":   bson.Binary{Subtype: 4, Data: []byte("0123456789abcdef")},
		"empty array":      bson.A{},
		"array":            bson.A{"a", int64(1), true, bson.A{bson.A{}}, d("x", "y")},
		"empty document":   bson.D{},
		"document":         d("z", int64(1), "a", d("ключ", "x", "date", "x"), "m", bson.A{d("b", true)}),
		"deep":             deep,
	} {
		s.run(t, name, func(t *testing.T) {
			want := d("_id", name, "before", int64(1), "value", value, "after", "x")
			must(t, db.InsertOne(ctx, "plain", want))
			same(t, one(t, db, "plain", name), want)
		})
	}
	s.run(t, "struct", func(t *testing.T) {
		type thing struct {
			ID   string    `bson:"_id"`
			N    int64     `bson:"n"`
			None string    `bson:"none,omitempty"`
			At   time.Time `bson:"at"`
			List []string  `bson:"list"`
		}
		want := thing{ID: "s", N: -7, At: time.UnixMilli(1764496800123).UTC(), List: []string{"x"}}
		must(t, db.InsertOne(ctx, "plain", want))
		var got thing
		must(t, db.FindOne(ctx, "plain", d("_id", "s"), docdb.Find{}, &got))
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if _, err := one(t, db, "plain", "s").LookupErr("none"); err == nil {
			t.Error("a field that was omitted is there")
		}
	})
}

func (s *suite) inserts(t *testing.T) {
	s.run(t, "twice", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "plain", d("_id", "a", "n", int64(1)))
		wantDuplicate(t, db.InsertOne(ctx, "plain", d("_id", "a", "n", int64(2))), "_id_")
		same(t, one(t, db, "plain", "a"), d("_id", "a", "n", int64(1)))
	})
	s.run(t, "keys differ in case and length", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "plain", d("_id", "a"), d("_id", "A"), d("_id", "a "), d("_id", "á"), d("_id", ""))
		if n, _ := db.Count(ctx, "plain", nil, 0); n != 5 {
			t.Errorf("%d documents, want 5", n)
		}
	})
	s.run(t, "many", func(t *testing.T) {
		db := s.db(t)
		var docs []any
		for i := range 1234 {
			docs = append(docs, d("_id", fmt.Sprintf("m%04d", i), "n", int64(i)))
		}
		n, err := db.InsertMany(ctx, "plain", docs)
		if err != nil || n != 1234 {
			t.Fatalf("inserted %d, %v", n, err)
		}
		same(t, one(t, db, "plain", "m1233"), d("_id", "m1233", "n", int64(1233)))
	})
	s.run(t, "many stops at the first refusal", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "plain", d("_id", "m0250"))
		var docs []any
		for i := range 500 {
			docs = append(docs, d("_id", fmt.Sprintf("m%04d", i)))
		}
		n, err := db.InsertMany(ctx, "plain", docs)
		wantDuplicate(t, err, "_id_")
		if n != 250 {
			t.Errorf("says that %d went in, want 250", n)
		}
		if got, _ := db.Count(ctx, "plain", nil, 0); got != 251 {
			t.Errorf("%d documents, want 251", got)
		}
	})
	s.run(t, "many of none", func(t *testing.T) {
		if n, err := s.db(t).InsertMany(ctx, "plain", nil); n != 0 || err != nil {
			t.Errorf("inserted %d, %v", n, err)
		}
	})
	s.run(t, "ensure again keeps all", func(t *testing.T) {
		db := s.db(t)
		insert(t, db, "things", d("_id", "a", "institute", "P", "v", int64(1)))
		must(t, db.Ensure(ctx, schema))
		got := ids(t, db.Find(ctx, "things", d("institute", "P", "v", int64(1)), docdb.Find{}))
		if !slices.Equal(got, []string{"a"}) {
			t.Errorf("found %v", got)
		}
	})
	s.run(t, "ping", func(t *testing.T) { must(t, s.db(t).Ping(ctx)) })
}
