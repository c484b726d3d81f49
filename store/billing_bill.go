package store

import (
	"context"
	"errors"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// bill does what the batch lacks, and counts it. It reads before it writes, and
// reads again whatever it did not see itself create: after an unknown outcome,
// where another run was faster, and what it re-priced.
func (b *billing) bill(ctx context.Context, batch []fees.Student, tally *fees.RunTally) error {
	failed := docdb.ErrUnknownOutcome
	var uncounted []fees.Bill
	for range 3 * writeAttempts {
		left, written, err := b.tryBill(ctx, batch, tally)
		if err != nil && !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			return outage("write bills", err)
		}
		uncounted = append(uncounted, written...)
		if len(left) == 0 {
			return b.countAll(ctx, uncounted)
		}
		if batch = left; err != nil {
			failed = err
		}
	}
	return outage("write bills", failed)
}

// tryBill writes once what the batch lacks. It counts those who are done, and
// answers with the others and with the bills that the accounts may lack.
func (b *billing) tryBill(ctx context.Context, batch []fees.Student, tally *fees.RunTally) (left []fees.Student, uncounted []fees.Bill, err error) {
	all, err := b.compare(ctx, batch)
	if err != nil {
		return nil, nil, err
	}
	release, err := b.holdUnpaid(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	var todo []compared
	var ops []docdb.UpdateOp
	for _, c := range all {
		op, needed, err := b.opFor(&c)
		if err != nil {
			return nil, nil, err
		}
		if needed {
			todo, ops = append(todo, c), append(ops, op)
			continue
		}
		b.settle(&c, tally)
		uncounted = append(uncounted, c.there.uncounted()...)
	}
	mine := map[int]bool{}
	if len(ops) > 0 {
		var res docdb.BulkResult
		if res, err = b.s.DB.BulkWrite(ctx, bills, ops, false); err == nil {
			for _, i := range res.Upserts {
				mine[i] = true
			}
		}
	}
	for i, c := range todo {
		if mine[i] && c.verdict == toCreate {
			c.count(tally)
			uncounted = append(uncounted, c.bill)
		} else {
			left = append(left, c.student)
		}
	}
	return left, uncounted, err
}

// holdUnpaid looks for money on the bills that are to be re-priced, and until
// release keeps the counters of this process from collecting from those
// students: what had no money on it when it was looked at has none when it is
// revised.
func (b *billing) holdUnpaid(ctx context.Context, all []compared) (release func(), err error) {
	var keys []string
	for i := range all {
		if c := &all[i]; b.pricing && c.verdict == changed && !c.there.differs() {
			keys = append(keys, fees.Key(b.inst.Code, c.student.AdmissionNo))
		}
	}
	release, err = b.s.collecting.lockAll(ctx, keys)
	if err == nil {
		if err = b.readMoney(ctx, all); err != nil {
			release()
		}
	}
	return release, outageOrNil("look for money on bills", err)
}

// opFor is the next write that a student needs, if any. A bill that it creates
// is sealed in c.
func (b *billing) opFor(c *compared) (docdb.UpdateOp, bool, error) {
	switch {
	case c.verdict == toCreate:
		var err error
		if c.bill, err = sealed(c.bill); err != nil {
			return docdb.UpdateOp{}, false, err
		}
		op, err := billOp(c.bill)
		return op, true, err
	case c.verdict == changed && b.pricing:
		op, err := b.repriceOp(c)
		return op, true, err
	}
	return docdb.UpdateOp{}, false, nil
}

// settle counts a student for whom there is nothing left to do.
func (b *billing) settle(c *compared, tally *fees.RunTally) {
	if c.verdict == changed { // and stays so
		tally.Done++
		tally.Changed++
		return
	}
	c.count(tally)
}

// uncounted are those of the bills that the accounts may lack.
func (t *thereBill) uncounted() []fees.Bill {
	var all []fees.Bill
	for _, one := range append([]fees.Bill{t.bill}, t.differences...) {
		if one.Uncounted {
			all = append(all, one)
		}
	}
	return all
}

// countAll brings the accounts up to what was written for a batch.
func (b *billing) countAll(ctx context.Context, written []fees.Bill) error {
	_, err := b.s.countBills(ctx, b.inst.Code, written)
	return outageOrNil("count bills", err)
}
