package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Shift is the till whose key after the institute is id; NotFound.
func (s *Store) Shift(ctx context.Context, institute, id string) (fees.Shift, error) {
	var shift fees.Shift
	err := s.DB.FindOne(ctx, shifts, one(institute, fees.Key(institute, id)), docdb.Find{}, &shift)
	if errors.Is(err, docdb.ErrNotFound) {
		return shift, fees.Errorf(fees.NotFound, "There is no such till.")
	}
	return shift, outageOrNil("read till", err)
}

// ShiftOf is the till that a cashier has open, or that is being closed; ok is
// false where there is none. Codes: Unavailable.
func (s *Store) ShiftOf(ctx context.Context, institute, login string) (shift fees.Shift, ok bool, err error) {
	err = s.DB.FindOne(ctx, shifts, bson.D{
		{Key: "institute", Value: institute}, {Key: "cashier", Value: login}, {Key: "active", Value: true},
	}, docdb.Find{}, &shift)
	if errors.Is(err, docdb.ErrNotFound) {
		return shift, false, nil
	}
	return shift, err == nil, outageOrNil("read till", err)
}

// OpenShifts are the tills of the institute that are not closed, by cashier.
func (s *Store) OpenShifts(ctx context.Context, institute string) ([]fees.Shift, error) {
	all, err := docdb.All[fees.Shift](s.DB.Find(ctx, shifts, bson.D{{Key: "institute", Value: institute}, {Key: "active", Value: true}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "cashier"}}}))
	return all, outageOrNil("list tills", err)
}

// Shifts are tills, the newest first, a page of at most limit (1 to 200) after
// the key that the page before ended with; of one cashier, or with "" of all.
func (s *Store) Shifts(ctx context.Context, institute, cashier, after string, limit int64) (fees.Page[fees.Shift], error) {
	var page fees.Page[fees.Shift]
	key := bson.D{{Key: "$gt", Value: fees.Key(institute, "")}, {Key: "$lt", Value: fees.Key(institute, lastRune)}}
	if after != "" {
		if !fees.ValidID(after) {
			return page, fees.Errorf(fees.Invalid, "That is not a page of this list. Open the list again.")
		}
		key[1].Value = fees.Key(institute, after)
	}
	filter := bson.D{{Key: "_id", Value: key}}
	sort := []docdb.Key{{Path: "_id", Desc: true}}
	if cashier != "" {
		filter = bson.D{{Key: "institute", Value: institute}, {Key: "cashier", Value: cashier}, {Key: "_id", Value: key}}
		sort = []docdb.Key{{Path: "institute", Desc: true}, {Path: "cashier", Desc: true}, {Path: "_id", Desc: true}}
	}
	limit = pageSize(limit)
	all, err := docdb.All[fees.Shift](s.DB.Find(ctx, shifts, filter, docdb.Find{Sort: sort, Limit: limit + 1}))
	if err != nil {
		return page, outage("list tills", err)
	}
	if page.Items = all; int64(len(all)) > limit {
		page.Items = all[:limit]
		page.Next = all[limit-1].ShortID()
	}
	return page, nil
}

// ShiftCash is the net cash of a till's rows, from an index alone.
func (s *Store) ShiftCash(ctx context.Context, institute, id string) (fees.Amount, error) {
	groups, err := s.DB.Group(ctx, payments, ofShift(institute, id), docdb.Group{Accs: []docdb.Acc{{As: "cash", Op: docdb.Sum, Path: "cash"}}})
	if err != nil {
		return 0, outage("sum the cash of a till", err)
	}
	var sum struct {
		Cash fees.Amount `bson:"cash"`
	}
	if len(groups) > 0 {
		err = bson.Unmarshal(groups[0], &sum)
	}
	return sum.Cash, outageOrNil("sum the cash of a till", err)
}

// ShiftSums are what the rows of a till come to: those kept on it once it is
// closed, and until then those of its rows.
func (s *Store) ShiftSums(ctx context.Context, shift fees.Shift) (fees.TillSums, error) {
	if shift.Sums != nil {
		return *shift.Sums, nil
	}
	return s.sumShift(ctx, shift)
}

// sumShift sums a till's rows.
func (s *Store) sumShift(ctx context.Context, shift fees.Shift) (fees.TillSums, error) {
	var sums fees.TillSums
	for raw, err := range s.DB.Find(ctx, payments, ofShift(shift.Institute, shift.ShortID()),
		docdb.Find{Fields: []string{"kind", "fy", "series", "number", "numberText", "tenders"}}) {
		var row fees.Row
		if err == nil {
			err = bson.Unmarshal(raw, &row)
		}
		if err != nil {
			return sums, fmt.Errorf("sum a till: %w", outage("read rows", err))
		}
		sums.Add(&row)
	}
	return sums, nil
}

// ofShift selects the rows that went through a till.
func ofShift(institute, id string) bson.D {
	return bson.D{{Key: "institute", Value: institute}, {Key: "shift", Value: id}}
}
