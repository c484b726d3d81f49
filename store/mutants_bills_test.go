package store

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// mutantBlindRevision changes bills whatever they have become since they were
// read.
func mutantBlindRevision(coll string, filter bson.D) bson.D {
	if coll != bills {
		return filter
	}
	return slices.DeleteFunc(slices.Clone(filter), func(e bson.E) bool { return e.Key == "revision" || e.Key == "differences" })
}

// mutantOwnAdjustment has a process give adjustments ids of its own.
func mutantOwnAdjustment(p *proc, coll string, doc any) any {
	raw, ok := doc.(bson.Raw)
	if coll != payments || !ok {
		return doc
	}
	var row fees.Row
	if err := bson.Unmarshal(raw, &row); err != nil || row.Kind != fees.KindAdjustment {
		return doc
	}
	row.ID = fees.Key(row.ID, p.name)
	own, _, err := withBody(row)
	if err != nil {
		return doc
	}
	return own
}

// mutantNumberOwn numbers them by these ids.
func mutantNumberOwn(s *Store) {
	whole := s.numbers.batch
	s.numbers.batch = func(ctx context.Context, key seriesKey, rows []string) (map[string]attached, error) {
		rows = slices.Clone(rows)
		for i, id := range rows {
			if strings.HasSuffix(id, ":advance") {
				rows[i] = fees.Key(id, s.DB.(*gate).p.name)
			}
		}
		return whole(ctx, key, rows)
	}
}
