package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// SplitYear charges what a head costs in a year in parts, one in each of the
// periods, by due date: fees.SplitYear says how. What they charge for that head,
// class and category already is replaced; bills change by the next run that
// re-prices only. The same again changes nothing. Codes: Invalid (Fields fy,
// head, class, category, amount, periods), NotFound (the institute).
func (s *Store) SplitYear(ctx context.Context, institute string, o fees.YearSplit, by fees.Actor) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	if bad := openYear(inst, o.FY); bad != nil {
		return bad
	}
	wrong := map[string]string{}
	for what, value := range map[string]*string{"class": &o.Class, "category": &o.Category} {
		var reason string
		if *value, reason = planScope(what, *value); reason != "" {
			wrong[what] = reason
		}
	}
	if o.Amount < 0 || o.Amount > fees.MaxAmount {
		wrong["amount"] = "The amount is too large"
	}
	heads, err := s.Heads(ctx, institute)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(heads, func(h fees.Head) bool { return h.Code == o.Head }) {
		wrong["head"] = "Choose a head"
	}
	among, err := s.Periods(ctx, institute)
	if err != nil {
		return err
	}
	among = slices.DeleteFunc(among, func(p fees.Period) bool { return p.FY != o.FY || !slices.Contains(o.Periods, p.Code) })
	slices.Sort(o.Periods)
	if n := len(slices.Compact(o.Periods)); n == 0 || n != len(among) {
		wrong["periods"] = "Choose periods of " + o.FY
	}
	if bad := refusal("The amount was not split.", wrong); bad != nil {
		return bad
	}
	ops := make([]docdb.UpdateOp, len(among))
	for i, part := range fees.SplitYear(o.Amount, len(among)) {
		r := fees.PlanRow{
			Institute: institute, FY: o.FY, Period: among[i].Code, DueDate: among[i].DueDate,
			Class: o.Class, Category: o.Category, Head: o.Head,
		}
		r.ID = r.Key()
		if ops[i], err = addOp(institute, r.ID, r); err != nil {
			return err
		}
		insert := ops[i].Update[0].Value.(bson.D)
		ops[i].Update[0].Value = slices.DeleteFunc(insert, func(e bson.E) bool { return e.Key == "amount" })
		ops[i].Update = append(ops[i].Update, set("amount", part)...)
	}
	for batch := range slices.Chunk(ops, batchSize) {
		if _, err := s.writeBatch(ctx, plans, batch); err != nil {
			return begun("split a year's amount", err)
		}
	}
	s.Log.InfoContext(ctx, "year's amount split", "institute", institute, "fy", o.FY, "head", o.Head, "periods", len(among), "by", by.Login, "from", by.From)
	return nil
}
