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
// PaymentOrder.AskRepeats. Until unlock is called, which the caller does once the
// payment is written, nobody else of this process is asked about the same
// references: of two counters that enter one at the same moment the second is
// asked. Two processes may both pass, for it is a question and no rule.
func (s *Store) askRepeats(ctx context.Context, inst fees.Institute, o fees.PaymentOrder) (unlock func(), err error) {
	keys := fees.RefKeys(o.Tenders)
	locks := make([]string, len(keys))
	for i, key := range keys {
		locks[i] = fees.Key(inst.Code, key)
	}
	if unlock, err = s.references.lockAll(ctx, locks); err != nil {
		return nil, outage("look for the references", err)
	}
	var earlier []fees.Row
	for _, key := range keys {
		rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
			bson.D{{Key: "institute", Value: inst.Code}, {Key: "refs", Value: key}},
			docdb.Find{Limit: maxRepeats, Fields: []string{"refs", "date", "tenders", "studentName", "numberText", "reversedBy", "family"}}))
		if err != nil {
			unlock()
			return nil, outage("look for the references", err)
		}
		earlier = append(earlier, rows...)
	}
	if asked := o.AskRepeats(inst.Money(), earlier); asked != nil {
		unlock()
		return nil, asked
	}
	return unlock, nil
}
