package fees

import "slices"

// FirstPart is that of the parts of c among all which is changed first and by
// that decides for the others: the one with the lowest id of those that are not
// withdrawn. What was paid for one student alone is its own.
func FirstPart(all []Cheque, c Cheque) Cheque {
	first := c
	for _, o := range all {
		if c.partOf(&o) && o.State != ChequeWithdrawn && o.ID < first.ID {
			first = o
		}
	}
	return first
}

// partOf says whether c and o are parts of one cheque that was split over a
// family's receipts.
func (c *Cheque) partOf(o *Cheque) bool { return c.Family != "" && c.Family == o.Family && c.Same(o) }

// Made says whether there, which is on the slip of that id already, could be the
// work of this order: nothing yet, or some of its cheques, on its day and into its
// account.
func (o *DepositOrder) Made(there []Cheque) bool {
	for i := range there {
		c := &there[i]
		asked := slices.ContainsFunc(there, func(p Cheque) bool {
			return slices.Contains(o.Cheques, p.ShortID()) && (p.ID == c.ID || c.partOf(&p))
		})
		step := slices.ContainsFunc(c.History, func(h ChequeStep) bool { return h.State == ChequeDeposited && h.Day == o.Day })
		if !asked || !step || c.Account != o.Account {
			return false
		}
	}
	return true
}
