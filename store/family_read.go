package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// FamilyRows are the rows that a family payment has become so far, in the order
// of its children. One that is still to be written is left out.
func (s *Store) FamilyRows(ctx context.Context, p fees.FamilyPayment) ([]fees.Row, error) {
	ids := make([]string, len(p.Children))
	for i, c := range p.Children {
		ids[i] = fees.Key(p.Institute, c.Row)
	}
	found, err := s.readBatch(ctx, payments, p.Institute, ids)
	if err != nil {
		return nil, outage("read the receipts of a family", err)
	}
	rows := make([]fees.Row, 0, len(ids))
	for _, id := range ids {
		raw, there := found[id]
		if !there {
			continue
		}
		var row fees.Row
		if err := bson.Unmarshal(raw, &row); err != nil {
			return nil, outage("read the receipts of a family", err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
