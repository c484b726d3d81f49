package store

import (
	"context"
	"slices"

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
	changed                  // the plan or a concession says something else now
	inactive
	noLine
)

// compared is a student, the bill that the plan makes, and the verdict.
type compared struct {
	student fees.Student
	bill    fees.Bill
	verdict verdict
}

// compare holds a batch of students against the bills that are there.
func (b *billing) compare(ctx context.Context, batch []fees.Student) ([]compared, error) {
	conceded, err := b.concessions(ctx, batch)
	if err != nil {
		return nil, outage("read concessions", err)
	}
	ids := make([]string, len(batch))
	for i, st := range batch {
		ids[i] = fees.Key(b.inst.Code, st.AdmissionNo, b.period.Code)
	}
	there, err := b.s.readBatch(ctx, bills, b.inst.Code, ids)
	if err != nil {
		return nil, outage("read bills", err)
	}
	now := b.s.instant()
	all := make([]compared, len(batch))
	for i, st := range batch {
		lines := b.tariffOf(st.Class).Price(st, 1, conceded[st.AdmissionNo])
		all[i] = compared{student: st, bill: fees.Bill{
			ID: ids[i], Institute: b.inst.Code, Student: st.AdmissionNo,
			FY: b.period.FY, Period: b.period.Code, Title: b.period.Code, DueDate: b.period.DueDate,
			Lines: lines, Net: fees.NetOf(lines), Run: b.run, CreatedAt: now,
		}}
		if err := all[i].judge(there[ids[i]]); err != nil {
			return nil, outage("read bills", err)
		}
	}
	return all, nil
}

// judge holds the bill against the one that is there, nil when there is none.
func (c *compared) judge(there bson.Raw) error {
	switch {
	case there == nil && c.student.Status != fees.StudentActive:
		c.verdict = inactive
		return nil
	case there == nil && len(c.bill.Lines) == 0:
		c.verdict = noLine
		return nil
	case there == nil:
		c.verdict = toCreate
		return nil
	}
	var old fees.Bill
	if err := bson.Unmarshal(there, &old); err != nil {
		return err
	}
	switch {
	case c.bill.Run != "" && old.Run == c.bill.Run:
		c.bill, c.verdict = old, created
	case c.student.Status != fees.StudentActive:
		c.verdict = inactive
	case sameBill(old, c.bill):
		c.verdict = unchanged
	default:
		c.verdict = changed
	}
	return nil
}

// sameBill says whether two bills charge the same. A head that is called
// something else by now is the same, and so is a concession for another reason.
func sameBill(a, b fees.Bill) bool {
	return a.Net == b.Net && a.DueDate == b.DueDate && slices.EqualFunc(a.Lines, b.Lines, func(x, y fees.BillLine) bool {
		return x.Head == y.Head && x.Gross == y.Gross && x.Concession == y.Concession && x.Net == y.Net
	})
}

// concessions are those of the batch's students, by admission number.
func (b *billing) concessions(ctx context.Context, batch []fees.Student) (map[string][]fees.Concession, error) {
	numbers := make([]string, len(batch))
	for i, st := range batch {
		numbers[i] = st.AdmissionNo
	}
	filter := bson.D{{Key: "institute", Value: b.inst.Code}, {Key: "student", Value: bson.D{{Key: "$in", Value: numbers}}}}
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

// count adds what was done about a student to a run's tally.
func (c compared) count(t *fees.RunTally) {
	t.Done++
	switch c.verdict {
	case toCreate, created:
		t.Created++
		t.Amount += c.bill.Net
	case unchanged:
		t.Unchanged++
	case changed:
		t.Changed++
	case inactive:
		t.Skipped++
		t.Inactive++
	case noLine:
		t.Skipped++
		t.NoLine++
	}
}
