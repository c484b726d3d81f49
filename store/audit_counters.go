package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// readCounters reads the institute's counters and calls unusable with those
// that no payment could use.
func (a *auditor) readCounters(ctx context.Context, unusable func(id, why string)) (map[string]counter, error) {
	byID := map[string]counter{}
	for _, series := range fees.AllSeries() {
		for raw, err := range a.s.DB.Find(ctx, counters, bson.D{under(string(series) + ":" + a.inst.Code + ":")}, docdb.Find{}) {
			if err != nil {
				return nil, err
			}
			var c counter
			switch err := bson.Unmarshal(raw, &c); {
			case err != nil:
				unusable(textOf(raw, "_id"), "the counter cannot be read: "+err.Error())
			case c.Institute != a.inst.Code:
				unusable(c.ID, "the counter's key and what it says differ")
			default:
				byID[c.ID] = c
			}
		}
	}
	return byID, nil
}

// walkCounters notes the counters as they are before the rows are read.
func (a *auditor) walkCounters(ctx context.Context) (err error) {
	a.counters, err = a.readCounters(ctx, func(id, why string) { a.find("counter", id, "%s", why) })
	return err
}

// readCounter reads one counter; one that cannot be used is at zero.
func (a *auditor) readCounter(ctx context.Context, key seriesKey) (counter, error) {
	all, err := a.readCounters(ctx, func(string, string) {})
	return all[key.id()], err
}

// compareCounters holds the counters against the rows. Those read before the
// rows may be behind them on a live store, and ahead only by holders whose
// numbers are not attached yet; those read after the rows are never behind.
func (a *auditor) compareCounters(ctx context.Context) error {
	after, err := a.readCounters(ctx, func(string, string) {})
	if err != nil {
		return err
	}
	last := map[string]int64{}
	for _, r := range a.report.Series {
		if r.Institute != a.inst.Code {
			continue
		}
		id := seriesKey{a.inst.Code, r.FY, r.Series}.id()
		last[id] = r.Last
		if now := after[id].Seq; now < r.Last {
			a.find("counter", id, "the counter says %d and the last row is %d: no more numbers can be given", now, r.Last)
		}
	}
	for id, c := range a.counters {
		fy := fees.After(fees.After(id))
		if _, ok := a.year(fy); !ok {
			a.find("counter", id, "the counter is of %q, which is no financial year", fy)
		}
		if c.Seq > 0 && len(c.Holders) == 0 || c.Seq < int64(len(c.Holders)) {
			a.find("counter", id, "the counter says %d and does not say whose the last number is", c.Seq)
		}
		if c.Seq <= last[id] && c.BaseHash != a.bases[id] {
			a.find("counter", id, "the counter carries another hash than the row its next numbers are chained to")
		}
		if err := a.ahead(ctx, c, last[id]); err != nil {
			return err
		}
	}
	return nil
}

// ahead checks that the numbers which the counter gave out last are those of
// their rows, or on their way to them.
func (a *auditor) ahead(ctx context.Context, c counter, last int64) error {
	first := c.Seq - int64(len(c.Holders)) + 1 // the first holder's
	if last+1 < first {
		a.find("counter", c.ID, "the counter says %d and the last row is %d: numbers %d to %d belong to nobody", c.Seq, last, last+1, first-1)
	}
	for i, holder := range c.Holders {
		number := first + int64(i)
		has, there, err := a.holder(ctx, holder)
		switch {
		case err != nil:
			return err
		case !there:
			a.find("counter", c.ID, "number %d was given to %s, which is not there", number, holder)
		case has != 0 && has != number:
			a.find("counter", c.ID, "number %d was given to %s, which has number %d", number, holder, has)
		}
	}
	return nil
}

// holder looks for the row that a counter names, and which number it has.
func (a *auditor) holder(ctx context.Context, id string) (number int64, there bool, err error) {
	var raw bson.Raw
	err = a.s.DB.FindOne(ctx, payments, one(a.inst.Code, id), docdb.Find{Fields: []string{"number"}}, &raw)
	if errors.Is(err, docdb.ErrNotFound) {
		return 0, false, nil
	}
	if err == nil {
		number, _ = raw.Lookup("number").AsInt64OK()
	}
	return number, err == nil, err
}
