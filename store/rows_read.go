package store

import (
	"context"
	"errors"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Row is the ledger row whose key after the institute is id; NotFound.
func (s *Store) Row(ctx context.Context, institute, id string) (fees.Row, error) {
	var row fees.Row
	err := s.DB.FindOne(ctx, payments, one(institute, fees.Key(institute, id)), docdb.Find{}, &row)
	if errors.Is(err, docdb.ErrNotFound) {
		return row, fees.Errorf(fees.NotFound, "There is no such receipt.")
	}
	if err != nil {
		return row, outage("read row", err)
	}
	return row, nil
}

// RowsByNumber finds rows by their number as printed, in any case. Numbers
// repeat only where a format does not name the year.
func (s *Store) RowsByNumber(ctx context.Context, institute, text string, limit int64) ([]fees.Row, error) {
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{
			{Key: "institute", Value: institute},
			{Key: "numberText", Value: strings.ToUpper(strings.Join(strings.Fields(text), ""))},
		}, docdb.Find{Limit: limit}))
	if err != nil {
		return nil, outage("find receipt", err)
	}
	return rows, nil
}

// StudentRows are a student's ledger rows, in the order of their keys.
func (s *Store) StudentRows(ctx context.Context, institute, student string) ([]fees.Row, error) {
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: student}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "student"}, {Path: "_id"}}}))
	if err != nil {
		return nil, outage("read a student's rows", err)
	}
	return rows, nil
}
