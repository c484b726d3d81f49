package store

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// RemovePeriod takes away a period that nothing follows from, as one whose name
// was mistyped. One that is not there is removed already. Codes: Invalid (Fields
// period: it has bills, rows of the plan, or a concession begins or ends with
// it; fy), Conflict, NotFound (the institute).
func (s *Store) RemovePeriod(ctx context.Context, institute, code string, by fees.Actor) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	period, err := s.Period(ctx, institute, code)
	if fees.CodeOf(err) == fees.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if bad := openYear(inst, period.FY); bad != nil {
		return bad
	}
	reason, err := s.periodInUse(ctx, institute, code)
	if err != nil {
		return err
	}
	if reason != "" {
		return refusal("The period was not removed.", map[string]string{"period": reason})
	}
	removed, err := s.DB.DeleteOne(ctx, periods, append(one(institute, period.ID), bson.E{Key: "dueDate", Value: period.DueDate}))
	if err != nil {
		return outage("remove period", err)
	}
	if removed == 0 {
		if _, err := s.Period(ctx, institute, code); fees.CodeOf(err) == fees.NotFound {
			return nil
		}
		return dueOvertaken(code)
	}
	// What began to use it at the same moment gets it back.
	if reason, err = s.periodInUse(ctx, institute, code); err == nil && reason == "" {
		s.Log.InfoContext(ctx, "period removed", "institute", institute, "period", code, "by", by.Login, "from", by.From)
		return nil
	}
	if unsaved := s.DB.InsertOne(ctx, periods, period); unsaved != nil && !docdb.IsDuplicate(unsaved) {
		return begun("remove period", unsaved)
	}
	if err != nil {
		return err
	}
	return refusal("The period was not removed.", map[string]string{"period": reason})
}

// periodInUse says what follows from a period, "" where nothing does.
func (s *Store) periodInUse(ctx context.Context, institute, code string) (reason string, err error) {
	billed, err := s.PeriodBilled(ctx, institute, code)
	if err != nil {
		return "", err
	}
	if billed {
		return code + " has bills", nil
	}
	rows, err := s.planUnder(ctx, fees.Key(institute, code, ""))
	if err != nil {
		return "", err
	}
	if len(rows) > 0 {
		return code + " has a plan; empty that first", nil
	}
	granted := bson.D{under(fees.Key(institute, ""))}
	for raw, err := range s.DB.Find(ctx, concessions, granted, docdb.Find{Fields: []string{"student", "grants"}}) {
		var c fees.Concession
		if err == nil {
			err = bson.Unmarshal(raw, &c)
		}
		if err != nil {
			return "", outage("read concessions", err)
		}
		if slices.ContainsFunc(c.Grants, func(g fees.Grant) bool { return g.From == code || g.To == code }) {
			return fmt.Sprintf("A concession of %s begins or ends with %s", c.Student, code), nil
		}
	}
	return "", nil
}
