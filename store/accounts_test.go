package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// wantAccount fails unless the student's account is this, whatever its version.
func wantAccount(t *testing.T, s *Store, student string, billed, received fees.Amount, bills, rows int64) {
	t.Helper()
	all, err := s.accounts(context.Background(), "DPS", []string{student})
	if err != nil {
		t.Fatal(err)
	}
	got := all[student]
	got.Version = 0
	want := fees.Account{
		ID: "DPS:" + student, Institute: "DPS", Student: student,
		Billed: billed, Received: received, Balance: billed - received, Bills: bills, Rows: rows,
	}
	if got != want {
		t.Errorf("the account of %s is\n%+v\nwant\n%+v", student, got, want)
	}
}

func TestAccountsFollowTheRows(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	testSchool(t, s, "DPS", 3)
	testSchool(t, s, "KVS", 3) // has students of the same numbers
	wantAccount(t, s, "1", 50_000, 0, 1, 0)

	paid, err := s.RecordPayment(ctx, "DPS", cash(s, "1", 60_000))
	if err != nil {
		t.Fatal(err)
	}
	wantAccount(t, s, "1", 50_000, 60_000, 1, 1)
	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: fees.After(paid.ID), Reason: "bounced", Charge: 25_000}); err != nil {
		t.Fatal(err)
	}
	wantAccount(t, s, "1", 75_000, 0, 2, 2)
	if _, err := s.SaveStudent(ctx, "DPS", fees.Student{AdmissionNo: "9", Name: "New", Class: "5", Category: "general", OpeningBalance: -700}, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	wantAccount(t, s, "9", -700, 0, 1, 0)

	got, err := s.Balances(ctx, "DPS", []string{"1", "2", "9", "nobody"})
	want := map[string]fees.Amount{"1": 75_000, "2": 50_000, "9": -700, "nobody": 0}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("balances %v, %v, want %v", got, err, want)
	}
	mustAudit(t, s)
}

// Many counters collect from one student, and none of their recounts that saw
// less may win.
func TestAccountsUnderARace(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	testSchool(t, s, "DPS", 1)
	var counters sync.WaitGroup
	for range 8 {
		other := openOn(t, s.DB) // a process of its own: nothing but the database in common
		counters.Go(func() {
			for range 10 {
				if _, err := other.RecordPayment(ctx, "DPS", cash(other, "1", 100)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	counters.Wait()
	wantAccount(t, s, "1", 50_000, 8_000, 1, 80)
	mustAudit(t, s)
}

// A bill whose writer died before he could count it is counted by the sweep.
func TestSweepCountsBills(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	testSchool(t, s, "DPS", batchSize+7)
	var ops []docdb.UpdateOp
	for i := range batchSize + 7 {
		op, err := billOp(fees.Bill{
			ID: fees.Key("DPS", fmt.Sprint(i+1), "2026-27/T2"), Institute: "DPS", Student: fmt.Sprint(i + 1), FY: "2026-27", Period: "2026-27/T2",
			Title: "2026-27/T2", DueDate: "2026-10-10", Net: 100,
			Lines: []fees.BillLine{{Head: "TUITION", HeadName: "Tuition", Gross: 100, Net: 100}}, CreatedAt: s.instant(),
		})
		if err != nil {
			t.Fatal(err)
		}
		ops = append(ops, op)
	}
	if _, err := s.DB.BulkWrite(ctx, bills, ops, false); err != nil {
		t.Fatal(err)
	}
	wantAccount(t, s, "1", 50_000, 0, 1, 0)
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	wantAccount(t, s, "1", 50_100, 0, 2, 0)
	wantAccount(t, s, fmt.Sprint(batchSize+7), 50_100, 0, 2, 0)
	left, err := s.DB.Count(ctx, bills, bson.D{{Key: "institute", Value: "DPS"}, {Key: "uncounted", Value: true}}, 0)
	if left != 0 || err != nil {
		t.Errorf("%d bills still say that they are not counted (%v)", left, err)
	}
}
