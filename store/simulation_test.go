package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// A simulation runs the real store over a database whose every call waits for
// a scheduler. A seed decides which waiting call goes next and which fails:
// not attempted, applied with the answer lost, or the whole process dead. All
// goroutines are in one synctest bubble, so between two decisions exactly the
// work that one decision allowed is done: a seed replays.

// world is one seed's history.
type world struct {
	rng    *rand.Rand
	db     docdb.DB
	do     func(func()) // runs a database call outside of the bubble
	inst   fees.Institute
	clock  atomic.Int64 // milliseconds after the start
	mutate func(*numberer)

	mu      sync.Mutex
	waiting []*call
	procs   []*proc
	orders  []fees.PaymentOrder
	acked   map[string]fees.Row

	steps  int
	faults map[string]int
	calm   bool // no more faults
	alarm  bool // the safety net fired
}

// call is one database call waiting for its turn.
type call struct {
	label string // who, for an order that does not depend on the runtime
	write bool
	proc  *proc
	run   func() error
	fault error
	turn  chan struct{}
}

// proc is a simulated process: a Store that can die.
type proc struct {
	w    *world
	name string
	dead bool
	s    *Store
	ids  int
}

type actorKey struct{}

var simStart = time.Date(2026, 3, 31, 18, 29, 0, 0, time.UTC) // a minute to midnight of 31 March in India

func (w *world) newProc(name string) *proc {
	p := &proc{w: w, name: name}
	p.s = &Store{
		DB:  &gate{p: p},
		Now: func() time.Time { return simStart.Add(time.Duration(w.clock.Load()) * time.Millisecond) },
		NewID: func() string {
			w.mu.Lock()
			defer w.mu.Unlock()
			p.ids++
			return simID(p.name, p.ids)
		},
		Log: discard,
	}
	p.s.numbers = newNumberer(p.s)
	if w.mutate != nil {
		w.mutate(p.s.numbers)
	}
	w.procs = append(w.procs, p)
	return p
}

// simID is a well-formed ULID made of who and how many.
func simID(name string, n int) string {
	id := fmt.Sprintf("01%s%06d", strings.ToUpper(name), n)
	return id + strings.Repeat("0", 26-len(id))
}

// schedule lets the waiting calls go, one at a time, until nobody waits.
func (w *world) schedule() {
	for {
		synctest.Wait()
		w.mu.Lock()
		if len(w.waiting) == 0 {
			w.mu.Unlock()
			return
		}
		slices.SortStableFunc(w.waiting, func(a, b *call) int { return strings.Compare(a.label, b.label) })
		i := w.rng.IntN(len(w.waiting))
		c := w.waiting[i]
		w.waiting = slices.Delete(w.waiting, i, i+1)
		w.mu.Unlock()
		w.steps++
		w.clock.Add(int64(w.rng.IntN(40)))
		w.decide(c)
		close(c.turn)
	}
}

func (w *world) decide(c *call) {
	if c.proc.dead {
		c.fault = docdb.ErrUnavailable
		return
	}
	dice := 1000
	if !w.calm {
		dice = w.rng.IntN(1000)
	}
	switch {
	case dice < 25:
		w.faults["not attempted"]++
		c.fault = docdb.ErrUnavailable
	case dice < 29:
		w.faults["killed before"]++
		c.proc.dead, c.fault = true, docdb.ErrUnavailable
	case dice < 33:
		w.faults["clock jumped"]++
		w.clock.Add(int64(w.rng.IntN(7_200_000) - 3_600_000))
		w.do(func() { c.fault = c.run() })
	case dice < 60 && c.write:
		w.faults["answer lost"]++
		w.do(func() { _ = c.run() })
		c.fault = docdb.ErrUnknownOutcome
	case dice < 66 && c.write:
		w.faults["killed after"]++
		w.do(func() { _ = c.run() })
		c.proc.dead, c.fault = true, docdb.ErrUnavailable
	default:
		w.do(func() { c.fault = c.run() })
	}
	var twice *docdb.DuplicateKeyError
	if errors.As(c.fault, &twice) && twice.Index == "number" {
		w.alarm = true
	}
}

