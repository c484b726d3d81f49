package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"raseed/store/fees"
)

// What holds when all is over.

// postedOnce: every payment is one that was posted, with what was posted, and
// no form was charged twice.
func (r remains) postedOnce() error {
	byForm := map[string]string{}
	for _, row := range r.rows {
		if row.Kind != fees.KindPayment || row.Family != "" { // see familyPaid
			continue
		}
		if other, twice := byForm[row.Remark]; twice {
			return fmt.Errorf("%q was charged twice: %s and %s", row.Remark, other, row.ID)
		}
		byForm[row.Remark] = row.ID
		if strings.HasPrefix(row.Remark, reentered) {
			continue // see banked
		}
		if !slices.ContainsFunc(r.school.posted[fees.After(row.ID)], func(o fees.PaymentOrder) bool {
			return o.Student == row.Student && totalOf(o) == row.Total
		}) {
			return fmt.Errorf("nobody posted %s: %d of student %s", row.ID, row.Total, row.Student)
		}
	}
	return nil
}

func totalOf(o fees.PaymentOrder) (sum fees.Amount) {
	for _, t := range o.Tenders {
		sum += t.Amount
	}
	return sum
}

// finished: nothing waits for anything.
func (r remains) finished() error {
	for _, row := range r.rows {
		if row.Awaiting || row.Number == 0 {
			return fmt.Errorf("%s has number %d, awaiting %v", row.ID, row.Number, row.Awaiting)
		}
	}
	for _, b := range r.bills {
		if b.Uncounted {
			return fmt.Errorf("bill %s is still marked as not counted", b.ID)
		}
	}
	for _, st := range r.students {
		if st.Opening {
			return fmt.Errorf("the opening balance of %s is still marked as not billed", st.ID)
		}
	}
	for _, run := range r.runs {
		if run.Active || run.State != fees.RunDone && run.State != fees.RunFailed {
			return fmt.Errorf("run %s is %s: %s", run.ID, run.State, run.Error)
		}
	}
	return nil
}

// asTold: what was acknowledged is there under the number that was told, and
// what was said not to be written is not there.
func (r remains) asTold() error {
	for id, told := range r.school.told {
		row, there := r.byID[fees.Key(r.school.code(), id)]
		switch {
		case !there:
			return fmt.Errorf("acknowledged row %s is not there", id)
		case told.Total != row.Total || told.Student != row.Student || told.Kind != row.Kind:
			return fmt.Errorf("row %s was told to be a %s of %d, and is a %s of %d", id, told.Kind, told.Total, row.Kind, row.Total)
		case told.Number != 0 && told.NumberText != row.NumberText:
			return fmt.Errorf("row %s was told to be %s, and is %s", id, told.NumberText, row.NumberText)
		}
	}
	for id := range r.school.denied {
		if row, there := r.byID[fees.Key(r.school.code(), id)]; there && !r.school.doubts[id] {
			return fmt.Errorf("nobody was told but that nothing was written, and %s is %s", id, row.NumberText)
		}
	}
	return nil
}

// numbered: in each series of each year the numbers are 1, 2, 3 … n, in the
// year of the row's date, and the counter says n.
func (r remains) numbered() error {
	last := map[string]int64{}
	for _, row := range r.rows {
		id := string(row.Series) + ":" + row.Institute + ":" + row.FY
		if row.Number != last[id]+1 {
			return fmt.Errorf("in %s number %d comes after %d", id, row.Number, last[id])
		}
		last[id] = row.Number
		if inYear := map[bool]string{true: "2026-27", false: "2025-26"}[row.Date >= "2026-04-01"]; row.FY != inYear {
			return fmt.Errorf("%s of %s is numbered in %s", row.ID, row.Date, row.FY)
		}
	}
	for _, c := range r.counters {
		if c.Seq != last[c.ID] {
			return fmt.Errorf("counter %s says %d of %d", c.ID, c.Seq, last[c.ID])
		}
	}
	return nil
}

// chained: each row carries the hash of what it is and of the row before.
func (r remains) chained() error {
	prev := ""
	for _, row := range r.rows {
		if row.Number == 1 {
			prev = ""
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", row.Body, row.Number, prev))
		if row.PrevHash != prev || row.Hash != hex.EncodeToString(sum[:]) {
			return fmt.Errorf("the chain breaks at %s", row.NumberText)
		}
		prev = row.Hash
	}
	return nil
}
