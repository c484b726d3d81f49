package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// thereBill is what a student was billed for the period already.
type thereBill struct {
	found       bool
	bill        fees.Bill
	differences []fees.Bill // of bill, in their order
	money       bool        // rows have credited bill
}

// lines are what was billed in all; a head may come more than once.
func (t *thereBill) lines() []fees.BillLine {
	if len(t.differences) == 0 {
		return t.bill.Lines
	}
	all := append([]fees.BillLine(nil), t.bill.Lines...)
	for _, d := range t.differences {
		all = append(all, d.Lines...)
	}
	return all
}

func (t *thereBill) net() fees.Amount {
	net := t.bill.Net
	for _, d := range t.differences {
		net += d.Net
	}
	return net
}

// differs says that what changes has to go into a bill of its own. One that has
// such a bill is never revised again: the two would be added up.
func (t *thereBill) differs() bool { return t.money || t.bill.Differences > 0 }

// pricedBy says whether the run has re-priced the bill. It does so once, or two
// runs with two plans would go on for ever.
func (t *thereBill) pricedBy(run string) bool {
	for _, r := range t.bill.Revisions {
		if r.Run == run {
			return true
		}
	}
	for _, d := range t.differences {
		if d.Run == run {
			return true
		}
	}
	return false
}

// moreBy is by how much the run made it more, and whether in a bill of its own.
func (t *thereBill) moreBy(run string) (more fees.Amount, difference bool) {
	for i, r := range t.bill.Revisions {
		if r.Run == run {
			after := t.bill.Net
			if i+1 < len(t.bill.Revisions) {
				after = t.bill.Revisions[i+1].Net
			}
			more += after - r.Net
		}
	}
	for _, d := range t.differences {
		if d.Run == run {
			more, difference = more+d.Net, true
		}
	}
	return more, difference
}

// billID is the key of a student's bill.
func (b *billing) billID(st fees.Student) string {
	return fees.Key(b.inst.Code, st.AdmissionNo, b.period.Code)
}

// readThere reads what each of the batch was billed.
func (b *billing) readThere(ctx context.Context, batch []fees.Student) ([]thereBill, error) {
	all := make([]thereBill, len(batch))
	ids := make([]string, len(batch))
	for i, st := range batch {
		ids[i] = b.billID(st)
	}
	found, err := b.s.readBatch(ctx, bills, b.inst.Code, ids)
	if err != nil {
		return nil, err
	}
	var more []string
	for i, id := range ids {
		raw, ok := found[id]
		if !ok {
			continue
		}
		all[i].found = true
		if err := bson.Unmarshal(raw, &all[i].bill); err != nil {
			return nil, err
		}
		for n := range all[i].bill.Differences {
			more = append(more, fees.DifferencePeriod(id, n+1))
		}
	}
	return all, b.readDifferences(ctx, all, more)
}

// readDifferences adds the difference bills with these keys.
func (b *billing) readDifferences(ctx context.Context, all []thereBill, ids []string) error {
	found, err := b.s.readBatch(ctx, bills, b.inst.Code, ids)
	if err != nil {
		return err
	}
	for i := range all {
		for n := range all[i].bill.Differences {
			raw, ok := found[fees.DifferencePeriod(all[i].bill.ID, n+1)]
			if !ok {
				break // its writer has not got to it
			}
			var d fees.Bill
			if err := bson.Unmarshal(raw, &d); err != nil {
				return err
			}
			all[i].differences = append(all[i].differences, d)
		}
	}
	return nil
}

// readMoney notes on which of the changed bills there is money.
func (b *billing) readMoney(ctx context.Context, all []compared) error {
	ask := map[string]*compared{}
	var numbers []string
	for i := range all {
		if c := &all[i]; b.pricing && c.verdict == changed && !c.there.differs() {
			ask[c.student.AdmissionNo] = c
			numbers = append(numbers, c.student.AdmissionNo)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	type head struct{ student, head string }
	credited := map[head]fees.Amount{}
	filter := bson.D{{Key: "institute", Value: b.inst.Code}, {Key: "student", Value: bson.D{{Key: "$in", Value: numbers}}}}
	for raw, err := range b.s.DB.Find(ctx, payments, filter, docdb.Find{Fields: []string{"student", "lines"}}) {
		if err != nil {
			return err
		}
		var row fees.Row
		if err := bson.Unmarshal(raw, &row); err != nil {
			return err
		}
		for _, l := range row.Lines {
			if l.Bill == b.period.Code {
				credited[head{row.Student, l.Head}] += l.Amount
			}
		}
	}
	for on, amount := range credited {
		if amount != 0 {
			ask[on.student].there.money = true
		}
	}
	return nil
}
