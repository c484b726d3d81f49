package docdbtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// Op is one operation that is about to run. An InsertMany or BulkWrite is one
// Op for each of its documents: only single documents are atomic, so it can
// break between any two of them.
type Op struct {
	Seq   int64  // 1, 2, 3 … over all operations of the database
	Name  string // of the method
	Coll  string
	Write bool
}

func (o Op) String() string { return fmt.Sprintf("#%d %s %s", o.Seq, o.Name, o.Coll) }

// Fault is what happens to an operation.
type Fault int

// The faults. On a read the two errors are both ErrUnavailable.
const (
	None        Fault = iota
	BeforeWrite       // ErrUnavailable; it was not applied
	AfterWrite        // ErrUnknownOutcome; it was applied
	CrashBefore       // panic(Crashed); it was not applied
	CrashAfter        // panic(Crashed); it was applied
)

func (f Fault) String() string {
	return [...]string{"none", "before write", "after write", "crash before", "crash after"}[f]
}

// Crashed is what Faulty panics with where the plan kills the caller.
type Crashed struct{ Op Op }

func (c Crashed) String() string { return "crashed at " + c.Op.String() }

// Faulty wraps a database that fails by plan, which is asked in the goroutine
// of each operation, before it. The plan of a test that is to be replayed goes
// by Seq and depends on nothing else.
func Faulty(db docdb.DB, plan func(op Op) Fault) docdb.DB { return &faulty{DB: db, plan: plan} }

type faulty struct {
	docdb.DB
	plan func(op Op) Fault
	seq  atomic.Int64
}

// do runs one operation as the plan has it.
func (f *faulty) do(name, coll string, write bool, run func() error) error {
	op := Op{f.seq.Add(1), name, coll, write}
	fault := f.plan(op)
	switch fault {
	case BeforeWrite:
		return fmt.Errorf("%w: by plan, %s", docdb.ErrUnavailable, op)
	case CrashBefore:
		panic(Crashed{op})
	}
	err := run()
	switch {
	case fault == CrashAfter:
		panic(Crashed{op})
	case fault == AfterWrite && write:
		return fmt.Errorf("%w: by plan, %s", docdb.ErrUnknownOutcome, op)
	case fault == AfterWrite:
		return fmt.Errorf("%w: by plan, %s", docdb.ErrUnavailable, op)
	}
	return err
}

func (f *faulty) InsertOne(ctx context.Context, coll string, doc any) error {
	return f.do("InsertOne", coll, true, func() error { return f.DB.InsertOne(ctx, coll, doc) })
}

func (f *faulty) InsertMany(ctx context.Context, coll string, docs []any) (int64, error) {
	for i, doc := range docs {
		err := f.do("InsertMany", coll, true, func() error { return f.DB.InsertOne(ctx, coll, doc) })
		if err != nil {
			return int64(i), partial(err, i)
		}
	}
	return int64(len(docs)), nil
}

// partial is the error of an operation that broke at its i-th document: what
// was not attempted as a whole was in part, and so its outcome is unknown.
func partial(err error, i int) error {
	if i > 0 && errors.Is(err, docdb.ErrUnavailable) {
		return fmt.Errorf("%w: after %d documents: %s", docdb.ErrUnknownOutcome, i, err) //nolint:errorlint // it must not read as "not attempted"
	}
	return err
}

func (f *faulty) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	return f.do("FindOne", coll, false, func() error { return f.DB.FindOne(ctx, coll, filter, opts, out) })
}

// Find fails before its first document or after its last.
func (f *faulty) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		more := true
		err := f.do("Find", coll, false, func() error {
			for doc, err := range f.DB.Find(ctx, coll, filter, opts) {
				if err != nil {
					return err
				}
				if more = yield(doc, nil); !more {
					return nil
				}
			}
			return nil
		})
		if err != nil && more {
			yield(nil, err)
		}
	}
}

func (f *faulty) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (res docdb.UpdateResult, err error) {
	err = f.do("UpdateOne", coll, true, func() error {
		res, err = f.DB.UpdateOne(ctx, coll, filter, update, opts)
		return err
	})
	if err != nil {
		res = docdb.UpdateResult{}
	}
	return res, err
}

func (f *faulty) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	var doc bson.Raw
	err := f.do("FindOneAndUpdate", coll, true, func() error {
		return f.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, &doc)
	})
	if err != nil {
		return err
	}
	return bson.Unmarshal(doc, out)
}

func (f *faulty) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (docdb.BulkResult, error) {
	var sum docdb.BulkResult
	var first error
	for i, op := range ops {
		err := f.do("BulkWrite", coll, true, func() error {
			res, err := f.DB.BulkWrite(ctx, coll, []docdb.UpdateOp{op}, ordered)
			sum.Matched += res.Matched
			sum.Modified += res.Modified
			if len(res.Upserts) > 0 {
				sum.Upserts = append(sum.Upserts, i)
			}
			return err
		})
		if first == nil && err != nil {
			first = partial(err, i)
		}
		if err != nil && (ordered || errors.Is(err, docdb.ErrUnavailable) || errors.Is(err, docdb.ErrUnknownOutcome)) {
			break
		}
	}
	return sum, first
}

func (f *faulty) DeleteOne(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = f.do("DeleteOne", coll, true, func() error {
		n, err = f.DB.DeleteOne(ctx, coll, filter)
		return err
	})
	return n, err
}

func (f *faulty) DeleteMany(ctx context.Context, coll string, filter bson.D) (n int64, err error) {
	err = f.do("DeleteMany", coll, true, func() error {
		n, err = f.DB.DeleteMany(ctx, coll, filter)
		return err
	})
	return n, err
}

func (f *faulty) Count(ctx context.Context, coll string, filter bson.D, limit int64) (n int64, err error) {
	err = f.do("Count", coll, false, func() error {
		n, err = f.DB.Count(ctx, coll, filter, limit)
		return err
	})
	return n, err
}

func (f *faulty) Group(ctx context.Context, coll string, filter bson.D, g docdb.Group) (docs []bson.Raw, err error) {
	err = f.do("Group", coll, false, func() error {
		docs, err = f.DB.Group(ctx, coll, filter, g)
		return err
	})
	return docs, err
}

func (f *faulty) Ping(ctx context.Context) error {
	return f.do("Ping", "", false, func() error { return f.DB.Ping(ctx) })
}
