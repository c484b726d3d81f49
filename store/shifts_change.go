package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// changeShift makes a change of a till as it was read, in one write that misses
// when somebody else was faster; now is how it is then, and made says whether
// the change is in it: by this write, by one whose answer was lost, or by whoever
// did the same. Codes: NotFound, Unavailable, Unconfirmed.
func (s *Store) changeShift(ctx context.Context, was fees.Shift, assign, other bson.D, isMade func(fees.Shift) bool) (now fees.Shift, made bool, err error) {
	filter := append(one(was.Institute, was.ID), bson.E{Key: "version", Value: was.Version}, bson.E{Key: "active", Value: true})
	update := append(bson.D{{Key: "$inc", Value: bson.D{{Key: "version", Value: int64(1)}}}}, other...)
	if len(assign) > 0 {
		update = append(update, bson.E{Key: "$set", Value: assign})
	}
	sent := false
	for range writeAttempts {
		now = fees.Shift{} // what the change unsets would else stay as it was read
		err = s.DB.FindOneAndUpdate(ctx, shifts, filter, update, docdb.Update{After: true}, &now)
		if err == nil {
			return now, true, nil
		}
		if !errors.Is(err, docdb.ErrNotFound) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			break
		}
		sent = sent || errors.Is(err, docdb.ErrUnknownOutcome)
		var unread error
		now, unread = s.Shift(ctx, was.Institute, was.ShortID())
		switch {
		case unread != nil && !sent:
			return now, false, unread
		case unread != nil:
			return now, false, unconfirmed("change till", lostAnswer, err)
		case now.Version != was.Version:
			return now, isMade(now), nil
		}
	}
	if sent {
		return was, false, unconfirmed("change till", lostAnswer, err)
	}
	return was, false, outage("change till", err)
}
