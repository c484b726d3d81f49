package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Charges are the newest one-off charges, at most limit of them (1 to 200).
func (s *Store) Charges(ctx context.Context, institute string, limit int64) ([]fees.Charge, error) {
	all, err := docdb.All[fees.Charge](s.DB.Find(ctx, charges, bson.D{under(fees.Key(institute, ""))},
		docdb.Find{Sort: []docdb.Key{{Path: "_id", Desc: true}}, Limit: pageSize(limit)}))
	return all, outageOrNil("list charges", err)
}

// billCharge bills everybody whom an open charge is for and closes it. What
// was billed before stays as it is.
func (s *Store) billCharge(ctx context.Context, c fees.Charge) (fees.Charge, error) {
	spelt, err := s.chargedClasses(ctx, c)
	if err != nil {
		return c, begun("bill charge", err)
	}
	for batch, err := range s.charged(ctx, c, spelt) {
		if err != nil {
			return c, begun("bill charge", err)
		}
		due := make([]fees.Bill, 0, len(batch))
		for _, st := range batch {
			if chargeable(c, st) {
				due = append(due, c.BillOf(st.AdmissionNo, s.instant()))
			}
		}
		if len(due) == 0 {
			continue
		}
		if _, err := s.writeBills(ctx, c.Institute, due); err != nil {
			return c, begun("bill charge", err)
		}
	}
	if c.Students, c.Total, err = s.billedFor(ctx, c); err != nil {
		return c, begun("bill charge", err)
	}
	c.State = fees.ChargeDone
	_, err = s.DB.UpdateOne(ctx, charges, one(c.Institute, c.ID), bson.D{{Key: "$set", Value: bson.D{
		{Key: "state", Value: c.State}, {Key: "students", Value: c.Students}, {Key: "total", Value: c.Total},
	}}}, docdb.Update{})
	if err != nil {
		return c, begun("bill charge", err)
	}
	return c, nil
}

// billedFor is how many bills a charge has and what they come to, from an
// index alone.
func (s *Store) billedFor(ctx context.Context, c fees.Charge) (n int64, sum fees.Amount, err error) {
	groups, err := s.DB.Group(ctx, bills,
		bson.D{{Key: "institute", Value: c.Institute}, {Key: "period", Value: c.Period()}}, docdb.Group{
			By:   []string{"period"},
			Accs: []docdb.Acc{{As: "count", Op: docdb.CountN}, {As: "net", Op: docdb.Sum, Path: "net"}},
		})
	if err != nil || len(groups) == 0 {
		return 0, 0, err
	}
	var total fees.BillTotal
	err = bson.Unmarshal(groups[0], &total)
	return total.Count, total.Net, err
}

// chargeable says whether the charge is for a student who is in its class, or
// is its student.
func chargeable(c fees.Charge, st fees.Student) bool {
	return c.Student != "" || st.Status == fees.StudentActive
}

// chargedClasses is the charge's class in each of the ways in which students
// have it; none where nobody is in it any more, or it is for one student.
func (s *Store) chargedClasses(ctx context.Context, c fees.Charge) ([]string, error) {
	if c.Class == "" {
		return nil, nil
	}
	spelt, err := s.classToBill(ctx, c.Institute, c.Class)
	if fees.CodeOf(err) == fees.Invalid {
		return nil, nil
	}
	return spelt, err
}

// charged are the students of the charge's class, at most batchSize at a time,
// or its student.
func (s *Store) charged(ctx context.Context, c fees.Charge, spelt []string) iter.Seq2[[]fees.Student, error] {
	if c.Student != "" {
		return func(yield func([]fees.Student, error) bool) {
			yield([]fees.Student{{AdmissionNo: c.Student}}, nil)
		}
	}
	return s.studentBatches(ctx, c.Institute, spelt, "admissionNo", "status")
}

// sweepCharges finishes the charges that were left open.
func (s *Store) sweepCharges(ctx context.Context, institute string) error {
	left, err := docdb.All[fees.Charge](s.DB.Find(ctx, charges,
		bson.D{{Key: "institute", Value: institute}, {Key: "state", Value: fees.ChargeOpen}}, docdb.Find{}))
	if err != nil {
		return fmt.Errorf("find open charges: %w", err)
	}
	var failed error
	for _, c := range left {
		if _, err := s.billCharge(ctx, c); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
