package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// readCounters reads the institute's counters.
func (a *auditor) readCounters(ctx context.Context) (map[string]counter, error) {
	byID := map[string]counter{}
	for _, series := range fees.AllSeries() {
		found, err := docdb.All[counter](a.s.DB.Find(ctx, counters,
			bson.D{under(string(series) + ":" + a.institute + ":")}, docdb.Find{}))
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			byID[c.ID] = c
		}
	}
	return byID, nil
}

// compareCounters holds the counters against the rows. Those read before the
// rows may be behind them on a live store, and ahead only by holders whose
// numbers are not attached yet; those read after the rows are never behind.
func (a *auditor) compareCounters(ctx context.Context, series []fees.SeriesReport) error {
	after, err := a.readCounters(ctx)
	if err != nil {
		return err
	}
	last := map[string]int64{}
	for _, r := range series {
		id := seriesKey{a.institute, r.FY, r.Series}.id()
		last[id] = r.Last
		if now := after[id].Seq; now < r.Last {
			a.find("counter", id, "the counter says %d and the last row is %d: no more numbers can be given", now, r.Last)
		}
	}
	for id, c := range a.counters {
		if c.Seq > 0 && len(c.Holders) == 0 {
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

// ahead checks that the numbers which the counter gave out beyond the last
// numbered row are on their way to a row.
func (a *auditor) ahead(ctx context.Context, c counter, last int64) error {
	first := c.Seq - int64(len(c.Holders)) + 1 // the first holder's
	if last+1 < first {
		a.find("counter", c.ID, "the counter says %d and the last row is %d: numbers %d to %d belong to nobody", c.Seq, last, last+1, first-1)
	}
	for number := max(last+1, first); number <= c.Seq; number++ {
		holder := c.Holders[number-first]
		row, err := a.s.Row(ctx, a.institute, fees.After(holder))
		switch {
		case fees.CodeOf(err) == fees.NotFound:
			a.find("counter", c.ID, "number %d was given to %s, which is not there", number, holder)
		case err != nil:
			return err
		case row.Number != 0 && row.Number != number:
			a.find("counter", c.ID, "number %d was given to %s, which has number %d", number, holder, row.Number)
		}
	}
	return nil
}
