package store

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// tills lets many rows into a till of this process at once, and closes it to
// them while it is summed. Between processes a till that is closing takes no
// more, and what was under way already is noted on it as late (noteLate).
type tills struct {
	gates sync.Map // institute and login → *semaphore.Weighted
}

// whole is all of a till, of which each row takes one.
const whole = 1 << 30

// enter waits until the cashier's till is not being closed, and keeps it from
// being closed until leave.
func (t *tills) enter(ctx context.Context, institute, login string) (leave func(), err error) {
	return t.take(ctx, institute, login, 1)
}

// shut waits until no row is under way into the cashier's till, and keeps them
// waiting until open.
func (t *tills) shut(ctx context.Context, institute, login string) (open func(), err error) {
	return t.take(ctx, institute, login, whole)
}

func (t *tills) take(ctx context.Context, institute, login string, n int64) (release func(), err error) {
	key := fees.Key(institute, login)
	gate, ok := t.gates.Load(key)
	if !ok {
		gate, _ = t.gates.LoadOrStore(key, semaphore.NewWeighted(whole))
	}
	if err := gate.(*semaphore.Weighted).Acquire(ctx, n); err != nil {
		return nil, fmt.Errorf("%w: %w", docdb.ErrUnavailable, err)
	}
	return func() { gate.(*semaphore.Weighted).Release(n) }, nil
}

// throughTill has write write what goes through the cashier's till: shift is the
// one that is open, "" where none is. It stays open meanwhile. asked is the till
// that the form was rendered with, "" for any: where that is not the open one
// any more it is a Conflict with the Field shift, and nothing is written.
func (s *Store) throughTill(ctx context.Context, inst fees.Institute, login, asked string, write func(shift string) error) error {
	leave, err := s.tills.enter(ctx, inst.Code, login)
	if err != nil {
		return outage("enter the till", err)
	}
	defer leave()
	shift, ok, err := s.ShiftOf(ctx, inst.Code, login)
	if err != nil {
		return err
	}
	open := ""
	if ok && shift.State == fees.ShiftOpen {
		open = shift.ShortID()
	}
	if asked != "" && asked != open {
		return s.otherTill(ctx, inst, login, asked, open)
	}
	return write(open)
}

// writeThroughTill is writeRow for a row that its cashier has just made.
func (s *Store) writeThroughTill(ctx context.Context, inst fees.Institute, row fees.Row, asked string) (fees.Row, error) {
	err := s.throughTill(ctx, inst, row.Cashier, asked, func(shift string) (err error) {
		row.EnterTill(shift)
		row, err = s.writeRow(ctx, row)
		return err
	})
	return row, err
}

// otherTill says what became of the till of a form, and where the money goes if
// it is sent again.
func (s *Store) otherTill(ctx context.Context, inst fees.Institute, login, asked, open string) error {
	gone, err := s.Shift(ctx, inst.Code, asked)
	if err != nil && fees.CodeOf(err) != fees.NotFound {
		return err
	}
	what := "This form is not of your till"
	switch {
	case err != nil || gone.Cashier != login:
	case gone.State == fees.ShiftClosing:
		what = "Your till is being closed by " + gone.Count.ByName
	case gone.State == fees.ShiftClosed:
		what = "Your till was closed by " + gone.Count.ByName + " at " + gone.Count.At.In(inst.Location()).Format("15:04 on 2 January")
	}
	again := "records it outside of a till"
	if open != "" {
		again = "records it in the till that you have open now"
	}
	moved := fees.Errorf(fees.Conflict, "%s. Nothing was recorded yet, and the form is kept: pressing Record payment again %s.", what, again)
	moved.Fields = map[string]string{"shift": what}
	return moved
}
