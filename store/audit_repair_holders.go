package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// holders are the holders that are there, by id.
func (r *counterRepair) holders(ctx context.Context) (map[string]attached, error) {
	if len(r.c.Holders) == 0 {
		return nil, nil
	}
	all, err := docdb.All[attached](r.s.DB.Find(ctx, payments,
		bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: r.c.Holders}}}, {Key: "institute", Value: r.key.institute}},
		docdb.Find{Fields: attachedFields}))
	byID := make(map[string]attached, len(all))
	for _, a := range all {
		byID[a.ID] = a
	}
	return byID, err
}

// attach gives the holders their numbers, up to the first that is not there,
// was changed since, or whose number another row has.
func (r *counterRepair) attach(ctx context.Context) error {
	rows, err := r.holders(ctx)
	if err != nil {
		return err
	}
	edited, err := r.s.editedHolders(ctx, r.key)
	if err != nil {
		return err
	}
	taken, err := r.taken(ctx)
	if err != nil {
		return err
	}
	first, without := r.first(), 0
	if first < 1 {
		return nil
	}
	can := r.c
	for i, id := range r.c.Holders {
		a, there := rows[id]
		number := first + int64(i)
		if !there || a.Number != 0 && a.Number != number || a.Number == 0 && (taken[number] || slices.Contains(edited, id)) {
			can.Holders = r.c.Holders[:i]
			break
		}
		if a.Number == 0 {
			without++
		}
	}
	if without == 0 {
		return nil
	}
	can.Seq = first + int64(len(can.Holders)) - 1
	if hash, there, err := r.hashOf(ctx, first-1); err != nil {
		return err
	} else if there {
		can.BaseHash = hash
	}
	before := r.numbers.gave.Load()
	if _, err := r.numbers.settle(ctx, r.key, can, rows); err != nil {
		return err
	}
	if n := r.numbers.gave.Load() - before; n > 0 {
		if err := r.did(ctx, "number", r.key.id(), "attached %s of %s %s to the rows that they had been given to", several(n, "number"), r.key.series, r.key.fy); err != nil {
			return err
		}
	}
	r.last, err = r.lastRow(ctx)
	return err
}

// taken are the numbers of the holders that some row has.
func (r *counterRepair) taken(ctx context.Context) (map[int64]bool, error) {
	all, err := docdb.All[attached](r.s.DB.Find(ctx, payments, r.numbersBetween(r.first(), r.c.Seq),
		docdb.Find{Fields: []string{"number"}}))
	numbers := make(map[int64]bool, len(all))
	for _, a := range all {
		numbers[a.Number] = true
	}
	return numbers, err
}
