package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"raseed/store/fees"
)

// workAt does a run's work without its lease, as a process does that was
// stalled for longer than that. The run is there, so that its bills can name it.
func workAt(t *testing.T, s *Store, period, class string, reprice bool) fees.RunTally {
	ctx := context.Background()
	var tally fees.RunTally
	run := fees.Run{ID: fees.Key("DPS", s.NewID()), Institute: "DPS", Period: period, State: fees.RunDone, StartedAt: s.instant()}
	b, err := s.openBilling(ctx, "DPS", period, class)
	if err == nil {
		err = s.DB.InsertOne(ctx, runs, run)
	}
	if err == nil {
		err = b.readFamilies(ctx)
	}
	if err != nil {
		t.Error(err)
		return tally
	}
	b.run, b.by, b.pricing = run.ID, "Meera", reprice
	for batch, err := range b.batches(ctx) {
		if err == nil {
			err = b.bill(ctx, batch, &tally)
		}
		if err != nil {
			t.Error(err)
			return tally
		}
	}
	return tally
}

// charges are what each student was billed for the period in all, by head.
func chargesOf(t *testing.T, s *Store, students int) map[string]fees.Amount {
	t.Helper()
	all := map[string]fees.Amount{}
	for no := range students {
		owed, err := s.Bills(context.Background(), "DPS", fmt.Sprint(no))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range owed {
			if fees.NetOf(b.Lines) != b.Net {
				t.Errorf("%s: the heads sum to %d, the bill says %d", b.ID, fees.NetOf(b.Lines), b.Net)
			}
			for _, l := range b.Lines {
				all[fmt.Sprint(no, " ", l.Head)] += l.Net
			}
		}
	}
	return all
}

// Whatever runs in whatever order, how often and how many at once, with the
// plan, concessions, families and payments changing between: when the last
// re-pricing is over, everybody was billed what the plan says, once.
func TestRunsInAnyOrder(t *testing.T) {
	oneThing(t)
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(31, seed))
		s, _ := openSchool(t)
		ctx := context.Background()
		const people = 12
		percent, price := map[int]int{}, map[string]int{"TUITION": 100, "LAB": 30}
		var rows []string
		for no := range people {
			rows = append(rows, fmt.Sprintf("%d,Student %d,%d,,general,F%d,,,,,", no, no, no%2, no/3))
		}
		mustImport(t, s, "students", "DPS", studentsCSV(rows...))
		setPrice := func(head string, amount int) {
			price[head] = amount
			mustImport(t, s, "plan", "DPS", fmt.Sprintf("%s2026-27,2026-27/T1,2026-04-10,*,*,%s,%d\n", planHeader, head, amount))
		}
		setPrice("TUITION", 100)
		setPrice("LAB", 30)
		if _, err := s.SaveRules(ctx, "DPS", fees.Rules{FY: "2026-27", Siblings: []fees.SiblingRule{{Rank: 3, Head: "LAB", Kind: fees.ConcessionAmount, Amount: 5_00}}}, fees.Actor{}); err != nil {
			t.Fatal(err)
		}
		var paid []string
		for range 25 {
			switch r.IntN(7) {
			case 0:
				setPrice([]string{"TUITION", "LAB"}[r.IntN(2)], r.IntN(4)*50)
			case 1:
				no := r.IntN(people)
				percent[no] = 1 + r.IntN(100)
				mustImport(t, s, "concessions", "DPS", fmt.Sprintf("admission_no,head,kind,value,reason\n%d,TUITION,percent,%d,merit\n", no, percent[no]))
			case 2:
				row, err := s.RecordPayment(ctx, "DPS", cash(s, fmt.Sprint(r.IntN(people)), fees.Amount(1+r.IntN(150_00))))
				if err != nil {
					t.Fatal(err)
				}
				paid = append(paid, fees.After(row.ID))
			case 3:
				if len(paid) > 0 {
					order := fees.ReversalOrder{ID: paid[r.IntN(len(paid))], Reason: "wrong", By: fees.Actor{Login: "meera", Role: fees.RoleAccountant}}
					if _, err := s.ReversePayment(ctx, "DPS", order); err != nil {
						t.Fatal(err)
					}
				}
			case 4:
				workAt(t, s, repriced, []string{"", "0", "1"}[r.IntN(3)], r.IntN(2) == 0)
			default: // some at once, each with a plan that it may have read before the others' bills
				var wg sync.WaitGroup
				for range 2 + r.IntN(2) {
					reprice := r.IntN(3) > 0
					wg.Go(func() { workAt(t, s, repriced, "", reprice) })
				}
				wg.Wait()
			}
		}
		workAt(t, s, repriced, "", true)
		got := chargesOf(t, s, people)
		for no := range people {
			tuition := int64(price["TUITION"]) * 100
			tuition -= (tuition*int64(percent[no]) + 50) / 100
			lab := int64(price["LAB"]) * 100
			if no%3 == 2 && lab > 0 {
				lab -= 5_00
			}
			for head, want := range map[string]int64{"TUITION": tuition, "LAB": lab} {
				if got := got[fmt.Sprint(no, " ", head)]; got != fees.Amount(want) {
					t.Errorf("seed %d: student %d was billed %d for %s, want %d", seed, no, got, head, want)
				}
			}
		}
		if again := workAt(t, s, repriced, "", true); again.Created+again.Updated+again.Changed != 0 || again.Unchanged+again.NoLine != people {
			t.Errorf("seed %d: the boring second time: %+v", seed, again)
		}
		if err := s.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		mustAudit(t, s)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
