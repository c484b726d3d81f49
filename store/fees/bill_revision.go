package fees

import (
	"strconv"
	"strings"
	"time"
)

// BillRevision is what a bill said before it was changed, and why it was.
type BillRevision struct {
	Revision int64      `bson:"revision"` // Bill.Revision of then; 0 is the bill as it was created
	Lines    []BillLine `bson:"lines"`
	Net      Amount     `bson:"net"`
	At       time.Time  `bson:"at"` // when it ceased to hold
	Run      string     `bson:"run,omitempty"`
	By       string     `bson:"by,omitempty"`     // login or name of who changed it
	Reason   string     `bson:"reason,omitempty"` // for people
}

// Revised is why a bill changes.
type Revised struct {
	Run    string // the run that changes it, "" for a person
	By     string
	Reason string
}

// Grew says whether nobody made the change: a late fee grew.
func (r *BillRevision) Grew() bool { return r.Run == "" && r.By == "" }

// Grew is BillRevision.Grew of a change to come.
func (r Revised) Grew() bool { return r.Run == "" && r.By == "" }

// BillCancelled says that a bill is void. Its lines charge nothing, and no run
// bills or prices it again.
type BillCancelled struct {
	At     time.Time `bson:"at"`
	By     string    `bson:"by"`
	Reason string    `bson:"reason"`
}

// DifferencePeriod is the period of the n-th difference bill (from 1) of a
// period's bill.
func DifferencePeriod(period string, n int64) string {
	return period + "/D" + strconv.FormatInt(n, 10)
}

// DifferenceOf is the period whose bill a difference bill of this period
// belongs to; ok is false for what is no difference bill.
func DifferenceOf(period string) (of string, ok bool) {
	at := strings.LastIndex(period, "/D")
	if at < 0 {
		return "", false
	}
	of = period[:at]
	n, err := strconv.ParseUint(period[at+2:], 10, 32)
	return of, err == nil && n > 0 && strings.Contains(of, "/") // or it is a year's own period D1
}
