package store

import (
	"context"
	"slices"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// The mutants of the counter: holds, tills, cheques, refunds and families.

// without drops conditions from the writes of a collection, or fields from what
// they set.
func without(coll string, names ...string) func(string, bson.D) bson.D {
	named := func(e bson.E) bool { return slices.Contains(names, e.Key) }
	return func(of string, d bson.D) bson.D {
		if of != coll {
			return d
		}
		d = slices.DeleteFunc(slices.Clone(d), named)
		for i := range d {
			if fields, ok := d[i].Value.(bson.D); ok && d[i].Key == "$set" {
				d[i].Value = slices.DeleteFunc(slices.Clone(fields), named)
			}
		}
		return slices.DeleteFunc(d, func(e bson.E) bool { fields, ok := e.Value.(bson.D); return ok && len(fields) == 0 })
	}
}

// mutantCloseAtOnce sums a till and closes it with that, in one step.
func mutantCloseAtOnce(s *Store, ctx context.Context, institute string, o fees.CloseOrder) (fees.Shift, error) {
	shift, err := s.Shift(ctx, institute, o.Shift)
	if err != nil || shift.State != fees.ShiftOpen {
		return shift, err
	}
	sums, err := s.sumShift(ctx, shift)
	if err != nil {
		return shift, err
	}
	count := fees.TillCount{Other: o.Other, Counted: o.Other, Note: "counted", Reason: o.Reason, By: o.By.Login, ByName: o.By.Name, At: s.instant()}
	now, _, err := s.changeShift(ctx, shift, bson.D{{Key: "state", Value: fees.ShiftClosed}, {Key: "count", Value: count}, {Key: "sums", Value: sums}},
		bson.D{{Key: "$unset", Value: bson.D{{Key: "active", Value: ""}}}}, func(fees.Shift) bool { return false })
	return now, err
}

// mutantUnmarkedFamily writes family payments without the mark by which the
// sweep finds those that have not all their rows.
func mutantUnmarkedFamily(_ *proc, _ string, doc any) any {
	if p, ok := doc.(fees.FamilyPayment); ok {
		p.Open = false
		return p
	}
	return doc
}

// changeRow changes a row that is about to be inserted, where change says that it
// did.
func changeRow(coll string, doc any, change func(*fees.Row) bool) any {
	raw, ok := doc.(bson.Raw)
	if coll != payments || !ok {
		return doc
	}
	var row fees.Row
	if err := bson.Unmarshal(raw, &row); err != nil || !change(&row) {
		return doc
	}
	changed, _, err := withBody(row)
	if err != nil {
		return doc
	}
	return changed
}

// ownIDs is a mutant that gives the rows of a sort ids of their process, under
// which they are then numbered.
func ownIDs(m mutant, sort func(*fees.Row) bool) mutant {
	var own sync.Map // by process and id that they should have
	m.insert = func(p *proc, coll string, doc any) any {
		return changeRow(coll, doc, func(row *fees.Row) bool {
			if !sort(row) {
				return false
			}
			id := row.ID[:len(row.ID)-1] + p.name
			own.Store(p.name+row.ID, id)
			row.ID = id
			return true
		})
	}
	m.store = func(s *Store) {
		whole := s.numbers.batch
		s.numbers.batch = func(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
			rows = slices.Clone(rows)
			for i, id := range rows {
				if to, ok := own.Load(s.DB.(*gate).p.name + id); ok {
					rows[i] = to.(string)
				}
			}
			return whole(ctx, key, rows)
		}
	}
	return m
}
