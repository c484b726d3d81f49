package store

import (
	"context"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// whole says whether the rows are 1, 2, 3 … up to the last, and none has
// something else for a number.
func (r *counterRepair) whole(ctx context.Context) (bool, error) {
	n, err := r.s.DB.Count(ctx, payments, r.numbers1To(r.last.Number), 0)
	if err != nil || n != r.last.Number {
		return false, err
	}
	all, err := r.s.DB.Count(ctx, payments, append(r.ofSeries(), bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}}}), 0)
	return all == n, err
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
	text, err := r.saying(ctx, now)
	if err != nil {
		return err
	}
	res, err := r.s.DB.UpdateOne(ctx, counters,
		append(one(r.key.institute, now.ID), bson.E{Key: "seq", Value: r.c.Seq}),
		bson.D{{Key: "$set", Value: bson.D{{Key: "seq", Value: now.Seq}, {Key: "holders", Value: now.Holders}, {Key: "baseHash", Value: now.BaseHash}}}}, docdb.Update{})
	if err == nil && res.Matched == 1 {
		return r.did(ctx, "counter", now.ID, "%s", text)
	}
	return err
}

// saying is in words what was made of the counter.
func (r *counterRepair) saying(ctx context.Context, now counter) (string, error) {
	name := fmt.Sprintf("the counter of %s %s", r.key.series, r.key.fy)
	if now.Seq == r.c.Seq {
		return fmt.Sprintf("set %s right, which says %d: %s", name, now.Seq, r.why), nil
	}
	text := fmt.Sprintf("set %s from %d to %d, the last number there is", name, r.c.Seq, now.Seq)
	if now.Seq < r.c.Seq {
		lost, err := r.lost(ctx, now.Seq+1)
		return text + ". " + lost, err
	}
	return text, nil
}

// lostMost bounds how many of those who held lost numbers are named.
const lostMost = 3

// lost names the numbers from this on, and the rows that they were given to and
// that are gone, as far as the counter still says so.
func (r *counterRepair) lost(ctx context.Context, from int64) (string, error) {
	rows, err := r.holders(ctx)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("No row has number %d", from)
	if n := r.c.Seq - from + 1; n > 1 {
		text = fmt.Sprintf("No row has the %d numbers from %d to %d", n, from, r.c.Seq)
	}
	var gone []string
	for i, id := range r.c.Holders {
		if _, there := rows[id]; !there {
			gone = append(gone, fmt.Sprintf("%s (number %d)", id, r.first()+int64(i)))
		}
	}
	if len(gone) == 0 {
		return text, nil
	}
	text += "; gone are " + strings.Join(gone[:min(len(gone), lostMost)], ", ")
	if more := len(gone) - lostMost; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text, nil
}
