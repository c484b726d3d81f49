package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

func (m maker) filter(depth int, tags bool) bson.D {
	out := bson.D{}
	for range 1 + m.IntN(2) {
		if depth > 0 && m.IntN(3) == 0 {
			op := []string{"$or", "$and"}[m.IntN(2)]
			var parts bson.A
			for range 1 + m.IntN(3) {
				parts = append(parts, m.filter(depth-1, tags))
			}
			out = append(out, bson.E{Key: op, Value: parts})
			continue
		}
		paths := []string{"i", "a", "b", "sub.x", "free", "low.x", "gone"}
		if tags {
			paths = append(paths, "tags", "tags")
		}
		out = append(out, bson.E{Key: paths[m.IntN(len(paths))], Value: m.condition()})
	}
	return out
}

func (m maker) condition() any {
	switch m.IntN(6) {
	case 0, 1:
		return m.scalar()
	case 2:
		return bson.D{{Key: "$exists", Value: m.IntN(2) == 0}}
	case 3:
		list := bson.A{}
		for range m.IntN(4) {
			list = append(list, m.scalar())
		}
		return bson.D{{Key: "$in", Value: list}}
	}
	out := bson.D{}
	for range 1 + m.IntN(2) {
		out = append(out, bson.E{Key: []string{"$gt", "$gte", "$lt", "$lte", "$ne"}[m.IntN(5)], Value: m.scalar()})
	}
	return out
}

// TestColumnsDecideAsDocumentsDo compares, for filters made by chance, what SQL
// over key columns finds with what matching every document finds.
func TestColumnsDecideAsDocumentsDo(t *testing.T) {
	seed := uint64(7)
	m := maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "x.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	key := func(paths ...string) (out []docdb.Key) {
		for _, p := range paths {
			out = append(out, docdb.Key{Path: p, Multi: p == "tags"})
		}
		return out
	}
	err = db.Ensure(ctx, []docdb.Collection{{Name: "c", Indexes: []docdb.Index{
		{Name: "one", Keys: key("i", "a", "_id")},
		{Name: "two", Keys: key("sub.x", "b")},
		{Name: "some", Keys: key("b"), Partial: bson.D{{Key: "a", Value: true}}},
		{Name: "there", Keys: key("a"), Partial: bson.D{{Key: "free", Value: bson.D{{Key: "$exists", Value: true}}}}},
		{Name: "tags", Keys: key("i", "tags", "_id")},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var docs [][]byte
	for n := range 200 {
		doc := bson.D{{Key: "_id", Value: fmt.Sprintf("%03d", n)}, {Key: "i", Value: m.scalar()}}
		for _, name := range []string{"a", "b", "sub", "low", "free", "tags"} {
			if m.IntN(4) == 0 {
				continue
			}
			var v any
			switch name {
			case "sub":
				v = bson.D{{Key: "x", Value: m.scalar()}}
			case "low":
				v = bson.A{bson.D{{Key: "x", Value: m.scalar()}}, bson.D{{Key: "x", Value: m.scalar()}}}
			case "tags":
				list := bson.A{}
				for range m.IntN(4) {
					list = append(list, texts[m.IntN(len(texts))])
				}
				v = list
			case "free":
				v = m.value(1)
				if list, ok := v.(bson.D); ok {
					v = append(list, bson.E{Key: "x", Value: true})
				}
			default:
				v = m.scalar()
			}
			doc = append(doc, bson.E{Key: name, Value: v})
		}
		docs = append(docs, marshalled(t, doc))
		if err := db.InsertOne(ctx, "c", bson.Raw(docs[n])); err != nil {
			t.Fatalf("%s: %v", bson.Raw(docs[n]), err)
		}
	}
	hits := 0
	k, _ := db.collection("c")
	for n := range 6000 {
		filter := m.filter(2, true)
		conds, err := parseFilter(filter)
		if err != nil {
			continue // such as $or of nothing
		}
		var want, got []string
		for i, doc := range docs {
			if matches(doc, conds) {
				want = append(want, fmt.Sprintf("%03d", i))
			}
		}
		for doc, err := range db.Find(ctx, "c", filter, docdb.Find{}) {
			if err != nil {
				t.Fatalf("filter %d, %v: %v", n, filter, err)
			}
			got = append(got, doc.Lookup("_id").StringValue())
		}
		slices.Sort(got)
		s, _ := newSearch(k, docOnly, filter, nil, 0)
		if !slices.Equal(got, want) {
			t.Fatalf("filter %d, %v: found %v, want %v\n%s", n, filter, got, want, s.sql)
		}
		if count, err := db.Count(ctx, "c", filter, 0); err != nil || count != int64(len(want)) {
			t.Fatalf("filter %d, %v: counted %d (%v), want %d", n, filter, count, err, len(want))
		}
		if len(want) > 0 && len(s.rest) == 0 {
			hits++
		}
	}
	if hits < 600 {
		t.Errorf("only %d filters were decided by columns and matched something: this test tests little", hits)
	}
}
