package store

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// seedsDefault is how many seeds an ordinary test run plays. RASEED_SEEDS plays
// any number, from RASEED_SEED_FROM on; RASEED_SEED replays one, step by step.
const seedsDefault = 2000

// seedsPerDatabase bounds how large a database grows: a night's simulation
// fits into memory.
const seedsPerDatabase = 200

func TestSimulation(t *testing.T) {
	first, count := seedsToPlay(t)
	var sum summary
	t.Run("seeds", func(t *testing.T) {
		for from := first; from < first+count; from += seedsPerDatabase {
			t.Run(fmt.Sprint(from), func(t *testing.T) {
				t.Parallel()
				on := openEngine(t)
				for seed := from; seed < min(from+seedsPerDatabase, first+count) && !sum.failed(); seed++ {
					w := newWorldOf(t, on, seed, mutant{})
					if count == 1 {
						w.said = t.Logf
					}
					w.live(t)
					if wrong := sum.add(w); wrong != nil {
						t.Errorf("seed %d: %v\nreplay: RASEED_SEED=%d go test ./store -run 'TestSimulation$' -v", seed, wrong, seed)
					}
				}
				if damage := on.intact(); damage != nil {
					t.Errorf("what the seeds left is damaged: %v", damage)
				}
			})
		}
	})
	t.Log(sum.String())
	if os.Getenv("RASEED_SEED") == "" && count >= 500 && !sum.failed() {
		for _, o := range faultOdds() {
			if sum.faults[o.fault] == 0 {
				t.Errorf("%q never happened: the simulation proves nothing about it", o.fault)
			}
		}
		for what, least := range enough {
			if sum.met[what] < least {
				t.Errorf("%d %s: the simulation proves nothing about them", sum.met[what], what)
			}
		}
	}
}

func seedsToPlay(t *testing.T) (first, count uint64) {
	number := func(name string, otherwise uint64) uint64 {
		text := os.Getenv(name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	if seed := number("RASEED_SEED", 0); seed > 0 {
		return seed, 1
	}
	count = seedsDefault
	if testing.Short() {
		count = 100
	}
	return number("RASEED_SEED_FROM", 1), number("RASEED_SEEDS", count)
}

// newWorldOf is an ordinary seed: a school, and one beside it that would show
// if anything of a tenant were seen by another.
func newWorldOf(t *testing.T, on engine, seed uint64, broken mutant) *world {
	var main, other *school
	on.outside(func() {
		main = openSimSchool(t, on.db, fmt.Sprintf("S%d", seed), 3)
		other = openSimSchool(t, on.db, fmt.Sprintf("T%d", seed), 2)
	})
	return newWorld(seed, on, broken, main, other)
}

// live plays an ordinary seed to its end.
func (w *world) live(t *testing.T) {
	w.inBubble(t, func() {
		var present []role
		present, w.open = cast(w.rng)
		for _, s := range w.schools {
			s.office = w.open[officeDesk]
		}
		w.play(present)
		w.on.outside(func() {
			for _, s := range w.schools {
				if err := w.inspect(s); err != nil && w.seen == nil {
					w.seen = err
				}
			}
		})
		w.calm = true
		w.jumped.Add(int64(24 * time.Hour)) // past the lease of a run whose process died, wherever the clock jumped
		w.play(recovery(len(w.schools), w.open[officeDesk]))
	})
}

// A seed is a history: played again, on another database, it goes the same
// way, call by call.
func TestSimulationReplays(t *testing.T) {
	oneThing(t)
	one, two := openEngine(t), openEngine(t)
	different := map[uint64]bool{}
	for seed := uint64(1); seed <= 25; seed++ {
		first, again := tale{w: newWorldOf(t, one, seed, mutant{})}, tale{w: newWorldOf(t, two, seed, mutant{})}
		first.play(t)
		again.play(t)
		if first.w.trace.Sum64() != again.w.trace.Sum64() {
			t.Errorf("seed %d went two ways: what it finds could not be looked at again%s", seed, first.parting(again))
		}
		different[first.w.trace.Sum64()] = true
	}
	if len(different) != 25 {
		t.Errorf("25 seeds went only %d ways", len(different))
	}
}

// tale is a seed with all that was said of it.
type tale struct {
	w     *world
	lines []string
}

func (a *tale) play(t *testing.T) {
	a.w.said = func(format string, args ...any) { a.lines = append(a.lines, fmt.Sprintf(format, args...)) }
	a.w.live(t)
}

// parting shows where two tales part.
func (a *tale) parting(b tale) string {
	for i := range min(len(a.lines), len(b.lines)) {
		if a.lines[i] != b.lines[i] {
			return fmt.Sprintf("\n%s\nonce:  %s\nagain: %s", strings.Join(a.lines[max(0, i-12):i], "\n"), a.lines[i], b.lines[i])
		}
	}
	return ""
}
