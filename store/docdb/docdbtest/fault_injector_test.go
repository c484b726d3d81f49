package docdbtest_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/sqlite"
)

var ctx = context.Background()

func open(t *testing.T) docdb.DB {
	t.Helper()
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "x.db"), sqlite.Options{})
	if err == nil {
		err = db.Ensure(ctx, []docdb.Collection{{Name: "c", Indexes: []docdb.Index{
			{Name: "n", Keys: []docdb.Key{{Path: "n"}, {Path: "_id"}}},
			{Name: "open", Keys: []docdb.Key{{Path: "n"}}, Partial: bson.D{{Key: "open", Value: true}}},
		}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func doc(id string) bson.D { return bson.D{{Key: "_id", Value: id}, {Key: "n", Value: int64(1)}} }

func count(t *testing.T, db docdb.DB) int64 {
	t.Helper()
	n, err := db.Count(ctx, "c", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault   docdbtest.Fault
		want    error // nil where it crashes or works
		crashes bool
		applied int64
	}{
		{docdbtest.None, nil, false, 1},
		{docdbtest.BeforeWrite, docdb.ErrUnavailable, false, 0},
		{docdbtest.AfterWrite, docdb.ErrUnknownOutcome, false, 1},
		{docdbtest.CrashBefore, nil, true, 0},
		{docdbtest.CrashAfter, nil, true, 1},
	} {
		t.Run(c.fault.String(), func(t *testing.T) {
			inner := open(t)
			var ops []docdbtest.Op
			db := docdbtest.Faulty(inner, func(op docdbtest.Op) docdbtest.Fault {
				ops = append(ops, op)
				return c.fault
			})
			crash, err := attempt(func() error { return db.InsertOne(ctx, "c", doc("a")) })
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("error is %v, want %v", err, c.want)
			}
			if (crash != nil) != c.crashes {
				t.Errorf("crash is %v, want one: %v", crash, c.crashes)
			}
			if n := count(t, inner); n != c.applied {
				t.Errorf("%d documents, want %d", n, c.applied)
			}
			if want := []docdbtest.Op{{Seq: 1, Name: "InsertOne", Coll: "c", Write: true}}; !slices.Equal(ops, want) {
				t.Errorf("the plan was asked about %v, want %v", ops, want)
			}
		})
	}
}

// attempt runs f and catches what a plan crashes with.
func attempt(f func() error) (crash any, err error) {
	defer func() {
		if crash = recover(); crash != nil {
			if _, ok := crash.(docdbtest.Crashed); !ok {
				panic(crash)
			}
		}
	}()
	return nil, f()
}

func TestFaultsBetweenDocuments(t *testing.T) {
	at := func(seq int64, f docdbtest.Fault) func(docdbtest.Op) docdbtest.Fault {
		return func(op docdbtest.Op) docdbtest.Fault {
			if op.Seq == seq {
				return f
			}
			return docdbtest.None
		}
	}
	ops := func() (out []docdb.UpdateOp) {
		for i := range 5 {
			out = append(out, docdb.UpdateOp{Filter: bson.D{{Key: "_id", Value: fmt.Sprint(i)}}, Update: bson.D{{Key: "$set", Value: bson.D{{Key: "n", Value: int64(i)}}}}, Upsert: true})
		}
		return out
	}()
	for _, c := range []struct {
		fault   docdbtest.Fault
		seq     int64
		want    error
		applied int64
	}{
		{docdbtest.BeforeWrite, 1, docdb.ErrUnavailable, 0},
		{docdbtest.BeforeWrite, 3, docdb.ErrUnknownOutcome, 2},
		{docdbtest.AfterWrite, 3, docdb.ErrUnknownOutcome, 3},
		{docdbtest.CrashBefore, 5, nil, 4},
	} {
		t.Run(fmt.Sprint(c.fault, " ", c.seq), func(t *testing.T) {
			inner := open(t)
			_, err := attempt(func() error {
				_, err := docdbtest.Faulty(inner, at(c.seq, c.fault)).BulkWrite(ctx, "c", ops, false)
				return err
			})
			if !errors.Is(err, c.want) {
				t.Errorf("error is %v, want %v", err, c.want)
			}
			if n := count(t, inner); n != c.applied {
				t.Errorf("%d documents, want %d", n, c.applied)
			}
			inner = open(t)
			n := int64(-1)
			crash, _ := attempt(func() (err error) {
				n, err = docdbtest.Faulty(inner, at(c.seq, c.fault)).InsertMany(ctx, "c", []any{doc("0"), doc("1"), doc("2"), doc("3"), doc("4")})
				return err
			})
			if got := count(t, inner); got != c.applied || crash == nil && n != c.seq-1 {
				t.Errorf("%d documents, %d said to be in, want %d and %d", got, n, c.applied, c.seq-1)
			}
		})
	}
}

func TestFaultsOfReads(t *testing.T) {
	inner := open(t)
	for _, id := range []string{"a", "b"} {
		if err := inner.InsertOne(ctx, "c", doc(id)); err != nil {
			t.Fatal(err)
		}
	}
	for _, fault := range []docdbtest.Fault{docdbtest.BeforeWrite, docdbtest.AfterWrite} {
		db := docdbtest.Faulty(inner, func(docdbtest.Op) docdbtest.Fault { return fault })
		seen, failed := 0, error(nil)
		for _, err := range db.Find(ctx, "c", nil, docdb.Find{}) {
			if failed = err; err == nil {
				seen++
			}
		}
		if !errors.Is(failed, docdb.ErrUnavailable) {
			t.Errorf("%v: Find ends with %v, want ErrUnavailable", fault, failed)
		}
		if want := map[docdbtest.Fault]int{docdbtest.BeforeWrite: 0, docdbtest.AfterWrite: 2}[fault]; seen != want {
			t.Errorf("%v: Find gave %d documents, want %d", fault, seen, want)
		}
		if _, err := db.Count(ctx, "c", nil, 0); !errors.Is(err, docdb.ErrUnavailable) {
			t.Errorf("%v: Count ends with %v, want ErrUnavailable", fault, err)
		}
	}
}

// witness stands in for a test and keeps what it is told.
type witness struct {
	testing.TB
	told []string
}

func (w *witness) Helper() {}

func (w *witness) Errorf(format string, args ...any) {
	w.told = append(w.told, fmt.Sprintf(format, args...))
}

func TestNoScansTells(t *testing.T) {
	n := func(v any) bson.D { return bson.D{{Key: "n", Value: v}} }
	x := bson.D{{Key: "x", Value: "y"}}
	set := bson.D{{Key: "$set", Value: bson.D{{Key: "z", Value: true}}}}
	var out bson.Raw
	for name, c := range map[string]struct {
		run  func(db docdb.DB)
		want string
	}{
		"by index":          {func(db docdb.DB) { db.FindOne(ctx, "c", n(int64(1)), docdb.Find{}, &out) }, ""},
		"by key":            {func(db docdb.DB) { db.UpdateOne(ctx, "c", doc("a")[:1], set, docdb.Update{}) }, ""},
		"everything":        {func(db docdb.DB) { db.Count(ctx, "c", nil, 0) }, ""},
		"in order":          {func(db docdb.DB) { db.Find(ctx, "c", n(int64(1)), docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}) }, ""},
		"find":              {func(db docdb.DB) { db.Find(ctx, "c", x, docdb.Find{}) }, "Find scans: c {x:?}"},
		"find one":          {func(db docdb.DB) { db.FindOne(ctx, "c", x, docdb.Find{}, &out) }, "FindOne scans"},
		"update":            {func(db docdb.DB) { db.UpdateOne(ctx, "c", x, set, docdb.Update{}) }, "UpdateOne scans"},
		"find and update":   {func(db docdb.DB) { db.FindOneAndUpdate(ctx, "c", x, set, docdb.Update{}, &out) }, "FindOneAndUpdate scans"},
		"bulk":              {func(db docdb.DB) { db.BulkWrite(ctx, "c", []docdb.UpdateOp{{Filter: x, Update: set}}, true) }, "BulkWrite scans"},
		"delete one":        {func(db docdb.DB) { db.DeleteOne(ctx, "c", x) }, "DeleteOne scans"},
		"delete many":       {func(db docdb.DB) { db.DeleteMany(ctx, "c", x) }, "DeleteMany scans"},
		"count":             {func(db docdb.DB) { db.Count(ctx, "c", x, 0) }, "Count scans"},
		"group":             {func(db docdb.DB) { db.Group(ctx, "c", x, docdb.Group{By: []string{"n"}}) }, "Group scans"},
		"sort":              {func(db docdb.DB) { db.Find(ctx, "c", n(int64(1)), docdb.Find{Sort: []docdb.Key{{Path: "x"}}}) }, "Find sorts in memory"},
		"partial by truth":  {func(db docdb.DB) { db.Count(ctx, "c", bson.D{{Key: "open", Value: true}}, 0) }, ""},
		"not so by a lie":   {func(db docdb.DB) { db.Count(ctx, "c", bson.D{{Key: "open", Value: false}}, 0) }, "Count scans"},
		"one branch of two": {func(db docdb.DB) { db.Count(ctx, "c", bson.D{{Key: "$or", Value: bson.A{n(int64(1)), x}}}, 0) }, "Count scans: c {$or:[{n:?} {x:?}]}"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &witness{TB: t}
			db := docdbtest.NoScans(w, open(t))
			c.run(db)
			c.run(db) // the same shape is told once
			switch {
			case c.want == "" && len(w.told) > 0:
				t.Errorf("it tells %v", w.told)
			case c.want != "" && (len(w.told) != 1 || !strings.HasPrefix(w.told[0], c.want)):
				t.Errorf("it tells %q, want %q once", w.told, c.want)
			}
		})
	}
}
