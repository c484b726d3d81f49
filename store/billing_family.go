package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// readFamilies notes who is the second child of a family, or a later one. All
// families are read at the start, though the run may be of one class: brothers
// and sisters are in others, and a family whose name is written in two ways is
// one. Nothing is read where no rule asks for it.
func (b *billing) readFamilies(ctx context.Context) error {
	if len(b.siblings) == 0 {
		return nil
	}
	var members []fees.Student
	prefix := fees.Key(b.inst.Code, "")
	for after, more := "", true; more; {
		batch, err := docdb.All[fees.Student](b.s.DB.Find(ctx, students, bson.D{underAfter(prefix, after)},
			docdb.Find{Sort: []docdb.Key{{Path: "_id"}}, Limit: batchSize, Fields: []string{"admissionNo", "family", "status"}}))
		if err != nil {
			return outage("read families", err)
		}
		for _, st := range batch {
			if st.Family != "" && st.Status == fees.StudentActive {
				members = append(members, st)
			}
		}
		if more = len(batch) == batchSize; more {
			after = batch[len(batch)-1].ID
		}
	}
	for no, rank := range fees.SiblingRanks(members) {
		if rank > 1 {
			b.ranks[no] = rank
		}
	}
	return nil
}

// rankOf is the rank of a student in the family.
func (b *billing) rankOf(student string) int64 { return max(b.ranks[student], 1) }
