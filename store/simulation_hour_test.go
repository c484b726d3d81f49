package store

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Sixty-four cashiers collect for an hour of the simulated clock, at 16
// counters of each of four processes that crash and start again, on a database
// that fails now and then, over the midnight between two financial years. In
// the end everybody was told a number for every form he posted, and all that
// was told is there.
func TestAnHourOfSixtyFourCashiers(t *testing.T) {
	oneThing(t)
	const cashiers, people = 64, 50
	on := openEngine(t)
	var school *school
	on.outside(func() { school = openSimSchool(t, on.db, "HOUR", people) })
	w := newWorld(1, on, mutant{}, school)
	w.bound = 20_000
	posted := make([]int, cashiers)
	w.inBubble(t, func() {
		end := time.Now().Add(time.Hour)
		var all []role
		for i := range cashiers {
			all = append(all, role{string(rune('A' + i%4)), fmt.Sprintf("cashier %02d", i), 0, 0, func(a *actor) { posted[i] = a.collectUntil(end) }})
		}
		for _, p := range []string{"A", "B", "C", "D"} {
			all = append(all, role{p, "sweep", 0, 0, func(a *actor) { a.every(30*time.Second, end, (*actor).sweep) }})
		}
		all = append(all,
			role{"A", "office", 0, 10 * time.Minute, func(a *actor) { a.takeOver(); a.bill() }},
			role{"B", "auditor", 0, 0, func(a *actor) { a.every(20*time.Minute, end, (*actor).audit) }})
		w.play(all)
		w.calm = true
		w.jumped.Add(int64(24 * time.Hour))
		w.play([]role{{"R", "sweep", 0, 0, (*actor).sweep}, {"R", "office", 0, 0, (*actor).office}})
	})
	sum := summary{}
	if err := sum.add(w); err != nil {
		t.Fatal(err)
	}
	for id := range school.posted {
		if told := school.told[id]; told.ID == "" {
			t.Errorf("form %s was never confirmed", id)
		}
	}
	if w.crashes < 4 || slices.Min(posted) < 5 || w.faults[clockBack] == 0 {
		t.Errorf("too little happened to mean something: %d crashes, at least %d forms each, %s", w.crashes, slices.Min(posted), sum.String())
	}
	t.Logf("%d crashes; %s", w.crashes, sum.String())
}

// collectUntil is a cashier's hour: somebody comes every minute or three, and
// is not sent away before there is a receipt.
func (a *actor) collectUntil(end time.Time) (forms int) {
	for {
		a.rest(time.Duration(60+a.rng.IntN(180)) * time.Second)
		if time.Now().After(end) {
			return forms
		}
		o := a.newForm()
		for !a.pay(o) && time.Now().Before(end.Add(time.Hour)) {
			a.rest(time.Duration(2+a.rng.IntN(8)) * time.Second)
		}
		if forms++; a.rng.IntN(20) == 0 {
			a.takeBack(o.ID)
		}
	}
}

// every does the same again and again.
func (a *actor) every(pause time.Duration, end time.Time, do func(*actor)) {
	for time.Now().Before(end) {
		a.rest(pause)
		do(a)
	}
}

// rest lets time pass. Whoever finds his process dead then goes to the one
// that was started instead, or starts it.
func (a *actor) rest(d time.Duration) {
	time.Sleep(d)
	for !a.think() {
		if a.p.next == nil {
			a.w.crashes++
			a.p.next = a.w.process(fmt.Sprintf("%c%d", a.p.name[0], a.w.crashes))
		}
		a.p = a.p.next
	}
}
