package fees

import "time"

// RunState is the state of a billing run: queued → running → done | failed
// (→ running).
type RunState string

// The states of a run.
const (
	RunQueued  RunState = "queued"
	RunRunning RunState = "running"
	RunDone    RunState = "done"
	RunFailed  RunState = "failed"
)

// Run is one pass over a period that upserts bills.
type Run struct {
	ID         string    `bson:"_id"` // INSTITUTE:ULID
	Institute  string    `bson:"institute"`
	Period     string    `bson:"period"`
	Class      string    `bson:"class,omitempty"`
	State      RunState  `bson:"state"`
	By         string    `bson:"by"`
	StartedAt  time.Time `bson:"startedAt"`
	FinishedAt time.Time `bson:"finishedAt,omitempty"`
	LeaseUntil time.Time `bson:"leaseUntil,omitempty"` // a running run whose lease ran out was killed and may be resumed
	Tally      RunTally  `bson:"tally"`
	Error      string    `bson:"error,omitempty"` // for people
}

// RunTally counts what a run did or a preview would do.
type RunTally struct {
	Students  int64  `bson:"students"`  // in scope
	Done      int64  `bson:"done"`      // looked at so far
	Created   int64  `bson:"created"`   // new bills
	Unchanged int64  `bson:"unchanged"` // bills that were there and are the same
	Updated   int64  `bson:"updated"`   // re-priced by explicit choice
	Changed   int64  `bson:"changed"`   // there, but the plan says something else today; not touched
	Skipped   int64  `bson:"skipped"`   // no line in the plan, or not active
	Amount    Amount `bson:"amount"`    // net of the created bills
	Inactive  int64  `bson:"inactive"`  // of Skipped: not active
	NoLine    int64  `bson:"noLine"`    // of Skipped: no plan row matches
}

// HeadAmount is money of one head.
type HeadAmount struct {
	Head, HeadName string
	Amount         Amount
}

// RunPreview is what a run would do.
type RunPreview struct {
	Period  Period
	Tally   RunTally
	PerHead []HeadAmount // of the bills that would be created
}
