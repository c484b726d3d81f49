package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// counters repairs the counters of every series that has rows or a counter.
func (r *repairer) counters(ctx context.Context) error {
	groups, err := r.s.DB.Group(ctx, payments,
		bson.D{{Key: "institute", Value: r.inst.Code}, {Key: "number", Value: bson.D{{Key: "$exists", Value: true}}}},
		docdb.Group{By: []string{"fy", "series"}, Accs: []docdb.Acc{{As: "count", Op: docdb.CountN}}})
	if err != nil {
		return err
	}
	keys := map[string]seriesKey{}
	for _, raw := range groups {
		key := seriesKey{r.inst.Code, textOf(raw, "fy"), fees.Series(textOf(raw, "series"))}
		keys[key.id()] = key
	}
	note := func(id string) {
		series, rest, _ := strings.Cut(id, ":")
		keys[id] = seriesKey{r.inst.Code, fees.After(rest), fees.Series(series)}
	}
	unusable := map[string]bool{}
	there, err := newAuditor(r.s, r.inst, &fees.AuditReport{}).readCounters(ctx, func(id, _ string) {
		note(id)
		unusable[id] = true
	})
	if err != nil {
		return err
	}
	for id := range there {
		note(id)
	}
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		c := counterRepair{repairer: r, key: keys[id], unusable: unusable[id]}
		if err := c.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// counterRepair holds one counter against the rows of its series.
type counterRepair struct {
	*repairer
	key      seriesKey
	unusable bool // what is there is no counter that numbering could use

	c    counter // as it is
	last attached
}

// run sets the counter to the last number that a row has, where it is wrong and
// the rows are 1, 2, 3 … without a gap. Numbers that it gave to rows which are
// there are attached first.
func (r *counterRepair) run(ctx context.Context) error {
	before, err := r.lastRow(ctx)
	if err != nil {
		return err
	}
	there, err := r.read(ctx)
	if err != nil {
		return err
	}
	// Read before and after it: a live counter is never behind the rows read
	// before it, nor ahead of those after by more than its holders.
	if r.last, err = r.lastRow(ctx); err != nil {
		return err
	}
	wrong := r.unusable || there && r.c.Seq < before.Number || !there && before.Number > 0
	if !r.unusable && there && !wrong {
		if wrong, err = r.wrong(ctx); err != nil {
			return err
		}
	}
	if there && !r.unusable {
		if err := r.attach(ctx); err != nil {
			return err
		}
	}
	if !wrong {
		return nil
	}
	whole, err := r.whole(ctx)
	if err != nil || !whole {
		return err
	}
	return r.set(ctx, there)
}

// lastRow is the row with the highest number, zero where none has any.
func (r *counterRepair) lastRow(ctx context.Context) (attached, error) {
	var a attached
	err := r.s.DB.FindOne(ctx, payments, append(r.ofSeries(), bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}}}),
		docdb.Find{Sort: []docdb.Key{{Path: "number", Desc: true}}, Fields: attachedFields}, &a)
	if errors.Is(err, docdb.ErrNotFound) {
		err = nil
	}
	return a, err
}

func (r *counterRepair) ofSeries() bson.D {
	return bson.D{{Key: "institute", Value: r.key.institute}, {Key: "fy", Value: r.key.fy}, {Key: "series", Value: r.key.series}}
}

func (r *counterRepair) read(ctx context.Context) (there bool, err error) {
	if r.unusable {
		return true, nil
	}
	err = r.s.DB.FindOne(ctx, counters, one(r.key.institute, r.key.id()), docdb.Find{}, &r.c)
	if errors.Is(err, docdb.ErrNotFound) {
		return false, nil
	}
	return true, err
}

// first is the number of the first holder.
func (r *counterRepair) first() int64 { return r.c.Seq - int64(len(r.c.Holders)) + 1 }

// wrong says whether the counter disagrees with the rows other than by being
// behind them.
func (r *counterRepair) wrong(ctx context.Context) (bool, error) {
	first := r.first()
	if r.c.Seq > 0 && len(r.c.Holders) == 0 || first < 1 || first-1 > r.last.Number {
		return true, nil
	}
	hash, there, err := r.hashOf(ctx, first-1)
	if err != nil || there && hash != r.c.BaseHash {
		return true, err
	}
	rows, err := r.holders(ctx)
	if err != nil {
		return false, err
	}
	for i, id := range r.c.Holders {
		if a, there := rows[id]; !there || a.Number != 0 && a.Number != first+int64(i) {
			return true, nil
		}
	}
	return false, nil
}

