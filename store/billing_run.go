package store

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// errOvertaken: the run is no longer this worker's to do.
var errOvertaken = errors.New("the run was cancelled, or somebody else goes on with it")

// ExecuteRun does a run that StartRun made, or goes on with one that was left
// half done, and answers with the run as it is then; a run that is done, or
// cancelled, is answered as it is.
//
// It looks at each student in scope and creates the bill that is missing. A
// bill carries the run that created or re-priced it, so a run that was killed
// and starts again, or is done twice at once, counts its bills as its own and
// bills nobody twice. A bill that is there is changed only where the run was
// ordered with Reprice.
//
// Codes: NotFound; Conflict (somebody else is at it, or at another run of the
// period); Unavailable and Unconfirmed (the run stays, to be resumed); Invalid
// (the period cannot be billed any more; the run is failed).
func (s *Store) ExecuteRun(ctx context.Context, institute, id string) (fees.Run, error) {
	run, err := s.claimRun(ctx, institute, id)
	if err != nil || run.State != fees.RunRunning {
		return run, err
	}
	if run.Tally, err = s.billAll(ctx, run); err == nil {
		err = s.finishRun(ctx, &run)
	}
	if errors.Is(err, errOvertaken) {
		return s.overtakenRun(ctx, run)
	}
	if err != nil {
		return s.stopRun(ctx, run, err)
	}
	return run, nil
}

// finishRun notes that the run is done.
func (s *Store) finishRun(ctx context.Context, run *fees.Run) error {
	run.State, run.Active, run.FinishedAt, run.LeaseUntil = fees.RunDone, false, s.instant(), time.Time{}
	res, err := s.DB.UpdateOne(ctx, runs, mine(*run), bson.D{
		{Key: "$set", Value: bson.D{{Key: "state", Value: run.State}, {Key: "finishedAt", Value: run.FinishedAt}, {Key: "tally", Value: run.Tally}}},
		{Key: "$unset", Value: bson.D{{Key: "leaseUntil", Value: ""}, {Key: "active", Value: ""}}},
	}, docdb.Update{})
	if err == nil && res.Matched == 0 {
		return errOvertaken
	}
	return outageOrNil("finish billing run", err)
}

// mine selects the run as long as whoever claimed it may go on.
func mine(run fees.Run) bson.D {
	return append(one(run.Institute, run.ID), bson.E{Key: "state", Value: fees.RunRunning}, bson.E{Key: "claim", Value: run.Claim})
}

// claimRun takes the lease of a run that nobody is at.
func (s *Store) claimRun(ctx context.Context, institute, id string) (fees.Run, error) {
	now := s.instant()
	var run fees.Run
	err := s.DB.FindOneAndUpdate(ctx, runs,
		append(one(institute, fees.Key(institute, id)), bson.E{Key: "$or", Value: bson.A{
			bson.D{{Key: "state", Value: bson.D{{Key: "$in", Value: []fees.RunState{fees.RunQueued, fees.RunFailed}}}}},
			bson.D{{Key: "state", Value: fees.RunRunning}, {Key: "leaseUntil", Value: bson.D{{Key: "$lte", Value: now}}}},
		}}),
		bson.D{
			{Key: "$set", Value: bson.D{
				{Key: "state", Value: fees.RunRunning}, {Key: "active", Value: true},
				{Key: "claimedAt", Value: now}, {Key: "leaseUntil", Value: now.Add(runLease)},
			}},
			{Key: "$inc", Value: bson.D{{Key: "claim", Value: int64(1)}}},
			{Key: "$unset", Value: bson.D{{Key: "error", Value: ""}, {Key: "finishedAt", Value: ""}}},
		}, docdb.Update{After: true}, &run)
	if errors.Is(err, docdb.ErrNotFound) || docdb.IsDuplicate(err) {
		run, unread := s.Run(ctx, institute, id)
		switch {
		case unread != nil:
			return run, unread
		case docdb.IsDuplicate(err):
			return run, fees.Errorf(fees.Conflict, "Another run of %s is going already.", run.Period)
		case run.Active:
			return run, fees.Errorf(fees.Conflict, "This run of %s is going already.", run.Period)
		}
		return run, nil
	}
	return run, outageOrNil("claim billing run", err)
}

