package store

import (
	"context"
	"errors"
	"iter"
	"log/slog"

	"raseed/store/fees"
)

// AssessLateFees charges all late fees of an institute as of the end of a day,
// "" for today. Each is one bill that belongs to the late one: created once, it
// only grows, so that it does not matter how often this is done, for which days
// in which order, or by how many at once.
//
// Codes: Invalid with Field as_of (no day, or one to come); NotFound (the
// institute); Unavailable and Unconfirmed (do it again).
func (s *Store) AssessLateFees(ctx context.Context, institute string, asOf fees.Date) (fees.LateTally, error) {
	var done fees.LateTally
	l, err := s.assess(ctx, institute, asOf)
	if err != nil {
		return done, err
	}
	for batch, err := range l.students(ctx) {
		if err != nil {
			return done, begun("charge late fees", err)
		}
		some, err := l.charge(ctx, batch)
		done.Created += some.Created
		done.Grown += some.Grown
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// latePreview bounds how many late fees a preview lists.
const latePreview = 200

// PreviewLateFees tells what AssessLateFees would do, and writes nothing. Codes
// as there.
func (s *Store) PreviewLateFees(ctx context.Context, institute string, asOf fees.Date) (fees.LatePreview, error) {
	var p fees.LatePreview
	l, err := s.assess(ctx, institute, asOf)
	if err != nil {
		return p, err
	}
	p.AsOf, p.Rules = l.asOf, len(l.rules)
	for batch, err := range l.students(ctx) {
		if err != nil {
			return p, err
		}
		all, err := l.changes(ctx, batch)
		if err != nil {
			return p, err
		}
		for _, c := range all {
			if c.Old.ID == "" {
				p.Tally.Created++
			} else {
				p.Tally.Grown++
			}
			p.Amount += c.More()
			if len(p.Changes) < latePreview {
				p.Changes = append(p.Changes, c)
			}
		}
	}
	return p, l.name(ctx, p.Changes)
}

// name adds the students' names to a list of changes.
func (l *lateFees) name(ctx context.Context, changes []fees.LateChange) error {
	ids := make([]string, len(changes))
	for i, c := range changes {
		ids[i] = fees.Key(l.inst.Code, c.Of.Student)
	}
	there, err := l.s.readBatch(ctx, students, l.inst.Code, ids, "name")
	if err != nil {
		return outage("read students", err)
	}
	for i := range changes {
		changes[i].Name = textOf(there[ids[i]], "name")
	}
	return nil
}

// assess opens the late fees of a day that may be assessed.
func (s *Store) assess(ctx context.Context, institute string, asOf fees.Date) (*lateFees, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return nil, err
	}
	today := inst.Today(s.Now())
	if asOf == "" {
		asOf = today
	}
	_, bad := fees.ParseDate(string(asOf))
	if bad == nil && asOf > today {
		bad = fees.Errorf(fees.Invalid, "Late fees cannot be charged ahead of time")
	}
	if bad != nil {
		bad.Fields = map[string]string{"as_of": bad.Message}
		return nil, bad
	}
	return s.openLateFees(ctx, inst, asOf)
}

// students are the admission numbers of all who have an account, a batch at a
// time; nobody where there is no rule.
func (l *lateFees) students(ctx context.Context) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		if len(l.rules) == 0 {
			return
		}
		batch := make([]string, 0, batchSize)
		for raw, err := range l.s.pagesByKey(ctx, accounts, fees.Key(l.inst.Code, ""), "student") {
			if err != nil {
				yield(nil, outage("read accounts", err))
				return
			}
			if batch = append(batch, textOf(raw, "student")); len(batch) == batchSize {
				if !yield(batch, nil) {
					return
				}
				batch = batch[:0]
			}
		}
		if len(batch) > 0 {
			yield(batch, nil)
		}
	}
}

// AssessDaily charges the late fees of every institute whose business day is
// not the one in assessed, where it notes the day. What fails is tried again
// the next time.
func (s *Store) AssessDaily(ctx context.Context, assessed map[string]fees.Date) error {
	all, err := s.Institutes(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, inst := range all {
		today := inst.Today(s.Now())
		if assessed[inst.Code] == today {
			continue
		}
		done, err := s.AssessLateFees(ctx, inst.Code, today)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		assessed[inst.Code] = today
		if done != (fees.LateTally{}) {
			s.Log.InfoContext(ctx, "late fees charged", slog.String("institute", inst.Code), slog.String("as_of", string(today)),
				slog.Int64("new", done.Created), slog.Int64("grown", done.Grown))
		}
	}
	return failed
}
