package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// TakeHold holds a student for the page that token, a ULID, names, with the form
// of the payment of id form on it: when nobody holds the student, when the hold has
// run out, and when it is another page's of the same person, which it is taken
// from. Where somebody else collects it is a Conflict, and the hold is theirs.
// Other codes: Unavailable, Unconfirmed.
//
// It is one write; the TTL of the collection only cleans up.
func (s *Store) TakeHold(ctx context.Context, institute, student string, by fees.Actor, token, form string) (fees.Hold, error) {
	free := append(s.ranOut(), bson.D{{Key: "holder", Value: by.Login}})
	return s.takeHold(ctx, institute, student, by, token, form, free)
}

// RenewHold lets the page that has the student keep it, and have it again where
// the hold ran out and nobody took it. Where somebody else has taken it, or
// another page of the same person, it is a Conflict, and the hold is theirs.
// Other codes: Unavailable, Unconfirmed.
func (s *Store) RenewHold(ctx context.Context, institute, student string, by fees.Actor, token string) (fees.Hold, error) {
	var h fees.Hold
	err := s.DB.FindOneAndUpdate(ctx, holds,
		append(one(institute, fees.Key(institute, student)), bson.E{Key: "token", Value: token}, bson.E{Key: "holder", Value: by.Login}),
		set("expiresAt", s.instant().Add(fees.HoldTime)), docdb.Update{After: true}, &h)
	if errors.Is(err, docdb.ErrNotFound) {
		return s.takeHold(ctx, institute, student, by, token, "", s.ranOut())
	}
	return h, outageOrNil("renew hold", err)
}

// ReleaseHold gives a student back that the page of this token holds. What it
// does not hold, or no longer, stays as it is. Codes: Unavailable, Unconfirmed.
func (s *Store) ReleaseHold(ctx context.Context, institute, student, token string) error {
	_, err := s.DB.DeleteOne(ctx, holds, append(one(institute, fees.Key(institute, student)), bson.E{Key: "token", Value: token}))
	return outageOrNil("release hold", err)
}

// LiveHold is the live hold on a student; ok is false where nobody has it.
// Codes: Unavailable.
func (s *Store) LiveHold(ctx context.Context, institute, student string) (h fees.Hold, ok bool, err error) {
	h, err = s.hold(ctx, institute, student)
	if errors.Is(err, docdb.ErrNotFound) {
		return h, false, nil
	}
	return h, err == nil && h.Live(s.instant()), outageOrNil("read hold", err)
}

// takeHold takes the hold where it is not there, or is as one of free says.
func (s *Store) takeHold(ctx context.Context, institute, student string, by fees.Actor, token, form string, free bson.A) (fees.Hold, error) {
	now := s.instant()
	taken := fees.Hold{
		ID: fees.Key(institute, student), Institute: institute, Student: student,
		Holder: by.Login, Name: by.Name, Token: token, Form: form, Since: now, ExpiresAt: now.Add(fees.HoldTime),
	}
	var err error
	sent := false // by a write whose answer was lost
	failed := func(operation string, err error) error {
		if sent {
			return unconfirmed(operation, lostAnswer, err)
		}
		return outage(operation, err)
	}
	for range writeAttempts {
		var before fees.Hold
		err = s.DB.FindOneAndUpdate(ctx, holds, append(one(institute, taken.ID), bson.E{Key: "$or", Value: free}),
			bson.D{{Key: "$set", Value: bson.D{
				{Key: "student", Value: student}, {Key: "holder", Value: taken.Holder}, {Key: "name", Value: taken.Name},
				{Key: "token", Value: token}, {Key: "form", Value: form}, {Key: "since", Value: now}, {Key: "expiresAt", Value: taken.ExpiresAt},
			}}}, docdb.Update{Upsert: true}, &before)
		switch {
		case err == nil:
			if before.Live(now) && before.Token != token {
				taken.TakenFrom = before.Since
			}
			return taken, nil
		case errors.Is(err, docdb.ErrNotFound): // there was none
			return taken, nil
		case docdb.IsDuplicate(err): // there is one, and it is not free
			there, unread := s.hold(ctx, institute, student)
			switch {
			case unread == nil && there.Token == token && there.Holder == by.Login:
				return there, nil // an answer was lost before
			case unread == nil && there.Live(now):
				return there, fees.Errorf(fees.Conflict, "%s is collecting from this student.", there.Name)
			case unread != nil && !errors.Is(unread, docdb.ErrNotFound):
				return taken, failed("read hold", unread)
			}
			err = docdb.ErrUnavailable // given back between the two: once more
		case errors.Is(err, docdb.ErrUnknownOutcome):
			sent = true
		default:
			return taken, failed("take hold", err)
		}
	}
	return taken, failed("take hold", err)
}

// hold is the hold on a student, run out or not; docdb.ErrNotFound.
func (s *Store) hold(ctx context.Context, institute, student string) (fees.Hold, error) {
	var h fees.Hold
	err := s.DB.FindOne(ctx, holds, one(institute, fees.Key(institute, student)), docdb.Find{}, &h)
	return h, err
}

// ranOut are the two ways in which a hold is not Live.
func (s *Store) ranOut() bson.A {
	now := s.instant()
	return bson.A{
		bson.D{{Key: "expiresAt", Value: bson.D{{Key: "$lte", Value: now}}}},
		bson.D{{Key: "expiresAt", Value: bson.D{{Key: "$gt", Value: now.Add(fees.MaxHold)}}}},
	}
}
