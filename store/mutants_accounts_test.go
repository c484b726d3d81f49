package store

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// The mutants of the accounts take the place of the recount that a row waits
// for before it is numbered.

// mutantBlindRecount writes what it has summed up, whoever was faster.
func (s *Store) mutantBlindRecount(ctx context.Context, institute string, students []string) (map[string]struct{}, error) {
	before, err := s.accounts(ctx, institute, students)
	if err != nil {
		return nil, err
	}
	now, err := s.sumsOf(ctx, institute, students)
	if err != nil {
		return nil, err
	}
	return nil, s.mutantWriteAccounts(ctx, institute, students, before, now, false)
}

// mutantSumsFirst compares and sets, with a version that may be newer than the
// sums.
func (s *Store) mutantSumsFirst(ctx context.Context, institute string, students []string) (map[string]struct{}, error) {
	for {
		now, err := s.sumsOf(ctx, institute, students)
		if err != nil {
			return nil, err
		}
		before, err := s.accounts(ctx, institute, students)
		if err != nil {
			return nil, err
		}
		if err := s.mutantWriteAccounts(ctx, institute, students, before, now, true); !errors.Is(err, errRaced) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			return nil, err
		}
	}
}

func (s *Store) mutantWriteAccounts(ctx context.Context, institute string, students []string, before, now map[string]fees.Account, compare bool) error {
	for _, student := range students {
		a := now[student]
		filter := one(institute, fees.Key(institute, student))
		if compare && before[student].Version > 0 {
			filter = append(filter, bson.E{Key: "version", Value: before[student].Version})
		}
		sums := bson.D{
			{Key: "student", Value: student}, {Key: "version", Value: before[student].Version + 1},
			{Key: "billed", Value: a.Billed}, {Key: "received", Value: a.Received}, {Key: "balance", Value: a.Balance},
			{Key: "bills", Value: a.Bills}, {Key: "rows", Value: a.Rows},
		}
		update, upsert := bson.D{{Key: "$set", Value: sums}}, !compare
		if compare && before[student].Version == 0 {
			update, upsert = bson.D{{Key: "$setOnInsert", Value: sums}}, true
		}
		res, err := s.DB.UpdateOne(ctx, accounts, filter, update, docdb.Update{Upsert: upsert})
		if err != nil {
			return err
		}
		if res.Modified == 0 && !res.Upserted {
			return errRaced
		}
	}
	return nil
}

// mutantNumberFirst numbers the students' rows and recounts then: a number no
// longer says that all is done.
func (s *Store) mutantNumberFirst(ctx context.Context, institute string, students []string) (map[string]struct{}, error) {
	for _, student := range students {
		rows, err := s.StudentRows(ctx, institute, student)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Awaiting {
				if _, err := s.numbers.batch(ctx, seriesOf(row), []string{row.ID}); err != nil {
					return nil, err
				}
			}
		}
	}
	return nil, s.recount(ctx, institute, students)
}

// mutantUnmarkedBill writes bills without the mark by which the sweep finds
// those that were not counted.
func mutantUnmarkedBill(coll string, update bson.D) bson.D {
	if coll != bills || update[0].Key != "$setOnInsert" {
		return update
	}
	fields := slices.DeleteFunc(slices.Clone(update[0].Value.(bson.D)), func(e bson.E) bool { return e.Key == "uncounted" })
	return bson.D{{Key: "$setOnInsert", Value: fields}}
}

// mutantUnmarkedOpening writes students without the mark by which the sweep
// finds the opening balances that were not billed.
func mutantUnmarkedOpening(coll string, update bson.D) bson.D {
	if coll != students || update[0].Key != "$set" {
		return update
	}
	fields := slices.DeleteFunc(slices.Clone(update[0].Value.(bson.D)), func(e bson.E) bool { return e.Key == "opening" })
	return append(bson.D{{Key: "$set", Value: fields}}, update[1:]...)
}
