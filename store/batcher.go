package store

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// leadFor bounds one batch. What it did not get to is done by a later batch or
// by the sweep.
const leadFor = 20 * time.Second

// batcher serves callers in this process that want the same thing done under
// the same key at the same time as one batch: the first to come leads, those
// who come while it works wait for the next batch. So a batch begins after
// everything that its callers did before they asked.
type batcher[K comparable, R any] struct {
	most  int // items in a batch
	serve func(ctx context.Context, key K, items []string) (map[string]R, error)
	// served is called in each caller that was served. It is nil but in the
	// simulation, which has them go on one at a time.
	served func(ctx context.Context)

	mu      sync.Mutex
	waiting map[K][]*ticket[R] // present while somebody leads
}

// ticket is one caller waiting for an item's result.
type ticket[R any] struct {
	item string
	got  R
	err  error
	done chan struct{}
}

func newBatcher[K comparable, R any](most int, serve func(context.Context, K, []string) (map[string]R, error)) *batcher[K, R] {
	return &batcher[K, R]{most: most, serve: serve, waiting: map[K][]*ticket[R]{}}
}

// do has item served under key. When ctx ends first the item is still served,
// by the batch that it is in.
func (b *batcher[K, R]) do(ctx context.Context, key K, item string) (R, error) {
	t := &ticket[R]{item: item, done: make(chan struct{})}
	b.mu.Lock()
	queue, led := b.waiting[key]
	b.waiting[key] = append(queue, t)
	b.mu.Unlock()
	if !led {
		go b.lead(context.WithoutCancel(ctx), key)
	}
	select {
	case <-t.done:
		if b.served != nil {
			b.served(ctx)
		}
		return t.got, t.err
	case <-ctx.Done():
		var none R
		return none, ctx.Err()
	}
}

// lead serves batches until nobody waits.
func (b *batcher[K, R]) lead(ctx context.Context, key K) {
	for {
		runtime.Gosched() // lets those in who were recorded by the same commit
		b.mu.Lock()
		queue := b.waiting[key]
		if len(queue) == 0 {
			delete(b.waiting, key)
			b.mu.Unlock()
			return
		}
		batch := queue[:min(len(queue), b.most)]
		b.waiting[key] = queue[len(batch):]
		b.mu.Unlock()
		b.serveBatch(ctx, key, batch)
	}
}

func (b *batcher[K, R]) serveBatch(ctx context.Context, key K, batch []*ticket[R]) {
	ctx, cancel := context.WithTimeout(ctx, leadFor)
	defer cancel()
	items := make([]string, 0, len(batch))
	seen := make(map[string]bool, len(batch))
	for _, t := range batch {
		if !seen[t.item] { // a retry and its original may wait together
			seen[t.item] = true
			items = append(items, t.item)
		}
	}
	got, err := b.serve(ctx, key, items)
	for _, t := range batch {
		t.got, t.err = got[t.item], err
		close(t.done)
	}
}
