package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// RecordPrint logs that a row goes onto paper in a format, and says which print
// of it that is: of all that are made at once, one is the first. It comes before
// the paper, so that there is never an unmarked second. id is the row's key after
// the institute. Codes: Unavailable, Unconfirmed.
func (s *Store) RecordPrint(ctx context.Context, institute, id, format string, by fees.Actor) (fees.Print, error) {
	p := fees.Print{ID: s.NewID(), At: s.instant(), By: by.Login, Name: by.Name, Format: format}
	key := fees.Key(institute, id)
	var err error
	for range writeAttempts {
		var made fees.Print
		if made, err = s.addPrint(ctx, institute, key, p); err == nil {
			return made, nil
		}
		if !errors.Is(err, docdb.ErrUnknownOutcome) {
			break
		}
		// It may be there: then it keeps its place.
		log, read := s.Prints(ctx, institute, id)
		if read != nil {
			break
		}
		for _, there := range log.All() {
			if there.ID == p.ID {
				return there, nil
			}
		}
	}
	return fees.Print{}, outage("log print", err)
}

// addPrint adds a print to the row's log: the first by an insert, which one
// caller wins, the others by counting up.
func (s *Store) addPrint(ctx context.Context, institute, key string, p fees.Print) (fees.Print, error) {
	err := s.DB.InsertOne(ctx, prints, fees.Prints{ID: key, Institute: institute, Count: 1, Log: []fees.Print{p}})
	if err == nil {
		p.N, p.First = 1, p.At
		return p, nil
	}
	if !docdb.IsDuplicate(err) {
		return p, err
	}
	count := bson.E{Key: "$inc", Value: bson.D{{Key: "count", Value: int64(1)}}}
	var log fees.Prints
	err = s.DB.FindOneAndUpdate(ctx, prints,
		append(one(institute, key), bson.E{Key: "count", Value: bson.D{{Key: "$lt", Value: int64(fees.MaxPrintLog)}}}),
		bson.D{count, {Key: "$push", Value: bson.D{{Key: "log", Value: p}}}}, docdb.Update{After: true}, &log)
	if errors.Is(err, docdb.ErrNotFound) { // the log is full
		err = s.DB.FindOneAndUpdate(ctx, prints, one(institute, key),
			bson.D{count, {Key: "$set", Value: bson.D{{Key: "last", Value: p}}}}, docdb.Update{After: true}, &log)
	}
	if err != nil {
		return p, err
	}
	p.N, p.First = log.Count, log.Log[0].At
	return p, nil
}

// Prints is the log of a row's prints, empty where it was never printed. id is
// the row's key after the institute.
func (s *Store) Prints(ctx context.Context, institute, id string) (fees.Prints, error) {
	var log fees.Prints
	err := s.DB.FindOne(ctx, prints, one(institute, fees.Key(institute, id)), docdb.Find{}, &log)
	if errors.Is(err, docdb.ErrNotFound) {
		return log, nil
	}
	return log, outageOrNil("read prints", err)
}
