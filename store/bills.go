package store

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Bills are a student's bills, by key.
func (s *Store) Bills(ctx context.Context, institute, student string) ([]fees.Bill, error) {
	all, err := docdb.All[fees.Bill](s.DB.Find(ctx, bills, bson.D{under(fees.Key(institute, student, ""))},
		docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}))
	if err != nil {
		return nil, outage("read bills", err)
	}
	return all, nil
}

// Heads are the institute's fee heads in their print order.
func (s *Store) Heads(ctx context.Context, institute string) ([]fees.Head, error) {
	all, err := docdb.All[fees.Head](s.DB.Find(ctx, heads, bson.D{under(fees.Key(institute, ""))}, docdb.Find{}))
	if err != nil {
		return nil, outage("list heads", err)
	}
	slices.SortFunc(all, func(a, b fees.Head) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Code, b.Code)) })
	return all, nil
}

// Periods are the institute's periods by due date.
func (s *Store) Periods(ctx context.Context, institute string) ([]fees.Period, error) {
	all, err := docdb.All[fees.Period](s.DB.Find(ctx, periods, bson.D{under(fees.Key(institute, ""))}, docdb.Find{}))
	if err != nil {
		return nil, outage("list periods", err)
	}
	slices.SortFunc(all, func(a, b fees.Period) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.Code, b.Code))
	})
	return all, nil
}

// Period is the period of this code; NotFound.
func (s *Store) Period(ctx context.Context, institute, code string) (fees.Period, error) {
	var p fees.Period
	err := s.DB.FindOne(ctx, periods, one(institute, fees.Key(institute, code)), docdb.Find{}, &p)
	if errors.Is(err, docdb.ErrNotFound) {
		return p, fees.Errorf(fees.NotFound, "There is no period %s.", code)
	}
	return p, outageOrNil("read period", err)
}

// billOp creates a bill unless there is one. It is not counted yet; countBills
// comes next.
func billOp(bill fees.Bill) (docdb.UpdateOp, error) {
	if bill.Body == "" {
		var err error
		if bill, err = sealed(bill); err != nil {
			return docdb.UpdateOp{}, err
		}
	}
	bill.Uncounted = true
	return addOp(bill.Institute, bill.ID, bill)
}

// writeBills creates the bills that are not there, at most batchSize of them,
// and counts them all. made is how many it created.
func (s *Store) writeBills(ctx context.Context, institute string, all []fees.Bill) (made int64, err error) {
	ops := make([]docdb.UpdateOp, len(all))
	for i, b := range all {
		if ops[i], err = billOp(b); err != nil {
			return 0, err
		}
	}
	res, err := s.writeBatch(ctx, bills, ops)
	if err != nil {
		return 0, err
	}
	_, err = s.countBills(ctx, institute, all)
	return int64(len(res.Upserts)), err
}

// countBills brings the accounts up to bills just written or changed, at most
// batchSize of them, cancels those of a cancelled bill with it, applies their
// students' advances to them, and then takes their mark off, unless they have
// changed again: that is for him to count who did it. counted is how many had it.
func (s *Store) countBills(ctx context.Context, institute string, written []fees.Bill) (counted int64, err error) {
	if len(written) == 0 {
		return 0, nil
	}
	along, err := s.cancelAlong(ctx, institute, written)
	if err != nil {
		return 0, err
	}
	written = append(slices.Clip(written), along...)
	sums, err := s.recounted(ctx, institute, studentsOf(written))
	if err != nil {
		return 0, err
	}
	if err := s.applyAdvances(ctx, institute, written, sums); err != nil {
		return 0, err
	}
	ops := make([]docdb.UpdateOp, len(written))
	for i, b := range written {
		ops[i] = docdb.UpdateOp{
			Filter: append(one(institute, b.ID), unlessZero("revision", b.Revision)),
			Update: bson.D{{Key: "$unset", Value: bson.D{{Key: "uncounted", Value: ""}}}},
		}
	}
	res, err := s.writeBatch(ctx, bills, ops)
	return res.Modified, err
}

// studentsOf are the students of the bills, each once.
func studentsOf(all []fees.Bill) []string {
	owing := make([]string, len(all))
	for i, b := range all {
		owing[i] = b.Student
	}
	slices.Sort(owing)
	return slices.Compact(owing)
}
