package fees

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Tariff is what the charges of one period follow from, beside the student.
type Tariff struct {
	Period   Period
	Periods  []Period        // all, among which grants begin and end
	Plan     []PlanRow       // of Period; rows of classes that are not asked for may be missing
	Heads    map[string]Head // by code
	Siblings []SiblingRule
}

// Price is what the plan charges s, less concessions, in the order of heads.
// Rank is that of s in the family, as in SiblingRanks.
//
// A class or category is the same in capitals and small letters. For each head
// the most specific row wins: of class and category, then of the
// class, then of the category, then of any. A head that costs nothing gives no
// line; one that a concession brings down to zero keeps its line, so that the
// concession is seen. A head that Heads lacks is named by its code and comes
// last.
//
// On a head count all grants in force: the student's on that head and on Any,
// and those of the sibling rules. Percentages come first: all are of the
// whole charge, added up to at most 100 % and rounded half up once. Then the
// amounts, up to what is left. No order of the rows, grants or rules matters.
func (t *Tariff) Price(s Student, rank int64, concessions []Concession) []BillLine {
	chosen := t.charges(s)
	lines := make([]BillLine, len(chosen))
	var grants []Grant
	for i, r := range chosen {
		grants = t.grants(grants[:0], r.Head, rank, concessions)
		less, reasons := concede(r.Amount, grants)
		lines[i] = BillLine{
			Head: r.Head, HeadName: cmp.Or(t.Heads[r.Head].Name, r.Head),
			Gross: r.Amount, Concession: less, Net: r.Amount - less, Reasons: reasons,
		}
	}
	return lines
}

// charges are the rows that hold for s, in the order of heads.
func (t *Tariff) charges(s Student) []*PlanRow {
	chosen := make([]*PlanRow, 0, 8)
	for i := range t.Plan {
		r := &t.Plan[i]
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
		if h, ok := t.Heads[code]; ok {
			return h.Order
		}
		return math.MaxInt64
	}
	slices.SortFunc(chosen, func(a, b *PlanRow) int {
		return cmp.Or(cmp.Compare(order(a.Head), order(b.Head)), cmp.Compare(a.Head, b.Head))
	})
	return chosen
}

// grants adds to list those in force on head.
func (t *Tariff) grants(list []Grant, head string, rank int64, concessions []Concession) []Grant {
	for i := range concessions {
		c := &concessions[i]
		if c.Head != head && c.Head != Any {
			continue
		}
		for j := range c.Grants {
			if c.Grants[j].InForce(t.Period, t.Periods) {
				list = append(list, c.Grants[j])
			}
		}
	}
	return siblingGrants(list, t.Siblings, rank, head)
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

// NetOf is what lines come to.
func NetOf(lines []BillLine) Amount {
	var net Amount
	for _, l := range lines {
		net += l.Net
	}
	return net
}
