package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Dues are what a student owes, from the bills and the ledger's rows. A
// student's cost does not grow with the ledger: both are read by key.
func (s *Store) Dues(ctx context.Context, institute, student string) (fees.Dues, error) {
	billed, err := s.Bills(ctx, institute, student)
	if err != nil {
		return fees.Dues{}, err
	}
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: student}},
		docdb.Find{Fields: []string{"lines", "total"}}))
	if err != nil {
		return fees.Dues{}, outage("read dues", err)
	}
	return fees.DuesOf(billed, rows), nil
}
