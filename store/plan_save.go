package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// planTableRows bounds the plan of a period.
const planTableRows = 300

// PlanRows are the rows of a financial year's plan, by key.
func (s *Store) PlanRows(ctx context.Context, institute, fy string) ([]fees.PlanRow, error) {
	return s.planUnder(ctx, fees.Key(institute, fy+"/"))
}

func (s *Store) planUnder(ctx context.Context, prefix string) ([]fees.PlanRow, error) {
	rows, err := docdb.All[fees.PlanRow](s.DB.Find(ctx, plans, bson.D{under(prefix)}, docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}))
	return rows, outageOrNil("read fee plan", err)
}

// SavePlan makes the table the whole plan of its period. Version is the
// fees.PlanVersion of the rows as they were read: what somebody else changed
// since is not overwritten. A plan that is there just so is saved already. A row
// of the table without amounts is none.
//
// A row that a bill may follow from is not taken away: its amount can become 0.
// Codes: Invalid (Fields fy, head.N, class.N, category.N, and amount.N by row,
// then column, counted from 0), Conflict, NotFound (the institute or period).
func (s *Store) SavePlan(ctx context.Context, institute string, t fees.PlanTable, version string, by fees.Actor) error {
	unlock, err := s.planning.lock(ctx, institute)
	if err != nil {
		return outage("save fee plan", err)
	}
	defer unlock()
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	period, err := s.Period(ctx, institute, t.Period)
	if err != nil {
		return err
	}
	if bad := openYear(inst, period.FY); bad != nil {
		return bad
	}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return err
	}
	have, err := s.planUnder(ctx, fees.Key(institute, period.Code, ""))
	if err != nil {
		return err
	}
	wrong := map[string]string{}
	want := tableRows(period, t, all, wrong)
	if err := s.keepUsed(ctx, institute, t, have, want, wrong); err != nil {
		return err
	}
	if bad := refusal("The plan was not saved.", wrong); bad != nil {
		return bad
	}
	if fees.PlanVersion(have) == fees.PlanVersion(want) {
		return nil
	}
	if fees.PlanVersion(have) != version {
		return fees.Errorf(fees.Conflict, "Somebody else changed the plan of %s meanwhile. Nothing of yours was saved; open it again.", period.Code)
	}
	if err := s.writePlan(ctx, institute, have, want); err != nil {
		return begun("save fee plan", err)
	}
	now, err := s.planUnder(ctx, fees.Key(institute, period.Code, ""))
	if err != nil {
		return begun("save fee plan", err)
	}
	if fees.PlanVersion(now) != fees.PlanVersion(want) {
		return fees.Errorf(fees.Conflict, "Somebody else changed the plan of %s at the same moment, so not all of yours was saved. Open it again.", period.Code)
	}
	s.Log.InfoContext(ctx, "fee plan saved", "institute", institute, "period", period.Code, "rows", len(want), "by", by.Login, "from", by.From)
	return nil
}

// tableRows are the rows that a table stands for. What is wrong with it goes
// into wrong.
func tableRows(period fees.Period, t fees.PlanTable, all []fees.Head, wrong map[string]string) []fees.PlanRow {
	if len(t.Rows) > planTableRows {
		wrong["class.0"] = fmt.Sprintf("The plan of a period has at most %d rows", planTableRows)
		return nil
	}
	for j, head := range t.Heads {
		switch {
		case !slices.ContainsFunc(all, func(h fees.Head) bool { return h.Code == head }):
			wrong[nth("head", j)] = "There is no head " + leading(head, 40)
		case slices.Contains(t.Heads[:j], head):
			wrong[nth("head", j)] = leading(head, 40) + " is there twice"
		}
	}
	seen := map[string]bool{}
	var want []fees.PlanRow
	for i, row := range t.Rows {
		base := fees.PlanRow{Institute: period.Institute, FY: period.FY, Period: period.Code, DueDate: period.DueDate}
		for what, value := range map[string]*string{"class": &base.Class, "category": &base.Category} {
			typed := row.Class
			if what == "category" {
				typed = row.Category
			}
			var reason string
			if *value, reason = planScope(what, typed); reason != "" {
				wrong[nth(what, i)] = reason
			}
		}
		key := tableKey(base.Class, base.Category)
		switch {
		case wrong[nth("class", i)] != "" || wrong[nth("category", i)] != "":
		case seen[key]:
			wrong[nth("class", i)] = "There is a row for this class and category already"
		}
		seen[key] = true
		for j, head := range t.Heads {
			if amount, charged := row.Amounts[head]; charged {
				if amount < 0 || amount > fees.MaxAmount {
					wrong[nth("amount", i*len(t.Heads)+j)] = "The amount is below zero or too large"
				}
				r := base
				r.Head, r.Amount = head, amount
				r.ID = r.Key()
				want = append(want, r)
			}
		}
	}
	return want
}

func tableKey(class, category string) string { return strings.ToLower(class + ":" + category) }

// keepUsed refuses to take away rows of a period that has bills, save for those
// of a class that nobody is in.
func (s *Store) keepUsed(ctx context.Context, institute string, t fees.PlanTable, have, want []fees.PlanRow, wrong map[string]string) error {
	stays := make(map[string]bool, len(want))
	for _, r := range want {
		stays[r.ID] = true
	}
	gone := slices.DeleteFunc(slices.Clone(have), func(r fees.PlanRow) bool { return stays[r.ID] })
	if len(gone) == 0 {
		return nil
	}
	billed, err := s.PeriodBilled(ctx, institute, t.Period)
	if err != nil || !billed {
		return err
	}
	classes, err := s.Classes(ctx, institute)
	if err != nil {
		return err
	}
	for _, r := range gone {
		if r.Class != fees.Any && !slices.ContainsFunc(classes, func(c string) bool { return strings.EqualFold(c, r.Class) }) {
			continue
		}
		field := "plan"
		i := slices.IndexFunc(t.Rows, func(row fees.PlanTableRow) bool {
			return tableKey(row.Class, row.Category) == tableKey(r.Class, r.Category)
		})
		if j := slices.Index(t.Heads, r.Head); i >= 0 && j >= 0 {
			field = nth("amount", i*len(t.Heads)+j)
		}
		wrong[field] = fmt.Sprintf("%s has bills, so %s stays in the plan; enter 0 to charge nothing", t.Period, r.Head)
	}
	return nil
}

// writePlan makes have want. Each write has the amount that was read in its
// filter, so that none undoes what somebody else wrote just now.
func (s *Store) writePlan(ctx context.Context, institute string, have, want []fees.PlanRow) error {
	old := make(map[string]fees.PlanRow, len(have))
	for _, r := range have {
		old[r.ID] = r
	}
	var ops []docdb.UpdateOp
	for _, r := range want {
		was, there := old[r.ID]
		delete(old, r.ID)
		switch {
		case !there:
			op, err := addOp(institute, r.ID, r)
			if err != nil {
				return err
			}
			ops = append(ops, op)
		case was.Amount != r.Amount:
			ops = append(ops, docdb.UpdateOp{
				Filter: append(one(institute, r.ID), bson.E{Key: "amount", Value: was.Amount}), Update: set("amount", r.Amount),
			})
		}
	}
	for batch := range slices.Chunk(ops, batchSize) {
		if _, err := s.writeBatch(ctx, plans, batch); err != nil {
			return err
		}
	}
	for id, r := range old {
		if _, err := s.DB.DeleteOne(ctx, plans, append(one(institute, id), bson.E{Key: "amount", Value: r.Amount})); err != nil {
			return err
		}
	}
	return nil
}
