package sqlite

import (
	"context"
	"errors"
	"fmt"

	"raseed/store/docdb"
)

// bulkJob runs updates one after the other in one turn.
type bulkJob struct {
	jobs    []*updateJob
	ordered bool
	errs    []error
}

func (j *bulkJob) do(w *writer) error {
	clear(j.errs)
	for i, one := range j.jobs {
		if one == nil { // could not be understood
			continue
		}
		j.errs[i] = one.do(w)
		if j.errs[i] != nil && (machine(j.errs[i]) || !w.c.inTransaction()) {
			return j.errs[i]
		}
		if j.errs[i] != nil && j.ordered {
			return nil
		}
	}
	return nil
}

// BulkWrite runs update-ones, each of them atomic by itself.
func (db *DB) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (docdb.BulkResult, error) {
	var res docdb.BulkResult
	k, err := db.collection(coll)
	if err != nil {
		return res, fmt.Errorf("bulk write: %w", err)
	}
	var first error
	for from := 0; from < len(ops); from += chunk {
		part := ops[from:min(from+chunk, len(ops))]
		err := partly(db.bulk(ctx, k, part, ordered, from, &res), from > 0)
		if first == nil {
			first = err
		}
		if err != nil && (ordered || lost(err)) {
			break
		}
	}
	if first != nil {
		return res, fmt.Errorf("bulk write in %s: %w", coll, first)
	}
	return res, nil
}

// lost says that the engine and not the operation is at fault.
func lost(err error) bool {
	return errors.Is(err, docdb.ErrUnavailable) || errors.Is(err, docdb.ErrUnknownOutcome)
}

// bulk runs a chunk and adds what it did to res. Its error is the first one.
func (db *DB) bulk(ctx context.Context, k *collection, ops []docdb.UpdateOp, ordered bool, from int, res *docdb.BulkResult) error {
	j := &bulkJob{jobs: make([]*updateJob, 0, len(ops)), ordered: ordered, errs: make([]error, len(ops))}
	refused := make([]error, len(ops))
	for i, op := range ops {
		one, err := newUpdateJob(k, op.Filter, op.Update, nil, op.Upsert)
		if err != nil {
			refused[i], one = err, nil
			if ordered {
				break
			}
		}
		j.jobs = append(j.jobs, one)
	}
	if err := db.write(ctx, j); err != nil {
		return err
	}
	var first error
	for i, one := range j.jobs {
		err := errors.Join(refused[i], j.errs[i])
		if first == nil {
			first = err
		}
		if err != nil || one == nil {
			continue
		}
		res.Matched += one.res.Matched
		res.Modified += one.res.Modified
		if one.res.Upserted {
			res.Upserts = append(res.Upserts, from+i)
		}
	}
	return first
}
