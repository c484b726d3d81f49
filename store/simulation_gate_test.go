package store

import (
	"context"
	"errors"
	"iter"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// gate is the database as a simulated process sees it.
type gate struct{ p *proc }

// enter waits for the scheduler and then makes the call, or fails as it says.
func (g *gate) enter(ctx context.Context, what string, write bool, run func(context.Context) error) error {
	label, _ := ctx.Value(actorKey{}).(string)
	c := &call{label: label + " " + what, write: write, proc: g.p, turn: make(chan struct{})}
	c.run = func() error { return run(context.Background()) } // a bubble's context may not leave it
	g.p.w.mu.Lock()
	g.p.w.waiting = append(g.p.w.waiting, c)
	g.p.w.mu.Unlock()
	<-c.turn
	return c.fault
}

func (g *gate) Ensure(context.Context, []docdb.Collection) error { return nil }

func (g *gate) InsertOne(ctx context.Context, coll string, doc any) error {
	return g.enter(ctx, "insert "+coll, true, func(ctx context.Context) error { return g.p.w.db.InsertOne(ctx, coll, doc) })
}

func (g *gate) InsertMany(ctx context.Context, coll string, docs []any) (n int64, err error) {
	err = g.enter(ctx, "insert "+coll, true, func(ctx context.Context) (err error) {
		n, err = g.p.w.db.InsertMany(ctx, coll, docs)
		return err
	})
	return n, err
}

func (g *gate) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	return g.enter(ctx, "find "+coll, false, func(ctx context.Context) error { return g.p.w.db.FindOne(ctx, coll, filter, opts, out) })
}

// Find reads a snapshot at one step.
func (g *gate) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		var docs []bson.Raw
		err := g.enter(ctx, "find "+coll, false, func(ctx context.Context) error {
			for raw, err := range g.p.w.db.Find(ctx, coll, filter, opts) {
				if err != nil {
					return err
				}
				docs = append(docs, slices.Clone(raw))
			}
			return nil
		})
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (g *gate) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (res docdb.UpdateResult, err error) {
	err = g.enter(ctx, "update "+coll, true, func(ctx context.Context) (err error) {
		res, err = g.p.w.db.UpdateOne(ctx, coll, filter, update, opts)
		return err
	})
	return res, err
}

func (g *gate) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	return g.enter(ctx, "update "+coll, true, func(ctx context.Context) error {
		return g.p.w.db.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
	})
}

// BulkWrite goes one write at a time: a process can die between two.
func (g *gate) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (res docdb.BulkResult, err error) {
	for i, op := range ops {
		one, opErr := g.UpdateOne(ctx, coll, op.Filter, op.Update, docdb.Update{Upsert: op.Upsert})
		if opErr != nil {
			err = errors.Join(err, opErr)
			if ordered {
				return res, err
			}
			continue
		}
		res.Matched += one.Matched
		res.Modified += one.Modified
		if one.Upserted {
			res.Upserts = append(res.Upserts, i)
		}
	}
	return res, err
}

func (g *gate) DeleteOne(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = g.enter(ctx, "delete "+coll, true, func(ctx context.Context) (err error) {
		n, err = g.p.w.db.DeleteOne(ctx, coll, filter)
		return err
	})
	return n, err
}

func (g *gate) DeleteMany(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = g.enter(ctx, "delete "+coll, true, func(ctx context.Context) (err error) {
		n, err = g.p.w.db.DeleteMany(ctx, coll, filter)
		return err
	})
	return n, err
}

func (g *gate) Count(ctx context.Context, coll string, filter bson.D, limit int64) (n int64, err error) {
	err = g.enter(ctx, "count "+coll, false, func(ctx context.Context) (err error) {
		n, err = g.p.w.db.Count(ctx, coll, filter, limit)
		return err
	})
	return n, err
}

func (g *gate) Group(ctx context.Context, coll string, filter bson.D, by docdb.Group) (docs []bson.Raw, err error) {
	err = g.enter(ctx, "group "+coll, false, func(ctx context.Context) (err error) {
		docs, err = g.p.w.db.Group(ctx, coll, filter, by)
		return err
	})
	return docs, err
}

func (g *gate) Explain(ctx context.Context, coll string, filter bson.D, opts docdb.Find) (docdb.Plan, error) {
	return g.p.w.db.Explain(ctx, coll, filter, opts)
}

func (g *gate) Ping(context.Context) error { return nil }
func (g *gate) Close() error               { return nil }
