package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// verdict holds the ledger that a seed left against everything promised.
func (w *world) verdict() error {
	s := w.witness()
	report, err := s.Audit(context.Background(), w.inst.Code)
	if err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return fmt.Errorf("audit: %+v", report.Findings[0])
	}
	if err := w.promise(); err != nil {
		return err
	}
	return w.balances(context.Background(), s)
}

// promise is the part of the verdict that a mutant has to break: in each
// series the numbers are 1 to n, every row has one, and what was acknowledged
// is there under the number that was told.
func (w *world) promise() error {
	ctx, s := context.Background(), w.witness()
	rows, err := docdb.All[fees.Row](w.db.Find(ctx, payments, bson.D{{Key: "institute", Value: w.inst.Code}}, docdb.Find{}))
	if err != nil {
		return err
	}
	if w.alarm {
		return errors.New("the unique index over numbers had to refuse a number")
	}
	numbers := map[seriesKey][]int64{}
	for _, r := range rows {
		if r.Number == 0 {
			return fmt.Errorf("%s has no number", r.ID)
		}
		numbers[seriesOf(r)] = append(numbers[seriesOf(r)], r.Number)
	}
	for key, got := range numbers {
		slices.Sort(got)
		for i, n := range got {
			if n != int64(i+1) {
				return fmt.Errorf("the numbers of %s are %v", key.id(), got)
			}
		}
	}
	for id, said := range w.acked {
		row, err := s.Row(ctx, w.inst.Code, fees.After(id))
		if err != nil {
			return fmt.Errorf("acknowledged row %s: %w", id, err)
		}
		if said.Number != 0 && said.NumberText != row.NumberText {
			return fmt.Errorf("row %s was %s and is %s", id, said.NumberText, row.NumberText)
		}
	}
	return nil
}

// witness is a Store without faults.
func (w *world) witness() *Store {
	s := &Store{DB: w.db, Now: func() time.Time { return simStart }, Log: discard}
	s.numbers = newNumberer(s)
	return s
}

func (w *world) balances(ctx context.Context, s *Store) error {
	for _, student := range []string{"1", "2", "3"} {
		dues, err := s.Dues(ctx, w.inst.Code, student)
		if err != nil {
			return err
		}
		billed, err := s.Bills(ctx, w.inst.Code, student)
		if err != nil {
			return err
		}
		rows, err := s.StudentRows(ctx, w.inst.Code, student)
		if err != nil {
			return err
		}
		var sum fees.Amount
		terms := 0
		for _, b := range billed {
			sum += b.Net
			if b.Period == "2026-27/T1" {
				terms++
			}
		}
		reversals := map[string]bool{}
		for _, r := range rows {
			sum -= r.Total
			if r.Kind == fees.KindReversal && reversals[r.Reverses] {
				return fmt.Errorf("%s is reversed twice", r.Reverses)
			}
			reversals[r.Reverses] = true
		}
		if dues.Balance != sum {
			return fmt.Errorf("student %s owes %d, the rows say %d", student, dues.Balance, sum)
		}
		if terms != 1 {
			return fmt.Errorf("student %s has %d bills of the term", student, terms)
		}
	}
	return nil
}

// simInstitute makes a school of three students for one seed.
func simInstitute(t *testing.T, db docdb.DB, seed uint64) fees.Institute {
	t.Helper()
	ctx := context.Background()
	code := fmt.Sprintf("S%07d", seed)
	inst := fees.Institute{
		Code: code, Name: "Simulated", TimeZone: "Asia/Kolkata", FYStart: 4, Currency: "INR", Decimals: 2, Locale: "en-IN",
		Formats:   fees.Formats{Receipt: "R/{fy}/{seq:5}", Reversal: "RV/{fy}/{seq:5}", Refund: "RF/{fy}/{seq:5}", Adjustment: "AD/{fy}/{seq:5}"},
		CreatedAt: simStart,
	}
	insert := func(coll string, docs ...any) {
		if _, err := db.InsertMany(ctx, coll, docs); err != nil {
			t.Fatalf("seed %d: set up %s: %v", seed, coll, err)
		}
	}
	insert(institutes, inst)
	for i := range 3 {
		no := fmt.Sprint(i + 1)
		insert(students, fees.Student{
			ID: fees.Key(code, no), Institute: code, AdmissionNo: no, Name: "Student " + no, Class: "5", Category: "general",
			Status: fees.StudentActive, Terms: []string{no}, UpdatedAt: simStart,
		})
	}
	period := "2026-27/T1"
	insert(periods, fees.Period{ID: fees.Key(code, period), Institute: code, Code: period, FY: "2026-27", DueDate: "2026-04-10"})
	insert(heads, fees.Head{ID: fees.Key(code, "TUITION"), Institute: code, Code: "TUITION", Name: "Tuition", Order: 1})
	insert(plans, fees.PlanRow{
		ID: fees.Key(code, period, "*", "*", "TUITION"), Institute: code, FY: "2026-27", Period: period, DueDate: "2026-04-10",
		Class: fees.Any, Category: fees.Any, Head: "TUITION", Amount: 50_000,
	})
	return inst
}