// billAll bills everybody in the run's scope.
func (s *Store) billAll(ctx context.Context, run fees.Run) (fees.RunTally, error) {
	var tally fees.RunTally
	b, err := s.openBilling(ctx, run.Institute, run.Period, run.Class)
	if err != nil {
		return tally, err
	}
	b.run, b.by, b.pricing = run.ID, run.By, run.Reprice
	if err := b.readFamilies(ctx); err != nil {
		return tally, err
	}
	if tally.Students, err = b.count(ctx); err != nil {
		return tally, err
	}
	for batch, err := range b.batches(ctx) {
		if err != nil {
			return tally, err
		}
		if err := b.bill(ctx, batch, &tally); err != nil {
			return tally, err
		}
		if err := s.renewRun(ctx, run, tally); err != nil {
			return tally, err
		}
	}
	tally.Students = tally.Done
	return tally, nil
}

// renewRun shows how far the run is, and that it is alive.
func (s *Store) renewRun(ctx context.Context, run fees.Run, tally fees.RunTally) error {
	res, err := s.DB.UpdateOne(ctx, runs, mine(run),
		bson.D{{Key: "$set", Value: bson.D{{Key: "tally", Value: tally}, {Key: "leaseUntil", Value: s.instant().Add(runLease)}}}},
		docdb.Update{})
	switch {
	case errors.Is(err, docdb.ErrUnknownOutcome):
		return nil // the next batch says it again
	case err == nil && res.Matched == 0:
		return errOvertaken
	}
	return outageOrNil("renew billing run", err)
}

// overtakenRun is the end of a run that was cancelled, which then tells all that
// was billed, or that somebody else goes on with.
func (s *Store) overtakenRun(ctx context.Context, run fees.Run) (fees.Run, error) {
	there, err := s.Run(ctx, run.Institute, fees.After(run.ID))
	if err != nil {
		return there, err
	}
	if there.State != fees.RunCancelled || there.Claim != run.Claim {
		return there, fees.Errorf(fees.Conflict, "Somebody else goes on with this run of %s.", run.Period)
	}
	there.Tally = run.Tally
	_, err = s.DB.UpdateOne(ctx, runs, append(one(run.Institute, run.ID), bson.E{Key: "claim", Value: run.Claim}), set("tally", run.Tally), docdb.Update{})
	return there, outageOrNil("note what a cancelled run did", err)
}

// stopRun notes why a run did not get to its end. What the store or a shutdown
// broke is resumed; anything else has failed.
func (s *Store) stopRun(ctx context.Context, run fees.Run, cause error) (fees.Run, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	update := bson.D{{Key: "$set", Value: bson.D{{Key: "leaseUntil", Value: s.instant()}, {Key: "tally", Value: run.Tally}}}}
	code := fees.CodeOf(cause)
	if code != fees.Unavailable && code != fees.Unconfirmed {
		run.State, run.Active, run.Error = fees.RunFailed, false, "The run stopped because of a fault. Start it again; what it billed stays billed once."
		var said *fees.Error
		if errors.As(cause, &said) {
			run.Error = said.Message
		}
		update = failed(run.Error, bson.E{Key: "tally", Value: run.Tally})
	}
	if _, err := s.DB.UpdateOne(ctx, runs, mine(run), update, docdb.Update{}); err != nil {
		s.Log.WarnContext(ctx, "a stopped billing run waits for its lease to run out", "run", run.ID, "err", err)
	}
	return run, begun("billing run", cause)
}

// failed is the update that ends a run without its being done.
func failed(reason string, more ...bson.E) bson.D {
	return bson.D{
		{Key: "$set", Value: append(bson.D{{Key: "state", Value: fees.RunFailed}, {Key: "error", Value: reason}}, more...)},
		{Key: "$unset", Value: bson.D{{Key: "active", Value: ""}, {Key: "leaseUntil", Value: ""}}},
	}
}
