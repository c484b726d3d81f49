package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"raseed/store/fees"
)

// A clock that is put back and forward by up to an hour while three processes
// collect around the midnight of 31 March: each row is of the year that its
// date says, and each year counts 1, 2, 3 … n.
func TestSimulatedClockPutBack(t *testing.T) {
	oneThing(t)
	on := openEngine(t)
	const seeds = 20
	back, straddling := 0, 0
	for seed := uint64(1); seed <= seeds; seed++ {
		w := newWorldOf(t, on, seed, mutant{})
		w.bound, w.odds = 100, []odds{{clockBack, 4, false}, {clockAhead, 4, false}}
		var all []role
		for i := range 9 {
			all = append(all, role{string(rune('A' + i%3)), fmt.Sprint("cashier ", i), 0, 0, twice((*actor).collect)})
		}
		w.inBubble(t, func() {
			w.play(append(all, role{"A", "reverser", 0, 0, (*actor).reverse}, role{"B", "auditor", 0, time.Second, (*actor).audit}))
			w.calm = true
			w.play(recovery(len(w.schools), true))
		})
		if err := w.verdict(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		years := map[string]int{}
		for _, row := range w.left[0].rows {
			years[row.FY]++
		}
		back += w.faults[clockBack]
		if len(years) == 2 {
			straddling++
		}
	}
	if back < 5*seeds || straddling < seeds/2 {
		t.Errorf("the clock went back %d times, %d of %d seeds have rows of both years: too little to mean something", back, straddling, seeds)
	}
	t.Logf("%d seeds, the clock put back %d times, rows of both years in %d", seeds, back, straddling)
}

// The lease of a billing run is told by the wall clock. Put back, it keeps a
// dead run waiting for as long and no longer; put forward, it lets a second
// process at a run that lives. Either way everybody is billed once.
func TestSimulatedClockJumpsInABillingRun(t *testing.T) {
	for _, jump := range []time.Duration{-time.Hour, time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			w := newWorldOf(t, openEngine(t), 1, mutant{})
			w.calm = true
			var begun, left fees.Run
			w.inBubble(t, func() {
				act := func(process string, script func(a *actor)) { w.play([]role{{process, "biller", 0, 0, script}}) }
				act("A", func(a *actor) {
					o := fees.RunOrder{ID: a.p.s.NewID(), Period: simPeriod}
					if _, err := a.p.s.StartRun(a.ctx, a.school.code(), o); err != nil {
						t.Error(err)
					}
					var err error
					if begun, err = a.p.s.claimRun(a.ctx, a.school.code(), o.ID); err != nil {
						t.Error(err)
					}
				})
				w.jumped.Add(int64(jump))
				act("B", (*actor).resume)
				act("B", func(a *actor) {
					var err error
					if left, err = a.p.s.Run(a.ctx, a.school.code(), fees.After(begun.ID)); err != nil {
						t.Error(err)
					}
				})
				if jump > 0 {
					act("A", func(a *actor) { // it is alive, and goes on until it learns of the other
						if _, err := a.p.s.billAll(a.ctx, begun); !errors.Is(err, errOvertaken) {
							t.Errorf("a run that another process went on with: %v", err)
						}
					})
				}
				w.jumped.Add(int64(time.Hour + runLease))
				w.play(recovery(len(w.schools), true))
			})
			if want := map[bool]fees.RunState{true: fees.RunDone, false: fees.RunRunning}[jump > 0]; left.State != want {
				t.Errorf("right after the jump the run was %s, want %s", left.State, want)
			}
			if err := w.verdict(); err != nil {
				t.Error(err)
			}
		})
	}
}
