package store

import (
	"fmt"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// repriceOp is the next write on the way of a bill to what the plan says now.
//
// Without money on it, it is revised. With money on it, the bill is first
// marked to have one difference bill more, which keeps everybody from revising
// it, and then that bill is made, whoever marked it. Each step matches only what
// was read, and the next reading tells how it went, so that two runs at once
// make one revision, or one difference bill.
func (b *billing) repriceOp(c *compared) (docdb.UpdateOp, error) {
	old := c.there.bill
	n := int64(len(c.there.differences))
	switch {
	case !c.there.differs():
		next := old
		next.Lines = fees.Replaced(old.Lines, c.bill.Lines)
		_, op, err := b.s.reviseOp(old, next, fees.Revised{Run: b.run, By: b.by, Reason: "Re-priced"})
		return op, err
	case old.Differences == n:
		next := old
		next.Differences++
		_, op, err := changeBillOp(old, next, false)
		return op, err
	}
	return b.differenceOp(c, n+1)
}

// differenceOp makes the n-th difference bill. It is due when the period is, or
// today where that is past: nobody is late with what was not billed yet.
func (b *billing) differenceOp(c *compared, n int64) (docdb.UpdateOp, error) {
	bill := c.bill
	bill.ID, bill.Period, bill.Of = fees.DifferencePeriod(bill.ID, n), fees.DifferencePeriod(bill.Period, n), bill.Period
	bill.Title = fmt.Sprintf("%s, difference", b.period.Code)
	if n > 1 {
		bill.Title = fmt.Sprintf("%s %d", bill.Title, n)
	}
	bill.DueDate = max(c.there.bill.DueDate, b.inst.Today(b.s.Now()))
	bill.Lines = fees.Difference(c.there.lines(), c.bill.Lines)
	bill.Net = fees.NetOf(bill.Lines)
	return billOp(bill)
}
