package store

import (
	"context"
	"fmt"
	"strings"
)

// proc is a simulated process: a Store that can die.
type proc struct {
	w    *world
	name string
	dead bool
	next *proc // that was started when this one had died
	s    *Store
	ids  int
}

// actorKey is where a context says whose it is.
type actorKey struct{}

// process is the process of this name, started when first asked for.
func (w *world) process(name string) *proc {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p, running := w.procs[name]; running {
		return p
	}
	p := &proc{w: w, name: name}
	p.s = &Store{
		DB: &gate{p: p}, Now: w.now, Log: discard,
		NewID: func() string {
			w.mu.Lock()
			defer w.mu.Unlock()
			p.ids++
			return simID(p.name, p.ids)
		},
	}
	p.s.begin()
	p.s.recounts.served, p.s.numbers.queue.served = p.goOn, p.goOn
	if w.broken.store != nil {
		w.broken.store(p.s)
	}
	w.procs[name] = p
	return p
}

// goOn waits for a turn as a database call does, so that what follows is done
// while nobody else does anything.
func (p *proc) goOn(ctx context.Context) {
	_ = (&gate{p}).enter(ctx, "goes on", "", false, nil, nil)
}

// simID is a well-formed ULID made of who and how many.
func simID(name string, n int) string {
	id := fmt.Sprintf("01%sX%06d", name, n)
	return id + strings.Repeat("0", 26-len(id))
}
