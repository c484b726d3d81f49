// Package docdbtest is the contract of docdb as tests: every engine runs Run.
// It also has what other packages test themselves with: NoScans, which watches
// the plans of their queries, and Faulty, which makes a database fail by plan.
package docdbtest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// Caps names the sub-tests that an engine cannot pass, each with the reason
// why. A name stands for everything below it, as in "Race" or
// "Race/increments".
type Caps map[string]string

// Run runs the contract. open returns an empty database that is closed when the
// test ends. A database that sweeps expired documents on demand has a method
// Sweep(context.Context) (int64, error) and a clock later than 2002.
func Run(t *testing.T, open func(t *testing.T) docdb.DB, caps Caps) Tally {
	s := &suite{open: open, caps: caps, root: t.Name(), tally: Tally{Left: Caps{}}}
	for _, part := range []struct {
		name string
		test func(*suite, *testing.T)
	}{
		{"Documents", (*suite).documents},
		{"Insert", (*suite).inserts},
		{"Find", (*suite).finds},
		{"Filter", (*suite).filters},
		{"Multikey", (*suite).multikeys},
		{"Sort", (*suite).sorts},
		{"Stream", (*suite).streams},
		{"Update", (*suite).updates},
		{"Upsert", (*suite).upserts},
		{"FindOneAndUpdate", (*suite).findAndUpdates},
		{"Bulk", (*suite).bulks},
		{"Delete", (*suite).deletes},
		{"Count", (*suite).counts},
		{"Group", (*suite).groups},
		{"Unique", (*suite).uniques},
		{"Race", (*suite).races},
		{"Expiry", (*suite).expiry},
		{"Plan", (*suite).plans},
		{"Context", (*suite).contexts},
	} {
		s.run(t, part.name, func(t *testing.T) { part.test(s, t) })
	}
	return s.tally
}

type suite struct {
	open  func(t *testing.T) docdb.DB
	caps  Caps
	root  string
	tally Tally
}

// run is t.Run for those sub-tests that the engine can do.
func (s *suite) run(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		name := strings.TrimPrefix(t.Name(), s.root+"/")
		if why, ok := s.caps[name]; ok {
			s.tally.Left[name] = why
			t.Skip("this engine cannot: " + why)
		}
		before := s.tally.cases()
		f(t)
		if s.tally.cases() == before { // it has no sub-tests of its own
			s.tally.count(!t.Failed())
		}
	})
}

// db opens an empty database with the suite's collections.
func (s *suite) db(t *testing.T) docdb.DB {
	t.Helper()
	db := s.open(t)
	must(t, db.Ensure(context.Background(), schema))
	return db
}

// The suite's collections. "plain" has no index; "things" has one of each
// kind. The institute leads every index, as it does in store.
var schema = []docdb.Collection{
	{Name: "plain"},
	{Name: "counters"},
	{Name: "things", Indexes: []docdb.Index{
		{Name: "by_v", Keys: keys("institute", "v", "_id")},
		{Name: "by_date", Keys: []docdb.Key{{Path: "institute"}, {Path: "date", Desc: true}, {Path: "_id", Desc: true}}},
		{Name: "by_deep", Keys: keys("institute", "deep.x", "_id")},
		{Name: "by_head", Keys: keys("institute", "head", "mode", "total")},
		{Name: "by_number", Keys: keys("institute", "series", "number"), Unique: true,
			Partial: d("number", d("$exists", true))},
		{Name: "awaiting", Keys: keys("institute", "at", "_id"), Partial: d("awaiting", true)},
		{Name: "by_code", Keys: keys("institute", "code"), Unique: true,
			Partial: d("code", d("$exists", true), "kind", "coded")},
		{Name: "by_tag", Keys: []docdb.Key{{Path: "institute"}, {Path: "tags", Multi: true}, {Path: "_id"}}},
	}},
	{Name: "holds", TTL: "expiresAt"},
}

func keys(paths ...string) []docdb.Key {
	var out []docdb.Key
	for _, p := range paths {
		out = append(out, docdb.Key{Path: p})
	}
	return out
}

// d makes a document of names and values in turn.
func d(pairs ...any) bson.D {
	out := bson.D{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, bson.E{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return out
}

// with is a document with more fields.
func with(doc bson.D, pairs ...any) bson.D { return append(slices.Clone(doc), d(pairs...)...) }

var ctx = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// insert inserts documents one by one.
func insert(t *testing.T, db docdb.DB, coll string, docs ...bson.D) {
	t.Helper()
	for _, doc := range docs {
		if err := db.InsertOne(ctx, coll, doc); err != nil {
			t.Fatalf("insert %v: %v", doc, err)
		}
	}
}

// one finds a document, which has to be there.
func one(t *testing.T, db docdb.DB, coll, id string) bson.Raw {
	t.Helper()
	var out bson.Raw
	if err := db.FindOne(ctx, coll, d("_id", id), docdb.Find{}, &out); err != nil {
		t.Fatalf("find %s: %v", id, err)
	}
	return out
}

// ids are the keys of what a Find returns, in its order.
func ids(t *testing.T, docs iter.Seq2[bson.Raw, error]) []string {
	t.Helper()
	out := []string{}
	for doc, err := range docs {
		if err != nil {
			t.Fatalf("find: %v", err)
		}
		out = append(out, doc.Lookup("_id").StringValue())
	}
	return out
}

// same compares a document with what it should be, field by field in order.
func same(t *testing.T, got bson.Raw, want bson.D) {
	t.Helper()
	b, err := bson.Marshal(want)
	must(t, err)
	if !slices.Equal(got, b) {
		t.Errorf("document is\n %s\nwant\n %s", got, bson.Raw(b))
	}
}

// sameFields compares two documents, whatever the order of their fields.
func sameFields(t *testing.T, got bson.Raw, want bson.D) {
	t.Helper()
	var doc bson.D
	must(t, bson.Unmarshal(got, &doc))
	byName := func(a, b bson.E) int { return strings.Compare(a.Key, b.Key) }
	slices.SortFunc(doc, byName)
	want = slices.Clone(want)
	slices.SortFunc(want, byName)
	b, err := bson.Marshal(doc)
	must(t, err)
	same(t, b, want)
}

func wantDuplicate(t *testing.T, err error, index string) {
	t.Helper()
	var dup *docdb.DuplicateKeyError
	if !errors.As(err, &dup) {
		t.Fatalf("error is %v, want a DuplicateKeyError", err)
	}
	if dup.Index != "" && dup.Index != index {
		t.Errorf("the duplicate is said to be in index %q, want %q", dup.Index, index)
	}
}
