package docdbtest

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// NoScans wraps a database so that the test fails when a query would read
// documents that no index chose, or sort in memory. Each shape (collection,
// paths and operators of the filter, sort) is explained once. An empty filter
// wants all documents and is let through.
func NoScans(t testing.TB, db docdb.DB) docdb.DB {
	return &scanWatch{DB: db, t: t, seen: map[string]bool{}}
}

type scanWatch struct {
	docdb.DB
	t    testing.TB
	mu   sync.Mutex
	seen map[string]bool
}

// look explains a query unless its shape was seen.
func (w *scanWatch) look(ctx context.Context, op, coll string, filter bson.D, opts docdb.Find) {
	shape := fmt.Sprint(coll, " ", shapeOf(filter), " sort ", opts.Sort)
	w.mu.Lock()
	seen := w.seen[shape]
	w.seen[shape] = true
	w.mu.Unlock()
	if seen {
		return
	}
	plan, err := w.DB.Explain(ctx, coll, filter, opts)
	if err != nil {
		w.mu.Lock()
		delete(w.seen, shape) // the operation itself will tell what is wrong
		w.mu.Unlock()
		return
	}
	w.t.Helper()
	if plan.Scan && len(filter) > 0 {
		w.t.Errorf("%s scans: %s\n%s", op, shape, plan.Text)
	}
	if plan.MemorySort {
		w.t.Errorf("%s sorts in memory: %s\n%s", op, shape, plan.Text)
	}
}

// shapeOf is a filter without its values. Bools stay: indexes are partial by
// them.
func shapeOf(v any) string {
	switch v := v.(type) {
	case bson.D:
		var parts []string
		for _, e := range v {
			parts = append(parts, e.Key+":"+shapeOf(e.Value))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case bson.A:
		var parts []string
		for _, e := range v {
			if _, ok := e.(bson.D); !ok {
				return "[…]"
			}
			parts = append(parts, shapeOf(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case []bson.D:
		var parts bson.A
		for _, e := range v {
			parts = append(parts, e)
		}
		return shapeOf(parts)
	case bool:
		return fmt.Sprint(v)
	}
	return "?"
}

func (w *scanWatch) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	w.t.Helper()
	w.look(ctx, "FindOne", coll, filter, docdb.Find{Sort: opts.Sort, Limit: 1})
	return w.DB.FindOne(ctx, coll, filter, opts, out)
}

func (w *scanWatch) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	w.t.Helper()
	w.look(ctx, "Find", coll, filter, opts)
	return w.DB.Find(ctx, coll, filter, opts)
}

func (w *scanWatch) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	w.t.Helper()
	w.look(ctx, "UpdateOne", coll, filter, docdb.Find{Limit: 1})
	return w.DB.UpdateOne(ctx, coll, filter, update, opts)
}

func (w *scanWatch) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	w.t.Helper()
	w.look(ctx, "FindOneAndUpdate", coll, filter, docdb.Find{Sort: opts.Sort, Limit: 1})
	return w.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
}

func (w *scanWatch) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (docdb.BulkResult, error) {
	w.t.Helper()
	for _, op := range ops {
		w.look(ctx, "BulkWrite", coll, op.Filter, docdb.Find{Limit: 1})
	}
	return w.DB.BulkWrite(ctx, coll, ops, ordered)
}

func (w *scanWatch) DeleteOne(ctx context.Context, coll string, filter bson.D) (int64, error) {
	w.t.Helper()
	w.look(ctx, "DeleteOne", coll, filter, docdb.Find{Limit: 1})
	return w.DB.DeleteOne(ctx, coll, filter)
}

func (w *scanWatch) DeleteMany(ctx context.Context, coll string, filter bson.D) (int64, error) {
	w.t.Helper()
	w.look(ctx, "DeleteMany", coll, filter, docdb.Find{})
	return w.DB.DeleteMany(ctx, coll, filter)
}

func (w *scanWatch) Count(ctx context.Context, coll string, filter bson.D, limit int64) (int64, error) {
	w.t.Helper()
	w.look(ctx, "Count", coll, filter, docdb.Find{Limit: limit})
	return w.DB.Count(ctx, coll, filter, limit)
}

func (w *scanWatch) Group(ctx context.Context, coll string, filter bson.D, g docdb.Group) ([]bson.Raw, error) {
	w.t.Helper()
	w.look(ctx, "Group", coll, filter, docdb.Find{})
	return w.DB.Group(ctx, coll, filter, g)
}

// Check passes an engine's check of itself on.
func (w *scanWatch) Check(ctx context.Context) iter.Seq2[docdb.Damage, error] {
	if c, ok := w.DB.(docdb.Checker); ok {
		return c.Check(ctx)
	}
	return func(func(docdb.Damage, error) bool) {}
}
