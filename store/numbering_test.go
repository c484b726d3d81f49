package store

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

func TestFiftyAtOnceAndFiveNextDoor(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 50)
	testSchool(t, s, "Q", 5)
	ctx := context.Background()
	var mu sync.Mutex
	numbers := map[string][]int64{}
	start := make(chan struct{})
	var wg sync.WaitGroup
	pay := func(code, student string) {
		o := cash(s, student, 10_000)
		wg.Go(func() {
			<-start
			row, err := s.RecordPayment(ctx, code, o)
			if err != nil {
				t.Errorf("%s student %s: %v", code, student, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			numbers[code] = append(numbers[code], row.Number)
		})
	}
	for i := range 50 {
		pay("P", fmt.Sprint(i+1))
	}
	for i := range 5 {
		pay("Q", fmt.Sprint(i+1))
	}
	close(start)
	wg.Wait()
	for code, want := range map[string]int{"P": 50, "Q": 5} {
		got := numbers[code]
		slices.Sort(got)
		if len(got) != want {
			t.Fatalf("%s: %d receipts, want %d", code, len(got), want)
		}
		for i, n := range got {
			if n != int64(i+1) {
				t.Fatalf("%s: numbers %v are not 1 to %d", code, got, want)
			}
		}
	}
	mustAudit(t, s)
}

func TestYearsTurnAtLocalMidnight(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	now := time.Date(2026, 3, 31, 18, 29, 30, 0, time.UTC) // 31 March 23:59:30 in India
	s.Now = func() time.Time { return now }
	testSchool(t, s, "P", 1)
	before, err := s.RecordPayment(ctx, "P", cash(s, "1", 100))
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	after, err := s.RecordPayment(ctx, "P", cash(s, "1", 100))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		row      fees.Row
		fy, text string
		date     fees.Date
	}{
		{before, "2025-26", "P/25-26/00001", "2026-03-31"},
		{after, "2026-27", "P/26-27/00001", "2026-04-01"},
	} {
		if c.row.FY != c.fy || c.row.NumberText != c.text || c.row.Date != c.date {
			t.Errorf("got %s %s %s, want %s %s %s", c.row.FY, c.row.NumberText, c.row.Date, c.fy, c.text, c.date)
		}
	}
	mustAudit(t, s)
}

// flaky refuses writes to the counters while down.
type flaky struct {
	docdb.DB
	down bool
}

func (f *flaky) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	if f.down && coll == counters {
		return docdb.UpdateResult{}, docdb.ErrUnavailable
	}
	return f.DB.UpdateOne(ctx, coll, filter, update, opts)
}

func TestRecordedWhileTheCounterIsDown(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 3)
	ctx := context.Background()
	db := &flaky{DB: s.DB, down: true}
	s.DB = db
	var pending []fees.Row
	for i := range 3 {
		row, err := s.RecordPayment(ctx, "P", cash(s, fmt.Sprint(i+1), 10_000))
		if err != nil {
			t.Fatalf("the money was handed over, and the payment was refused: %v", err)
		}
		if !row.Awaiting || row.Number != 0 || row.Status() != fees.StatusPending {
			t.Fatalf("the counter is down, yet the row is %+v", row)
		}
		pending = append(pending, row)
	}
	report := mustAudit(t, s)
	if len(report.Series) != 1 || report.Series[0].Awaiting != 3 {
		t.Fatalf("audit does not show three rows awaiting a number: %+v", report.Series)
	}
	if err := s.Sweep(ctx); err == nil {
		t.Error("the sweep says that all is well while the counter is down")
	}
	db.down = false
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	for i, p := range pending {
		row, err := s.Row(ctx, "P", p.ShortID())
		if err != nil || row.Number != int64(i+1) || row.Awaiting {
			t.Errorf("the %d. payment was numbered %d (%v): the sweep goes oldest first", i+1, row.Number, err)
		}
	}
	mustAudit(t, s)
}

func TestSweepABacklog(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	db := &flaky{DB: s.DB, down: true}
	s.DB = db
	for range 2*batchMost + 7 {
		if _, err := s.RecordPayment(ctx, "P", cash(s, "1", 1)); err != nil {
			t.Fatal(err)
		}
	}
	db.down = false
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if r := mustAudit(t, s).Series[0]; r.Count != 2*batchMost+7 || r.Awaiting != 0 {
		t.Errorf("after the sweep: %+v", r)
	}
}
