package store

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"raseed/store/docdb"
)

// A simulation runs the real store over a real database whose every call waits
// for a scheduler. A seed decides which waiting call goes next and what goes
// wrong with it. All goroutines are in one synctest bubble, so between two
// decisions exactly the work that one decision allowed is done: a seed replays.

// simStart is a minute to midnight of 31 March in India: the simulated
// minutes are of two financial years.
var simStart = time.Date(2026, 3, 31, 18, 29, 0, 0, time.UTC)

// world is one seed's history.
type world struct {
	rng     *rand.Rand
	on      engine
	broken  mutant
	open    map[string]bool // the desks that are, see cast
	schools []*school
	odds    []odds
	bound   int    // a die of this many sides is thrown for each call
	bursts  bool   // one actor does much before the next does anything: what was read in between grows old
	last    string // the actor who was last

	began  time.Time    // on the bubble's clock
	jumped atomic.Int64 // how far the wall clock is from it, in nanoseconds

	mu      sync.Mutex
	waiting []*call
	later   []*call // already decided; their answer, or their effect, is still to come
	procs   map[string]*proc
	acting  int           // scripts that have not ended
	stir    chan struct{} // a call waits, or a script ended

	steps   int
	crashes int  // that somebody noticed
	calm    bool // nothing goes wrong any more
	away    downtime
	faults  map[fault]int
	alarm   bool  // the unique index over numbers had to refuse one
	seen    error // what an inspector saw that may not be at any moment
	audited error // what an audit beside the work found
	watch   *watch
	left    []remains // when it is over, by school
	trace   hash.Hash64
	said    func(format string, args ...any) // nil unless a person follows
}

// call is one database call waiting for its turn, or with no run somebody who
// thinks.
type call struct {
	actor  string
	ctx    context.Context
	label  string        // who does what, for an order that does not depend on the runtime
	detail func() string // what exactly, where two labels are the same
	coll   string
	write  bool
	proc   *proc
	run    func() error
	fault  error
	turn   chan struct{}
	due    int  // the step at which what is late comes
	gone   bool // nobody waits for the answer: only the effect is to come
}

func newWorld(seed uint64, on engine, broken mutant, schools ...*school) *world {
	w := &world{
		rng: rand.New(rand.NewPCG(seed, 0)), on: on, broken: broken, schools: schools, odds: faultOdds(),
		procs: map[string]*proc{}, faults: map[fault]int{}, trace: fnv.New64a(), watch: newWatch(),
	}
	w.bursts = w.rng.IntN(2) == 0
	w.bound = 10_000 * []int{1, 2, 6}[w.rng.IntN(3)] // stormy seeds, and seeds where things rarely fail
	return w
}

// inBubble plays a history in a bubble of its own.
func (w *world) inBubble(t *testing.T, history func()) {
	synctest.Test(t, func(*testing.T) {
		w.began, w.stir = time.Now(), make(chan struct{}, 1)
		history()
	})
}

// now is the wall clock of every simulated process.
func (w *world) now() time.Time {
	return simStart.Add(time.Since(w.began)).Add(time.Duration(w.jumped.Load()))
}

// play has the roles act until all have ended and nothing is on its way.
func (w *world) play(cast []role) {
	for _, r := range cast {
		a := &actor{
			w: w, p: w.process(r.process), school: w.schools[r.school],
			rng: rand.New(rand.NewPCG(w.rng.Uint64(), 1)),
			ctx: context.WithValue(context.Background(), actorKey{}, fmt.Sprintf("%s.%d %s", r.process, r.school, r.name)),
		}
		w.acting++
		go func() {
			if r.after > 0 {
				time.Sleep(r.after)
			}
			r.script(a)
			w.mu.Lock()
			w.acting--
			w.mu.Unlock()
			w.wake()
		}()
	}
	for {
		synctest.Wait()
		c, done := w.next()
		switch {
		case c != nil:
			w.step(c)
		case done:
			return
		default:
			<-w.stir // the bubble's clock goes on to whoever sleeps
		}
	}
}

func (w *world) wake() {
	select {
	case w.stir <- struct{}{}:
	default:
	}
}

// next takes the call that goes next; done says that there will be none.
func (w *world) next() (c *call, done bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	late := slices.IndexFunc(w.later, func(c *call) bool { return c.due <= w.steps || len(w.waiting) == 0 })
	if late >= 0 {
		c = w.later[late]
		w.later = slices.Delete(w.later, late, late+1)
		return c, false
	}
	if len(w.waiting) == 0 {
		return nil, w.acting == 0
	}
	slices.SortFunc(w.waiting, func(a, b *call) int {
		if order := strings.Compare(a.label, b.label); order != 0 {
			return order
		}
		return strings.Compare(a.detail(), b.detail())
	})
	i := w.rng.IntN(len(w.waiting))
	if w.bursts {
		again := slices.IndexFunc(w.waiting, func(c *call) bool { return c.actor == w.last })
		if w.rng.IntN(10) > 0 && again >= 0 {
			i = again
		}
		w.last = w.waiting[i].actor
	}
	c = w.waiting[i]
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return c, false
}

// step lets a little time pass and then one thing happen.
func (w *world) step(c *call) {
	w.steps++
	time.Sleep(time.Duration(w.rng.IntN(40)) * time.Millisecond)
	switch {
	case c.gone:
		w.note(c, "takes effect")
		_ = w.make(c)
	case c.due > 0:
		w.note(c, "is answered")
		w.answer(c)
	default:
		w.decide(c)
	}
}

// answer lets the caller go on.
func (w *world) answer(c *call) {
	if c.proc.dead {
		c.fault = docdb.ErrUnavailable
	}
	close(c.turn)
}

func (w *world) note(c *call, what string) {
	_, _ = io.WriteString(w.trace, c.label)
	_, _ = io.WriteString(w.trace, what)
	if w.said != nil {
		w.said("%5d %s %-40s %s", w.steps, w.now().Format("15:04:05.000"), c.label, what)
	}
}
