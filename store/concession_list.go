package store

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// ConcessionsOf are the concessions of a student, by head.
func (s *Store) ConcessionsOf(ctx context.Context, institute, student string) ([]fees.Concession, error) {
	all, err := docdb.All[fees.Concession](s.DB.Find(ctx, concessions, bson.D{under(fees.Key(institute, student, ""))},
		docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}))
	return all, outageOrNil("read concessions", err)
}

// Concessions are the concessions that the filter selects, by student, then
// head, after the given key (that of a page before, "" for the first), at most
// limit of them (1 to 200).
func (s *Store) Concessions(ctx context.Context, institute string, f fees.ConcessionFilter, after string, limit int64) (fees.Page[fees.ConcessionEntry], error) {
	limit = pageSize(limit)
	prefix := fees.Key(institute, "")
	var page fees.Page[fees.ConcessionEntry]
	if after != "" {
		after = prefix + after
	}
	for {
		batch, err := docdb.All[fees.Concession](s.DB.Find(ctx, concessions, bson.D{underAfter(prefix, after)},
			docdb.Find{Sort: []docdb.Key{{Path: "_id"}}, Limit: batchSize}))
		if err != nil {
			return page, outage("list concessions", err)
		}
		more := len(batch) == batchSize
		if more {
			after = batch[len(batch)-1].ID
		}
		found, err := s.selected(ctx, institute, f, batch)
		if err != nil {
			return page, err
		}
		for _, entry := range found {
			if int64(len(page.Items)) == limit {
				page.Next = fees.After(page.Items[limit-1].Concession.ID)
				return page, nil
			}
			page.Items = append(page.Items, entry)
		}
		if !more {
			return page, nil
		}
	}
}

// selected are those of a batch that the filter selects, with their students.
// It keeps nothing else of the batch.
func (s *Store) selected(ctx context.Context, institute string, f fees.ConcessionFilter, batch []fees.Concession) ([]fees.ConcessionEntry, error) {
	reason := strings.ToLower(strings.Join(strings.Fields(f.Reason), " "))
	batch = slices.DeleteFunc(batch, func(c fees.Concession) bool {
		return f.Head != "" && c.Head != f.Head || !slices.ContainsFunc(c.Grants, func(g fees.Grant) bool {
			return strings.Contains(strings.ToLower(g.Reason), reason)
		})
	})
	ids := make([]string, len(batch))
	for i, c := range batch {
		ids[i] = fees.Key(institute, c.Student)
	}
	slices.Sort(ids)
	there, err := s.readBatch(ctx, students, institute, slices.Compact(ids), studentFields...)
	if err != nil {
		return nil, outage("read students", err)
	}
	var found []fees.ConcessionEntry
	for _, c := range batch {
		entry := fees.ConcessionEntry{Student: fees.Student{AdmissionNo: c.Student}, Concession: c}
		if raw, known := there[fees.Key(institute, c.Student)]; known {
			if err := bson.Unmarshal(raw, &entry.Student); err != nil {
				return nil, outage("read students", err)
			}
		}
		if f.Class == "" || strings.EqualFold(entry.Student.Class, f.Class) {
			found = append(found, entry)
		}
	}
	return found, nil
}
