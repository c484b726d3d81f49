package store

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// kill does a run of the period in a process that dies at its n-th write.
func kill(t *testing.T, s *Store, o fees.RunOrder, n int) {
	t.Helper()
	ctx, writes := context.Background(), 0
	dying, err := New(ctx, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write {
			writes++
		}
		if writes == n {
			return docdbtest.CrashAfter
		}
		return docdbtest.None
	}), s.Now, s.NewID, s.Log)
	if err != nil {
		t.Fatal(err)
	}
	_, crashed := survive(func() error {
		if _, err := dying.StartRun(ctx, "DPS", o); err != nil {
			return err
		}
		_, err := dying.ExecuteRun(ctx, "DPS", o.ID)
		return err
	})
	if !crashed {
		t.Fatalf("the run came to its end before its write %d", n)
	}
}

// A run that was killed is gone on with once its lease is over, at once where
// nobody else can be alive; what it counts is the whole of it.
func TestLeftRun(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		over func(t *testing.T, s *Store)
	}{
		{"the lease ran out", func(_ *testing.T, s *Store) {
			s.Now = func() time.Time { return termTime().Add(runLease) }
		}},
		{"taken over", func(t *testing.T, s *Store) {
			if err := s.TakeOverRuns(ctx); err != nil {
				t.Fatal(err)
			}
		}},
		{"taken over by a clock that was set back", func(t *testing.T, s *Store) {
			s.Now = func() time.Time { return termTime().Add(-time.Hour) }
			if err := s.TakeOverRuns(ctx); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := openSchool(t)
			const people = 3*batchSize + 7
			mustImport(t, s, "students", "DPS", manyStudents(people))
			mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n2026-27,2026-27/T2,2026-08-10,*,*,TUITION,100\n")
			o := fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"}
			kill(t, s, o, 2*batchSize)

			_, err := s.LeftRun(ctx, "DPS", o)
			wantCode(t, "a run that may be alive", err, fees.NotFound, "2026-27/T1")
			c.over(t, s)
			for _, other := range []fees.RunOrder{{Period: "2026-27/T2"}, {Period: "2026-27/T1", Class: "5"}, {Period: "2026-27/T1", Reprice: true}} {
				if run, err := s.LeftRun(ctx, "DPS", other); fees.CodeOf(err) != fees.NotFound {
					t.Errorf("left of %v: %+v, %v", other, run, err)
				}
			}
			left, err := s.LeftRun(ctx, "DPS", fees.RunOrder{Period: " 2026-27/t1"})
			if err != nil || fees.After(left.ID) != o.ID {
				t.Fatalf("left: %+v, %v; want %s", left, err, o.ID)
			}
			run, err := s.ExecuteRun(ctx, "DPS", o.ID)
			want := fees.RunTally{Students: people, Done: people, Created: people, Amount: people * 100_00}
			if err != nil || run.State != fees.RunDone || run.Tally != want {
				t.Errorf("gone on with: %+v, %v\nwant %+v", run, err, want)
			}
			if _, err := s.LeftRun(ctx, "DPS", o); fees.CodeOf(err) != fees.NotFound {
				t.Errorf("a run that is done was left: %v", err)
			}
		})
	}
}

// What was cut off when some of it was written does not say that nothing was.
func TestCutOffSaysSo(t *testing.T) {
	s, _ := openSchool(t)
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n")
	for what, do := range map[string]func(s *Store) error{
		"import": func(s *Store) error {
			_, err := s.ImportStudents(context.Background(), "DPS", strings.NewReader(manyStudents(3*batchSize)), false, planner)
			return err
		},
		"bill": func(s *Store) error {
			id := s.NewID()
			if _, err := s.StartRun(context.Background(), "DPS", fees.RunOrder{ID: id, Period: "2026-27/T1"}); err != nil {
				return fmt.Errorf("start: %w", err)
			}
			_, err := s.ExecuteRun(context.Background(), "DPS", id)
			return err
		},
	} {
		mustImport(t, s, "students", "DPS", manyStudents(batchSize))
		var written atomic.Int64
		cut, err := New(context.Background(), docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
			if op.Name == "BulkWrite" {
				written.Add(1)
			}
			if written.Load() > batchSize/2 {
				return docdbtest.BeforeWrite
			}
			return docdbtest.None
		}), s.Now, s.NewID, s.Log)
		if err != nil {
			t.Fatal(err)
		}
		err = do(cut)
		wantCode(t, what, err, fees.Unconfirmed, "a part may be written")
	}
}
