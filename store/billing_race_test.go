package store

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// during has something happen once, in a run that re-prices the period, before
// its n-th write of a bill.
func during(t *testing.T, s *Store, o fees.RunOrder, n int64, happens func()) fees.Run {
	t.Helper()
	var writes atomic.Int64
	p := process(t, s, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == bills && writes.Add(1) == n {
			happens()
		}
		return docdbtest.None
	})
	o.ID = s.NewID()
	if _, err := p.StartRun(context.Background(), "DPS", o); err != nil {
		t.Fatal(err)
	}
	run, err := p.ExecuteRun(context.Background(), "DPS", o.ID)
	if err != nil || writes.Load() < n {
		t.Fatalf("%+v, %v after %d writes", run, err, writes.Load())
	}
	return run
}

// A class that is written in another way while it is billed has nobody missed
// and nobody counted twice.
func TestClassSpeltAnewDuringRun(t *testing.T) {
	s, _ := openSchool(t)
	const people = 5 * batchSize
	all := func(half string) string { // is written in capitals
		rows := make([]string, people)
		for i := range rows {
			class := map[bool]string{true: "Nursery", false: "nursery"}[(i%2 == 0) == (half == "even")]
			rows[i] = fmt.Sprintf("%d,Student,%s,,general,,,,,,", 1001+i, class)
		}
		return studentsCSV(rows...)
	}
	mustImport(t, s, "students", "DPS", all("even"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	run := during(t, s, fees.RunOrder{Period: repriced, Class: "NURSERY"}, 2*batchSize, func() {
		mustImport(t, s, "students", "DPS", all("odd"))
	})
	if want := (fees.RunTally{Students: people, Done: people, Created: people, Amount: people * 100_00}); run.Tally != want {
		t.Errorf("%+v\nwant %+v", run.Tally, want)
	}
	mustAudit(t, s)
}

// A bill that is cancelled in the moment in which a run makes a difference to it
// takes the difference with it, and the run counts it as it was left.
func TestCancelWhileRepricing(t *testing.T) {
	for n := range int64(3) {
		s, _ := openSchool(t)
		ctx := context.Background()
		mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,"))
		mustImport(t, s, "plan", "DPS", tuition("100"))
		mustBill(t, s, "DPS", repriced)
		paid := mustPay(t, s, "1", 40_00)
		mustImport(t, s, "plan", "DPS", tuition("120"))
		reprice(t, s, repriced)
		if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "wrong student", By: fees.Actor{Login: "meera"}}); err != nil {
			t.Fatal(err)
		}
		mustImport(t, s, "plan", "DPS", tuition("150"))
		during(t, s, fees.RunOrder{Period: repriced, Reprice: true}, n+1, func() {
			if _, err := s.CancelBill(ctx, "DPS", cancelOrder("1", repriced)); err != nil {
				t.Errorf("cancel: %v", err)
			}
		})
		if dues, err := s.Dues(ctx, "DPS", "1"); err != nil || dues.Balance != 0 || len(dues.Lines) != 0 {
			t.Errorf("before write %d: %s leaves %+v, %v", n+1, billsOf(t, s, "1"), dues, err)
		}
		if run := reprice(t, s, repriced); run.Tally.Cancelled != 1 || run.Tally.Updated != 0 {
			t.Errorf("the next run: %+v", run.Tally)
		}
		mustAudit(t, s)
	}
}

// A bill with money on it is not revised by the process that took the money,
// however near the payment comes: it waits for the run, or the run sees it.
func TestNoRevisionUnderAPayment(t *testing.T) {
	s, _ := openSchool(t)
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	mustBill(t, s, "DPS", repriced)
	mustImport(t, s, "plan", "DPS", tuition("120"))
	var p *Store
	paid := make(chan string)
	p = process(t, s, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == bills && p != nil {
			counter := p
			p = nil
			go func() {
				mustPay(t, counter, "1", 10_00)
				paid <- billsOf(t, s, "1")
			}()
			time.Sleep(50 * time.Millisecond) // enough for one that need not wait
		}
		return docdbtest.None
	})
	reprice(t, p, repriced)
	if when, now := <-paid, billsOf(t, s, "1"); when != now {
		t.Errorf("paid on %s, which is %s now", when, now)
	}
	mustAudit(t, s)
}

// The form that started a run leads to it for ever, whatever became of its
// period and its class.
func TestSameOrderLater(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,Nursery,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	o := fees.RunOrder{ID: s.NewID(), Period: "2026-27/t1 ", Class: "nursery"}
	if _, err := s.StartRun(ctx, "DPS", o); err != nil {
		t.Fatal(err)
	}
	done, err := s.ExecuteRun(ctx, "DPS", o.ID)
	if err != nil || done.Tally.Created != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,1,,general,,,,,,"))
	if again, err := s.StartRun(ctx, "DPS", o); err != nil || again.ID != done.ID || again.State != fees.RunDone {
		t.Errorf("when nobody is in the class: %+v, %v", again, err)
	}
	o.Period = "2026-27/T9"
	_, err = s.StartRun(ctx, "DPS", o)
	wantCode(t, "the form for another period", err, fees.Conflict, "2026-27/T1")
}
