package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// verdict is what a run does about a student.
type verdict int

const (
	toCreate  verdict = iota // there is no bill yet
	created                  // this run created the bill before
	unchanged                // the bill is what the plan says
	changed                  // the plan, a concession or the family says something else now
	updated                  // this run re-priced the bill before
	inactive
	noLine
	cancelled
)

// compared is a student, the bill that the plan makes, what is there of it, and
// the verdict.
type compared struct {
	student fees.Student
	bill    fees.Bill
	there   thereBill
	verdict verdict
}

// compare holds a batch of students against the bills that are there. Whether
// there is money on those that have changed readMoney tells.
func (b *billing) compare(ctx context.Context, batch []fees.Student) ([]compared, error) {
	conceded, err := b.concessions(ctx, batch)
	if err != nil {
		return nil, outage("read concessions", err)
	}
	there, err := b.readThere(ctx, batch)
	if err != nil {
		return nil, outage("read bills", err)
	}
	now := b.s.instant()
	all := make([]compared, len(batch))
	for i, st := range batch {
		lines := b.tariffOf(st.Class).Price(st, b.rankOf(st.AdmissionNo), conceded[st.AdmissionNo])
		all[i] = compared{student: st, there: there[i], bill: fees.Bill{
			ID: b.billID(st), Institute: b.inst.Code, Student: st.AdmissionNo,
			FY: b.period.FY, Period: b.period.Code, Title: b.period.Code, DueDate: b.period.DueDate,
			Lines: lines, Net: fees.NetOf(lines), Run: b.run, CreatedAt: now,
		}}
		all[i].judge()
	}
	return all, nil
}

// judge holds the bill against the one that is there. The due date is no part
// of it: a bill keeps the one it went out with.
func (c *compared) judge() {
	run, there := c.bill.Run, &c.there
	switch {
	case there.found && run != "" && there.bill.Run == run:
		c.verdict = created
	case there.found && there.bill.Cancelled != nil:
		c.verdict = cancelled
	case c.student.Status != fees.StudentActive:
		c.verdict = inactive
	case !there.found && len(c.bill.Lines) == 0:
		c.verdict = noLine
	case !there.found:
		c.verdict = toCreate
	case run != "" && there.pricedBy(run):
		c.verdict = updated
	case fees.SameLines(there.lines(), c.bill.Lines):
		c.verdict = unchanged
	default:
		c.verdict = changed
	}
}

// concessions are those of the batch's students, by admission number.
func (b *billing) concessions(ctx context.Context, batch []fees.Student) (map[string][]fees.Concession, error) {
	filter := bson.D{{Key: "institute", Value: b.inst.Code}, {Key: "student", Value: bson.D{{Key: "$in", Value: admissionNumbers(batch)}}}}
	found := map[string][]fees.Concession{}
	for raw, err := range b.s.DB.Find(ctx, concessions, filter, docdb.Find{}) {
		if err != nil {
			return nil, err
		}
		var c fees.Concession
		if err := bson.Unmarshal(raw, &c); err != nil {
			return nil, err
		}
		found[c.Student] = append(found[c.Student], c)
	}
	return found, nil
}

func admissionNumbers(batch []fees.Student) []string {
	numbers := make([]string, len(batch))
	for i, st := range batch {
		numbers[i] = st.AdmissionNo
	}
	return numbers
}

// count adds what was done about a student to a run's tally.
func (c *compared) count(t *fees.RunTally) {
	t.Done++
	switch c.verdict {
	case toCreate:
		t.Created++
		t.Amount += c.bill.Net
	case created:
		t.Created++
		t.Amount += asCreated(c.there.bill)
	case unchanged:
		t.Unchanged++
	case changed:
		t.Changed++
		t.Repriced += c.bill.Net - c.there.net()
		if c.there.differs() {
			t.Differences++
		}
	case updated:
		t.Updated++
		more, difference := c.there.moreBy(c.bill.Run)
		t.Repriced += more
		if difference {
			t.Differences++
		}
	case inactive:
		t.Skipped++
		t.Inactive++
	case noLine:
		t.Skipped++
		t.NoLine++
	case cancelled:
		t.Skipped++
		t.Cancelled++
	}
}
