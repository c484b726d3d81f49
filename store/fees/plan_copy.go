package fees

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// PlanCopy is what a year's plan becomes in another year. Neither a period nor
// a row in it is one that was there.
type PlanCopy struct {
	Periods []Period
	Rows    []PlanRow
	Kept    int64 // rows that the year had already and that stay as they are
}

// CopyPlan makes the plan of the financial year toFY from that of fromFY,
// which is earlier; rows and periods may be of any years, and fyStart is the
// month in which years begin. Period codes carry the new year, due dates move
// on by as many years (29 February to the 28th where there is none), amounts
// change by the percentage, which may be negative, rounded half up on the minor
// unit. What toFY has already is not in the copy; new rows of a period that it
// has take that period's due date.
//
// It is Invalid, with Fields from_fy, to_fy or change, when there is no such
// year, toFY is not later, fromFY has no plan or a period in it is not one of
// periods or not called after its year, change is not -100 to 100 %, a date falls outside what ParseDate
// reads, or an amount exceeds MaxAmount.
func CopyPlan(rows []PlanRow, periods []Period, fromFY, toFY string, change Percent, fyStart int64) (PlanCopy, *Error) {
	p := make(problems)
	for name, fy := range map[string]string{"from_fy": fromFY, "to_fy": toFY} {
		if _, _, err := FYRange(fy, fyStart); err != nil {
			p.add(name, err.Message)
		}
	}
	if len(p) == 0 && toFY <= fromFY {
		p.add("to_fy", fmt.Sprintf("Copy to a year after %s", fromFY))
	}
	if change < -MaxPercent || change > MaxPercent {
		p.add("change", "The change is between -100 and 100 percent")
	}
	if !slices.ContainsFunc(rows, func(r PlanRow) bool { return r.FY == fromFY }) {
		p.add("from_fy", fmt.Sprintf("There is no fee plan of %.20s", fromFY))
	}
	if err := p.err(notCopied); err != nil {
		return PlanCopy{}, err
	}
	c := planCopier{from: fromFY, to: toFY, share: MaxPercent + change, due: map[string]Date{}, there: map[string]bool{}, problems: p}
	c.years = yearOf(toFY) - yearOf(fromFY)
	for _, period := range periods {
		if period.FY == toFY {
			c.due[period.Code] = period.DueDate
		}
	}
	for i := range rows {
		if rows[i].FY == toFY {
			c.there[rows[i].Key()] = true
			c.copied.Kept++
		}
	}
	c.copyPeriods(periods)
	c.copyRows(rows)
	slices.SortStableFunc(c.copied.Rows, func(a, b PlanRow) int { // as the plan shows them
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.Period, b.Period), compareAnyFirst(a.Class, b.Class), compareAnyFirst(a.Category, b.Category))
	})
	if err := c.problems.err(notCopied); err != nil {
		return PlanCopy{}, err
	}
	return c.copied, nil
}

const notCopied = "The plan was not copied"

func yearOf(fy string) int {
	year, _ := strconv.Atoi(fy[:4])
	return year
}

// planCopier copies the rows of a year.
type planCopier struct {
	from, to string
	years    int
	share    Percent         // of the old amounts
	due      map[string]Date // of the periods that the new year has or gets
	there    map[string]bool // rows that it has or gets, by key
	copied   PlanCopy
	problems problems
}

func (c *planCopier) copyPeriods(periods []Period) {
	for _, p := range slices.SortedFunc(slices.Values(periods), Period.Compare) {
		if p.FY != c.from {
			continue
		}
		name, ok := strings.CutPrefix(p.Code, c.from+"/")
		if !ok {
			c.problems.add("from_fy", fmt.Sprintf("The period %.40q is not called after its year", p.Code))
			continue
		}
		code := c.to + "/" + name
		if _, there := c.due[code]; there {
			continue
		}
		due := p.DueDate.addYears(c.years)
		if !due.Valid() {
			c.problems.add("to_fy", fmt.Sprintf("%s would be due outside the years 1900 to 2199", code))
		}
		c.due[code] = due
		p.ID, p.Code, p.FY, p.DueDate = Key(p.Institute, code), code, c.to, due
		c.copied.Periods = append(c.copied.Periods, p)
	}
}

func (c *planCopier) copyRows(rows []PlanRow) {
	for _, r := range rows {
		if r.FY != c.from {
			continue
		}
		code := c.to + strings.TrimPrefix(r.Period, c.from)
		due, ok := c.due[code]
		if !ok {
			c.problems.add("from_fy", fmt.Sprintf("%.40q is no period of %s", r.Period, c.from))
			continue
		}
		amount := c.share.Of(r.Amount)
		if amount > MaxAmount {
			c.problems.add("change", fmt.Sprintf("%s of %s would be too large", r.Head, r.Period))
		}
		r.FY, r.Period, r.DueDate, r.Amount = c.to, code, due, amount
		if r.ID = r.Key(); c.there[r.ID] {
			continue
		}
		c.there[r.ID] = true
		c.copied.Rows = append(c.copied.Rows, r)
	}
}

// addYears is the same day n years later; the last of February for a 29th that
// the year does not have.
func (d Date) addYears(n int) Date { return d.addMonths(12 * n) }
