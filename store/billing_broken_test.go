package store

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// openChanged is a school in which a run that re-prices has everything to do:
// 1 is to be revised, 2 gets a difference, 3 one beside the one that there is,
// 4 has paid in advance and gets money back, 5 was cancelled and 6 is new.
func openChanged(t *testing.T) *Store {
	t.Helper()
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,", "2,B,5,,general,,,,,,", "3,C,5,,general,,,,,,", "4,D,6,,general,,,,,,", "5,E,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	mustBill(t, s, "DPS", repriced)
	for _, student := range []string{"2", "3"} {
		mustPay(t, s, student, 40_00)
	}
	mustPay(t, s, "4", 150_00)
	mustImport(t, s, "concessions", "DPS", "admission_no,head,kind,value,reason\n3,TUITION,percent,10,merit\n")
	reprice(t, s, repriced)
	if _, err := s.CancelBill(ctx, "DPS", cancelOrder("5", repriced)); err != nil {
		t.Fatal(err)
	}
	mustImport(t, s, "students", "DPS", studentsCSV("6,F,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,120\n2026-27,2026-27/T1,2026-04-10,6,*,TUITION,70\n")
	return s
}

// A run that is broken off at any of its writes, in whatever way, comes to the
// same end as one that was not: nothing is doubled, nothing is left half done,
// and it counts the same.
func TestRunBrokenAtAnyWrite(t *testing.T) {
	oneThing(t)
	ctx := context.Background()
	outcome := func(s *Store) string {
		var all []string
		for no := range 7 {
			all = append(all, fmt.Sprint(no, ": ", billsOf(t, s, fmt.Sprint(no))))
		}
		dues, err := s.Balances(ctx, "DPS", []string{"1", "2", "3", "4", "5", "6"})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(append(all, fmt.Sprint(dues)), "\n")
	}
	whole := openChanged(t)
	want := reprice(t, whole, repriced).Tally
	if n := (fees.RunTally{Students: 6, Done: 6, Created: 1, Amount: 120_00, Updated: 4, Differences: 3, Repriced: 28_00, Skipped: 1, Cancelled: 1}); want != n {
		t.Fatalf("not broken it counts %+v, want %+v", want, n)
	}
	for fault, name := range map[docdbtest.Fault]string{
		docdbtest.BeforeWrite: "away before", docdbtest.AfterWrite: "answer lost", docdbtest.CrashBefore: "killed before", docdbtest.CrashAfter: "killed after",
	} {
		for n := 1; ; n++ {
			s := openChanged(t)
			order, writes := fees.RunOrder{ID: s.NewID(), Period: repriced, Reprice: true, By: fees.Actor{Name: "Meera"}}, 0
			p := process(t, s, func(op docdbtest.Op) docdbtest.Fault {
				if op.Write {
					writes++
				}
				if op.Write && writes == n {
					return fault
				}
				return docdbtest.None
			})
			_, _ = survive(func() error {
				if _, err := p.StartRun(ctx, "DPS", order); err != nil {
					return err
				}
				_, err := p.ExecuteRun(ctx, "DPS", order.ID)
				return err
			})
			if err := s.TakeOverRuns(ctx); err != nil {
				t.Fatal(err)
			}
			if _, err := s.StartRun(ctx, "DPS", order); err != nil { // the person presses the button again
				t.Fatal(err)
			}
			if err := s.TakeOverRuns(ctx); err != nil {
				t.Fatal(err)
			}
			if err := s.ResumeRuns(ctx); err != nil {
				t.Fatal(err)
			}
			run, err := s.Run(ctx, "DPS", order.ID)
			if err != nil || run.State != fees.RunDone || !reflect.DeepEqual(run.Tally, want) {
				t.Errorf("%s write %d: %s %q %+v, %v\nwant %+v", name, n, run.State, run.Error, run.Tally, err, want)
			}
			if err := s.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			if got, want := outcome(s), outcome(whole); got != want {
				t.Errorf("%s write %d:\n%s\nwant\n%s", name, n, got, want)
			}
			mustAudit(t, s)
			if t.Failed() {
				t.Fatalf("%s write %d of %d", name, n, writes)
			}
			if writes < n {
				break
			}
		}
	}
}
