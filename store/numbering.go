package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// seriesKey is the key of a counter: one gap-free run of numbers.
type seriesKey struct {
	institute string
	fy        string
	series    fees.Series
}

func (k seriesKey) id() string { return string(k.series) + ":" + k.institute + ":" + k.fy }

func seriesOf(row fees.Row) seriesKey { return seriesKey{row.Institute, row.FY, row.Series} }

// counter is the document that gives out the numbers of one series. Holders
// own the last len(Holders) numbers: Holders[i] owns Seq-len(Holders)+1+i.
// BaseHash is the chain hash of the number before the first holder's.
type counter struct {
	ID        string   `bson:"_id"`
	Institute string   `bson:"institute"`
	Seq       int64    `bson:"seq"`
	Holders   []string `bson:"holders"`
	BaseHash  string   `bson:"baseHash"`
}

// lastHolder is the row that owns number Seq, "" at zero.
func (c counter) lastHolder() string {
	if len(c.Holders) == 0 {
		return ""
	}
	return c.Holders[len(c.Holders)-1]
}

// attached is what numbering adds to a row.
type attached struct {
	ID         string    `bson:"_id"`
	Number     int64     `bson:"number"`
	NumberText string    `bson:"numberText"`
	NumberedAt time.Time `bson:"numberedAt"`
	PrevHash   string    `bson:"prevHash"`
	Hash       string    `bson:"hash"`
	// What numbering needs to know of the row.
	Body   string `bson:"body"`
	Format string `bson:"format"`
}

var attachedFields = []string{"number", "numberText", "numberedAt", "prevHash", "hash", "body", "format"}

func (a attached) on(row fees.Row) fees.Row {
	row.Awaiting = a.Number == 0
	row.Number, row.NumberText, row.NumberedAt = a.Number, a.NumberText, a.NumberedAt
	row.PrevHash, row.Hash = a.PrevHash, a.Hash
	return row
}

// errRaced says that somebody else moved the counter first.
var errRaced = errors.New("the counter was moved by somebody else")

// allocate gives every one of the rows its number and returns what each has in
// the end, by row id. The rows are durable and of one series.
//
// It is the protocol of docs/numbering.md: settle what the counter says, look
// at the rows only then, move the counter by compare-and-set naming the rows
// the numbers are for, attach. A failure at any point leaves at most one batch
// unattached, and the counter says whose it is; an unknown outcome is answered
// by going round again. Nothing is undone.
func (n *numberer) allocate(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	for {
		got, err := n.allocateOnce(ctx, key, rows)
		switch {
		case errors.Is(err, errRaced), errors.Is(err, docdb.ErrUnknownOutcome):
			if ctx.Err() != nil {
				return nil, fmt.Errorf("allocate numbers of %s: %w", key.id(), ctx.Err())
			}
		case err != nil:
			return nil, fmt.Errorf("allocate numbers of %s: %w", key.id(), err)
		default:
			return got, nil
		}
	}
}

func (n *numberer) allocateOnce(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	c, err := n.counter(ctx, key)
	if err != nil {
		return nil, err
	}
	lastHash, err := n.settle(ctx, key, c, nil)
	if err != nil {
		return nil, err
	}
	// Read after the counter, and after settling it: a row unnumbered now can
	// only get a number by moving the counter on from c.Seq. Looking first
	// would let the row be numbered in between, and the next number be burnt.
	got, err := n.lookUp(ctx, key, rows)
	if err != nil {
		return nil, err
	}
	var without []string
	for _, id := range rows {
		if got[id].Number == 0 {
			without = append(without, id)
		}
	}
	if len(without) == 0 {
		return got, nil
	}
	next, err := n.advance(ctx, key, c, without, lastHash)
	if err != nil {
		return nil, err
	}
	_, err = n.settle(ctx, key, next, got)
	return got, err
}

// counter reads the counter, creating it at zero.
func (n *numberer) counter(ctx context.Context, key seriesKey) (counter, error) {
	filter := bson.D{{Key: "_id", Value: key.id()}, {Key: "institute", Value: key.institute}}
	for {
		var c counter
		err := n.s.DB.FindOne(ctx, counters, filter, docdb.Find{}, &c)
		if !errors.Is(err, docdb.ErrNotFound) {
			return c, err
		}
		err = n.s.DB.InsertOne(ctx, counters, counter{ID: key.id(), Institute: key.institute, Holders: []string{}})
		if err != nil && !docdb.IsDuplicate(err) {
			return c, err
		}
	}
}

