package store

import (
	"context"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// UpdateReceipts changes what receipts end with, and the UPI address that payers
// are shown; either may be "". Receipts that are there keep theirs. Codes:
// Invalid (Fields footer and upi), NotFound.
func (s *Store) UpdateReceipts(ctx context.Context, code, footer, upi string) error {
	inst, err := s.Institute(ctx, code)
	if err != nil {
		return err
	}
	inst.Footer, inst.UPI = oneLine(footer), strings.TrimSpace(upi)
	if bad := inst.Validate(); bad != nil {
		return bad
	}
	var present, absent bson.D // no empty fields in documents
	for _, f := range []bson.E{{Key: "footer", Value: inst.Footer}, {Key: "upi", Value: inst.UPI}} {
		if f.Value == "" {
			absent = append(absent, f)
		} else {
			present = append(present, f)
		}
	}
	var change bson.D
	if len(present) > 0 {
		change = append(change, bson.E{Key: "$set", Value: present})
	}
	if len(absent) > 0 {
		change = append(change, bson.E{Key: "$unset", Value: absent})
	}
	_, err = s.DB.UpdateOne(ctx, institutes, bson.D{{Key: "_id", Value: code}}, change, docdb.Update{})
	return outageOrNil("update receipts", err)
}
