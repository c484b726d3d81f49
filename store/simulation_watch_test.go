package store

import (
	"fmt"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// watch is what was seen of the documents whose changes matter one by one, and
// not only what they are in the end.
type watch struct {
	holds  map[string]fees.Hold
	tokens map[string]bool // of every hold that there ever was
	taken  int             // how often a page took one over from another
	shifts map[string]fees.Shift
}

func newWatch() *watch {
	return &watch{holds: map[string]fees.Hold{}, tokens: map[string]bool{}, shifts: map[string]fees.Shift{}}
}

// make makes a call, and looks at what its write changed.
func (w *world) make(c *call) error {
	err := w.on.run(c)
	if c.write && (c.coll == holds || c.coll == shifts) {
		for _, s := range w.schools {
			if wrong := w.look(c.coll, s); wrong != nil && w.seen == nil {
				w.seen = wrong
			}
		}
	}
	return err
}

func (w *world) look(coll string, s *school) error {
	switch coll {
	case holds:
		now, err := readAll[fees.Hold](w.on.db, holds, s)
		if err != nil {
			return err
		}
		return w.watch.handed(s, now, w.on.direct)
	default:
		now, err := readAll[fees.Shift](w.on.db, shifts, s)
		if err != nil {
			return err
		}
		return w.watch.kept(now)
	}
}

// readAll are all documents of a school in a collection whose keys begin with
// its code.
func readAll[T any](db docdb.DB, coll string, s *school) (all []T, err error) {
	err = readInto(&all, db, coll, ofCode(s.code()))
	return all, err
}

// handed: a hold goes to somebody else only when it had run out by his clock,
// or is of a clock that was wrong, and away only by who has it, where the
// engine itself does not clean up by another clock.
func (w *watch) handed(s *school, now []fees.Hold, stays bool) error {
	there := map[string]bool{}
	for _, h := range now {
		there[h.ID] = true
		w.tokens[h.Token] = true
		before, was := w.holds[h.ID]
		live := before.ExpiresAt.After(h.Since) && !before.ExpiresAt.After(h.Since.Add(fees.MaxHold))
		if was && before.Holder != h.Holder && live {
			return fmt.Errorf("%s took %s at %s from %s, who holds until %s", h.Holder, h.ID, h.Since, before.Holder, before.ExpiresAt)
		}
		if was && before.Token != h.Token {
			w.taken++
		}
		w.holds[h.ID] = h
	}
	for id, before := range w.holds {
		if before.Institute != s.code() || there[id] {
			continue
		}
		s.mu.Lock()
		given := s.given[before.Token]
		s.mu.Unlock()
		if !given && stays {
			return fmt.Errorf("the hold of %s on %s is gone, and he did not give it back", before.Holder, id)
		}
		delete(w.holds, id)
	}
	return nil
}

// kept: a cashier has one till, nothing of a till that is closed changes but
// what is noted as late, and what was dropped from one stays so and was dropped
// while it was open.
func (w *watch) kept(now []fees.Shift) error {
	active := map[string]string{}
	for _, s := range now {
		if other, two := active[s.Cashier]; two && s.Active {
			return fmt.Errorf("%s has the tills %s and %s", s.Cashier, other, s.ID)
		}
		if s.Active {
			active[s.Cashier] = s.ID
		}
		before, was := w.shifts[s.ID]
		w.shifts[s.ID] = s
		switch {
		case !was:
		case before.State == fees.ShiftClosed && closedAs(s) != closedAs(before):
			return fmt.Errorf("the closed till %s was %s and is %s", s.ID, closedAs(before), closedAs(s))
		case len(s.Drops) < len(before.Drops):
			return fmt.Errorf("a drop of till %s is gone", s.ID)
		case len(s.Drops) > len(before.Drops) && (before.State != fees.ShiftOpen || s.State != fees.ShiftOpen):
			return fmt.Errorf("a drop came into till %s, which was %s", s.ID, before.State)
		}
	}
	return nil
}

// closedAs is a till without what may change when it is closed.
func closedAs(s fees.Shift) string {
	count, sums := fees.TillCount{}, fees.TillSums{}
	if s.Count != nil && s.Sums != nil {
		count, sums = *s.Count, *s.Sums
	}
	return fmt.Sprintf("%s active %v closing %v float %d drops %v count %v sums %v", s.State, s.Active, s.Closing, s.Float, s.Drops, count, sums)
}
