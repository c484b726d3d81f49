package fees

import "time"

// AuditReport is what an audit found. The ledger is sound when Findings is
// empty.
type AuditReport struct {
	Series   []SeriesReport   `json:"series"`
	Accounts []AccountsReport `json:"accounts"` // of each institute
	Findings []Finding        `json:"findings"`
	Repairs  []Repair         `json:"repairs"` // on record, newest first; the last 100 of each institute
}

// AccountsReport is how an institute's accounts compare with its bills and
// ledger rows, of which it says how many there were.
type AccountsReport struct {
	Institute string `json:"institute"`
	Bills     int64  `json:"bills"`
	Rows      int64  `json:"rows"`
	Accounts  int64  `json:"accounts"`
	Differ    int64  `json:"differ"` // accounts that say something else, or are missing

	// Not compared, because the counter was at work on them:
	Uncounted int64    `json:"uncounted"`      // bills that are still to be counted
	Waiting   int64    `json:"waiting"`        // students of whom a bill or row is still to be counted
	Busy      []string `json:"busy,omitempty"` // students whose books changed whenever they were looked at
}

// Agree is how many accounts say what bills and rows sum up to, as long as none
// differ.
func (r AccountsReport) Agree() int64 { return max(0, r.Accounts-r.Waiting-int64(len(r.Busy))) }

// SeriesReport is the state of one series of one financial year.
type SeriesReport struct {
	Institute string  `json:"institute"`
	FY        string  `json:"fy"`
	Series    Series  `json:"series"`
	First     int64   `json:"first"`    // 0 when the series is empty
	Last      int64   `json:"last"`     //
	Count     int64   `json:"count"`    // rows with a number
	Reversed  int64   `json:"reversed"` // of them
	Missing   []int64 `json:"missing"`  // numbers between 1 and Last that no row has; the first 100
	MissingN  int64   `json:"missingCount"`
	Awaiting  int64   `json:"awaiting"` // recorded, number not attached yet
	ChainOK   bool    `json:"chainOk"`
	LastHash  string  `json:"lastHash"`
	Total     Amount  `json:"total"`
}

// Finding is something that is not as it must be.
type Finding struct {
	Institute string `json:"institute"`
	What      string `json:"what"`         // one word, see store.Audit: gap, chain, body, account …
	ID        string `json:"id,omitempty"` // the document
	Text      string `json:"text"`         // for people
}

// Repair is one thing that a repair did (collection repairs). It is written
// once and stays: what a repair put right no later audit finds, and it may have
// been the last trace of something that was taken away.
type Repair struct {
	ID        string    `bson:"_id" json:"-"` // INSTITUTE:ULID
	Institute string    `bson:"institute" json:"institute"`
	At        time.Time `bson:"at" json:"at"`
	By        string    `bson:"by" json:"by"`                         // login; "command line"
	From      string    `bson:"from,omitempty" json:"from,omitempty"` // network address
	What      string    `bson:"what" json:"what"`
	Doc       string    `bson:"doc,omitempty" json:"id,omitempty"` // the document
	Text      string    `bson:"text" json:"text"`                  // for people
}

// RepairReport is what a repair did, one line each, and what an audit found
// after it.
type RepairReport struct {
	Repaired []Finding `json:"repaired"`
	AuditReport
}
