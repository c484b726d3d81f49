package fees

import "slices"

// Difference is what has to be added to the lines have, in which a head may
// come more than once, so that they charge what want does: a line for each head
// that differs, every amount of either sign, none where nothing differs. A head
// that is called something else by now is the same, and so is a concession for
// another reason.
func Difference(have, want []BillLine) []BillLine {
	var lines []BillLine
	at := func(head, name string) *BillLine {
		i := slices.IndexFunc(lines, func(l BillLine) bool { return l.Head == head })
		if i < 0 {
			i = len(lines)
			lines = append(lines, BillLine{Head: head, HeadName: name})
		}
		return &lines[i]
	}
	for _, l := range want {
		at(l.Head, l.HeadName).add(l, 1)
	}
	for _, l := range have {
		at(l.Head, l.HeadName).add(l, -1)
	}
	return slices.DeleteFunc(lines, func(l BillLine) bool { return l.Gross == 0 && l.Concession == 0 && l.Net == 0 })
}

// SameLines says whether Difference would find nothing, at once where the lines
// are alike one by one.
func SameLines(have, want []BillLine) bool {
	return slices.EqualFunc(have, want, func(x, y BillLine) bool {
		return x.Head == y.Head && x.Gross == y.Gross && x.Concession == y.Concession && x.Net == y.Net
	}) || len(Difference(have, want)) == 0
}

// add adds sign times another line of the head.
func (l *BillLine) add(m BillLine, sign Amount) {
	l.Gross += sign * m.Gross
	l.Concession += sign * m.Concession
	l.Net += sign * m.Net
	for _, r := range m.Reasons {
		i := slices.IndexFunc(l.Reasons, func(o Conceded) bool { return o.Reason == r.Reason && o.Approver == r.Approver })
		if i < 0 {
			i = len(l.Reasons)
			l.Reasons = append(slices.Clip(l.Reasons), Conceded{Reason: r.Reason, Approver: r.Approver})
		}
		l.Reasons[i].Amount += sign * r.Amount
	}
	l.Reasons = slices.DeleteFunc(l.Reasons, func(r Conceded) bool { return r.Amount == 0 })
}

// Voided are the lines of a bill that charges nothing any more: its heads are
// still seen.
func Voided(lines []BillLine) []BillLine {
	void := make([]BillLine, len(lines))
	for i, l := range lines {
		void[i] = BillLine{Head: l.Head, HeadName: l.HeadName}
	}
	return void
}

// Replaced are the lines of a bill that charges what want does instead of what
// old did. A head that is not charged any more keeps a line of nothing, for a
// receipt that was taken back may name it.
func Replaced(old, want []BillLine) []BillLine {
	lines := slices.Clip(want)
	for _, l := range Voided(old) {
		if !slices.ContainsFunc(want, func(w BillLine) bool { return w.Head == l.Head }) {
			lines = append(lines, l)
		}
	}
	return lines
}
