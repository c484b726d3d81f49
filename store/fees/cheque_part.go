package fees

import "slices"

// FirstPart is that of the parts of c among all which is changed first and by
// that decides for the others: the one with the lowest id of those that are not
// withdrawn. What was paid for one student alone is its own.
func FirstPart(all []Cheque, c Cheque) Cheque {
	first := c
	for _, o := range all {
		if c.OnePaper(&o) && o.State != ChequeWithdrawn && o.ID < first.ID {
			first = o
		}
	}
	return first
}

// OnePaper says whether c and o are one cheque, or parts of one that was split
// over a family's receipts.
func (c *Cheque) OnePaper(o *Cheque) bool {
	return c.ID == o.ID || c.Family != "" && c.Family == o.Family && c.Of == o.Of
}

// IsPart says whether c is a part of a cheque that was split over a family's
// receipts.
func (c *Cheque) IsPart() bool { return c.Paper != 0 }

// PapersOf are cheques with the parts of one taken together, in the order of the
// first of each: a part stands for its paper, with the paper's amount. So many
// pieces of paper there are.
func PapersOf(all []Cheque) (papers [][]Cheque) {
	for _, c := range all {
		at := slices.IndexFunc(papers, func(parts []Cheque) bool { return parts[0].OnePaper(&c) })
		if at < 0 {
			papers = append(papers, []Cheque{c})
			continue
		}
		papers[at] = append(papers[at], c)
	}
	return papers
}

// Made says whether there, which is on the slip of that id already, could be the
// work of this order: nothing yet, or some of its cheques, on its day and into its
// account.
func (o *DepositOrder) Made(there []Cheque) bool {
	for i := range there {
		c := &there[i]
		asked := slices.ContainsFunc(there, func(p Cheque) bool {
			return slices.Contains(o.Cheques, p.ShortID()) && c.OnePaper(&p)
		})
		step := slices.ContainsFunc(c.History, func(h ChequeStep) bool { return h.State == ChequeDeposited && h.Day == o.Day })
		if !asked || !step || c.Account != o.Account {
			return false
		}
	}
	return true
}
