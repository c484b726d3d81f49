package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// maxRepeats is how many earlier payments with a reference are looked at: more
// have the same one only where it is no reference at all ("000000").
const maxRepeats = 10

// askRepeats asks about references of a payment that earlier ones came with, see
// PaymentOrder.AskRepeats. Two forms with the same reference that are sent at the
// same moment may both pass: it is a question, not a rule.
func (s *Store) askRepeats(ctx context.Context, inst fees.Institute, o fees.PaymentOrder) error {
	var earlier []fees.Row
	for _, key := range fees.RefKeys(o.Tenders) {
		rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
			bson.D{{Key: "institute", Value: inst.Code}, {Key: "refs", Value: key}},
			docdb.Find{Limit: maxRepeats, Fields: []string{"refs", "date", "tenders", "studentName", "numberText", "reversedBy", "family"}}))
		if err != nil {
			return outage("look for the references", err)
		}
		earlier = append(earlier, rows...)
	}
	if asked := o.AskRepeats(inst.Money(), earlier); asked != nil {
		return asked
	}
	return nil
}