// hashOf is the hash of a number's row, "" for the number before the first.
func (r *counterRepair) hashOf(ctx context.Context, number int64) (hash string, there bool, err error) {
	if number == 0 {
		return "", true, nil
	}
	var a attached
	err = r.s.DB.FindOne(ctx, payments, append(r.ofSeries(), bson.E{Key: "number", Value: number}), docdb.Find{Fields: attachedFields}, &a)
	if errors.Is(err, docdb.ErrNotFound) {
		return "", false, nil
	}
	return a.Hash, err == nil, err
}

// holders are the holders that are there, by id.
func (r *counterRepair) holders(ctx context.Context) (map[string]attached, error) {
	all, err := docdb.All[attached](r.s.DB.Find(ctx, payments,
		bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: r.c.Holders}}}, {Key: "institute", Value: r.key.institute}},
		docdb.Find{Fields: attachedFields}))
	byID := make(map[string]attached, len(all))
	for _, a := range all {
		byID[a.ID] = a
	}
	return byID, err
}

// attach gives the holders their numbers, up to the first that is not there or
// whose number another row has.
func (r *counterRepair) attach(ctx context.Context) error {
	rows, err := r.holders(ctx)
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
		if !there || a.Number != 0 && a.Number != number || a.Number == 0 && taken[number] {
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
	if _, err := r.s.numbers.settle(ctx, r.key, can, rows); err != nil {
		return err
	}
	if err := r.did(ctx, "number", r.key.id(), "attached %s of %s %s to the rows that they had been given to", several(without, "number"), r.key.series, r.key.fy); err != nil {
		return err
	}
	r.last, err = r.lastRow(ctx)
	return err
}

// taken are the numbers of the holders that some row has.
func (r *counterRepair) taken(ctx context.Context) (map[int64]bool, error) {
	all, err := docdb.All[attached](r.s.DB.Find(ctx, payments, append(r.ofSeries(),
		bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}, {Key: "$gte", Value: r.first()}, {Key: "$lte", Value: r.c.Seq}}}),
		docdb.Find{Fields: []string{"number"}}))
	numbers := make(map[int64]bool, len(all))
	for _, a := range all {
		numbers[a.Number] = true
	}
	return numbers, err
}

// whole says whether the rows are 1, 2, 3 … up to the last.
func (r *counterRepair) whole(ctx context.Context) (bool, error) {
	n, err := r.s.DB.Count(ctx, payments, append(r.ofSeries(),
		bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}, {Key: "$gte", Value: int64(1)}, {Key: "$lte", Value: r.last.Number}}}), 0)
	return n == r.last.Number, err
}

// set makes the counter say what the last row says. It is a compare-and-set:
// where somebody was faster the counter was in use, and is as it should be.
func (r *counterRepair) set(ctx context.Context, there bool) error {
	now := counter{ID: r.key.id(), Institute: r.key.institute, Seq: r.last.Number, Holders: []string{}}
	if now.Seq > 0 {
		hash, _, err := r.hashOf(ctx, now.Seq-1)
		if err != nil {
			return err
		}
		now.Holders, now.BaseHash = []string{r.last.ID}, hash
	}
	if r.unusable {
		if _, err := r.s.DB.DeleteOne(ctx, counters, bson.D{{Key: "_id", Value: now.ID}}); err != nil {
			return err
		}
		there = false
	}
	if !there {
		err := r.s.DB.InsertOne(ctx, counters, now)
		if err == nil {
			return r.did(ctx, "counter", now.ID, "made the counter of %s %s anew: the last number is %d", r.key.series, r.key.fy, now.Seq)
		}
		if docdb.IsDuplicate(err) {
			err = nil
		}
		return err
	}
	res, err := r.s.DB.UpdateOne(ctx, counters,
		append(one(r.key.institute, now.ID), bson.E{Key: "seq", Value: r.c.Seq}),
		bson.D{{Key: "$set", Value: bson.D{{Key: "seq", Value: now.Seq}, {Key: "holders", Value: now.Holders}, {Key: "baseHash", Value: now.BaseHash}}}}, docdb.Update{})
	if err == nil && res.Matched == 1 {
		return r.did(ctx, "counter", now.ID, "set the counter of %s %s from %d to %d, the last number there is", r.key.series, r.key.fy, r.c.Seq, now.Seq)
	}
	return err
}
