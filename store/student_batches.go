package store

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// studentBatches are the students of a class in the order of their keys, at most
// batchSize at a time, with only these fields; spelt is the class in each of the
// ways in which students have it, "" alone is every student.
//
// The order is one over all of spelt: a student whose class is written in
// another of these ways meanwhile is neither missed nor met twice. Each batch is
// read by itself, so that no long read keeps the store from tidying up.
func (s *Store) studentBatches(ctx context.Context, institute string, spelt []string, fields ...string) iter.Seq2[[]fees.Student, error] {
	return func(yield func([]fees.Student, error) bool) {
		for after, more := "", true; more; {
			var batch []fees.Student
			for _, class := range spelt {
				filter, sort := studentScope(institute, class, after)
				some, err := docdb.All[fees.Student](s.DB.Find(ctx, students, filter, docdb.Find{Sort: sort, Limit: batchSize, Fields: fields}))
				if err != nil {
					yield(nil, outage("read students", err))
					return
				}
				batch = append(batch, some...)
			}
			slices.SortFunc(batch, func(x, y fees.Student) int { return cmp.Compare(x.ID, y.ID) })
			more = len(batch) >= batchSize
			batch = batch[:min(len(batch), batchSize)]
			if len(batch) == 0 {
				return
			}
			after = batch[len(batch)-1].ID
			batch = slices.CompactFunc(batch, func(x, y fees.Student) bool { return x.ID == y.ID }) // re-spelt between two of the reads
			if !yield(batch, nil) {
				return
			}
		}
	}
}

// studentScope selects the students of a class as it is written, with "" all,
// after a key.
func studentScope(institute, class, after string) (bson.D, []docdb.Key) {
	keys := underAfter(fees.Key(institute, ""), after)
	if class == "" {
		return bson.D{keys}, []docdb.Key{{Path: "_id"}}
	}
	return bson.D{{Key: "institute", Value: institute}, {Key: "class", Value: class}, keys},
		[]docdb.Key{{Path: "institute"}, {Path: "class"}, {Path: "_id"}}
}
