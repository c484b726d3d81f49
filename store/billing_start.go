package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// runLease is how long a run counts as alive after it last said so; it says so
// with every batch.
const runLease = 30 * time.Second

// StartRun makes a billing run, for ExecuteRun to do. The same order again is
// the same run. Codes: Invalid with Fields run_id, period or class; NotFound
// (the institute); Conflict (the same id with other content, or the period is
// being billed already, by whatever process).
func (s *Store) StartRun(ctx context.Context, institute string, o fees.RunOrder) (fees.Run, error) {
	if !fees.ValidID(o.ID) {
		message := "This form is damaged. Open the billing page again and start the run from there."
		return fees.Run{}, &fees.Error{Code: fees.Invalid, Message: message, Fields: map[string]string{"run_id": message}}
	}
	// First, so that it is the same run whatever became of its period and class.
	if there, err := s.Run(ctx, institute, o.ID); fees.CodeOf(err) != fees.NotFound {
		return sameRun(o, there, err)
	}
	b, err := s.openBilling(ctx, institute, o.Period, o.Class)
	if err != nil {
		return fees.Run{}, err
	}
	now := s.instant()
	run := fees.Run{
		ID: fees.Key(institute, o.ID), Institute: institute, Period: b.period.Code, Class: b.class, Reprice: o.Reprice,
		State: fees.RunQueued, Active: true, By: cmp.Or(o.By.Name, o.By.Login), StartedAt: now, LeaseUntil: now.Add(runLease),
	}
	for range writeAttempts {
		err = s.DB.InsertOne(ctx, runs, run)
		if err == nil {
			return run, nil
		}
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			return fees.Run{}, outage("start billing run", err)
		}
		there, unread := s.Run(ctx, institute, o.ID)
		if unread == nil {
			return sameRun(o, there, nil)
		}
		if !docdb.IsDuplicate(err) { // it may still arrive
			break
		}
		if err := s.endLeft(ctx, b); err != nil {
			return fees.Run{}, err
		}
	}
	return fees.Run{}, unconfirmed("start billing run", lostAnswer, err)
}

// sameRun answers an order whose id was used before.
func sameRun(o fees.RunOrder, there fees.Run, err error) (fees.Run, error) {
	switch {
	case err != nil:
		return fees.Run{}, err
	case !o.Orders(there):
		return fees.Run{}, fees.Errorf(fees.Conflict, "This form already started a run of %s. Nothing was changed.", there.Period)
	}
	return there, nil
}

// endLeft makes way for a run of the period: the active one is ended where its
// lease ran out. Conflict where it is alive.
func (s *Store) endLeft(ctx context.Context, b *billing) error {
	var run fees.Run
	filter := bson.D{{Key: "institute", Value: b.inst.Code}, {Key: "period", Value: b.period.Code}, {Key: "active", Value: true}}
	err := s.DB.FindOne(ctx, runs, filter, docdb.Find{}, &run)
	switch {
	case errors.Is(err, docdb.ErrNotFound):
		return nil
	case err != nil:
		return outage("start billing run", err)
	case run.LeaseUntil.After(s.instant()):
		return fees.Errorf(fees.Conflict, "A run of %s is already going, started by %s at %s. If it was broken off, another can start half a minute later.", run.Period, run.By,
			run.StartedAt.In(b.inst.Location()).Format("15:04 on 2 January"))
	}
	_, err = s.DB.UpdateOne(ctx, runs,
		append(one(run.Institute, run.ID), bson.E{Key: "active", Value: true}, bson.E{Key: "leaseUntil", Value: run.LeaseUntil}),
		failed("It was left unfinished, and a later run took its place."), docdb.Update{})
	return outageOrNil("end a billing run that was left", err)
}

// unfinished selects the runs that are not done, by their lease.
func unfinished(institute string, lease bson.E) bson.D {
	return bson.D{
		{Key: "institute", Value: institute},
		{Key: "state", Value: bson.D{{Key: "$in", Value: []fees.RunState{fees.RunQueued, fees.RunRunning}}}},
		{Key: "leaseUntil", Value: bson.D{lease}},
	}
}

// Run is the billing run of this id, the part of the key after the institute;
// NotFound.
func (s *Store) Run(ctx context.Context, institute, id string) (fees.Run, error) {
	var run fees.Run
	err := s.DB.FindOne(ctx, runs, one(institute, fees.Key(institute, id)), docdb.Find{}, &run)
	if errors.Is(err, docdb.ErrNotFound) {
		return run, fees.Errorf(fees.NotFound, "There is no such billing run.")
	}
	return run, outageOrNil("read billing run", err)
}

// Runs are the newest billing runs, at most limit of them (1 to 200).
func (s *Store) Runs(ctx context.Context, institute string, limit int64) ([]fees.Run, error) {
	all, err := docdb.All[fees.Run](s.DB.Find(ctx, runs, bson.D{under(fees.Key(institute, ""))},
		docdb.Find{Sort: []docdb.Key{{Path: "_id", Desc: true}}, Limit: pageSize(limit)}))
	return all, outageOrNil("list billing runs", err)
}
