package fees

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// PlanFinding is something odd in a fee plan or in the concessions to it.
// Fields that it does not concern are empty.
type PlanFinding struct {
	Warning  bool // may well be meant so
	FY       string
	Period   string
	Class    string
	Category string
	Head     string
	Student  string
	Message  string // for people
}

// CheckPlan finds what is wrong with a plan: rows that contradict each other
// (one period, class, category and head) or are of a period which there is
// not; periods and classes of students for which no row matches; and, as
// warnings, rows of a class that nobody is in, and heads that only some of a
// year's periods charge. Findings come in
// the order of periods, the warnings of a year last.
func CheckPlan(rows []PlanRow, periods []Period, classes []string) []PlanFinding {
	byPeriod := map[string][]PlanRow{}
	for _, r := range rows {
		byPeriod[r.Period] = append(byPeriod[r.Period], r)
	}
	var found []PlanFinding
	periods = slices.SortedFunc(slices.Values(periods), Period.Compare)
	for _, code := range slices.Sorted(maps.Keys(byPeriod)) {
		if _, ok := findPeriod(periods, code); !ok {
			found = append(found, PlanFinding{FY: byPeriod[code][0].FY, Period: code,
				Message: fmt.Sprintf("%d rows are of %s, which is no period", len(byPeriod[code]), code)})
		}
	}
	years := map[string][]Period{}
	var order []string
	for _, p := range periods {
		if years[p.FY] == nil {
			order = append(order, p.FY)
		}
		years[p.FY] = append(years[p.FY], p)
	}
	for _, fy := range order {
		for _, p := range years[fy] {
			found = append(found, twiceIn(p, byPeriod[p.Code])...)
		}
		found = append(found, missingIn(fy, years[fy], byPeriod, classes)...)
		var all []PlanRow
		for _, p := range years[fy] {
			all = append(all, byPeriod[p.Code]...)
		}
		for _, class := range ClassesWithout(all, classes) {
			found = append(found, PlanFinding{Warning: true, FY: fy, Class: class, Message: fmt.Sprintf("No student is in class %s, which %s has rows for", class, fy)})
		}
		found = append(found, sometimesIn(fy, years[fy], byPeriod)...)
	}
	return found
}

// ClassesWithout are the classes that rows are for and that are none of classes,
// as those that were mistyped; none while there are no classes at all.
func ClassesWithout(rows []PlanRow, classes []string) (without []string) {
	if len(classes) == 0 {
		return nil
	}
	same := func(class string) func(string) bool {
		return func(other string) bool { return strings.EqualFold(class, other) }
	}
	for _, r := range rows {
		if r.Class != Any && !slices.ContainsFunc(classes, same(r.Class)) && !slices.ContainsFunc(without, same(r.Class)) {
			without = append(without, r.Class)
		}
	}
	slices.SortFunc(without, compareNatural)
	return without
}

// twiceIn finds rows of a period that are for the same.
func twiceIn(p Period, rows []PlanRow) (found []PlanFinding) {
	count := map[string]int{}
	for _, r := range rows {
		key := r.Key()
		if count[key]++; count[key] != 2 {
			continue
		}
		found = append(found, PlanFinding{FY: p.FY, Period: p.Code, Class: r.Class, Category: r.Category, Head: r.Head,
			Message: fmt.Sprintf("%s in %s for %s, %s is there more than once", r.Head, p.Code, named("class", r.Class), named("category", r.Category))})
	}
	return found
}

func named(what, value string) string {
	if value == Any {
		return "any " + what
	}
	return what + " " + value
}

