package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// gate is the database as a simulated process sees it.
type gate struct{ p *proc }

// enter waits for the scheduler, which then makes the call or fails it.
func (g *gate) enter(ctx context.Context, op, coll string, write bool, args []any, run func(context.Context, docdb.DB) error) error {
	w := g.p.w
	actor, _ := ctx.Value(actorKey{}).(string)
	c := &call{
		ctx: ctx, actor: actor, label: actor + " " + op + " " + coll, detail: func() string { return fmt.Sprint(args...) },
		coll: coll, write: write, proc: g.p, turn: make(chan struct{}),
	}
	if run != nil {
		c.run = func() error { return run(context.Background(), w.on.db) } // a bubble's context may not leave it
	}
	w.mu.Lock()
	w.waiting = append(w.waiting, c)
	w.mu.Unlock()
	w.wake()
	<-c.turn
	return c.fault
}

func (g *gate) Ensure(context.Context, []docdb.Collection) error { return nil }

func (g *gate) InsertOne(ctx context.Context, coll string, doc any) error {
	if alter := g.p.w.broken.insert; alter != nil {
		doc = alter(g.p, coll, doc)
	}
	return g.enter(ctx, "insert", coll, true, []any{doc}, func(ctx context.Context, db docdb.DB) error {
		return db.InsertOne(ctx, coll, doc)
	})
}

// InsertMany goes one document at a time: a process can die between two.
func (g *gate) InsertMany(ctx context.Context, coll string, docs []any) (n int64, err error) {
	for i, doc := range docs {
		if err := g.InsertOne(ctx, coll, doc); err != nil {
			return n, inPart(err, i)
		}
		n++
	}
	return n, nil
}

// inPart is the error of an operation that broke at its i-th document: what
// was not attempted as a whole was in part.
func inPart(err error, i int) error {
	if i > 0 && errors.Is(err, docdb.ErrUnavailable) {
		return docdb.ErrUnknownOutcome
	}
	return err
}

func (g *gate) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	return g.enter(ctx, "find one of", coll, false, []any{filter}, func(ctx context.Context, db docdb.DB) error {
		return db.FindOne(ctx, coll, filter, opts, out)
	})
}

// Find reads a snapshot at one step.
func (g *gate) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		var docs []bson.Raw
		err := g.enter(ctx, "find", coll, false, []any{filter, opts}, func(ctx context.Context, db docdb.DB) error {
			for raw, err := range db.Find(ctx, coll, filter, opts) {
				if err != nil {
					return err
				}
				docs = append(docs, slices.Clone(raw))
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (g *gate) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (res docdb.UpdateResult, err error) {
	filter, update = g.p.w.broken.altered(coll, filter, update)
	err = g.enter(ctx, "update", coll, true, []any{filter, update}, func(ctx context.Context, db docdb.DB) (err error) {
		res, err = db.UpdateOne(ctx, coll, filter, update, opts)
		return err
	})
	if err != nil {
		res = docdb.UpdateResult{}
	}
	return res, err
}

func (g *gate) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	filter, update = g.p.w.broken.altered(coll, filter, update)
	return g.enter(ctx, "find and update", coll, true, []any{filter, update}, func(ctx context.Context, db docdb.DB) error {
		return db.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
	})
}

// BulkWrite goes one write at a time, as InsertMany does.
func (g *gate) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (res docdb.BulkResult, first error) {
	for i, op := range ops {
		one, err := g.UpdateOne(ctx, coll, op.Filter, op.Update, docdb.Update{Upsert: op.Upsert})
		if err != nil {
			if first == nil {
				first = inPart(err, i)
			}
			if ordered || !docdb.IsDuplicate(err) {
				return res, first
			}
			continue
		}
		res.Matched += one.Matched
		res.Modified += one.Modified
		if one.Upserted {
			res.Upserts = append(res.Upserts, i)
		}
	}
	return res, first
}

func (g *gate) DeleteOne(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	filter, _ = g.p.w.broken.altered(coll, filter, nil)
	err = g.enter(ctx, "delete", coll, true, []any{filter}, func(ctx context.Context, db docdb.DB) (err error) {
		n, err = db.DeleteOne(ctx, coll, filter)
		return err
	})
	return n, err
}

func (g *gate) DeleteMany(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = g.enter(ctx, "delete many of", coll, true, []any{filter}, func(ctx context.Context, db docdb.DB) (err error) {
		n, err = db.DeleteMany(ctx, coll, filter)
		return err
	})
	return n, err
}

func (g *gate) Count(ctx context.Context, coll string, filter bson.D, limit int64) (n int64, err error) {
	err = g.enter(ctx, "count", coll, false, []any{filter}, func(ctx context.Context, db docdb.DB) (err error) {
		n, err = db.Count(ctx, coll, filter, limit)
		return err
	})
	return n, err
}

func (g *gate) Group(ctx context.Context, coll string, filter bson.D, by docdb.Group) (docs []bson.Raw, err error) {
	err = g.enter(ctx, "group", coll, false, []any{filter, by}, func(ctx context.Context, db docdb.DB) (err error) {
		docs, err = db.Group(ctx, coll, filter, by)
		return err
	})
	return docs, err
}

func (g *gate) Explain(ctx context.Context, coll string, filter bson.D, opts docdb.Find) (docdb.Plan, error) {
	return g.p.w.on.db.Explain(ctx, coll, filter, opts)
}

func (g *gate) Ping(context.Context) error { return nil }
func (g *gate) Close() error               { return nil }
