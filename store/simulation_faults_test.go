package store

import (
	"errors"
	"fmt"
	"time"

	"raseed/store/docdb"
)

// fault is a kind of thing that goes wrong.
type fault string

// What goes wrong.
const (
	fine         fault = ""
	notAttempted fault = "not attempted"
	answerLost   fault = "answer lost"
	answerLate   fault = "answer late"  // many other steps come between a call and its answer
	appliedLate  fault = "applied late" // the answer is lost, and the write comes many steps later
	killedBefore fault = "killed before"
	killedAfter  fault = "killed after"
	clockAhead   fault = "clock put forward"
	clockBack    fault = "clock put back"
	countersAway fault = "counters unavailable" // for a while; so are the next two
	accountsAway fault = "accounts unavailable"
	databaseAway fault = "database unavailable"
)

// odds are how often something goes wrong, in ten thousand calls of a stormy
// seed.
type odds struct {
	fault  fault
	often  int
	writes bool // only a write can
}

func faultOdds() []odds {
	return []odds{
		{notAttempted, 150, false},
		{answerLost, 200, true},
		{answerLate, 150, false},
		{appliedLate, 80, true},
		{killedBefore, 20, false},
		{killedAfter, 30, true},
		{clockAhead, 15, false},
		{clockBack, 15, false},
		{countersAway, 10, false},
		{accountsAway, 10, false},
		{databaseAway, 5, false},
	}
}

// downtime is a part of the database that cannot be reached for a while.
type downtime struct {
	fault fault
	coll  string // "" for all
	until int    // step
}

func (d downtime) covers(c *call, step int) bool {
	return step < d.until && (d.coll == "" || d.coll == c.coll)
}

// fate is what goes wrong with a call.
func (w *world) fate(c *call) fault {
	if w.calm {
		return fine
	}
	if w.away.covers(c, w.steps) {
		return w.away.fault
	}
	throw := w.rng.IntN(w.bound)
	for _, o := range w.odds {
		if throw -= o.often; throw < 0 {
			if o.writes && !c.write {
				return fine
			}
			return o.fault
		}
	}
	return fine
}

// decide makes the call, or fails it.
func (w *world) decide(c *call) {
	kind := fine
	switch {
	case c.run == nil || c.proc.dead:
	case c.ctx.Err() != nil:
		c.fault = fmt.Errorf("%w: %w", docdb.ErrUnavailable, c.ctx.Err())
	default:
		if kind = w.fate(c); kind != fine {
			w.faults[kind]++
		}
		w.befall(c, kind)
	}
	w.note(c, string(kind))
	var twice *docdb.DuplicateKeyError
	if errors.As(c.fault, &twice) && twice.Index == "number" {
		w.alarm = true
	}
	if c.due == 0 {
		w.answer(c)
	}
}

// befall makes the call as its fate has it.
func (w *world) befall(c *call, kind fault) {
	switch kind {
	case notAttempted:
		c.fault = docdb.ErrUnavailable
	case countersAway, accountsAway, databaseAway:
		w.goAway(kind)
		c.fault = docdb.ErrUnavailable
	case killedBefore:
		c.proc.dead = true
	case killedAfter:
		_ = w.make(c)
		c.proc.dead = true
	case answerLost:
		_ = w.make(c)
		c.fault = docdb.ErrUnknownOutcome
		if w.rng.IntN(3) == 0 { // nor can it be looked up
			w.goAway(databaseAway)
		}
	case appliedLate:
		c.fault = docdb.ErrUnknownOutcome
		effect := *c
		effect.gone = true
		w.putOff(&effect)
	case answerLate:
		c.fault = w.make(c)
		w.putOff(c)
	case clockAhead, clockBack:
		jump := time.Duration(1+w.rng.IntN(3600)) * time.Second
		if kind == clockBack {
			jump = -jump
		}
		w.jumped.Add(int64(jump))
		c.fault = w.make(c)
	default:
		c.fault = w.make(c)
	}
}

// putOff has the call come up again many steps later.
func (w *world) putOff(c *call) {
	c.due = w.steps + 5 + w.rng.IntN(60)
	w.later = append(w.later, c)
}

// goAway begins a downtime, unless there is one.
func (w *world) goAway(kind fault) {
	if w.steps < w.away.until {
		return
	}
	coll := map[fault]string{countersAway: counters, accountsAway: accounts}[kind]
	w.away = downtime{kind, coll, w.steps + 20 + w.rng.IntN(100)}
}