// missingIn finds periods without rows and classes without a row; a class that
// has none in the whole year once.
func missingIn(fy string, periods []Period, byPeriod map[string][]PlanRow, classes []string) (found []PlanFinding) {
	planned := slices.Clone(periods)
	planned = slices.DeleteFunc(planned, func(p Period) bool { return len(byPeriod[p.Code]) == 0 })
	if len(planned) == 0 {
		return []PlanFinding{{FY: fy, Message: fmt.Sprintf("%s has no plan: nobody gets a bill", fy)}}
	}
	for _, p := range periods {
		if len(byPeriod[p.Code]) == 0 {
			found = append(found, PlanFinding{FY: fy, Period: p.Code, Message: fmt.Sprintf("%s has no rows: nobody gets a bill", p.Code)})
		}
	}
	for _, class := range classes {
		var without []string
		for _, p := range planned {
			if !slices.ContainsFunc(byPeriod[p.Code], func(r PlanRow) bool { return matches(r.Class, class) }) {
				without = append(without, p.Code)
			}
		}
		if len(without) == len(planned) {
			found = append(found, PlanFinding{FY: fy, Class: class, Message: fmt.Sprintf("No row of %s is for class %s: it gets no bill", fy, class)})
			continue
		}
		for _, code := range without {
			found = append(found, PlanFinding{FY: fy, Period: code, Class: class, Message: fmt.Sprintf("No row of %s is for class %s: it gets no bill", code, class)})
		}
	}
	return found
}

// sometimesIn finds heads that some periods with a plan charge and others do
// not.
func sometimesIn(fy string, periods []Period, byPeriod map[string][]PlanRow) (found []PlanFinding) {
	heads := map[string]bool{}
	for _, p := range periods {
		for _, r := range byPeriod[p.Code] {
			heads[r.Head] = true
		}
	}
	for _, head := range slices.Sorted(maps.Keys(heads)) {
		var with, without []string
		for _, p := range periods {
			switch rows := byPeriod[p.Code]; {
			case slices.ContainsFunc(rows, func(r PlanRow) bool { return r.Head == head }):
				with = append(with, p.Code)
			case len(rows) > 0:
				without = append(without, p.Code)
			}
		}
		if len(without) > 0 {
			found = append(found, PlanFinding{Warning: true, FY: fy, Head: head,
				Message: fmt.Sprintf("%s is charged in %s, but not in %s", head, strings.Join(with, ", "), strings.Join(without, ", "))})
		}
	}
	return found
}

// CheckConcessions finds grants that CheckGrant refuses, as when a period or a
// plan was changed behind them, and, as a warning, heads of a student on which
// the percentages in force in a period come to more than 100 %: no more than
// the charge is taken off. Findings come by student, then head, then period.
func CheckConcessions(concessions []Concession, periods []Period) []PlanFinding {
	var found []PlanFinding
	periods = slices.SortedFunc(slices.Values(periods), Period.Compare)
	byStudent := map[string][]Concession{}
	for _, c := range concessions {
		byStudent[c.Student] = append(byStudent[c.Student], c)
	}
	for _, student := range slices.SortedFunc(maps.Keys(byStudent), compareNatural) {
		own := byStudent[student]
		slices.SortStableFunc(own, func(a, b Concession) int { return cmp.Compare(a.Head, b.Head) })
		for _, c := range own {
			for _, g := range c.Grants {
				if _, err := CheckGrant(g, c.Head, periods); err != nil {
					found = append(found, PlanFinding{Student: student, Head: c.Head, Message: fmt.Sprintf("%s on %s: %s", student, c.Head, err.Message)})
				}
			}
		}
		found = append(found, above100(student, own, periods)...)
	}
	return found
}

// above100 finds the periods in which a student's percentages on a head come to
// too much.
func above100(student string, own []Concession, periods []Period) (found []PlanFinding) {
	for _, on := range own {
		for _, p := range periods {
			var sum Percent
			for _, c := range own {
				for i := range c.Grants {
					if g := &c.Grants[i]; (c.Head == on.Head || c.Head == Any) && g.Kind == ConcessionPercent && g.InForce(p, periods) {
						sum += min(max(g.Percent, 0), MaxPercent)
					}
				}
			}
			if sum > MaxPercent {
				found = append(found, PlanFinding{Warning: true, FY: p.FY, Period: p.Code, Student: student, Head: on.Head,
					Message: fmt.Sprintf("%s on %s: the percentages in force in %s come to %s; 100 is taken off", student, on.Head, p.Code, sum)})
			}
		}
	}
	return found
}