// simulate plays one seed. The ledger it leaves is that of w.inst.
func simulate(t *testing.T, db docdb.DB, do func(func()), seed uint64, mutate func(*numberer)) (w *world) {
	w = &world{
		rng: rand.New(rand.NewPCG(seed, 0)), db: db, do: do, mutate: mutate,
		acked: map[string]fees.Row{}, faults: map[string]int{},
	}
	do(func() { w.inst = simInstitute(t, db, seed) })
	synctest.Test(t, func(t *testing.T) {
		a, b := w.newProc("a"), w.newProc("b")
		w.start(a, "c1", w.cashier)
		w.start(a, "c2", w.cashier)
		w.start(a, "r", w.reverser)
		w.start(b, "c1", w.cashier)
		w.start(b, "c2", w.cashier)
		w.start(b, "bill", w.biller)
		w.start(b, "sweep", w.sweeper)
		w.schedule()
		// A third process starts, sweeps and collects, with faults still.
		c := w.newProc("c")
		w.start(c, "sweep", w.sweeper)
		w.start(c, "bill", w.biller)
		w.start(c, "c1", w.cashier)
		w.start(c, "r", w.reverser)
		w.schedule()
		// Recovery: a process that lives.
		w.calm = true
		w.clock.Add(24 * time.Hour.Milliseconds()) // past the lease of a run whose process died, wherever the clock jumped
		d := w.newProc("d")
		w.start(d, "sweep", w.sweeper)
		w.start(d, "bill", w.biller)
		w.schedule()
	})
	return w
}

// seedsDefault is how many seeds an ordinary test run plays; RASEED_SEEDS plays
// any number, RASEED_SEED one.
const seedsDefault = 300

func TestSimulation(t *testing.T) {
	first, count := uint64(1), uint64(seedsDefault)
	if testing.Short() {
		count = 50
	}
	if n, err := strconv.ParseUint(os.Getenv("RASEED_SEEDS"), 10, 32); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("RASEED_SEED"), 10, 32); err == nil {
		first, count = n, 1
	}
	db, do := simDatabase(t)
	faults := map[string]int{}
	steps, rows := 0, 0
	for seed := first; seed < first+count; seed++ {
		w := simulate(t, db, do, seed, nil)
		if wrong := w.verdict(); wrong != nil {
			t.Fatalf("seed %d: %v\nreplay: RASEED_SEED=%d go test ./store -run TestSimulation", seed, wrong, seed)
		}
		steps += w.steps
		rows += len(w.acked)
		for f, n := range w.faults {
			faults[f] += n
		}
	}
	t.Logf("%d seeds, %d steps, %d rows acknowledged, faults %v, 0 findings", count, steps, rows, faults)
}

// The simulation is itself tested: each way of breaking the protocol must be
// caught within a thousand seeds.
func TestSimulationCatchesMutants(t *testing.T) {
	mutants := []struct {
		name   string
		mutate func(*numberer)
	}{
		{"the row is read before the counter", func(n *numberer) { n.batch = n.mutantRowFirst }},
		{"the counter is not settled", func(n *numberer) { n.batch = n.mutantSkipSettle }},
		{"a plain $inc", func(n *numberer) { n.batch = n.mutantPlainInc }},
		{"count()+1", func(n *numberer) { n.batch = n.mutantCount }},
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			db, do := simDatabase(t)
			for seed := uint64(1); seed <= 1000; seed++ {
				if wrong := simulate(t, db, do, seed, m.mutate).promise(); wrong != nil {
					t.Logf("caught by seed %d: %v", seed, wrong)
					return
				}
			}
			t.Errorf("a thousand seeds did not catch it: the simulation proves nothing about this")
		})
	}
}

// simDatabase opens a database and a goroutine outside of every bubble that
// makes the calls on it: the engine's own channels may not be a bubble's.
func simDatabase(t *testing.T) (docdb.DB, func(func())) {
	db := openTestDB(t)
	work, done := make(chan func()), make(chan struct{})
	go func() {
		for f := range work {
			f()
			done <- struct{}{}
		}
	}()
	t.Cleanup(func() { close(work) })
	return db, func(f func()) { work <- f; <-done }
}
