package docdb

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Operation is one call that came to its end.
type Operation struct {
	Shape string // see Shape
	// Took is how long the caller waited; of a Find, which streams, the longest
	// that it waited for a document.
	Took time.Duration
	Err  error
}

// Outcome is how the operation ended, in a word: ok, notfound, duplicate,
// unavailable, unknown (ErrUnknownOutcome) or error.
func (o Operation) Outcome() string {
	switch {
	case o.Err == nil:
		return "ok"
	case errors.Is(o.Err, ErrNotFound):
		return "notfound"
	case IsDuplicate(o.Err):
		return "duplicate"
	case errors.Is(o.Err, ErrUnavailable):
		return "unavailable"
	case errors.Is(o.Err, ErrUnknownOutcome):
		return "unknown"
	default:
		return "error"
	}
}

// SlowAfter is how long an operation may take before it is worth a line in the
// log.
const SlowAfter = 100 * time.Millisecond

// Observer hears of the operations of a database.
type Observer struct {
	Now     func() time.Time
	Observe func(Operation) // nil for nothing; called by the operation's own goroutine
	Log     *slog.Logger    // warned of what is slow, by shape and without any value
}

// Observed wraps a database so that o hears of its operations, but not of
// Ensure, Explain and Ping.
func Observed(db DB, o Observer) DB { return &observed{DB: db, o: o} }

type observed struct {
	DB
	o Observer
}

// end tells of an operation that began at start.
func (d *observed) end(op, coll string, filter bson.D, sort []Key, start time.Time, err error) {
	d.report(op, coll, filter, sort, d.o.Now().Sub(start), err)
}

func (d *observed) report(op, coll string, filter bson.D, sort []Key, took time.Duration, err error) {
	if took < SlowAfter && d.o.Observe == nil {
		return
	}
	done := Operation{Shape: Shape(op, coll, filter, sort), Took: took, Err: err}
	if took >= SlowAfter {
		// Not the error: it may quote a document.
		d.o.Log.Warn("slow store operation", "shape", done.Shape, "ms", took.Milliseconds(), "outcome", done.Outcome())
	}
	if d.o.Observe != nil {
		d.o.Observe(done)
	}
}

func (d *observed) InsertOne(ctx context.Context, coll string, doc any) error {
	start := d.o.Now()
	err := d.DB.InsertOne(ctx, coll, doc)
	d.end("insert", coll, nil, nil, start, err)
	return err
}

func (d *observed) InsertMany(ctx context.Context, coll string, docs []any) (int64, error) {
	start := d.o.Now()
	n, err := d.DB.InsertMany(ctx, coll, docs)
	d.end("insertMany", coll, nil, nil, start, err)
	return n, err
}

func (d *observed) FindOne(ctx context.Context, coll string, filter bson.D, opts Find, out any) error {
	start := d.o.Now()
	err := d.DB.FindOne(ctx, coll, filter, opts, out)
	d.end("findOne", coll, filter, opts.Sort, start, err)
	return err
}

func (d *observed) Find(ctx context.Context, coll string, filter bson.D, opts Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		var longest time.Duration
		var failed error
		asked := d.o.Now()
		waited := func() { longest = max(longest, d.o.Now().Sub(asked)) }
		defer func() { d.report("find", coll, filter, opts.Sort, longest, failed) }()
		for doc, err := range d.DB.Find(ctx, coll, filter, opts) {
			waited()
			if err != nil {
				failed = err
			}
			if !yield(doc, err) {
				return
			}
			asked = d.o.Now() // what the caller did with it is not the store's time
		}
		waited()
	}
}

func (d *observed) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts Update) (UpdateResult, error) {
	start := d.o.Now()
	res, err := d.DB.UpdateOne(ctx, coll, filter, update, opts)
	d.end("update", coll, filter, nil, start, err)
	return res, err
}

func (d *observed) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts Update, out any) error {
	start := d.o.Now()
	err := d.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
	d.end("findAndUpdate", coll, filter, opts.Sort, start, err)
	return err
}

func (d *observed) BulkWrite(ctx context.Context, coll string, ops []UpdateOp, ordered bool) (BulkResult, error) {
	start := d.o.Now()
	res, err := d.DB.BulkWrite(ctx, coll, ops, ordered)
	d.end("bulk", coll, FirstFilter(ops), nil, start, err)
	return res, err
}

// FirstFilter is the filter that a bulk is named by: those of one bulk are
// alike.
func FirstFilter(ops []UpdateOp) bson.D {
	if len(ops) == 0 {
		return nil
	}
	return ops[0].Filter
}

func (d *observed) DeleteOne(ctx context.Context, coll string, filter bson.D) (int64, error) {
	start := d.o.Now()
	n, err := d.DB.DeleteOne(ctx, coll, filter)
	d.end("delete", coll, filter, nil, start, err)
	return n, err
}

func (d *observed) DeleteMany(ctx context.Context, coll string, filter bson.D) (int64, error) {
	start := d.o.Now()
	n, err := d.DB.DeleteMany(ctx, coll, filter)
	d.end("deleteMany", coll, filter, nil, start, err)
	return n, err
}

func (d *observed) Count(ctx context.Context, coll string, filter bson.D, limit int64) (int64, error) {
	start := d.o.Now()
	n, err := d.DB.Count(ctx, coll, filter, limit)
	d.end("count", coll, filter, nil, start, err)
	return n, err
}

func (d *observed) Group(ctx context.Context, coll string, filter bson.D, g Group) ([]bson.Raw, error) {
	start := d.o.Now()
	docs, err := d.DB.Group(ctx, coll, filter, g)
	d.end("group", coll, filter, nil, start, err)
	return docs, err
}

// Check passes an engine's check of itself on.
func (d *observed) Check(ctx context.Context) iter.Seq2[Damage, error] {
	if c, ok := d.DB.(Checker); ok {
		return c.Check(ctx)
	}
	return func(func(Damage, error) bool) {}
}
