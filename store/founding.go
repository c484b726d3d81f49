package store

import (
	"context"
	"maps"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// Founded says whether anybody can log in. A store is founded by its first
// user; an institute alone, which a founding that was killed midway may leave,
// does not do it.
func (s *Store) Founded(ctx context.Context) (bool, error) {
	n, err := s.DB.Count(ctx, users, bson.D{under("")}, 1)
	return n > 0, outageOrNil("look for a user", err)
}

// Found sets up an empty store: its first institute and that institute's first
// admin. Both are checked before either is written; the Fields of Invalid are
// those of AddInstitute and AddUser, the user's name being "user_name". An
// institute of this code that is there already, without users, is kept as it
// is. Conflict when the store is founded.
func (s *Store) Found(ctx context.Context, inst fees.Institute, login, name, password string) (fees.User, error) {
	founded, err := s.Founded(ctx)
	if err != nil {
		return fees.User{}, err
	}
	if founded {
		return fees.User{}, fees.Errorf(fees.Conflict, "Raseed has been set up already. Log in instead.")
	}
	inst = s.completeInstitute(inst)
	fields := map[string]string{}
	if bad := checkInstitute(inst); bad != nil {
		maps.Copy(fields, bad.Fields)
	}
	if _, bad := s.newUser(inst.Code, login, name, fees.RoleAdmin, password); bad != nil {
		for field, reason := range bad.Fields {
			if field == "name" {
				field = "user_name"
			}
			fields[field] = reason
		}
	}
	if len(fields) > 0 {
		return fees.User{}, &fees.Error{Code: fees.Invalid, Message: "Nothing was set up. Correct what is marked and send it again.", Fields: fields}
	}
	if _, err := s.AddInstitute(ctx, inst); err != nil && fees.CodeOf(err) != fees.Conflict {
		return fees.User{}, err
	}
	return s.AddUser(ctx, inst.Code, login, name, fees.RoleAdmin, password)
}

// Ping says whether the store can be reached.
func (s *Store) Ping(ctx context.Context) error { return s.DB.Ping(ctx) }
