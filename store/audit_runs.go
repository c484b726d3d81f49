package store

import (
	"context"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// asCreated is what a bill came to before anybody changed it.
func asCreated(b fees.Bill) fees.Amount {
	if len(b.Revisions) > 0 {
		return b.Revisions[0].Net
	}
	return b.Net
}

// ofRun is what bills say of the run that made them.
type ofRun struct {
	bill   string // one of them
	bills  int64
	amount fees.Amount
}

// lacks says whether a run made bills that are not among these, or of another
// amount. There may be more than it counted: of two who did it, the slower may
// have billed a student who came later and was killed before it said so.
func (o ofRun) lacks(t fees.RunTally) bool {
	return o.bills < t.Created || o.bills == t.Created && o.amount != t.Amount
}

// walkRuns holds the runs that are done against the bills that name them. It
// comes after the bills, which name a run that was there before.
func (a *auditor) walkRuns(ctx context.Context) error {
	for raw, err := range a.s.pagesByKey(ctx, runs, fees.Key(a.inst.Code, "")) {
		if err != nil {
			return err
		}
		id := textOf(raw, "_id")
		met := a.links.runs[id]
		delete(a.links.runs, id)
		var run fees.Run
		if err := bson.Unmarshal(raw, &run); err != nil {
			a.find("run", id, "the billing run cannot be read: %v", err)
			continue
		}
		if run.Institute != a.inst.Code {
			a.find("run", id, "the run's key and what it says differ")
		}
		if run.State != fees.RunDone {
			continue
		}
		if t := run.Tally; t.Done != t.Students || t.Done != t.Created+t.Unchanged+t.Updated+t.Changed+t.Skipped || t.Skipped != t.Inactive+t.NoLine+t.Cancelled {
			a.find("run", id, "what the billing run of %s says that it did does not add up", run.Period)
		}
		if !met.lacks(run.Tally) {
			continue
		}
		if err := a.confirmRun(ctx, run); err != nil {
			return err
		}
	}
	for _, run := range slices.Sorted(maps.Keys(a.links.runs)) {
		a.find("run", a.links.runs[run].bill, "the bill names the billing run %s, which is not there", run)
	}
	return nil
}

// confirmRun counts a run's bills again, now that it is known to be done: all
// that it counted were there before.
func (a *auditor) confirmRun(ctx context.Context, run fees.Run) error {
	var there ofRun
	for raw, err := range a.s.DB.Find(ctx, bills, bson.D{{Key: "institute", Value: a.inst.Code}, {Key: "period", Value: run.Period}},
		docdb.Find{Fields: []string{"run", "net", "revisions"}}) {
		if err != nil {
			return err
		}
		var b fees.Bill
		if textOf(raw, "run") == run.ID && bson.Unmarshal(raw, &b) == nil {
			there.bills++
			there.amount += asCreated(b)
		}
	}
	if there.lacks(run.Tally) {
		a.find("run", run.ID, "the billing run of %s made %s of %s; %d of %s name it",
			run.Period, several(run.Tally.Created, "bill"), a.money(run.Tally.Amount), there.bills, a.money(there.amount))
	}
	return nil
}
