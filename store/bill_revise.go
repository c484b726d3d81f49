package store

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// reviseBill makes old, as it was read, what next says; countBills comes next.
// The bill keeps what it said before. Codes: Conflict (it has changed since it
// was read), Unavailable, Unconfirmed.
func (s *Store) reviseBill(ctx context.Context, old, next fees.Bill, why fees.Revised) (fees.Bill, error) {
	next, op, err := s.reviseOp(old, next, why)
	if err != nil {
		return old, err
	}
	res, err := s.DB.UpdateOne(ctx, bills, op.Filter, op.Update, docdb.Update{})
	if errors.Is(err, docdb.ErrUnknownOutcome) || err == nil && res.Matched == 0 {
		var there fees.Bill
		unread := s.DB.FindOne(ctx, bills, one(old.Institute, old.ID), docdb.Find{}, &there)
		switch {
		case unread != nil && err != nil:
			return old, unconfirmed("revise bill", lostAnswer, err)
		case unread != nil:
			return old, outage("revise bill", unread)
		case there.Body == next.Body: // it is what this wrote
		case err == nil || there.Revision != old.Revision || there.Differences != old.Differences:
			return old, fees.Errorf(fees.Conflict, "The bill %s has changed in the meantime. Look at it again.", old.Title)
		default:
			return old, unconfirmed("revise bill", lostAnswer, err)
		}
	} else if err != nil {
		return old, outage("revise bill", err)
	}
	return next, nil
}

// reviseOp is the one write that changes a bill, and the bill as it will be. It
// matches only the revision that was read, and only while the bill has no more
// difference bills than it had: two changes at once make one. A late fee that
// grows again keeps what it was before it first did.
func (s *Store) reviseOp(old, next fees.Bill, why fees.Revised) (fees.Bill, docdb.UpdateOp, error) {
	next.Net = fees.NetOf(next.Lines)
	next.Revision = old.Revision + 1
	next.Revisions = slices.Clone(old.Revisions)
	if n := len(next.Revisions); n > 0 && next.Revisions[n-1].Grew() && why.Grew() {
		next.Revisions[n-1].Reason = why.Reason // or a late fee would keep each of its days
	} else {
		next.Revisions = append(next.Revisions, fees.BillRevision{
			Revision: old.Revision, Lines: old.Lines, Net: old.Net, At: s.instant(), Run: why.Run, By: why.By, Reason: why.Reason,
		})
	}
	return changeBillOp(old, next, true)
}

// changeBillOp is the write that makes old what next says, sealed again.
func changeBillOp(old, next fees.Bill, uncounted bool) (fees.Bill, docdb.UpdateOp, error) {
	next, err := sealed(next)
	if err != nil {
		return next, docdb.UpdateOp{}, err
	}
	next.Uncounted = uncounted || old.Uncounted
	had, err := ownFields(old)
	if err != nil {
		return next, docdb.UpdateOp{}, err
	}
	// All of them, not only those that differ: the mark that old was read with
	// may have been taken off since.
	fields, err := ownFields(next)
	if err != nil {
		return next, docdb.UpdateOp{}, err
	}
	update := bson.D{{Key: "$set", Value: fields}}
	var gone bson.D
	for _, e := range had {
		if !slices.ContainsFunc(fields, func(f bson.E) bool { return f.Key == e.Key }) {
			gone = append(gone, bson.E{Key: e.Key, Value: ""})
		}
	}
	if gone != nil {
		update = append(update, bson.E{Key: "$unset", Value: gone})
	}
	return next, docdb.UpdateOp{
		Filter: append(one(old.Institute, old.ID), unlessZero("revision", old.Revision), unlessZero("differences", old.Differences)),
		Update: update,
	}, nil
}

// unlessZero selects a field's value; a count that is 0 is not there.
func unlessZero(field string, n int64) bson.E {
	if n == 0 {
		return bson.E{Key: field, Value: bson.D{{Key: "$exists", Value: false}}}
	}
	return bson.E{Key: field, Value: n}
}
