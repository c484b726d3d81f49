package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// missingMost bounds the missing numbers that are listed one by one.
const missingMost = 100

// gap is a run of numbers that no row had when its series was read.
type gap struct {
	key      seriesKey
	from, to int64
}

// confirmGaps looks for the missing numbers again. Numbers are attached in any
// order, so the last batch of a live server may have been met half attached:
// what the counter says is on its way is not missing.
func (a *auditor) confirmGaps(ctx context.Context) error {
	for _, g := range a.gaps {
		// The counter first: what it says is settled was attached before.
		c, err := a.readCounter(ctx, g.key)
		if err != nil {
			return err
		}
		last, missing := g.from-1, missingRuns{}
		for raw, err := range a.s.DB.Find(ctx, payments, bson.D{
			{Key: "institute", Value: g.key.institute}, {Key: "fy", Value: g.key.fy}, {Key: "series", Value: g.key.series},
			{Key: "number", Value: bson.D{{Key: "$exists", Value: true}, {Key: "$gte", Value: g.from}, {Key: "$lte", Value: g.to}}},
		}, docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "fy"}, {Path: "series"}, {Path: "number"}}, Fields: []string{"number"}}) {
			if err != nil {
				return err
			}
			number := raw.Lookup("number").AsInt64()
			missing.add(last+1, number-1)
			last = number
			a.seriesReport(g.key).Count++
		}
		missing.add(last+1, g.to)
		if missing, err = a.withoutHeld(ctx, c, missing); err != nil {
			return err
		}
		for _, m := range missing {
			a.missing(a.seriesReport(g.key), m[0], m[1])
		}
	}
	return nil
}

// missingRuns are runs of numbers, first and last, in order.
type missingRuns [][2]int64

func (m *missingRuns) add(from, to int64) {
	if from <= to {
		*m = append(*m, [2]int64{from, to})
	}
}

// withoutHeld takes out the numbers that are on their way to a row.
func (a *auditor) withoutHeld(ctx context.Context, c counter, missing missingRuns) (missingRuns, error) {
	for i, holder := range c.Holders {
		number := c.Seq - int64(len(c.Holders)) + 1 + int64(i)
		at := slices.IndexFunc(missing, func(m [2]int64) bool { return m[0] <= number && number <= m[1] })
		if at < 0 {
			continue
		}
		has, there, err := a.holder(ctx, holder)
		if err != nil {
			return nil, err
		}
		if !there || has != 0 && has != number {
			continue
		}
		var split missingRuns
		split.add(missing[at][0], number-1)
		split.add(number+1, missing[at][1])
		missing = slices.Replace(missing, at, at+1, split...)
	}
	return missing, nil
}

func (a *auditor) missing(r *fees.SeriesReport, from, to int64) {
	r.MissingN += to - from + 1
	for n := from; n <= to && len(r.Missing) < missingMost; n++ {
		r.Missing = append(r.Missing, n)
	}
	r.ChainOK = false
	id := seriesKey{r.Institute, r.FY, r.Series}.id()
	if from == to {
		a.find("gap", id, "%s %s: number %d is missing", r.Series, r.FY, from)
		return
	}
	a.find("gap", id, "%s %s: numbers %d to %d are missing", r.Series, r.FY, from, to)
}
