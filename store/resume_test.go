package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// faulty opens a second process on the store's database, to which one thing
// happens at one of its first writes. The injector takes each document of a
// batch for a write.
func faulty(t *testing.T, s *Store, r *rand.Rand, now func() time.Time) *Store {
	t.Helper()
	writes, at := 0, r.IntN(1<<r.IntN(11))
	fault := []docdbtest.Fault{docdbtest.BeforeWrite, docdbtest.AfterWrite, docdbtest.CrashBefore, docdbtest.CrashAfter}[r.IntN(4)]
	db := docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if !op.Write {
			return docdbtest.None
		}
		if writes++; writes-1 != at {
			return docdbtest.None
		}
		return fault
	})
	f, err := New(context.Background(), db, now, s.NewID, s.Log)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// survive calls do and takes a crash for the end of its process.
func survive(do func() error) (err error, crashed bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, planned := p.(docdbtest.Crashed); !planned {
				panic(p)
			}
			crashed = true
		}
	}()
	return do(), false
}

// A run that is killed, cut off or lied to at any write goes on where it was:
// at the end everybody has one bill, and the run has counted each.
func TestBillingRunGoesOn(t *testing.T) {
	oneThing(t)
	s, _ := openSchool(t)
	ctx := context.Background()
	const people, seeds = batchSize + 10, 20
	mustImport(t, s, "students", "DPS", manyStudents(people))
	plan := planHeader
	for seed := range seeds {
		plan += fmt.Sprintf("2026-27,2026-27/P%d,2026-04-10,*,*,TUITION,100\n", seed)
	}
	mustImport(t, s, "plan", "DPS", plan)
	clock := termTime()
	now := func() time.Time { return clock }
	for seed := range seeds {
		r := rand.New(rand.NewPCG(11, uint64(seed)))
		id, period := s.NewID(), fmt.Sprintf("2026-27/P%d", seed)
		order := fees.RunOrder{ID: id, Period: period}
		crashes := 0
		for attempt := 0; ; attempt++ {
			if attempt == 50 {
				t.Fatalf("seed %d: the run does not end", seed)
			}
			f := faulty(t, s, r, now)
			err, crashed := survive(func() error {
				if _, err := f.StartRun(ctx, "DPS", order); err != nil {
					return err
				}
				return f.ResumeRuns(ctx)
			})
			if crashed {
				crashes++
			} else if code := fees.CodeOf(err); err != nil && code != fees.Unavailable && code != fees.Unconfirmed {
				t.Fatalf("seed %d: %v", seed, err)
			}
			clock = clock.Add(runLease + time.Second)
			if run, err := s.Run(ctx, "DPS", id); err == nil && run.State == fees.RunDone {
				break
			}
		}
		run, err := s.ExecuteRun(ctx, "DPS", id)
		want := fees.RunTally{Students: people, Done: people, Created: people, Amount: people * 100_00}
		if err != nil || run.Tally != want {
			t.Errorf("seed %d, after %d crashes: %+v, %v\nwant %+v", seed, crashes, run.Tally, err, want)
		}
		if n, err := s.DB.Count(ctx, bills, ofPeriod("DPS", period), 0); n != people || err != nil {
			t.Errorf("seed %d, after %d crashes: %d bills, want %d (%v)", seed, crashes, n, people, err)
		}
	}
}

