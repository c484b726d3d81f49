package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// SetUserDisabled shuts a user of an institute out, or lets them in again; to
// do it twice changes nothing. The last administrator who can log in is not
// disabled. Codes: NotFound (no such login in this institute), Invalid.
func (s *Store) SetUserDisabled(ctx context.Context, institute, login string, disabled bool, by fees.Actor) error {
	user, err := s.userOf(ctx, institute, login)
	if err != nil || user.Disabled == disabled {
		return err
	}
	if !disabled {
		return s.enableUser(ctx, institute, login, by)
	}
	if err := s.checkAnotherAdmin(ctx, user); err != nil {
		return err
	}
	filter := append(one(institute, login), notDisabled())
	res, err := s.DB.UpdateOne(ctx, users, filter, s.stamped("disabled", true, by), docdb.Update{})
	if err != nil {
		return outage("disable user", err)
	}
	if res.Matched == 0 {
		return nil // disabled by somebody else just now
	}
	// Looked at again: of two administrators who disable each other at once, both
	// have passed the first look. Whoever finds nobody left takes it back.
	if bad := s.checkAnotherAdmin(ctx, user); bad != nil {
		if err := s.enableUser(ctx, institute, login, by); err != nil {
			return err
		}
		return bad
	}
	return nil
}

func (s *Store) enableUser(ctx context.Context, institute, login string, by fees.Actor) error {
	update := bson.D{
		{Key: "$unset", Value: bson.D{{Key: "disabled", Value: ""}}},
		{Key: "$set", Value: s.stamp(by)},
	}
	_, err := s.DB.UpdateOne(ctx, users, one(institute, login), update, docdb.Update{})
	return outageOrNil("enable user", err)
}

// SetPassword gives a user of an institute another password and forgets the
// wrong ones they typed, so that they can log in with it at once. Codes:
// NotFound (no such login in this institute), Invalid with Fields password.
func (s *Store) SetPassword(ctx context.Context, institute, login, password string, by fees.Actor) error {
	if _, err := s.userOf(ctx, institute, login); err != nil {
		return err
	}
	if bad := checkPassword(password); bad != nil {
		return refusal("The password was not changed.", map[string]string{"password": bad.Message})
	}
	hash, err := s.newHash(ctx, password)
	if err != nil {
		return outage("set password", err)
	}
	if _, err := s.DB.UpdateOne(ctx, users, one(institute, login), s.stamped("password", hash, by), docdb.Update{}); err != nil {
		return outage("set password", err)
	}
	if _, err := s.DB.DeleteOne(ctx, attempts, bson.D{{Key: "_id", Value: attemptAccount(login)}}); err != nil {
		s.Log.WarnContext(ctx, "failed logins stay counted after a new password", "error", err)
	}
	return nil
}

// userOf is the user of this login in this institute. One of another institute
// is NotFound like one who does not exist.
func (s *Store) userOf(ctx context.Context, institute, login string) (fees.User, error) {
	user, err := s.User(ctx, login)
	if err == nil && user.Institute != institute {
		return fees.User{}, fees.Errorf(fees.NotFound, "There is no user %s.", login)
	}
	return user, err
}

// checkAnotherAdmin refuses to disable an administrator who is the last one
// able to log in: nobody could let anybody in again.
func (s *Store) checkAnotherAdmin(ctx context.Context, user fees.User) error {
	if user.Role != fees.RoleAdmin {
		return nil
	}
	others, err := s.DB.Count(ctx, users, bson.D{
		{Key: "institute", Value: user.Institute},
		{Key: "_id", Value: bson.D{{Key: "$ne", Value: user.Login}}},
		{Key: "role", Value: fees.RoleAdmin},
		notDisabled(),
	}, 1)
	if err != nil {
		return outage("count administrators", err)
	}
	if others == 0 {
		return fees.Errorf(fees.Invalid, "%s is the last administrator who can log in. Add or enable another one first.", user.Login)
	}
	return nil
}

func notDisabled() bson.E {
	return bson.E{Key: "disabled", Value: bson.D{{Key: "$ne", Value: true}}}
}

// stamp is when and by whom a user was last changed.
func (s *Store) stamp(by fees.Actor) bson.D {
	return bson.D{{Key: "changedAt", Value: s.instant()}, {Key: "changedBy", Value: by.Login}}
}

// stamped is the update that sets one field of a user.
func (s *Store) stamped(field string, value any, by fees.Actor) bson.D {
	return bson.D{{Key: "$set", Value: append(s.stamp(by), bson.E{Key: field, Value: value})}}
}