// advance moves the counter from c by one number for each of the rows. It is
// the only write that gives numbers out.
func (n *numberer) advance(ctx context.Context, key seriesKey, c counter, rows []string, lastHash string) (counter, error) {
	res, err := n.s.DB.UpdateOne(ctx, counters,
		bson.D{{Key: "_id", Value: key.id()}, {Key: "institute", Value: key.institute}, {Key: "seq", Value: c.Seq}},
		bson.D{
			{Key: "$inc", Value: bson.D{{Key: "seq", Value: int64(len(rows))}}},
			{Key: "$set", Value: bson.D{{Key: "holders", Value: rows}, {Key: "baseHash", Value: lastHash}}},
		}, docdb.Update{})
	if err != nil {
		return counter{}, err
	}
	if res.Matched == 0 {
		return counter{}, errRaced
	}
	return counter{ID: c.ID, Institute: c.Institute, Seq: c.Seq + int64(len(rows)), Holders: rows, BaseHash: lastHash}, nil
}

// settle attaches c's numbers to c's holders, whoever began it, and returns
// the hash of number c.Seq. known saves reading the holders where the caller
// has just done so; it is brought up to date.
func (n *numberer) settle(ctx context.Context, key seriesKey, c counter, known map[string]attached) (lastHash string, err error) {
	if hash, ok := n.settledAt(key, c); ok {
		return hash, nil
	}
	if known == nil {
		if known, err = n.lookUp(ctx, key, c.Holders); err != nil {
			return "", err
		}
	}
	now, prev := n.s.instant(), c.BaseHash
	var ops []docdb.UpdateOp
	for i, id := range c.Holders {
		a := known[id]
		number := c.Seq - int64(len(c.Holders)) + 1 + int64(i)
		if a.Number != 0 && a.Number != number {
			return "", fmt.Errorf("row %s has number %d where its counter says %d", id, a.Number, number)
		}
		hash := chainHash(a.Body, number, prev)
		if a.Number == 0 {
			format, bad := fees.ParseFormat(a.Format, key.institute)
			if bad != nil {
				return "", fmt.Errorf("row %s: %w", id, bad)
			}
			a.Number, a.NumberText, a.NumberedAt = number, format.Text(key.fy, number), now
			a.PrevHash, a.Hash = prev, hash
			known[id] = a
			ops = append(ops, attachOp(key, a))
		}
		prev = hash
	}
	if len(ops) > 0 {
		res, err := n.s.DB.BulkWrite(ctx, payments, ops, false)
		if err != nil {
			return "", err
		}
		n.gave.Add(res.Modified)
	}
	n.setSettled(key, c, prev)
	return prev, nil
}

// attachOp sets the number of a row that has none; on one that has, it is a
// no-op, since every helper computes the same.
func attachOp(key seriesKey, a attached) docdb.UpdateOp {
	return docdb.UpdateOp{
		Filter: bson.D{
			{Key: "_id", Value: a.ID},
			{Key: "institute", Value: key.institute},
			{Key: "number", Value: bson.D{{Key: "$exists", Value: false}}},
		},
		Update: bson.D{
			{Key: "$set", Value: bson.D{
				{Key: "number", Value: a.Number},
				{Key: "numberText", Value: a.NumberText},
				{Key: "numberedAt", Value: a.NumberedAt},
				{Key: "prevHash", Value: a.PrevHash},
				{Key: "hash", Value: a.Hash},
			}},
			{Key: "$unset", Value: bson.D{{Key: "awaiting", Value: ""}}},
		},
	}
}

// lookUp reads what numbering needs of the rows. One that is not there is an
// error: a number is never taken for a payment that is not already durable.
func (n *numberer) lookUp(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
	got := make(map[string]attached, len(rows))
	if len(rows) == 0 {
		return got, nil
	}
	found, err := docdb.All[attached](n.s.DB.Find(ctx, payments,
		bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: rows}}}, {Key: "institute", Value: key.institute}},
		docdb.Find{Fields: attachedFields}))
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		got[a.ID] = a
	}
	for _, id := range rows {
		if _, ok := got[id]; !ok {
			return nil, fmt.Errorf("row %s is not in the ledger", id)
		}
	}
	return got, nil
}
