package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// counters repairs the counters of every series that has rows or a counter. One
// whose rows cannot be read is left.
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
		if slices.Contains(fees.AllSeries(), key.series) {
			keys[key.id()] = key
		}
	}
	note := func(id string) {
		series, rest, _ := strings.Cut(id, ":")
		keys[id] = seriesKey{r.inst.Code, fees.After(rest), fees.Series(series)}
	}
	unusable := map[string]bool{}
	there, err := r.auditor().readCounters(ctx, func(id, _ string) {
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
		if err := c.run(ctx); err != nil && cannotGoOn(err) {
			return err
		} else if err != nil {
			r.s.Log.ErrorContext(ctx, "left by the repair", "counter", id, "why", err)
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
	why  string  // it is wrong; "" when it is not
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
	wrong := r.unusable || !there && before.Number > 0
	if there && !r.unusable {
		if r.why, err = r.wrong(ctx, before); err != nil {
			return err
		}
		if err := r.attach(ctx); err != nil {
			return err
		}
		wrong = r.why != ""
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

// lastRow is the row with the highest number, zero where none has any. What is
// no number is not among them.
func (r *counterRepair) lastRow(ctx context.Context) (attached, error) {
	var a attached
	err := r.s.DB.FindOne(ctx, payments, r.numbers1To(math.MaxInt64),
		docdb.Find{Sort: []docdb.Key{{Path: "number", Desc: true}}, Fields: attachedFields}, &a)
	if errors.Is(err, docdb.ErrNotFound) {
		err = nil
	}
	return a, err
}

func (r *counterRepair) ofSeries() bson.D {
	return bson.D{{Key: "institute", Value: r.key.institute}, {Key: "fy", Value: r.key.fy}, {Key: "series", Value: r.key.series}}
}

// numbers1To selects the rows of the series with these numbers.
func (r *counterRepair) numbers1To(last int64) bson.D { return r.numbersBetween(1, last) }

func (r *counterRepair) numbersBetween(first, last int64) bson.D {
	return append(r.ofSeries(), bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}, {Key: "$gte", Value: first}, {Key: "$lte", Value: last}}})
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

// wrong says in what the counter disagrees with the rows, of which before was
// the last when it was read.
func (r *counterRepair) wrong(ctx context.Context, before attached) (why string, err error) {
	first := r.first()
	switch {
	case r.c.Seq < before.Number:
		return "it is behind the last number", nil
	case r.c.Seq > 0 && len(r.c.Holders) == 0 || first < 1:
		return "it did not say whose the last number is", nil
	case first-1 > r.last.Number:
		return "it is ahead of the last number", nil
	}
	hash, there, err := r.hashOf(ctx, first-1)
	if err != nil {
		return "", err
	}
	if there && hash != r.c.BaseHash {
		return fmt.Sprintf("it carried another hash than number %d has", first-1), nil
	}
	rows, err := r.holders(ctx)
	if err != nil {
		return "", err
	}
	for i, id := range r.c.Holders {
		number := first + int64(i)
		switch a, there := rows[id]; {
		case !there:
			return fmt.Sprintf("it gave number %d to %s, which is not there", number, id), nil
		case a.Number != 0 && a.Number != number:
			return fmt.Sprintf("it gave number %d to %s, which has number %d", number, id, a.Number), nil
		}
	}
	return "", nil
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
