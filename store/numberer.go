package store

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// batchMost bounds how many numbers one compare-and-set takes.
const batchMost = 96

// leadFor bounds one batch. The rows stay durable and awaiting when it runs
// out; a later batch or the sweep numbers them.
const leadFor = 20 * time.Second

// numberer hands out numbers. Callers in this process that want one from the
// same counter at the same time are served as one batch: the first to come
// leads, those who come while it works wait for the next batch.
type numberer struct {
	s *Store
	// batch is allocate; the simulation puts broken protocols here to see
	// that it catches them.
	batch func(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error)

	mu      sync.Mutex
	waiting map[seriesKey][]*ticket // present while somebody leads
	settled map[seriesKey]settled
}

// ticket is one caller waiting for a row's number.
type ticket struct {
	row  string
	got  attached
	err  error
	done chan struct{}
}

// settled remembers that every number up to seq is attached. It stays true for
// ever, so it may be remembered; it only saves looking again.
type settled struct {
	seq  int64
	hash string
}

func newNumberer(s *Store) *numberer {
	n := &numberer{s: s, waiting: map[seriesKey][]*ticket{}, settled: map[seriesKey]settled{}}
	n.batch = n.allocate
	return n
}

// number gives a durable row its number. When ctx ends first, the row is still
// numbered, by the batch it is in or by the sweep.
func (n *numberer) number(ctx context.Context, key seriesKey, row string) (attached, error) {
	t := &ticket{row: row, done: make(chan struct{})}
	n.mu.Lock()
	queue, led := n.waiting[key]
	n.waiting[key] = append(queue, t)
	n.mu.Unlock()
	if !led {
		go n.lead(context.WithoutCancel(ctx), key)
	}
	select {
	case <-t.done:
		return t.got, t.err
	case <-ctx.Done():
		return attached{}, ctx.Err()
	}
}

// lead serves batches until nobody waits.
func (n *numberer) lead(ctx context.Context, key seriesKey) {
	for {
		runtime.Gosched() // lets those in who were recorded by the same commit
		n.mu.Lock()
		queue := n.waiting[key]
		if len(queue) == 0 {
			delete(n.waiting, key)
			n.mu.Unlock()
			return
		}
		batch := queue[:min(len(queue), batchMost)]
		n.waiting[key] = queue[len(batch):]
		n.mu.Unlock()
		n.serve(ctx, key, batch)
	}
}

func (n *numberer) serve(ctx context.Context, key seriesKey, batch []*ticket) {
	ctx, cancel := context.WithTimeout(ctx, leadFor)
	defer cancel()
	rows := make([]string, 0, len(batch))
	seen := make(map[string]bool, len(batch))
	for _, t := range batch {
		if !seen[t.row] { // a retry and its original may wait together
			seen[t.row] = true
			rows = append(rows, t.row)
		}
	}
	got, err := n.batch(ctx, key, rows)
	for _, t := range batch {
		t.got, t.err = got[t.row], err
		close(t.done)
	}
}

func (n *numberer) settledAt(key seriesKey, seq int64) (hash string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s, ok := n.settled[key]
	return s.hash, ok && s.seq == seq
}

func (n *numberer) setSettled(key seriesKey, seq int64, hash string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.settled[key].seq < seq {
		n.settled[key] = settled{seq, hash}
	}
}
