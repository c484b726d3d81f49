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
// being billed already).
func (s *Store) StartRun(ctx context.Context, institute string, o fees.RunOrder) (fees.Run, error) {
	if !fees.ValidID(o.ID) {
		message := "This form is damaged. Open the billing page again and start the run from there."
		return fees.Run{}, &fees.Error{Code: fees.Invalid, Message: message, Fields: map[string]string{"run_id": message}}
	}
	b, err := s.openBilling(ctx, institute, o.Period, o.Class)
	if err != nil {
		return fees.Run{}, err
	}
	now := s.instant()
	run := fees.Run{
		ID: fees.Key(institute, o.ID), Institute: institute, Period: b.period.Code, Class: b.class,
		State: fees.RunQueued, By: cmp.Or(o.By.Name, o.By.Login), StartedAt: now, LeaseUntil: now.Add(runLease),
	}
	if there, err := s.Run(ctx, institute, o.ID); fees.CodeOf(err) != fees.NotFound {
		return sameRun(run, there, err)
	}
	if err := s.notBilling(ctx, b); err != nil {
		return fees.Run{}, err
	}
	err = s.DB.InsertOne(ctx, runs, run)
	if docdb.IsDuplicate(err) || errors.Is(err, docdb.ErrUnknownOutcome) {
		there, unread := s.Run(ctx, institute, o.ID)
		if unread != nil { // it may still arrive
			return fees.Run{}, unconfirmed("start billing run", lostAnswer, err)
		}
		return sameRun(run, there, nil)
	}
	if err != nil {
		return fees.Run{}, outage("start billing run", err)
	}
	return run, nil
}

// sameRun answers an order whose id was used before.
func sameRun(want, there fees.Run, err error) (fees.Run, error) {
	switch {
	case err != nil:
		return fees.Run{}, err
	case there.Period != want.Period || there.Class != want.Class:
		return fees.Run{}, fees.Errorf(fees.Conflict, "This form already started a run of %s. Nothing was changed.", there.Period)
	}
	return there, nil
}

// notBilling refuses a period that a live run is at. Two runs at once would
// bill once all the same; this only spares people the second.
func (s *Store) notBilling(ctx context.Context, b *billing) error {
	for raw, err := range s.DB.Find(ctx, runs, unfinished(b.inst.Code, bson.E{Key: "$gt", Value: s.instant()}), docdb.Find{}) {
		if err != nil {
			return outage("start billing run", err)
		}
		var run fees.Run
		if err := bson.Unmarshal(raw, &run); err != nil {
			return outage("start billing run", err)
		}
		if run.Period == b.period.Code {
			return fees.Errorf(fees.Conflict, "A run of %s is already going, started by %s at %s.", run.Period, run.By,
				run.StartedAt.In(b.inst.Location()).Format("15:04 on 2 January"))
		}
	}
	return nil
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
