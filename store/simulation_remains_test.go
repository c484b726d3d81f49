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

// remains are the documents that a seed left of one school.
type remains struct {
	school   *school
	rows     []fees.Row // in the order of their numbers, by series and year
	bills    []fees.Bill
	accounts []fees.Account
	counters []counter
	runs     []fees.Run
	students []fees.Student
	charges  []fees.Charge
	plan     []fees.PlanRow
	cheques  []fees.Cheque
	refunds  []fees.Refund
	shifts   []fees.Shift
	families []fees.FamilyPayment
	byID     map[string]fees.Row
}

func readRemains(db docdb.DB, s *school) (r remains, err error) {
	r = remains{school: s, byID: map[string]fees.Row{}}
	ofSchool, byKey := bson.D{{Key: "institute", Value: s.code()}}, ofCode(s.code())
	errs := []error{
		readInto(&r.rows, db, payments, ofSchool),
		readInto(&r.bills, db, bills, ofSchool),
		readInto(&r.runs, db, runs, ofSchool),
		readInto(&r.accounts, db, accounts, byKey),
		readInto(&r.students, db, students, byKey),
		readInto(&r.charges, db, charges, byKey),
		readInto(&r.plan, db, plans, byKey),
		readInto(&r.cheques, db, cheques, byKey),
		readInto(&r.refunds, db, refunds, byKey),
		readInto(&r.shifts, db, shifts, byKey),
		readInto(&r.families, db, families, byKey),
	}
	for _, series := range fees.AllSeries() {
		errs = append(errs, readInto(&r.counters, db, counters, bson.D{under(string(series) + ":" + s.code() + ":")}))
	}
	slices.SortFunc(r.rows, func(a, b fees.Row) int {
		return cmp.Or(cmp.Compare(a.FY, b.FY), cmp.Compare(a.Series, b.Series), cmp.Compare(a.Number, b.Number))
	})
	for _, row := range r.rows {
		r.byID[row.ID] = row
	}
	return r, errors.Join(errs...)
}

// ofCode selects the documents whose keys begin with a school's code.
func ofCode(code string) bson.D { return bson.D{under(code + ":")} }

func readInto[T any](all *[]T, db docdb.DB, coll string, filter bson.D) error {
	found, err := docdb.All[T](db.Find(context.Background(), coll, filter, docdb.Find{}))
	*all = append(*all, found...)
	return err
}
