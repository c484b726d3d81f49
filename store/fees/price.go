package fees

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Price is what the plan rows of one period charge s, less the student's own
// concessions, in the order of heads.
//
// A class or category is the same in capitals and small letters. For each head
// the most specific row wins: of class and category, then of the
// class, then of the category, then of any. A head that costs nothing gives no
// line; one that a concession brings down to zero keeps its line, so that the
// concession is seen. A percentage is of the head's charge, rounded half up
// once; a concession never exceeds the charge, and of two on one head the
// first counts. A head that heads lacks is named by its code and comes last.
func Price(s Student, plan []PlanRow, concessions []Concession, heads map[string]Head) []BillLine {
	var chosen []*PlanRow
	for i := range plan {
		r := &plan[i]
		if !matches(r.Class, s.Class) || !matches(r.Category, s.Category) {
			continue
		}
		at := slices.IndexFunc(chosen, func(c *PlanRow) bool { return c.Head == r.Head })
		switch {
		case at < 0:
			chosen = append(chosen, r)
		case r.specificity() > chosen[at].specificity():
			chosen[at] = r
		}
	}
	chosen = slices.DeleteFunc(chosen, func(r *PlanRow) bool { return r.Amount <= 0 })
	order := func(code string) int64 {
		if h, ok := heads[code]; ok {
			return h.Order
		}
		return math.MaxInt64
	}
	slices.SortFunc(chosen, func(a, b *PlanRow) int {
		return cmp.Or(cmp.Compare(order(a.Head), order(b.Head)), cmp.Compare(a.Head, b.Head))
	})
	lines := make([]BillLine, len(chosen))
	for i, r := range chosen {
		less := concessionOn(r, concessions)
		lines[i] = BillLine{
			Head: r.Head, HeadName: cmp.Or(heads[r.Head].Name, r.Head),
			Gross: r.Amount, Concession: less, Net: r.Amount - less,
		}
	}
	return lines
}

// matches says whether a plan's class or category means that of a student.
func matches(planned, has string) bool { return planned == Any || strings.EqualFold(planned, has) }

// specificity ranks the rows that match one student.
func (r *PlanRow) specificity() int {
	rank := 0
	if r.Class != Any {
		rank += 2
	}
	if r.Category != Any {
		rank++
	}
	return rank
}

// concessionOn is what the concessions take off the charge of r.
func concessionOn(r *PlanRow, concessions []Concession) Amount {
	for _, c := range concessions {
		if c.Head != r.Head {
			continue
		}
		off := c.Amount
		if c.Kind == ConcessionPercent {
			off = c.Percent.Of(r.Amount)
		}
		return max(min(off, r.Amount), 0)
	}
	return 0
}

// NetOf is what lines come to.
func NetOf(lines []BillLine) Amount {
	var net Amount
	for _, l := range lines {
		net += l.Net
	}
	return net
}
