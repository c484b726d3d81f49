package store

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// ExecuteRun does a run that StartRun made, or goes on with one that was left
// half done, and answers with the run as it is then; a run that is done is
// answered as it is.
//
// It looks at each student in scope and creates the bill that is missing. A
// bill carries the run that created it, so a run that was killed and starts
// again, or is done twice at once, counts its bills as created and bills
// nobody twice. A bill that is there is never changed.
//
// Codes: NotFound; Conflict (somebody else is at it); Unavailable and
// Unconfirmed (the run stays, to be resumed); Invalid (the period cannot be
// billed any more; the run is failed).
func (s *Store) ExecuteRun(ctx context.Context, institute, id string) (fees.Run, error) {
	run, err := s.claimRun(ctx, institute, id)
	if err != nil || run.State == fees.RunDone {
		return run, err
	}
	if run.Tally, err = s.billAll(ctx, run); err != nil {
		return s.stopRun(ctx, run, err)
	}
	run.State, run.FinishedAt, run.LeaseUntil = fees.RunDone, s.instant(), time.Time{}
	_, err = s.DB.UpdateOne(ctx, runs, one(institute, run.ID), bson.D{
		{Key: "$set", Value: bson.D{{Key: "state", Value: run.State}, {Key: "finishedAt", Value: run.FinishedAt}, {Key: "tally", Value: run.Tally}}},
		{Key: "$unset", Value: bson.D{{Key: "leaseUntil", Value: ""}}},
	}, docdb.Update{})
	if err != nil {
		return run, begun("finish billing run", err)
	}
	return run, nil
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
			{Key: "$set", Value: bson.D{{Key: "state", Value: fees.RunRunning}, {Key: "leaseUntil", Value: now.Add(runLease)}}},
			{Key: "$unset", Value: bson.D{{Key: "error", Value: ""}, {Key: "finishedAt", Value: ""}}},
		}, docdb.Update{After: true}, &run)
	if errors.Is(err, docdb.ErrNotFound) {
		run, err := s.Run(ctx, institute, id)
		if err == nil && run.State != fees.RunDone {
			return run, fees.Errorf(fees.Conflict, "This run of %s is going already.", run.Period)
		}
		return run, err
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
	b.run = run.ID
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

// bill creates the bills that the batch lacks and counts them. It reads before
// it writes, and reads again whatever it did not see itself create: after an
// unknown outcome, and where another run was faster.
func (b *billing) bill(ctx context.Context, batch []fees.Student, tally *fees.RunTally) error {
	var failed error
	var uncounted []fees.Bill
	for range 2 * writeAttempts {
		all, err := b.compare(ctx, batch)
		if err != nil {
			return err
		}
		var missing []compared
		var ops []docdb.UpdateOp
		for _, c := range all {
			if c.verdict != toCreate {
				c.count(tally)
				if c.verdict == created && c.bill.Uncounted {
					uncounted = append(uncounted, c.bill)
				}
				continue
			}
			op, err := billOp(c.bill)
			if err != nil {
				return err
			}
			missing, ops = append(missing, c), append(ops, op)
		}
		if len(ops) == 0 {
			_, err := b.s.countBills(ctx, b.inst.Code, uncounted)
			return outageOrNil("count bills", err)
		}
		res, err := b.s.DB.BulkWrite(ctx, bills, ops, false)
		if err != nil && !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			return outage("create bills", err)
		}
		failed = err
		batch = batch[:0:0]
		mine := map[int]bool{}
		if err == nil {
			for _, i := range res.Upserts {
				mine[i] = true
			}
		}
		for i, c := range missing {
			if mine[i] {
				c.count(tally)
				uncounted = append(uncounted, c.bill)
			} else {
				batch = append(batch, c.student)
			}
		}
		if len(batch) == 0 {
			_, err := b.s.countBills(ctx, b.inst.Code, uncounted)
			return outageOrNil("count bills", err)
		}
	}
	if failed == nil {
		failed = docdb.ErrUnknownOutcome
	}
	return outage("create bills", failed)
}

// renewRun shows how far the run is, and that it is alive.
func (s *Store) renewRun(ctx context.Context, run fees.Run, tally fees.RunTally) error {
	_, err := s.DB.UpdateOne(ctx, runs,
		append(one(run.Institute, run.ID), bson.E{Key: "state", Value: fees.RunRunning}),
		bson.D{{Key: "$set", Value: bson.D{{Key: "tally", Value: tally}, {Key: "leaseUntil", Value: s.instant().Add(runLease)}}}},
		docdb.Update{})
	if errors.Is(err, docdb.ErrUnknownOutcome) {
		return nil // the next batch says it again
	}
	return outageOrNil("renew billing run", err)
}

// stopRun notes why a run did not get to its end. What the store or a shutdown
// broke is resumed; anything else has failed.
func (s *Store) stopRun(ctx context.Context, run fees.Run, cause error) (fees.Run, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	note := bson.D{{Key: "leaseUntil", Value: s.instant()}}
	code := fees.CodeOf(cause)
	if code != fees.Unavailable && code != fees.Unconfirmed {
		run.State, run.Error = fees.RunFailed, "The run stopped because of a fault. Start it again; what it billed stays billed once."
		var said *fees.Error
		if errors.As(cause, &said) {
			run.Error = said.Message
		}
		note = bson.D{{Key: "state", Value: run.State}, {Key: "error", Value: run.Error}}
	}
	note = append(note, bson.E{Key: "tally", Value: run.Tally})
	if _, err := s.DB.UpdateOne(ctx, runs, one(run.Institute, run.ID), bson.D{{Key: "$set", Value: note}}, docdb.Update{}); err != nil {
		s.Log.WarnContext(ctx, "a stopped billing run waits for its lease to run out", "run", run.ID, "err", err)
	}
	return run, begun("billing run", cause)
}
