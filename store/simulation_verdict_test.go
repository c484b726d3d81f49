package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"raseed/store/docdb"
)

// verdict holds what a seed left against everything that is promised: what the
// documents themselves say, then what the audit says of them.
func (w *world) verdict() error {
	if err := w.promise(); err != nil {
		return err
	}
	if w.audited != nil {
		return fmt.Errorf("an audit beside the work found %w", w.audited)
	}
	s := &Store{DB: ledgerOnly{w.on.db}, Now: func() time.Time { return simStart.Add(48 * time.Hour) }, Log: discard}
	s.begin()
	for _, school := range w.schools {
		report, err := s.Audit(context.Background(), school.code())
		if err != nil {
			return err
		}
		for _, f := range report.Findings {
			return fmt.Errorf("audit: %s %s: %s", f.What, f.ID, f.Text)
		}
	}
	return nil
}

// ledgerOnly is a database that does not check its own file, which an audit
// would have it do for every seed in it: intact has it done once.
type ledgerOnly struct{ docdb.DB }

// intact says what is damaged of the engine's own files.
func (e engine) intact() error {
	damage, err := (&Store{DB: e.db}).auditEngine(context.Background(), "")
	for _, d := range damage {
		err = errors.Join(err, fmt.Errorf("%s: %s", d.ID, d.Text))
	}
	return err
}

// promise is the verdict without the audit: it shares no code with what it
// judges but the documents' types.
func (w *world) promise() error {
	switch {
	case w.alarm:
		return errors.New("the unique index over numbers had to refuse a number")
	case w.seen != nil:
		return fmt.Errorf("meanwhile, %w", w.seen)
	}
	for _, school := range w.schools {
		left, err := readRemains(w.on.db, school)
		if err != nil {
			return err
		}
		w.left = append(w.left, left)
		if err := left.hold(left.adjustedOnce, left.revised, left.postedOnce, left.finished, left.asTold, left.numbered, left.chained, left.reversedOnce, left.billedOnce, left.priced, left.lateOnce, left.chargedOnce, left.asOrdered, left.addedUp, left.counted, left.held,
			left.chequesStand, left.banked, left.refundedWithin, left.refunded, left.tilled, left.tillsAsTold, left.familyPaid, left.familiesAsTold,
			func() error { return w.had(school) }); err != nil {
			return err
		}
	}
	return nil
}

// inspect holds what a school's documents say at this moment, in the middle of
// everything, against what is promised of every moment.
func (w *world) inspect(s *school) error {
	now, err := readRemains(w.on.db, s)
	if err != nil {
		return err
	}
	return now.hold(now.reversedOnce, now.adjustedOnce, now.revised, now.counted, now.held, now.chequesStand, now.refundedWithin, now.tilled, now.familyPaid)
}

// hold is the first check that fails.
func (r remains) hold(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return fmt.Errorf("%s: %w", r.school.code(), err)
		}
	}
	return nil
}
