package store

import (
	"context"
	"sync"
	"sync/atomic"
)

// batchMost bounds how many numbers one compare-and-set takes.
const batchMost = 96

// numberer hands out numbers: callers that want one from the same counter at
// the same time get theirs by one compare-and-set.
type numberer struct {
	s *Store
	// batch is allocate; the simulation puts broken protocols here to see
	// that it catches them.
	batch func(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error)
	queue *batcher[seriesKey, attached]

	gave atomic.Int64 // how many numbers it attached to rows

	mu      sync.Mutex
	settled map[seriesKey]settled
}

// settled remembers that every number up to seq is attached, the last of them
// to holder. It stays true of a counter that says the same, so it may be
// remembered; it only saves looking again. One that was set back by a repair
// and came to seq again says another holder.
type settled struct {
	seq    int64
	holder string
	hash   string
}

func newNumberer(s *Store) *numberer {
	n := &numberer{s: s, settled: map[seriesKey]settled{}}
	n.batch = n.allocate
	n.queue = newBatcher(batchMost, func(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
		return n.batch(ctx, key, rows)
	})
	return n
}

func (n *numberer) settledAt(key seriesKey, c counter) (hash string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s, ok := n.settled[key]
	return s.hash, ok && s.seq == c.Seq && s.holder == c.lastHolder()
}

func (n *numberer) setSettled(key seriesKey, c counter, hash string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settled[key] = settled{c.Seq, c.lastHolder(), hash}
}
