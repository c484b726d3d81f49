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
	var failed error
	var uncounted []fees.Bill
	for range 3 * writeAttempts {
		all, err := b.compare(ctx, batch)
		if err != nil {
			return err
		}
		var todo []compared
		var ops []docdb.UpdateOp
		for _, c := range all {
			op, needed, err := b.opFor(&c)
			if err != nil {
				return err
			}
			if needed {
				todo, ops = append(todo, c), append(ops, op)
				continue
			}
			b.settle(&c, tally)
			uncounted = append(uncounted, c.there.uncounted()...)
		}
		var res docdb.BulkResult
		if len(ops) > 0 {
			res, err = b.s.DB.BulkWrite(ctx, bills, ops, false)
			if err != nil && !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
				return outage("write bills", err)
			}
		}
		failed = err
		mine := map[int]bool{}
		if err == nil {
			for _, i := range res.Upserts {
				mine[i] = true
			}
		}
		batch = batch[:0:0]
		for i, c := range todo {
			if mine[i] && c.verdict == toCreate {
				c.count(tally)
				uncounted = append(uncounted, c.bill)
			} else {
				batch = append(batch, c.student)
			}
		}
		if len(batch) == 0 {
			return b.countAll(ctx, uncounted)
		}
	}
	if failed == nil {
		failed = docdb.ErrUnknownOutcome
	}
	return outage("write bills", failed)
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
