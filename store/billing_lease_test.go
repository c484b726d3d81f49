package store

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// process opens the store's database as another process would.
func process(t *testing.T, s *Store, fault func(docdbtest.Op) docdbtest.Fault) *Store {
	t.Helper()
	p, err := New(context.Background(), docdbtest.Faulty(s.DB, fault), s.Now, s.NewID, s.Log)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Of many processes that start a run of the period at once, one does.
func TestOneRunOfAPeriod(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", manyStudents(20))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	for round := range 5 {
		var wg sync.WaitGroup
		var began, refused atomic.Int64
		ids := make([]string, 8)
		for i := range ids {
			ids[i] = s.NewID()
			p := process(t, s, func(docdbtest.Op) docdbtest.Fault { return docdbtest.None })
			wg.Go(func() {
				switch _, err := p.StartRun(ctx, "DPS", fees.RunOrder{ID: ids[i], Period: repriced}); fees.CodeOf(err) {
				case "":
					began.Add(1)
				case fees.Conflict:
					refused.Add(1)
				default:
					t.Errorf("start: %v", err)
				}
			})
		}
		wg.Wait()
		if began.Load() != 1 || refused.Load() != 7 {
			t.Fatalf("round %d: %d began, %d were refused; want 1 and 7", round, began.Load(), refused.Load())
		}
		for _, id := range ids {
			if _, err := s.Run(ctx, "DPS", id); err != nil {
				continue
			}
			run, err := s.ExecuteRun(ctx, "DPS", id)
			if want := map[bool]int64{true: 20}[round == 0]; err != nil || run.Tally.Created != want || run.Tally.Unchanged != 20-want {
				t.Errorf("round %d: %+v, %v", round, run.Tally, err)
			}
		}
	}
}

// A run that is left is ended by the next, and does not come back to life.
func TestLaterRunTakesItsPlace(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", manyStudents(40))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	left := fees.RunOrder{ID: s.NewID(), Period: repriced}
	kill(t, s, left, 15) // of its writes, each a bill
	if n, err := s.DB.Count(ctx, bills, ofPeriod("DPS", repriced), 0); err != nil || n == 0 || n == 40 {
		t.Fatalf("the killed run billed %d of 40 (%v)", n, err)
	}
	s.Now = func() time.Time { return termTime().Add(runLease + time.Second) }
	run := mustBill(t, s, "DPS", repriced)
	if run.Tally.Created+run.Tally.Unchanged != 40 || run.Tally.Unchanged == 0 {
		t.Errorf("the later run: %+v", run.Tally)
	}
	dead, err := s.ExecuteRun(ctx, "DPS", left.ID) // asked to, it looks and finds nothing to do
	if err != nil || dead.State != fees.RunDone || dead.Tally.Created+dead.Tally.Unchanged != 40 {
		t.Errorf("the one that was left: %+v, %v", dead, err)
	}
	if n, err := s.DB.Count(ctx, bills, ofPeriod("DPS", repriced), 0); err != nil || n != 40 {
		t.Errorf("%d bills, want 40 (%v)", n, err)
	}
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	mustAudit(t, s)
}

// A run that is cancelled stops after the batch that it is at and says what it
// billed; the next bills the rest.
func TestCancelRun(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	const people = 4 * batchSize
	mustImport(t, s, "students", "DPS", manyStudents(people))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	id := s.NewID()
	var bulks atomic.Int64
	p := process(t, s, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == bills && bulks.Add(1) == batchSize+batchSize/2 {
			if run, err := s.CancelRun(ctx, "DPS", id, fees.Actor{Name: "Meera"}); err != nil || run.State != fees.RunCancelled {
				t.Errorf("cancel: %+v, %v", run, err)
			}
		}
		return docdbtest.None
	})
	if _, err := p.StartRun(ctx, "DPS", fees.RunOrder{ID: id, Period: repriced}); err != nil {
		t.Fatal(err)
	}
	run, err := p.ExecuteRun(ctx, "DPS", id)
	n, _ := s.DB.Count(ctx, bills, ofPeriod("DPS", repriced), 0)
	if err != nil || run.State != fees.RunCancelled || n == 0 || n >= people || run.Tally.Created != n || run.CancelledBy != "Meera" {
		t.Errorf("cancelled: %+v, %v; %d bills", run, err, n)
	}
	stored, err := s.Run(ctx, "DPS", id)
	if err != nil || stored.Tally != run.Tally || stored.Active || stored.State != fees.RunCancelled {
		t.Errorf("stored %+v, %v", stored, err)
	}
	if same, err := s.CancelRun(ctx, "DPS", id, fees.Actor{Name: "Asha"}); err != nil || same.CancelledBy != "Meera" {
		t.Errorf("cancelled twice: %+v, %v", same, err)
	}
	if same, err := s.ExecuteRun(ctx, "DPS", id); err != nil || same.State != fees.RunCancelled {
		t.Errorf("a cancelled run went on: %+v, %v", same, err)
	}
	rest := mustBill(t, s, "DPS", repriced)
	if rest.Tally.Created != people-n || rest.Tally.Unchanged != n {
		t.Errorf("the rest: %+v, want %d new", rest.Tally, people-n)
	}
	_, err = s.CancelRun(ctx, "DPS", fees.After(rest.ID), fees.Actor{})
	wantCode(t, "a run that is done", err, fees.Conflict, "over already")
	_, err = s.CancelRun(ctx, "DPS", s.NewID(), fees.Actor{})
	wantCode(t, "no run", err, fees.NotFound, "")
	other := addSchool(t, s, "KVS")
	_, err = s.CancelRun(ctx, other.Code, id, fees.Actor{})
	wantCode(t, "from another institute", err, fees.NotFound, "")
	mustAudit(t, s)
}
