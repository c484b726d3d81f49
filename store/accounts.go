package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Balances are what each of the students owes (negative: is in credit), by
// admission number, from their accounts. What another counter recorded in this
// moment may be missing; Dues are exact.
func (s *Store) Balances(ctx context.Context, institute string, students []string) (map[string]fees.Amount, error) {
	all, err := s.accounts(ctx, institute, students)
	if err != nil {
		return nil, outage("read accounts", err)
	}
	balances := make(map[string]fees.Amount, len(students))
	for _, student := range students {
		balances[student] = all[student].Balance
	}
	return balances, nil
}

// accounts are the accounts that there are, by admission number.
func (s *Store) accounts(ctx context.Context, institute string, students []string) (map[string]fees.Account, error) {
	ids := make([]string, len(students))
	for i, student := range students {
		ids[i] = fees.Key(institute, student)
	}
	all := make(map[string]fees.Account, len(students))
	found, err := s.readBatch(ctx, accounts, institute, ids)
	for _, raw := range found {
		var a fees.Account
		if err := bson.Unmarshal(raw, &a); err != nil {
			return nil, fmt.Errorf("read account: %w", err)
		}
		all[a.Student] = a
	}
	return all, err
}

// recountTries bounds how often a recount begins again because somebody else
// was faster; each time somebody was.
const recountTries = 100

// recount brings the accounts of at most batchSize students up to what their
// bills and rows are now.
//
// Whoever writes a bill or a row recounts after it, and a mark written with it
// (bill.uncounted, row.awaiting) tells the sweep to do so if he cannot. A
// recount reads the version first, then the sums, and writes only where the
// version is still the one it read: of two at once, the one that may have seen
// less is the one that loses. It writes even if nothing differs, or another
// that saw an older state could still win.
func (s *Store) recount(ctx context.Context, institute string, students []string) error {
	_, err := s.recounted(ctx, institute, students)
	return err
}

// recounted is recount that answers with the sums, by admission number.
func (s *Store) recounted(ctx context.Context, institute string, students []string) (map[string]fees.Account, error) {
	for range recountTries {
		sums, done, err := s.tryRecount(ctx, institute, students)
		switch {
		case err != nil && !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome):
			return nil, fmt.Errorf("recount accounts: %w", err)
		case err == nil && done:
			return sums, nil
		case ctx.Err() != nil:
			return nil, fmt.Errorf("recount accounts: %w", ctx.Err())
		}
	}
	return nil, fmt.Errorf("recount accounts: others were faster %d times: %w", recountTries, docdb.ErrUnavailable)
}

// tryRecount is one round of recount; done says that nobody came between.
func (s *Store) tryRecount(ctx context.Context, institute string, students []string) (now map[string]fees.Account, done bool, err error) {
	before, err := s.accounts(ctx, institute, students)
	if err != nil {
		return nil, false, err
	}
	now, err = s.sumsOf(ctx, institute, students)
	if err != nil {
		return nil, false, err
	}
	ops := make([]docdb.UpdateOp, len(students))
	for i, student := range students {
		a := now[student]
		filter := one(institute, fees.Key(institute, student))
		sums := bson.D{
			{Key: "student", Value: student},
			{Key: "version", Value: before[student].Version + 1},
			{Key: "billed", Value: a.Billed}, {Key: "received", Value: a.Received}, {Key: "balance", Value: a.Balance},
			{Key: "bills", Value: a.Bills}, {Key: "rows", Value: a.Rows},
		}
		if before[student].Version == 0 {
			ops[i] = docdb.UpdateOp{Filter: filter, Update: bson.D{{Key: "$setOnInsert", Value: sums}}, Upsert: true}
		} else {
			filter = append(filter, bson.E{Key: "version", Value: before[student].Version})
			ops[i] = docdb.UpdateOp{Filter: filter, Update: bson.D{{Key: "$set", Value: sums}}}
		}
	}
	res, err := s.DB.BulkWrite(ctx, accounts, ops, false)
	if err != nil {
		return nil, false, err
	}
	return now, int(res.Modified)+len(res.Upserts) == len(ops), nil
}

// sumsOf are the accounts as bills and rows have it, read from indexes alone.
func (s *Store) sumsOf(ctx context.Context, institute string, students []string) (map[string]fees.Account, error) {
	var sums = make(map[string]fees.Account, len(students))
	filter := bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: bson.D{{Key: "$in", Value: students}}}}
	for _, from := range []struct {
		coll, field string
		add         func(*fees.Account, fees.Amount, int64)
	}{
		{bills, "net", func(a *fees.Account, sum fees.Amount, n int64) { a.Billed, a.Bills = sum, n }},
		{payments, "total", func(a *fees.Account, sum fees.Amount, n int64) { a.Received, a.Rows = sum, n }},
	} {
		groups, err := s.DB.Group(ctx, from.coll, filter, docdb.Group{By: []string{"student"}, Accs: []docdb.Acc{
			{As: "sum", Op: docdb.Sum, Path: from.field}, {As: "count", Op: docdb.CountN},
		}})
		if err != nil {
			return nil, err
		}
		for _, raw := range groups {
			var g struct {
				Student string      `bson:"student"`
				Sum     fees.Amount `bson:"sum"`
				Count   int64       `bson:"count"`
			}
			if err := bson.Unmarshal(raw, &g); err != nil {
				return nil, fmt.Errorf("read sums of %s: %w", from.coll, err)
			}
			a := sums[g.Student]
			from.add(&a, g.Sum, g.Count)
			a.Balance = a.Billed - a.Received
			sums[g.Student] = a
		}
	}
	return sums, nil
}
