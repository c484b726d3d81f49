package store

import (
	"context"
	"fmt"
	"slices"

	"raseed/store/fees"
)

// ConcessionFindings are what is odd about a student's concessions: what
// fees.CheckConcessions finds, and amounts that are more than the charge; what
// is odd only in some periods, for those of the year fy.
func (s *Store) ConcessionFindings(ctx context.Context, inst fees.Institute, student fees.Student, fy string, own []fees.Concession) ([]fees.PlanFinding, error) {
	if len(own) == 0 {
		return nil, nil
	}
	periods, err := s.Periods(ctx, inst.Code)
	if err != nil {
		return nil, err
	}
	rows, err := s.PlanRows(ctx, inst.Code, fy)
	if err != nil {
		return nil, err
	}
	byPeriod := map[string][]fees.PlanRow{}
	for _, r := range rows {
		byPeriod[r.Period] = append(byPeriod[r.Period], r)
	}
	found := slices.DeleteFunc(fees.CheckConcessions(own, periods), func(f fees.PlanFinding) bool { return f.FY != "" && f.FY != fy })
	for _, p := range periods {
		if len(byPeriod[p.Code]) > 0 {
			tariff := fees.Tariff{Period: p, Periods: periods, Plan: byPeriod[p.Code]}
			found = append(found, aboveCharge(inst.Money(), p, periods, tariff.Price(student, 1, nil), own)...)
		}
	}
	return found, nil
}

// aboveCharge finds the amounts that are more than what a period charges.
func aboveCharge(money fees.Currency, p fees.Period, all []fees.Period, charges []fees.BillLine, own []fees.Concession) (found []fees.PlanFinding) {
	for _, line := range charges {
		for _, c := range own {
			for i := range c.Grants {
				g := &c.Grants[i]
				if c.Head != line.Head || g.Kind != fees.ConcessionAmount || g.Amount <= line.Gross || !g.InForce(p, all) {
					continue
				}
				found = append(found, fees.PlanFinding{
					Warning: true, FY: p.FY, Period: p.Code, Head: c.Head, Student: c.Student,
					Message: fmt.Sprintf("%s is more than the %s of %s, which is %s: no more than that is taken off",
						money.Format(g.Amount), c.Head, p.Code, money.Format(line.Gross)),
				})
			}
		}
	}
	return found
}
