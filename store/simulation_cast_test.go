package store

import (
	"context"
	"math/rand/v2"
	"time"
)

// role is somebody who is at work in a simulation. To add one, write what he
// does, a method of actor, and give it a line in cast; everything he does to
// the database is interleaved with the others, fails and is replayed without
// more ado. What he may not leave behind belongs into the verdict.
type role struct {
	process string        // its process: a capital letter; starts with the first role in it
	name    string        // unique in the process and the school
	school  int           // where he works
	after   time.Duration // when he begins
	script  func(*actor)
}

// cast is who is at work in an ordinary seed, half of whom are on leave.
func cast(rng *rand.Rand) (present []role) {
	const main, other = 0, 1
	all := []role{
		{"A", "cashier 1", main, 0, (*actor).collect},
		{"A", "cashier 2", main, 0, (*actor).collect},
		{"A", "reverser", main, 0, (*actor).reverse},
		{"A", "banker", main, 2 * time.Second, (*actor).bank},
		{"A", "refunder", main, 2 * time.Second, (*actor).refund},
		{"A", "importer", main, 0, twice((*actor).takeOver)},
		{"A", "auditor", main, 2 * time.Second, (*actor).audit},
		{"A", "cashier 3", other, 0, (*actor).collect},
		{"B", "cashier 1", main, 0, (*actor).collect},
		{"B", "cashier 2", main, 0, (*actor).collect},
		{"B", "reverser", main, 0, (*actor).reverse},
		{"B", "banker", main, 2 * time.Second, (*actor).bank},
		{"B", "refunder", main, 3 * time.Second, (*actor).refund},
		{"B", "biller", main, 0, twice((*actor).bill)},
		{"B", "sweep", main, 0, (*actor).sweep},
		{"B", "cashier 3", other, 0, (*actor).collect},
		{"B", "biller", other, 0, twice((*actor).bill)},
		{"B", "repairer", main, time.Second, (*actor).repair},
		{"A", "planner", main, 2 * time.Second, (*actor).replan},
		{"A", "assessor", main, 0, (*actor).assess},
		{"A", "charger", main, 0, (*actor).charge},
		{"A", "waiver", main, 2 * time.Second, twice((*actor).waive)},
		{"B", "assessor", main, time.Second, twice((*actor).assess)},
		{"B", "charger", main, 0, (*actor).charge},
		{"B", "waiver", main, 3 * time.Second, (*actor).waive},
		{"B", "canceller", main, 2 * time.Second, (*actor).void},
		// A third process starts while the others may have died.
		{"C", "sweep", main, 3 * time.Second, (*actor).sweep},
		{"C", "sweep", other, 3 * time.Second, (*actor).sweep},
		{"C", "resumer", main, 3 * time.Second, (*actor).resume},
		{"C", "importer", main, 3 * time.Second, twice((*actor).takeOver)},
		{"C", "cashier 1", main, 3 * time.Second, (*actor).collect},
		{"C", "banker", main, 4 * time.Second, (*actor).bank},
		{"C", "reverser", main, 4 * time.Second, (*actor).reverse},
		{"C", "repairer", main, 3 * time.Second, (*actor).repair},
		{"C", "repricer", main, 3 * time.Second, (*actor).reprice},
		{"C", "auditor", main, 4 * time.Second, (*actor).audit},
	}
	present = []role{
		{"I", "inspector", main, 0, (*actor).inspect},
		{"I", "inspector", other, 0, (*actor).inspect},
	}
	for _, r := range all {
		if rng.IntN(2) > 0 {
			present = append(present, r)
		}
	}
	return present
}

// recovery is the process that lives: it starts when nobody else is left, and
// the term is billed again as it was not confirmed. Opening balances are left
// to the sweep.
func recovery(schools int) (all []role) {
	for i := range schools {
		all = append(all,
			role{"D", "sweep", i, 0, (*actor).sweep},
			role{"D", "office", i, 0, (*actor).office})
	}
	return all
}

// actor is a role at work.
type actor struct {
	w      *world
	p      *proc
	school *school
	rng    *rand.Rand
	ctx    context.Context
}

// think lets others do something first. It says whether the process lives.
func (a *actor) think() (alive bool) {
	a.p.goOn(a.ctx)
	return !a.p.dead
}
