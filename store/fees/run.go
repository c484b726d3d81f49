package fees

import (
	"strings"
	"time"
)

// RunState is the state of a billing run: queued → running → done | cancelled |
// failed (→ running).
type RunState string

// The states of a run.
const (
	RunQueued    RunState = "queued"
	RunRunning   RunState = "running"
	RunDone      RunState = "done"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled" // by a person; what it billed stays billed
)

// Run is one pass over a period that upserts bills.
type Run struct {
	ID          string    `bson:"_id"` // INSTITUTE:ULID
	Institute   string    `bson:"institute"`
	Period      string    `bson:"period"`
	Class       string    `bson:"class,omitempty"`
	Reprice     bool      `bson:"reprice,omitempty"`
	State       RunState  `bson:"state"`
	Active      bool      `bson:"active,omitempty"` // queued or running; a period has one such run
	By          string    `bson:"by"`
	StartedAt   time.Time `bson:"startedAt"`
	Claim       int64     `bson:"claim,omitempty"`     // counts who was at it; only the last may go on
	ClaimedAt   time.Time `bson:"claimedAt,omitempty"` // when the last began, from the first student on
	FinishedAt  time.Time `bson:"finishedAt,omitempty"`
	LeaseUntil  time.Time `bson:"leaseUntil,omitempty"` // a running run whose lease ran out was killed and may be resumed
	CancelledBy string    `bson:"cancelledBy,omitempty"`
	Tally       RunTally  `bson:"tally"`
	Error       string    `bson:"error,omitempty"` // for people
}

// Orders says whether r is what the order asks for: of that period and class,
// however they are written.
func (o *RunOrder) Orders(r Run) bool {
	return NormalPeriod(o.Period) == r.Period && strings.EqualFold(NormalClass(o.Class), r.Class) && o.Reprice == r.Reprice
}

// NormalPeriod is a period's code as the keys have it.
func NormalPeriod(typed string) string { return strings.ToUpper(strings.TrimSpace(typed)) }

// NormalClass is a class with one space between its words; capitals and small
// letters stay, and are the same.
func NormalClass(typed string) string { return strings.Join(strings.Fields(typed), " ") }

// RunTally counts what a run did or a preview would do.
type RunTally struct {
	Students    int64  `bson:"students"`              // in scope
	Done        int64  `bson:"done"`                  // looked at so far
	Created     int64  `bson:"created"`               // new bills
	Unchanged   int64  `bson:"unchanged"`             // bills that were there and are the same
	Updated     int64  `bson:"updated"`               // re-priced by explicit choice
	Changed     int64  `bson:"changed"`               // there, but the plan says something else today; not touched
	Skipped     int64  `bson:"skipped"`               // not active, no line in the plan, or the bill is cancelled
	Amount      Amount `bson:"amount"`                // net of the created bills
	Inactive    int64  `bson:"inactive"`              // of Skipped: not active
	NoLine      int64  `bson:"noLine"`                // of Skipped: no plan row matches
	Cancelled   int64  `bson:"cancelled,omitempty"`   // of Skipped: the bill was cancelled
	Differences int64  `bson:"differences,omitempty"` // of Updated, in a preview of Changed: by a bill for the difference
	Repriced    Amount `bson:"repriced,omitempty"`    // what Updated, in a preview Changed, bills come to more (negative: less)
}

// HeadAmount is money of one head.
type HeadAmount struct {
	Head, HeadName string
	Amount         Amount // of the bills that would be created
	Billed         Amount // of the bills that are there
	Repriced       Amount // what re-pricing would add to Billed
}

// RunChange is a bill that is there and for which the plan, a concession or the
// family says something else now.
type RunChange struct {
	Student, Name, Class string
	Before, After        Amount
	Difference           bool // there is money on it: re-pricing makes a bill for the difference
}

// RunSkip is a student whom a run passes over.
type RunSkip struct {
	Student, Name, Class string
	Reason               SkipReason
}

// SkipReason is why a run passes a student over.
type SkipReason string

// The reasons.
const (
	SkipInactive  SkipReason = "inactive"  // has left
	SkipNoLine    SkipReason = "noline"    // no plan row matches
	SkipCancelled SkipReason = "cancelled" // the bill was cancelled
)

// RunPreviewList is how many students a preview names at most of each sort.
const RunPreviewList = 200

// RunPreview is what a run would do.
type RunPreview struct {
	Period  Period
	Class   string // "" for every class
	Tally   RunTally
	PerHead []HeadAmount // in the order of heads
	Changes []RunChange  // the first RunPreviewList of them
	Skips   []RunSkip    // the first RunPreviewList of them
}
