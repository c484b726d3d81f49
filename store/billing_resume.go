package store

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// ResumeRuns goes on with every run that was left: its lease ran out. It is
// called at start and now and then; a run that is under way is let be.
func (s *Store) ResumeRuns(ctx context.Context) error {
	all, err := s.Institutes(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, inst := range all {
		left, err := s.leftRuns(ctx, inst.Code)
		if err != nil {
			return outage("find billing runs", err)
		}
		for _, run := range left {
			if _, err := s.ExecuteRun(ctx, inst.Code, fees.After(run.ID)); err != nil && fees.CodeOf(err) != fees.Conflict {
				failed = append(failed, err)
			}
		}
	}
	return errors.Join(failed...)
}

// LeftRun is the newest run that was left unfinished, that nobody is at, and
// that the order could have started, for ExecuteRun to go on with. NotFound.
func (s *Store) LeftRun(ctx context.Context, institute string, o fees.RunOrder) (fees.Run, error) {
	all, err := s.leftRuns(ctx, institute)
	if err != nil {
		return fees.Run{}, outage("find billing runs", err)
	}
	var newest fees.Run
	for _, run := range all {
		if o.Orders(run) && run.ID > newest.ID {
			newest = run
		}
	}
	if newest.ID == "" {
		return newest, fees.Errorf(fees.NotFound, "No run of %s was left unfinished.", leading(o.Period, 40))
	}
	return newest, nil
}

// leftRuns are the unfinished runs whose lease ran out.
func (s *Store) leftRuns(ctx context.Context, institute string) ([]fees.Run, error) {
	return docdb.All[fees.Run](s.DB.Find(ctx, runs, unfinished(institute, bson.E{Key: "$lte", Value: s.instant()}), docdb.Find{}))
}

// TakeOverRuns ends the lease of every unfinished run: whoever held it is dead.
// Only a caller who knows that may call it, which on an embedded store is the
// one who has just opened it for writing.
func (s *Store) TakeOverRuns(ctx context.Context) error {
	all, err := s.Institutes(ctx)
	if err != nil {
		return err
	}
	over := time.UnixMilli(0).UTC() // long past on any clock, one that was set back too
	for _, inst := range all {
		held, err := docdb.All[fees.Run](s.DB.Find(ctx, runs, unfinished(inst.Code, bson.E{Key: "$gt", Value: over}), docdb.Find{}))
		if err != nil {
			return outage("find billing runs", err)
		}
		for _, run := range held {
			if _, err := s.DB.UpdateOne(ctx, runs, one(inst.Code, run.ID), set("leaseUntil", over), docdb.Update{}); err != nil {
				return outage("take over billing run", err)
			}
		}
	}
	return nil
}
