package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// walkFamilies checks that each family payment which is said to be recorded has
// become the rows that it says. One that is open is being written.
func (a *auditor) walkFamilies(ctx context.Context) error {
	for raw, err := range a.s.pagesByKey(ctx, families, fees.Key(a.inst.Code, "")) {
		if err != nil {
			return err
		}
		var p fees.FamilyPayment
		if err := bson.Unmarshal(raw, &p); err != nil {
			a.find("family", textOf(raw, "_id"), "the family payment cannot be read: %v", err)
			continue
		}
		var parts fees.Amount
		for _, c := range p.Children {
			parts += c.Amount
		}
		tenders, wrong := fees.TotalOf(p.Tenders)
		if wrong != nil || tenders != p.Total || parts != p.Total {
			a.find("family", p.ID, "the family payment is of %s, its tenders come to %s and its parts to %s", a.money(p.Total), a.money(tenders), a.money(parts))
		}
		if p.Open {
			continue
		}
		if err := a.compareShares(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// compareShares holds what a family payment is for against its rows.
func (a *auditor) compareShares(ctx context.Context, p fees.FamilyPayment) error {
	ids := make([]string, len(p.Children))
	for i, c := range p.Children {
		ids[i] = fees.Key(a.inst.Code, c.Row)
	}
	rows, err := a.s.readBatch(ctx, payments, a.inst.Code, ids)
	if err != nil {
		return err
	}
	for i, c := range p.Children {
		var row struct {
			Student string      `bson:"student"`
			Family  string      `bson:"family"`
			Total   fees.Amount `bson:"total"`
		}
		raw, there := rows[ids[i]]
		if !there {
			a.find("family", p.ID, "the family payment has no row for %s: %s is not there", c.Student, ids[i])
			continue
		}
		if bson.Unmarshal(raw, &row) != nil { // which was found when it was walked
			continue
		}
		if row.Student != c.Student || row.Family != p.ShortID() || row.Total != c.Amount {
			a.find("family", p.ID, "the family payment has %s for %s, its row %s has %s for %s", a.money(c.Amount), c.Student, ids[i], a.money(row.Total), row.Student)
		}
	}
	return nil
}
