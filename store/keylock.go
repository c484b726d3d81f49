package store

import (
	"context"
	"slices"
	"sync"
)

// keyLock lets one caller of this process at a time work on a key (a
// student), in the order they came: two counters that collect from one student
// at the same instant then see each other's payment. Where two processes race,
// what is paid twice is credited (fees.DuesOf).
type keyLock struct {
	mu     sync.Mutex
	queues map[string][]chan struct{} // present while the key is held; each waiter's turn is its channel closed
}

// lock waits for the key; the caller calls unlock when done.
func (l *keyLock) lock(ctx context.Context, key string) (unlock func(), err error) {
	unlock = func() { l.pass(key) }
	l.mu.Lock()
	if l.queues == nil {
		l.queues = map[string][]chan struct{}{}
	}
	queue, held := l.queues[key]
	if !held {
		l.queues[key] = nil
		l.mu.Unlock()
		return unlock, nil
	}
	turn := make(chan struct{})
	l.queues[key] = append(queue, turn)
	l.mu.Unlock()
	select {
	case <-turn:
		return unlock, nil
	case <-ctx.Done():
		l.leave(key, turn)
		return nil, ctx.Err()
	}
}

// lockAll waits for each of the keys, in one order everywhere, so that no two
// callers wait for each other.
func (l *keyLock) lockAll(ctx context.Context, keys []string) (unlock func(), err error) {
	var held []func()
	unlock = func() {
		for _, one := range held {
			one()
		}
	}
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		one, err := l.lock(ctx, key)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, one)
	}
	return unlock, nil
}

// pass gives the key to the next in the queue.
func (l *keyLock) pass(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.queues[key]
	if len(queue) == 0 {
		delete(l.queues, key)
		return
	}
	l.queues[key] = queue[1:]
	close(queue[0])
}

// leave takes a waiter out of the queue; one whose turn had just come passes
// it on.
func (l *keyLock) leave(key string, turn chan struct{}) {
	l.mu.Lock()
	i := slices.Index(l.queues[key], turn)
	if i >= 0 {
		l.queues[key] = slices.Delete(l.queues[key], i, i+1)
	}
	l.mu.Unlock()
	if i < 0 {
		l.pass(key)
	}
}
