package fees

import (
	"strings"
	"time"
)

// Head is what a charge is for.
type Head struct {
	ID         string `bson:"_id"` // INSTITUTE:CODE
	Institute  string `bson:"institute"`
	Code       string `bson:"code"` // TUITION
	Name       string `bson:"name"` // Tuition
	Order      int64  `bson:"order"`
	Refundable bool   `bson:"refundable,omitempty"`
}

// Heads that the program itself uses.
const (
	HeadAdvance = "ADVANCE"
	HeadOpening = "OPENING"
	HeadBounce  = "BOUNCE"
	HeadLateFee = "LATE_FEE"
)

// Period is a term or month that is billed.
type Period struct {
	ID        string `bson:"_id"` // INSTITUTE:2026-27/T1
	Institute string `bson:"institute"`
	Code      string `bson:"code"` // 2026-27/T1
	FY        string `bson:"fy"`   // 2026-27
	DueDate   Date   `bson:"dueDate"`
}

// PlanRow is one line of a fee plan: what a head costs in a period for a class
// and a category, either of which may be Any. Capitals and small letters are
// the same in both.
type PlanRow struct {
	ID        string `bson:"_id"` // INSTITUTE:PERIOD:class:category:HEAD
	Institute string `bson:"institute"`
	FY        string `bson:"fy"`
	Period    string `bson:"period"`
	DueDate   Date   `bson:"dueDate"`
	Class     string `bson:"class"`
	Category  string `bson:"category"`
	Head      string `bson:"head"`
	Amount    Amount `bson:"amount"`
}

// Any in a plan's class or category matches every one; as the head of a
// concession it is every head.
const Any = "*"

// Key is the ID that the row has: one for a period, class, category and head.
func (r PlanRow) Key() string {
	return Key(r.Institute, r.Period, strings.ToLower(r.Class), strings.ToLower(r.Category), r.Head)
}

// Bill is what one student owes for one period. Its key makes billing a period
// twice impossible. A bill of negative Net is a credit (an opening balance in
// the payer's favour).
type Bill struct {
	ID        string     `bson:"_id"` // INSTITUTE:STUDENT:PERIOD
	Institute string     `bson:"institute"`
	Student   string     `bson:"student"`
	FY        string     `bson:"fy"`
	Period    string     `bson:"period"` // 2026-27/T1; for other charges their own key
	Title     string     `bson:"title"`  // what a person reads: "2026-27/T1", "Opening balance"
	DueDate   Date       `bson:"dueDate"`
	Lines     []BillLine `bson:"lines"`
	Net       Amount     `bson:"net"`
	Run       string     `bson:"run,omitempty"` // the run that created it
	CreatedAt time.Time  `bson:"createdAt"`

	Of          string         `bson:"of,omitempty"`          // Period of the bill that this one belongs to: a difference or a late fee
	Charge      string         `bson:"charge,omitempty"`      // the one-off charge that it is for
	Differences int64          `bson:"differences,omitempty"` // how many difference bills it has, the last of which may still be missing; then it is not revised any more
	Revision    int64          `bson:"revision,omitempty"`    // how often it was changed
	Revisions   []BillRevision `bson:"revisions,omitempty"`   // what it said before, oldest first; of days on which a late fee grew, one after the other, the first
	Cancelled   *BillCancelled `bson:"cancelled,omitempty"`

	Body      string `bson:"body,omitempty"`      // SHA-256, hex, of the canonical form of everything above
	Uncounted bool   `bson:"uncounted,omitempty"` // true until the student's Account is known to have it
}

// BillLine is the charge of one head: Gross less Concession is Net.
type BillLine struct {
	Head       string     `bson:"head"`
	HeadName   string     `bson:"headName"`
	Gross      Amount     `bson:"gross"`
	Concession Amount     `bson:"concession,omitempty"`
	Net        Amount     `bson:"net"`
	Reasons    []Conceded `bson:"reasons,omitempty"` // what Concession is made of: its parts sum to it
}

// Conceded is what one grant took off a line. It is kept in the bill, so that
// a concession register of a past day says what was true then, whatever became
// of the grant.
type Conceded struct {
	Reason   string `bson:"reason,omitempty"`
	Approver string `bson:"approver,omitempty"`
	Amount   Amount `bson:"amount"`
}