// An import that is killed, cut off or lied to at any write is made whole by
// the same file.
func TestImportGoesOn(t *testing.T) {
	oneThing(t)
	s, _ := openSchool(t)
	ctx := context.Background()
	var rows []string
	owing := int64(0)
	for i := range batchSize + 20 {
		if i%3 != 0 {
			owing++
		}
		rows = append(rows, fmt.Sprintf("%d,Student %d,%d,A,general,F%d,Guardian,90000%05d,,,%d.00", i, i, i%12, i/2, i, i%3))
	}
	files := map[string]string{
		"students":    studentsCSV(rows...),
		"plan":        sample(t, "plan.csv"),
		"concessions": "admission_no,head,kind,value\n1,TUITION,percent,10\n2,LAB,amount,5\n",
	}
	for seed := range 12 {
		r := rand.New(rand.NewPCG(12, uint64(seed)))
		code := fmt.Sprintf("S%d", seed)
		addSchool(t, s, code)
		for _, what := range []string{"students", "plan", "concessions"} {
			done := false
			for attempt := 0; !done; attempt++ {
				if attempt == 50 {
					t.Fatalf("seed %d: the import of %s does not end", seed, what)
				}
				f := faulty(t, s, r, termTime)
				err, crashed := survive(func() error {
					report, err := f.importers()[what](ctx, code, strings.NewReader(files[what]), false)
					if len(report.Problems) > 0 {
						t.Fatalf("seed %d: %s: %+v", seed, what, report.Problems)
					}
					return err
				})
				if code := fees.CodeOf(err); err != nil && code != fees.Unavailable && code != fees.Unconfirmed {
					t.Fatalf("seed %d: %v", seed, err)
				}
				done = err == nil && !crashed
			}
			again := mustImport(t, s, what, code, files[what])
			if again.Created+again.Updated != 0 || again.Unchanged != again.Rows {
				t.Errorf("seed %d: %s again: %+v", seed, what, again)
			}
		}
		for coll, want := range map[string]int64{students: batchSize + 20, bills: owing, plans: 122, heads: 4, periods: 3, concessions: 2} {
			if n, err := s.DB.Count(ctx, coll, everything(code), 0); n != want || err != nil {
				t.Errorf("seed %d: %d %s, want %d (%v)", seed, n, coll, want, err)
			}
		}
	}
}

// A writer that lost its lease, and one who took over, count the same.
func TestRunIsNotDoneTwice(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", manyStudents(20))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n")
	id := s.NewID()
	if _, err := s.StartRun(ctx, "DPS", fees.RunOrder{ID: id, Period: "2026-27/T1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.claimRun(ctx, "DPS", id); err != nil {
		t.Fatal(err)
	}
	_, err := s.ExecuteRun(ctx, "DPS", id)
	wantCode(t, "a run that somebody is at", err, fees.Conflict, "going already")
	if err := s.ResumeRuns(ctx); err != nil {
		t.Errorf("resume while somebody is at it: %v", err)
	}
	if n, _ := s.DB.Count(ctx, bills, ofPeriod("DPS", "2026-27/T1"), 0); n != 0 {
		t.Errorf("%d bills from a run that somebody else is at", n)
	}
	s.Now = func() time.Time { return termTime().Add(runLease + time.Millisecond) }
	if err := s.ResumeRuns(ctx); err != nil {
		t.Fatal(err)
	}
	run, err := s.Run(ctx, "DPS", id)
	if err != nil || run.State != fees.RunDone || run.Tally.Created != 20 || !run.LeaseUntil.IsZero() {
		t.Errorf("resumed: %+v, %v", run, err)
	}
	if again, err := s.ExecuteRun(ctx, "DPS", id); err != nil || again.Tally != run.Tally {
		t.Errorf("a run that is done: %+v, %v", again, err)
	}
}

// What makes a run impossible is told to people, and it may be tried again.
func TestRunFails(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", manyStudents(20))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n")
	id := s.NewID()
	if _, err := s.StartRun(ctx, "DPS", fees.RunOrder{ID: id, Period: "2026-27/T1"}); err != nil {
		t.Fatal(err)
	}
	closed := func(to string) {
		if _, err := s.DB.UpdateOne(ctx, institutes, bson.D{{Key: "_id", Value: "DPS"}}, set("closedTo", to), docdb.Update{}); err != nil {
			t.Fatal(err)
		}
	}
	closed("2027-03-31")
	run, err := s.ExecuteRun(ctx, "DPS", id)
	wantCode(t, "the year was closed meanwhile", err, fees.Invalid, "closed")
	stored, _ := s.Run(ctx, "DPS", id)
	if run.State != fees.RunFailed || stored.State != fees.RunFailed || !strings.Contains(stored.Error, "closed") {
		t.Errorf("answered %+v\nstored %+v", run, stored)
	}
	closed("2026-03-31")
	if err := s.ResumeRuns(ctx); err != nil {
		t.Fatal(err)
	}
	if stored, _ = s.Run(ctx, "DPS", id); stored.State != fees.RunFailed {
		t.Errorf("a failed run went on by itself: %+v", stored)
	}
	if run, err = s.ExecuteRun(ctx, "DPS", id); err != nil || run.State != fees.RunDone || run.Error != "" || run.Tally.Created != 20 {
		t.Errorf("tried again: %+v, %v", run, err)
	}
}
