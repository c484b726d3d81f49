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

// billOp creates a bill unless there is one: an upsert that says nothing about
// a bill that is there, so that running it twice or at once cannot matter.
func billOp(bill fees.Bill) (docdb.UpdateOp, error) {
	fields, err := fieldsOf(bill)
	if err != nil {
		return docdb.UpdateOp{}, err
	}
	fields = slices.DeleteFunc(fields, func(e bson.E) bool { return e.Key == "_id" || e.Key == "institute" })
	return docdb.UpdateOp{
		Filter: one(bill.Institute, bill.ID),
		Update: bson.D{{Key: "$setOnInsert", Value: fields}},
		Upsert: true,
	}, nil
}
