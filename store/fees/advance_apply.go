package fees

import (
	"cmp"
	"slices"
)

// ApplyAdvance is the adjustment that has the rows say what DuesOf says: its
// lines sum to zero, and with them in a row nothing is left to the pool that
// could be said of a line. It is nil when there is nothing to adjust.
//
// What was paid in advance is credited to the oldest open lines: first the
// Advance is used up, then what was credited beyond a line, then bills of
// negative net, each oldest first. Where more advance was used than there is,
// because its payment was reversed, it is given back by the newest lines.
// The lines that are debited come first, and there is one per head and bill.
func ApplyAdvance(bills []Bill, rows []Row) []Line {
	st := standingOf(bills, rows)
	from, missing := st.sources(rows)
	to := missing
	short := sumOf(missing) - sumOf(from)
	for i := len(st.lines) - 1; i >= 0 && short > 0; i-- {
		if back := min(short, max(st.lines[i].credited, 0)); back > 0 {
			from = append(from, st.lines[i].move(back))
			short -= back
		}
	}
	for i := range st.lines {
		if st.lines[i].Open > 0 {
			to = append(to, st.lines[i].move(st.lines[i].Open))
		}
	}
	moved := min(sumOf(from), sumOf(to))
	if moved == 0 {
		return nil
	}
	return append(take(from, moved, -1), take(to, moved, 1)...)
}

// sources are what the pool is made of: what can be used, in the order of its
// use, and what was used of it beyond that.
func (st *standing) sources(rows []Row) (from, missing []Line) {
	age := make(map[dueKey]int, len(st.lines))
	for i := range st.lines {
		age[st.lines[i].key()] = i
	}
	for key, rest := range st.rest {
		if rest == 0 {
			continue
		}
		l := lineNamed(key, st, age, rows)
		if l.Amount = rest; rest > 0 {
			from = append(from, l)
		} else {
			l.Amount = -rest
			missing = append(missing, l)
		}
	}
	order := func(l Line) int {
		if at, billed := age[dueKey{l.Bill, l.Head}]; billed {
			return at
		}
		if l.Head == HeadAdvance {
			return -1
		}
		return len(st.lines)
	}
	for _, all := range [][]Line{from, missing} {
		slices.SortFunc(all, func(a, b Line) int {
			return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.Bill, b.Bill), cmp.Compare(a.Head, b.Head))
		})
	}
	for i := range st.lines {
		if st.lines[i].Open < 0 {
			from = append(from, st.lines[i].move(-st.lines[i].Open))
		}
	}
	return from, missing
}

// move is a line of an adjustment of that amount.
func (l *billedLine) move(amount Amount) Line {
	return Line{Bill: l.Bill, Title: l.Title, Head: l.Head, HeadName: l.HeadName, Amount: amount}
}

// lineNamed is a line of that key as people call it: as it is billed, or where
// it is not, as a row had it.
func lineNamed(key dueKey, st *standing, age map[dueKey]int, rows []Row) Line {
	if at, billed := age[key]; billed {
		return st.lines[at].move(0)
	}
	var named Line
	for i := range rows {
		for _, l := range rows[i].Lines {
			if (dueKey{l.Bill, l.Head}) == key && (named.Head == "" || cmp.Or(cmp.Compare(l.Title, named.Title), cmp.Compare(l.HeadName, named.HeadName)) < 0) {
				named = l // any of them, but of any order of rows the same
			}
		}
	}
	return named
}

// take is total of the lines, the first of them first, with that sign. Two
// lines of one head and bill are made one.
func take(lines []Line, total, sign Amount) []Line {
	taken := make([]Line, 0, len(lines))
	for _, l := range lines {
		part := min(l.Amount, total)
		if part == 0 {
			break
		}
		total -= part
		l.Amount = sign * part
		same := slices.IndexFunc(taken, func(t Line) bool { return t.Bill == l.Bill && t.Head == l.Head })
		if same < 0 {
			taken = append(taken, l)
			continue
		}
		taken[same].Amount += l.Amount
	}
	return taken
}

func sumOf(lines []Line) (sum Amount) {
	for _, l := range lines {
		sum += l.Amount
	}
	return sum
}
