package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// ShiftCheques are the cheques and drafts that were in a till when it was closed,
// in the order in which they came; none while it is open. One whose payment was
// entered again is in the till that it came into first. Codes: Unavailable.
func (s *Store) ShiftCheques(ctx context.Context, shift fees.Shift) ([]fees.Cheque, error) {
	if shift.Count == nil {
		return nil, nil
	}
	ids, err := s.shiftChequeIDs(ctx, shift)
	if err != nil {
		return nil, outage("read the cheques of a till", err)
	}
	var all []fees.Cheque
	for batch := range slices.Chunk(ids, batchSize) {
		found, err := s.readBatch(ctx, cheques, shift.Institute, batch)
		if err != nil {
			return nil, outage("read the cheques of a till", err)
		}
		for _, id := range batch {
			raw, there := found[id]
			if !there {
				continue
			}
			var c fees.Cheque
			if err := bson.Unmarshal(raw, &c); err != nil {
				return nil, outage("read the cheques of a till", err)
			}
			if (c.First == "" || slices.Contains(ids, c.First)) && c.InTill(shift.Count.At) {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// shiftChequeIDs are the ids of the cheques that went through a till, oldest
// first.
func (s *Store) shiftChequeIDs(ctx context.Context, shift fees.Shift) (ids []string, err error) {
	for raw, err := range s.DB.Find(ctx, payments, ofShift(shift.Institute, shift.ShortID()), docdb.Find{Fields: []string{"kind", "tenders"}}) {
		var row fees.Row
		if err == nil {
			err = bson.Unmarshal(raw, &row)
		}
		if err != nil {
			return nil, err
		}
		for n, t := range row.Tenders {
			if row.Kind == fees.KindPayment && t.IsCheque() {
				ids = append(ids, fees.ChequeID(row.ID, n))
			}
		}
	}
	slices.Sort(ids)
	return ids, nil
}
