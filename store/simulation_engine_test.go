package store

import (
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/docdb/sqlite"
)

// engine is the database beneath the simulation, and a goroutine outside of
// every bubble that makes the calls on it: the engine's own channels may not be
// a bubble's.
type engine struct {
	db     docdb.DB
	direct bool // reads use no channel and are made where they are asked for
	work   chan func()
	done   chan struct{}
}

func openEngine(t *testing.T) engine {
	db := openTestDBAt(t, func() time.Time { return simStart }) // by whose clock no hold ever runs out
	_, embedded := db.(*sqlite.DB)
	e := engine{db: db, direct: embedded, work: make(chan func()), done: make(chan struct{})}
	go func() {
		for f := range e.work {
			f()
			e.done <- struct{}{}
		}
	}()
	t.Cleanup(func() { close(e.work) })
	return e
}

func (e engine) outside(f func()) {
	e.work <- f
	<-e.done
}

// run makes the call.
func (e engine) run(c *call) (err error) {
	if e.direct && !c.write {
		return c.run()
	}
	e.outside(func() { err = c.run() })
	return err
}
