package store

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// BillTotals are how many bills each period of an institute has and what they
// come to, by period.
func (s *Store) BillTotals(ctx context.Context, institute string) ([]fees.BillTotal, error) {
	groups, err := s.DB.Group(ctx, bills, bson.D{{Key: "institute", Value: institute}}, docdb.Group{
		By: []string{"period"},
		Accs: []docdb.Acc{
			{As: "count", Op: docdb.CountN},
			{As: "net", Op: docdb.Sum, Path: "net"},
		},
	})
	if err != nil {
		return nil, outage("total the bills", err)
	}
	totals := make([]fees.BillTotal, len(groups))
	for i, group := range groups {
		if err := bson.Unmarshal(group, &totals[i]); err != nil {
			return nil, fmt.Errorf("total the bills: %w", err)
		}
	}
	return totals, nil
}
