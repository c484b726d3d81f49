package fees

import (
	"cmp"
	"slices"
)

// DueLine is one head of one bill that is still owed.
type DueLine struct {
	Bill     string // Bill.Period
	Title    string // Bill.Title
	Head     string
	HeadName string
	DueDate  Date
	Net      Amount // what was billed
	Open     Amount // what is owed of it, above zero
}

// Dues is what a student owes. Balance is Due less Advance, and is what was
// billed less what the rows say was received.
type Dues struct {
	Lines   []DueLine // oldest first: by due date, then bill, then the bill's own order
	Due     Amount    // sum of Open
	Advance Amount    // held in the payer's favour beyond all lines; negative only when more was given back than was held
	Balance Amount    // owed when positive, in credit when negative
}

// dueKey is one head of one bill.
type dueKey struct{ bill, head string }

// DuesOf computes what is owed from all bills and all rows of one student,
// given in any order. A bill
// has one line per head.
//
// Each row line credits its head of its bill; a reversal's lines are negative,
// so they cancel. What is credited beyond a line (two counters raced), to no
// bill or to one that is not there, and what bills of negative net give, is a
// pool that covers the oldest lines; what it does not use up is the Advance.
func DuesOf(bills []Bill, rows []Row) Dues {
	lines := 0
	for i := range bills {
		lines += len(bills[i].Lines)
	}
	d := Dues{Lines: make([]DueLine, 0, lines)}
	credits := make(map[dueKey]Amount)
	for i := range rows {
		for _, l := range rows[i].Lines {
			credits[dueKey{l.Bill, l.Head}] += l.Amount
			d.Balance -= l.Amount
		}
	}
	for i := range bills {
		b := &bills[i]
		for _, l := range b.Lines {
			d.Balance += l.Net
			key := dueKey{b.Period, l.Head}
			// A credit counts here as far as the line goes; what is more stays
			// for the pool.
			used := min(credits[key], max(l.Net, 0))
			if used != 0 {
				credits[key] -= used
			}
			switch open := l.Net - used; {
			case open < 0:
				d.Advance -= open
			case open > 0:
				d.Lines = append(d.Lines, DueLine{
					Bill: b.Period, Title: b.Title, Head: l.Head, HeadName: l.HeadName,
					DueDate: b.DueDate, Net: l.Net, Open: open,
				})
			}
		}
	}
	for _, rest := range credits {
		d.Advance += rest
	}
	slices.SortStableFunc(d.Lines, func(a, b DueLine) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.Bill, b.Bill))
	})
	d.cover()
	return d
}

// cover lets the advance settle the oldest lines, and sums what is left.
func (d *Dues) cover() {
	for i := range d.Lines {
		used := max(min(d.Advance, d.Lines[i].Open), 0)
		d.Lines[i].Open -= used
		d.Advance -= used
		d.Due += d.Lines[i].Open
	}
	d.Lines = slices.DeleteFunc(d.Lines, func(l DueLine) bool { return l.Open == 0 })
}
