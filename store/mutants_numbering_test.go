package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// The mutants of numbering are the protocol with one thing wrong each.

func again(err error) bool {
	return errors.Is(err, errRaced) || errors.Is(err, docdb.ErrUnknownOutcome)
}

func unnumbered(got map[string]attached, rows []string) (without []string) {
	for _, id := range rows {
		if got[id].Number == 0 {
			without = append(without, id)
		}
	}
	return without
}

// mutantRowFirst looks at the rows before it reads the counter.
func (n *numberer) mutantRowFirst(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	for {
		got, err := n.lookUp(ctx, key, rows)
		if err != nil {
			return nil, err
		}
		without := unnumbered(got, rows)
		if len(without) == 0 {
			return got, nil
		}
		c, err := n.counter(ctx, key)
		if err != nil {
			return nil, err
		}
		last, err := n.settle(ctx, key, c, nil)
		if err == nil {
			var next counter
			if next, err = n.advance(ctx, key, c, without, last); err == nil {
				_, err = n.settle(ctx, key, next, got)
			}
		}
		if err == nil {
			return got, nil
		}
		if !again(err) {
			return nil, err
		}
	}
}

// mutantSkipSettle moves the counter on without finishing what it says.
func (n *numberer) mutantSkipSettle(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	for {
		c, err := n.counter(ctx, key)
		if err != nil {
			return nil, err
		}
		got, err := n.lookUp(ctx, key, rows)
		if err != nil {
			return nil, err
		}
		without := unnumbered(got, rows)
		if len(without) == 0 {
			return got, nil
		}
		hash, _ := n.settledAt(key, c)
		next, err := n.advance(ctx, key, c, without, hash)
		if err == nil {
			_, err = n.settle(ctx, key, next, got)
		}
		if err == nil {
			return got, nil
		}
		if !again(err) {
			return nil, err
		}
	}
}

// mutantPlainInc takes a number for each row and attaches it: the recipe that
// most software uses.
func (n *numberer) mutantPlainInc(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	if _, err := n.counter(ctx, key); err != nil {
		return nil, err
	}
	for _, id := range rows {
		got, err := n.lookUp(ctx, key, []string{id})
		if err != nil {
			return nil, err
		}
		if got[id].Number != 0 {
			continue
		}
		var c counter
		err = n.s.DB.FindOneAndUpdate(ctx, counters,
			bson.D{{Key: "_id", Value: key.id()}},
			bson.D{{Key: "$inc", Value: bson.D{{Key: "seq", Value: int64(1)}}}, {Key: "$set", Value: bson.D{{Key: "holders", Value: []string{id}}}}},
			docdb.Update{After: true}, &c)
		if err != nil {
			return nil, err
		}
		if err := n.attachAlone(ctx, key, got[id], c.Seq); err != nil {
			return nil, err
		}
	}
	return n.lookUp(ctx, key, rows)
}

// mutantCount numbers a row by how many are numbered.
func (n *numberer) mutantCount(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	for _, id := range rows {
		got, err := n.lookUp(ctx, key, []string{id})
		if err != nil {
			return nil, err
		}
		a := got[id]
		if a.Number != 0 {
			continue
		}
		count, err := n.s.DB.Count(ctx, payments, bson.D{
			{Key: "institute", Value: key.institute}, {Key: "fy", Value: key.fy}, {Key: "series", Value: key.series},
			{Key: "number", Value: bson.D{{Key: "$exists", Value: true}}},
		}, 0)
		if err != nil {
			return nil, err
		}
		if err := n.attachAlone(ctx, key, a, count+1); err != nil {
			return nil, err
		}
	}
	return n.lookUp(ctx, key, rows)
}

// attachAlone attaches a number as well as a mutant can, chained to the row
// that has the number before, so that what catches the mutant is its numbering.
func (n *numberer) attachAlone(ctx context.Context, key seriesKey, a attached, number int64) error {
	var before fees.Row
	err := n.s.DB.FindOne(ctx, payments, bson.D{
		{Key: "institute", Value: key.institute}, {Key: "fy", Value: key.fy}, {Key: "series", Value: key.series}, {Key: "number", Value: number - 1},
	}, docdb.Find{}, &before)
	if err != nil && !errors.Is(err, docdb.ErrNotFound) {
		return err
	}
	format, bad := fees.ParseFormat(a.Format, key.institute)
	if bad != nil {
		return bad
	}
	a.Number, a.NumberText, a.NumberedAt, a.PrevHash = number, format.Text(key.fy, number), n.s.instant(), before.Hash
	a.Hash = chainHash(a.Body, number, before.Hash)
	_, err = n.s.DB.BulkWrite(ctx, payments, []docdb.UpdateOp{attachOp(key, a)}, false)
	return err
}
