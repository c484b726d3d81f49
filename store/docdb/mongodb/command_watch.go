package mongodb

import (
	"context"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
)

// Events are told what the driver does by itself. Each may be nil, and is
// called by many goroutines at once, in the middle of an operation.
type Events struct {
	// Retried: a command was sent again; shape is that of its operation.
	Retried func(shape string)
	// Waiting: by how much the number of operations that wait for a connection
	// of the pool changed, 1 or -1.
	Waiting func(change int)
}

// call is one operation on its way through the driver, in whose context it
// travels.
type call struct {
	// sent is set once a command was handed to a connection. The driver's errors
	// do not tell whether an earlier try of the same operation was sent, and
	// "not attempted" must never be a guess.
	sent bool
	last string // the command that was sent last, as far as a retry can be told
}

type callKey struct{}

// within is ctx for one operation, which may take so long at most. The driver
// would leave a caller's deadline as it is, however far away.
func (db *DB) within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithValue(ctx, callKey{}, new(call)), timeout)
}

// timeFor is how long an operation on n documents may take.
func (db *DB) timeFor(n int) time.Duration { return db.timeout + time.Duration(n)*timePerDocument }

// write runs do, a write to coll, and says what its error means.
func (db *DB) write(ctx context.Context, op, coll string, timeout time.Duration, do func(context.Context) error) error {
	if err := ctx.Err(); err != nil { // the driver may find out only after it said "started"
		return writeError(op, coll, err, false)
	}
	ctx, done := db.within(ctx, timeout)
	defer done()
	err := do(ctx)
	return writeError(op, coll, err, ctx.Value(callKey{}).(*call).sent)
}

// commandMonitor marks the operation of every command that is about to be
// written, and tells of those that are written again.
func (db *DB) commandMonitor() *event.CommandMonitor {
	return &event.CommandMonitor{Started: func(ctx context.Context, e *event.CommandStartedEvent) {
		c, ok := ctx.Value(callKey{}).(*call)
		if !ok {
			return
		}
		c.sent = true
		if c.repeats(e) && db.events.Retried != nil {
			shape, _ := e.Command.Lookup("comment").StringValueOK()
			db.events.Retried(shape)
		}
	}}
}

// repeats says whether a command is the one before over again: a write by its
// transaction number, a read by being there twice in one operation.
func (c *call) repeats(e *event.CommandStartedEvent) bool {
	what := e.CommandName
	if n, ok := e.Command.Lookup("txnNumber").AsInt64OK(); ok {
		what = strconv.FormatInt(n, 10)
	} else if what != "find" && what != "aggregate" {
		return false // the next part of a long write or read, or of no retryable kind
	}
	again := what == c.last
	c.last = what
	return again
}

// poolMonitor counts who waits for a connection.
func (db *DB) poolMonitor() *event.PoolMonitor {
	if db.events.Waiting == nil {
		return nil
	}
	return &event.PoolMonitor{Event: func(e *event.PoolEvent) {
		switch e.Type {
		case event.ConnectionCheckOutStarted:
			db.events.Waiting(1)
		case event.ConnectionCheckedOut, event.ConnectionCheckOutFailed:
			db.events.Waiting(-1)
		}
	}}
}
