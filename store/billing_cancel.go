package store

import (
	"cmp"
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// CancelRun ends a run that is waiting or going. Whoever is at it stops after
// the batch that it is at; what is billed stays billed, and another run of the
// period bills the rest. A run that is cancelled is answered as it is. Codes:
// NotFound, Conflict (it is over).
func (s *Store) CancelRun(ctx context.Context, institute, id string, by fees.Actor) (fees.Run, error) {
	var run fees.Run
	err := s.DB.FindOneAndUpdate(ctx, runs,
		append(one(institute, fees.Key(institute, id)), bson.E{Key: "state", Value: bson.D{{Key: "$in", Value: []fees.RunState{fees.RunQueued, fees.RunRunning}}}}),
		bson.D{
			{Key: "$set", Value: bson.D{
				{Key: "state", Value: fees.RunCancelled}, {Key: "cancelledBy", Value: cmp.Or(by.Name, by.Login)}, {Key: "finishedAt", Value: s.instant()},
			}},
			{Key: "$unset", Value: bson.D{{Key: "active", Value: ""}, {Key: "leaseUntil", Value: ""}}},
		}, docdb.Update{After: true}, &run)
	if !errors.Is(err, docdb.ErrNotFound) {
		return run, outageOrNil("cancel billing run", err)
	}
	run, err = s.Run(ctx, institute, id)
	if err == nil && run.State != fees.RunCancelled {
		return run, fees.Errorf(fees.Conflict, "This run of %s is over already. Nothing was changed.", run.Period)
	}
	return run, err
}
