package fees

import (
	"cmp"
	"slices"
)

// dueKey is one head of one bill.
type dueKey struct{ bill, head string }

// billedLine is one head of one bill before the pool is considered: Open is
// what of Net was not credited, negative where a credit is not used up.
type billedLine struct {
	DueLine
	credited Amount // as far as the line goes
}

func (l *billedLine) key() dueKey { return dueKey{l.Bill, l.Head} }

// standing is how a student's bills and rows stand against each other.
type standing struct {
	lines []billedLine      // oldest first: by due date, then bill, then the bill's own order
	rest  map[dueKey]Amount // credited beyond its line, or to what is no line; the advances with dueKey{"", HeadAdvance}
	pool  Amount            // sum of rest and of what credit bills give
}

func standingOf(bills []Bill, rows []Row) *standing {
	count := 0
	for i := range bills {
		count += len(bills[i].Lines)
	}
	st := &standing{lines: make([]billedLine, 0, count), rest: make(map[dueKey]Amount)}
	for i := range rows {
		for _, l := range rows[i].Lines {
			st.rest[dueKey{l.Bill, l.Head}] += l.Amount
		}
	}
	for i := range bills {
		b := &bills[i]
		for _, l := range b.Lines {
			key := dueKey{b.Period, l.Head}
			// A credit counts here as far as the line goes; what is more stays
			// for the pool.
			credited := min(st.rest[key], max(l.Net, 0))
			if credited != 0 {
				st.rest[key] -= credited
			}
			open := l.Net - credited
			st.pool -= min(open, 0)
			st.lines = append(st.lines, billedLine{credited: credited, DueLine: DueLine{
				Bill: b.Period, Title: b.Title, Head: l.Head, HeadName: l.HeadName,
				DueDate: b.DueDate, Net: l.Net, Open: open,
			}})
		}
	}
	for _, rest := range st.rest {
		st.pool += rest
	}
	slices.SortStableFunc(st.lines, func(a, b billedLine) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.Bill, b.Bill))
	})
	return st
}

// cover lets the pool settle the oldest lines, or where it is overdrawn take
// back from the newest.
func (st *standing) cover() {
	for i := 0; i < len(st.lines) && st.pool > 0; i++ {
		used := min(st.pool, max(st.lines[i].Open, 0))
		st.lines[i].Open -= used
		st.pool -= used
	}
	for i := len(st.lines) - 1; i >= 0 && st.pool < 0; i-- {
		back := min(-st.pool, max(st.lines[i].credited, 0))
		st.lines[i].Open += back
		st.pool += back
	}
}
