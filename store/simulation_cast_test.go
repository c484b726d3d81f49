package store

import (
	"context"
	"math/rand/v2"
	"time"
)

// role is somebody who is at work in a simulation. To add one, write what he
// does, a method of actor, and give it a line at a desk; everything he does to
// the database is interleaved with the others, fails and is replayed without
// more ado. What he may not leave behind belongs into the verdict.
type role struct {
	process string        // its process: a capital letter; starts with the first role in it
	name    string        // unique in the process and the school
	school  int           // where he works
	after   time.Duration // when he begins
	script  func(*actor)
}

// desk is where roles do one kind of work. Not every desk is open in every
// seed, so that those that are have time for each other.
type desk struct {
	name  string
	often int // of six seeds
	roles []role
}

// Desks that others ask about.
const (
	officeDesk = "office"
	tillDesk   = "tills"
)

func desks() []desk {
	const main, other = 0, 1
	return []desk{
		{"counter", 6, []role{
			{"A", "cashier 1", main, 0, (*actor).collect},
			{"A", "cashier 2", main, 0, (*actor).collect},
			{"A", "cashier 3", other, 0, (*actor).collect},
			{"A", "reverser", main, 0, (*actor).reverse},
			{"A", "auditor", main, 2 * time.Second, (*actor).audit},
			{"B", "cashier 1", main, 0, (*actor).collect},
			{"B", "cashier 2", main, 0, (*actor).collect},
			{"B", "cashier 3", other, 0, (*actor).collect},
			{"B", "reverser", main, 0, (*actor).reverse},
			{"B", "sweep", main, 0, (*actor).sweep},
			{"B", "repairer", main, time.Second, (*actor).repair},
			// A third process starts while the others may have died.
			{"C", "sweep", main, 3 * time.Second, (*actor).sweep},
			{"C", "sweep", other, 3 * time.Second, (*actor).sweep},
			{"C", "cashier 1", main, 3 * time.Second, (*actor).collect},
			{"C", "reverser", main, 4 * time.Second, (*actor).reverse},
			{"C", "repairer", main, 3 * time.Second, (*actor).repair},
			{"C", "auditor", main, 4 * time.Second, (*actor).audit},
		}},
		{officeDesk, 4, []role{
			{"A", "importer", main, 0, twice((*actor).takeOver)},
			{"A", "planner", main, 2 * time.Second, (*actor).replan},
			{"A", "assessor", main, 0, (*actor).assess},
			{"A", "charger", main, 0, (*actor).charge},
			{"A", "waiver", main, 2 * time.Second, twice((*actor).waive)},
			{"B", "biller", main, 0, twice((*actor).bill)},
			{"B", "biller", other, 0, twice((*actor).bill)},
			{"B", "assessor", main, time.Second, twice((*actor).assess)},
			{"B", "charger", main, 0, (*actor).charge},
			{"B", "waiver", main, 3 * time.Second, (*actor).waive},
			{"B", "canceller", main, 2 * time.Second, (*actor).void},
			{"C", "resumer", main, 3 * time.Second, (*actor).resume},
			{"C", "importer", main, 3 * time.Second, twice((*actor).takeOver)},
			{"C", "repricer", main, 3 * time.Second, (*actor).reprice},
		}},
		{"bank", 3, []role{
			{"A", "banker", main, 2 * time.Second, (*actor).bank},
			{"A", "refunder", main, 2 * time.Second, (*actor).refund},
			{"B", "banker", main, 2 * time.Second, (*actor).bank},
			{"B", "refunder", main, 3 * time.Second, (*actor).refund},
			{"C", "banker", main, 4 * time.Second, (*actor).bank},
			{"C", "refunder", main, 4 * time.Second, (*actor).refund},
		}},
		{tillDesk, 3, []role{
			{"A", "till", main, 0, (*actor).keepTill},
			{"A", "closer", main, time.Second, (*actor).closeTills},
			{"B", "till", main, time.Second, (*actor).keepTill},
			{"B", "closer", main, 2 * time.Second, (*actor).closeTills},
			{"C", "till", main, 4 * time.Second, (*actor).keepTill},
		}},
		{"families", 2, []role{
			{"A", "family", main, 0, (*actor).collectForFamily},
			{"B", "family", main, 0, (*actor).collectForFamily},
			{"C", "family", main, 3 * time.Second, (*actor).collectForFamily},
		}},
		{"holds", 2, []role{
			{"A", "asha", main, 0, (*actor).serve},
			{"A", "ravi", main, 0, (*actor).serve},
			{"B", "asha", main, time.Second, (*actor).serve},
			{"C", "meera", main, 3 * time.Second, (*actor).serve},
		}},
	}
}

// cast is who is at work in an ordinary seed: half of those at the desks that
// are open, which are named.
func cast(rng *rand.Rand) (present []role, open map[string]bool) {
	present = []role{
		{"I", "inspector", 0, 0, (*actor).inspect},
		{"I", "inspector", 1, 0, (*actor).inspect},
	}
	open = map[string]bool{}
	for _, d := range desks() {
		if rng.IntN(6) >= d.often {
			continue
		}
		open[d.name] = true
		for _, r := range d.roles {
			if rng.IntN(2) > 0 {
				present = append(present, r)
			}
		}
	}
	return present, open
}

// recovery is the process that lives: it starts when nobody else is left, and
// where there is an office the term is billed again as it was not confirmed.
// Opening balances are left to the sweep.
func recovery(schools int, office bool) (all []role) {
	for i := range schools {
		all = append(all, role{"D", "sweep", i, 0, (*actor).sweep})
		if office {
			all = append(all, role{"D", "office", i, 0, (*actor).office})
		}
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
