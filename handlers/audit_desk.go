package handlers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"raseed/store/fees"
)

// Auditor checks the ledger's promises, and puts right what can be derived.
type Auditor interface {
	AuditWatched(ctx context.Context, institute string, checked func(rows int64)) (fees.AuditReport, error)
	Repair(ctx context.Context, institute string, by fees.Actor) (fees.RepairReport, error)
}

// AuditDesk audits ledgers in the background, since a large one takes longer
// than a page may: for each institute one piece of work at a time. It remembers
// the last result of each, until the process ends.
type AuditDesk struct {
	ledger Auditor
	now    func() time.Time
	log    *slog.Logger

	ctx  context.Context // of the work, which no request may end
	stop context.CancelFunc
	work sync.WaitGroup

	mu sync.Mutex
	of map[string]*audited
}

// audited is what the desk knows of one institute.
type audited struct {
	current, next *audit
	last          *fees.AuditReport
	lastAt        time.Time
	took          time.Duration
	repair        *repaired
	failed        string // why the last work came to nothing, for people
}

// audit is one piece of work: a check, or with by a repair.
type audit struct {
	by      *fees.Actor
	pressed bool // somebody asked for it, rather than for the page
	began   time.Time
	rows    atomic.Int64
	done    chan struct{}
}

// repaired is what a repair did.
type repaired struct {
	by   string
	at   time.Time
	done []fees.Finding
}

// auditState is what the desk knows of an institute at one moment.
type auditState struct {
	running, repairing bool
	rows               int64 // checked so far
	last               *fees.AuditReport
	lastAt             time.Time
	took               time.Duration
	repair             *repaired
	failed             string
}

// NewAuditDesk opens a desk. It is closed before the ledger is.
func NewAuditDesk(ledger Auditor, now func() time.Time, log *slog.Logger) *AuditDesk {
	d := &AuditDesk{ledger: ledger, now: now, log: log, of: map[string]*audited{}}
	d.ctx, d.stop = context.WithCancel(context.Background())
	return d
}

// Close calls off what is going on and waits for it.
func (d *AuditDesk) Close() {
	d.stop()
	d.work.Wait()
}

// auditPatience is how long a page waits for an audit, and so how large a
// ledger is audited anew for each.
const auditPatience = 2 * time.Second

// fresh is the state after an audit that began only now, if that takes no
// longer than patience. Of a ledger that is known to take longer it is what is
// known.
func (d *AuditDesk) fresh(ctx context.Context, institute string, patience time.Duration) auditState {
	d.mu.Lock()
	a := d.institute(institute)
	if a.last != nil && a.took > patience {
		d.mu.Unlock()
		return d.state(institute)
	}
	done := d.ask(institute, &audit{})
	d.mu.Unlock()
	await(ctx, done, patience)
	return d.state(institute)
}

// start has work begun, and answers when it is done or patience is over.
func (d *AuditDesk) start(ctx context.Context, institute string, w *audit, patience time.Duration) {
	d.mu.Lock()
	w.pressed = true
	done := d.ask(institute, w)
	d.mu.Unlock()
	await(ctx, done, patience)
}

func await(ctx context.Context, done <-chan struct{}, patience time.Duration) {
	enough := time.NewTimer(patience)
	defer enough.Stop()
	select {
	case <-done:
	case <-enough.C:
	case <-ctx.Done():
	}
}

func (d *AuditDesk) institute(code string) *audited {
	a := d.of[code]
	if a == nil {
		a = &audited{}
		d.of[code] = a
	}
	return a
}

// ask begins work, or has it begun after what is going on: that may have read
// already what the asker has changed since. Of several who wait all get the
// same, a repair if anybody asked for one.
func (d *AuditDesk) ask(institute string, w *audit) <-chan struct{} {
	a := d.institute(institute)
	w.done = make(chan struct{})
	switch {
	case a.current == nil:
		d.begin(institute, a, w)
	case a.next == nil:
		a.next = w
	default:
		w.done = a.next.done
		a.next.pressed = a.next.pressed || w.pressed
		if a.next.by == nil {
			a.next.by = w.by
		}
	}
	return w.done
}

func (d *AuditDesk) begin(institute string, a *audited, w *audit) {
	a.current, w.began = w, d.now()
	d.work.Go(func() { d.do(institute, w) })
}

// do does the work and begins what comes next.
func (d *AuditDesk) do(institute string, w *audit) {
	report, fixed, err := d.run(institute, w)
	d.mu.Lock()
	defer d.mu.Unlock()
	defer close(w.done)
	a := d.institute(institute)
	a.current, a.failed = nil, ""
	switch {
	case err != nil:
		a.failed = "The ledger could not be read to its end. Try again in a moment."
		if d.ctx.Err() == nil {
			d.log.Error("audit failed", slog.String("institute", institute), slog.Any("error", err))
		}
	default:
		a.last, a.lastAt, a.took = &report, d.now(), d.now().Sub(w.began)
	}
	if w.by != nil && err == nil {
		a.repair = &repaired{by: w.by.Name, at: d.now(), done: fixed}
	}
	next := a.next
	a.next = nil
	if next == nil {
		return
	}
	if d.ctx.Err() != nil || !next.pressed && a.took > auditPatience {
		close(next.done)
		return
	}
	d.begin(institute, a, next)
}

func (d *AuditDesk) run(institute string, w *audit) (report fees.AuditReport, fixed []fees.Finding, err error) {
	defer func() { // a page is not worth the counter
		if v := recover(); v != nil {
			err = errors.Join(err, fmt.Errorf("panic: %v", v))
		}
	}()
	if w.by == nil {
		report, err = d.ledger.AuditWatched(d.ctx, institute, w.rows.Store)
		return report, nil, err
	}
	both, err := d.ledger.Repair(d.ctx, institute, *w.by)
	return both.AuditReport, both.Repaired, err
}

func (d *AuditDesk) state(institute string) auditState {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.institute(institute)
	s := auditState{last: a.last, lastAt: a.lastAt, took: a.took, repair: a.repair, failed: a.failed}
	if a.current != nil {
		s.running, s.repairing, s.rows = true, a.current.by != nil, a.current.rows.Load()
	}
	return s
}
