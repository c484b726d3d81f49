package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"
	"raseed/store/docdb"
)

// maxGroup bounds how many operations share a commit, and so how long the
// first of them waits for the others.
const maxGroup = 256

// job is one write. do runs inside of a transaction that others share. When it
// returns an error that is not of the machine, it has left nothing half done.
type job interface {
	do(w *writer) error
}

// task is a job on its way.
type task struct {
	job   job
	alone bool // outside of a transaction
	state atomic.Int32
	done  chan error
}

// The states of a task. Whose compare-and-set leaves waiting decides whether
// the job is run at all.
const (
	waiting int32 = iota
	taken
	abandoned
)

// writer owns the only connection that writes.
type writer struct {
	db *DB
	c  *conn

	mu     sync.Mutex
	queue  []*task
	spare  []*task
	closed bool
	wake   chan struct{}

	log log

	distrusted error // of a sync that failed: the file is to be opened anew

	// Memory of the job at hand.
	old, new, json   []byte
	oldKeys, newKeys []value
	args             []value
	sql              []byte
}

func newWriter(db *DB, c *conn) (*writer, error) {
	w := &writer{db: db, c: c, wake: make(chan struct{}, 1)}
	return w, w.log.watch(db, c)
}

// write has the writer run a job and waits for it to be durable. When ctx ends
// before the writer took the job, the job is not run. After that the answer is
// waited for: a write that happened is never called failed.
func (db *DB) write(ctx context.Context, j job) error {
	return db.submit(ctx, &task{job: j, done: make(chan error, 1)})
}

func (db *DB) submit(ctx context.Context, t *task) error {
	w := db.writer
	if w == nil {
		return fmt.Errorf("%w: opened for reading only", docdb.ErrUnavailable)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", docdb.ErrUnavailable, err)
	}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return unavailable(errClosed)
	}
	w.queue = append(w.queue, t)
	w.mu.Unlock()
	w.signal()
	select {
	case err := <-t.done:
		return err
	case <-ctx.Done():
		if t.state.CompareAndSwap(waiting, abandoned) {
			return fmt.Errorf("%w: %w", docdb.ErrUnavailable, ctx.Err())
		}
		return <-t.done
	}
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// close lets the loop end once the queue is empty.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signal()
}

// take empties the queue.
func (w *writer) take() (group []*task, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	group, w.queue, w.spare = w.queue, w.spare[:0], nil
	return group, w.closed
}

func (w *writer) loop() {
	defer close(w.log.wake)
	for range w.wake {
		for {
			// Those who are about to write get to the queue before it is emptied.
			runtime.Gosched()
			w.mend()
			group, closed := w.take()
			if len(group) == 0 {
				if closed {
					return
				}
				break
			}
			for from := 0; from < len(group); from += maxGroup {
				w.run(group[from:min(from+maxGroup, len(group))])
			}
			clear(group)
			w.spare = group
			if w.distrusted == nil {
				w.distrust(w.log.tend(w.c))
			}
		}
	}
}

// run runs a group in one transaction and answers all of it.
func (w *writer) run(group []*task) {
	n := 0
	for _, t := range group {
		switch {
		case !t.state.CompareAndSwap(waiting, taken):
		case t.alone && w.distrusted != nil:
			t.done <- unavailable(w.distrusted)
		case t.alone:
			t.done <- t.job.do(w)
		default:
			group[n] = t
			n++
		}
	}
	if n == 0 {
		return
	}
	group = group[:n]
	errs := make([]error, n)
	err := w.distrusted
	if err == nil {
		err = w.together(group, errs)
	} else {
		err = unavailable(err)
	}
	for i, t := range group {
		if err != nil {
			t.done <- err
		} else {
			t.done <- errs[i]
		}
	}
}

// together runs the jobs and commits. Its error is everybody's: nothing of the
// group was written or, with ErrUnknownOutcome, it cannot be told.
func (w *writer) together(group []*task, errs []error) error {
	if err := w.c.exec("BEGIN IMMEDIATE"); err != nil {
		return unavailable(err)
	}
	for i, t := range group {
		errs[i] = t.job.do(w)
		if errs[i] != nil && (machine(errs[i]) || !w.c.inTransaction()) {
			return errors.Join(unavailable(errs[i]), w.rollback())
		}
	}
	err := w.c.exec("COMMIT")
	if err == nil {
		return nil
	}
	back := w.rollback()
	if back == nil && before(err) {
		return unavailable(err)
	}
	w.distrust(err)
	return fmt.Errorf("%w: commit: %w", docdb.ErrUnknownOutcome, errors.Join(explain(err), back))
}

// partly is the error of a long write that broke after some of its chunks were
// done: "not attempted" would not be true.
func partly(err error, done bool) error {
	if done && errors.Is(err, docdb.ErrUnavailable) {
		return fmt.Errorf("%w: part of it was done: %s", docdb.ErrUnknownOutcome, err) //nolint:errorlint // it must not read as "not attempted"
	}
	return err
}

// before says that a commit failed before its last page was written out, so
// that not even a crash can bring it back.
func before(err error) bool {
	var f *fault
	if !errors.As(err, &f) {
		return false
	}
	return f.code == sqlite3.SQLITE_FULL || f.code == sqlite3.SQLITE_IOERR_WRITE || f.code&0xff == sqlite3.SQLITE_BUSY
}

func (w *writer) rollback() error {
	if !w.c.inTransaction() {
		return nil
	}
	return w.c.exec("ROLLBACK")
}

// release closes the connection, after the loop has ended.
func (w *writer) release() error {
	defer w.log.free()
	if w.c == nil {
		return nil
	}
	if w.distrusted != nil {
		w.c.keepLog()
	}
	return w.c.close()
}
