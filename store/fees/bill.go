package fees

import "time"

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

// Any in a plan's class or category matches every one.
const Any = "*"

// ConcessionKind says how a concession's value is meant.
type ConcessionKind string

// A concession takes a percentage or an amount off a head.
const (
	ConcessionPercent ConcessionKind = "percent"
	ConcessionAmount  ConcessionKind = "amount"
)

// Concession is a student's reduction on one head.
type Concession struct {
	ID        string         `bson:"_id"` // INSTITUTE:STUDENT:HEAD
	Institute string         `bson:"institute"`
	Student   string         `bson:"student"` // admission number
	Head      string         `bson:"head"`
	Kind      ConcessionKind `bson:"kind"`
	Percent   Percent        `bson:"percent,omitempty"` // when Kind is percent
	Amount    Amount         `bson:"amount,omitempty"`  // when Kind is amount
	Reason    string         `bson:"reason,omitempty"`
}

// Percent is a percentage in ten-thousandths of a percent: 12.5 % is 125000.
type Percent int64

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
}

// BillLine is the charge of one head: Gross less Concession is Net.
type BillLine struct {
	Head       string `bson:"head"`
	HeadName   string `bson:"headName"`
	Gross      Amount `bson:"gross"`
	Concession Amount `bson:"concession,omitempty"`
	Net        Amount `bson:"net"`
}
