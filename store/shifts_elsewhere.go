package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// ShiftElsewhere are the receipts of a till that were reversed or refunded through
// another till, or through none, in the order in which that was done. Codes:
// Unavailable.
func (s *Store) ShiftElsewhere(ctx context.Context, shift fees.Shift) ([]fees.TakenBack, error) {
	received, err := docdb.All[fees.Row](s.DB.Find(ctx, payments, ofShift(shift.Institute, shift.ShortID()),
		docdb.Find{Fields: []string{"kind", "institute", "student", "numberText", "total"}}))
	if err != nil {
		return nil, outage("read the receipts of a till", err)
	}
	received = slices.DeleteFunc(received, func(r fees.Row) bool { return r.Kind != fees.KindPayment })
	var all []fees.TakenBack
	for batch := range slices.Chunk(received, batchSize) {
		some, err := s.takenBack(ctx, shift, batch)
		if err != nil {
			return nil, outage("read what was taken back of a till", err)
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b fees.TakenBack) int { return a.By.RecordedAt.Compare(b.By.RecordedAt) })
	return all, nil
}

// takenBack is ShiftElsewhere of some of the till's payments. Whatever takes
// something of one back says so under a key of its own, the first of which is
// known.
func (s *Store) takenBack(ctx context.Context, shift fees.Shift, paid []fees.Row) (all []fees.TakenBack, err error) {
	shown := docdb.Find{Fields: []string{"kind", "numberText", "total", "tenders", "cashierName", "recordedAt", "shift", "takes"}}
	keys := make([]string, len(paid))
	for i := range paid {
		keys[i] = fees.TakeKey(paid[i].ID, 1)
	}
	taking, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: shift.Institute}, {Key: "takes", Value: bson.D{{Key: "$in", Value: keys}}}}, shown))
	if err != nil {
		return nil, err
	}
	for _, first := range taking {
		of := paid[slices.Index(keys, first.Takes)]
		rows := []fees.Row{first}
		if first.Kind == fees.KindRefund { // and there may be more of them
			rows, err = docdb.All[fees.Row](s.DB.Find(ctx, payments,
				bson.D{{Key: "institute", Value: of.Institute}, {Key: "student", Value: of.Student}, {Key: "refunds", Value: of.ID}}, shown))
			if err != nil {
				return nil, err
			}
		}
		for _, by := range rows {
			if by.Shift != shift.ShortID() {
				all = append(all, fees.TakenBack{Receipt: of, By: by})
			}
		}
	}
	return all, nil
}
