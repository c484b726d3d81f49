package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// AddUser creates a person who logs in to an institute. Codes: Invalid,
// NotFound (the institute), Conflict (the login is taken, here or in another
// institute).
func (s *Store) AddUser(ctx context.Context, institute, login, name string, role fees.Role, password string) (fees.User, error) {
	user, bad := s.newUser(institute, login, name, role, password)
	if bad != nil {
		return fees.User{}, bad
	}
	if _, err := s.Institute(ctx, institute); err != nil {
		return fees.User{}, err
	}
	hash, err := s.newHash(ctx, password)
	if err != nil {
		return fees.User{}, outage("add user", err)
	}
	user.Password = hash
	err = s.DB.InsertOne(ctx, users, user)
	if docdb.IsDuplicate(err) {
		return fees.User{}, &fees.Error{Code: fees.Conflict, Message: "The login " + user.Login + " is taken.",
			Fields: map[string]string{"login": "This login is taken"}}
	}
	if err != nil {
		return fees.User{}, outage("add user", err)
	}
	return user, nil
}

// newUser is a user without a password hash yet. What is wrong with it is
// Invalid, with Fields login, name, role and password.
func (s *Store) newUser(institute, login, name string, role fees.Role, password string) (fees.User, *fees.Error) {
	user := fees.User{Institute: institute, Role: role, CreatedAt: s.instant()}
	fields := map[string]string{}
	var bad *fees.Error
	if user.Login, bad = fees.NormalLogin(login); bad != nil {
		fields["login"] = bad.Message
	}
	if user.Name, bad = fees.CleanText(name, 80); bad != nil {
		fields["name"] = bad.Message
	} else if user.Name == "" {
		fields["name"] = "Enter the name"
	}
	if !role.Valid() {
		fields["role"] = "There is no such role"
	}
	if bad = checkPassword(password); bad != nil {
		fields["password"] = bad.Message
	}
	return user, refusal("The user was not added.", fields)
}

// User is the user of this login; NotFound.
func (s *Store) User(ctx context.Context, login string) (fees.User, error) {
	var user fees.User
	err := s.DB.FindOne(ctx, users, bson.D{{Key: "_id", Value: login}}, docdb.Find{}, &user)
	if errors.Is(err, docdb.ErrNotFound) {
		return user, fees.Errorf(fees.NotFound, "There is no user %s.", login)
	}
	if err != nil {
		return user, outage("read user", err)
	}
	return user, nil
}

// Authenticate is the user who has this login and password; from is the network
// address it is tried from. A login that does not exist, one that is disabled
// and a wrong password are told apart neither by the answer, Invalid, nor by
// how long it takes. Throttled after 5 failures of an account or 50 of an
// address within 15 minutes, even for the right password; a throttled try is no
// failure.
func (s *Store) Authenticate(ctx context.Context, login, password, from string) (fees.User, error) {
	// Entered before anything is counted: of the logins of a busy morning only
	// two are under way at a time, so those that will succeed do not use up
	// their address's allowance.
	if err := s.passwords.enter(ctx); err != nil {
		return fees.User{}, outage("log in", err)
	}
	defer s.passwords.leave()
	address := attemptAddress(from)
	login, malformed := fees.NormalLogin(login)
	account := attemptAccount(login)
	if malformed == nil {
		if err := s.countAttempt(ctx, account, attemptsOfLogin, "logins"); err != nil {
			return fees.User{}, err
		}
	}
	if err := s.countAttempt(ctx, address, attemptsOfAddress, "logins"); err != nil {
		if kept := s.uncountAttempt(ctx, account); kept != nil {
			s.Log.WarnContext(ctx, "a refused login stays counted", "error", kept)
		}
		return fees.User{}, err
	}
	user, known, err := s.loginOf(ctx, login)
	if err != nil {
		return fees.User{}, err
	}
	matches, err := matchesPassword(password, user.Password)
	if err != nil {
		return fees.User{}, outage("log in", err)
	}
	if !known || !matches {
		return fees.User{}, fees.Errorf(fees.Invalid, "The login or the password is wrong.")
	}
	if err := s.forgiveAttempts(ctx, account, address); err != nil {
		s.Log.WarnContext(ctx, "failed logins stay counted after a good one", "error", err)
	}
	return user, nil
}

// loginOf is the user who may log in so; without one, a stand-in with nobody's
// password.
func (s *Store) loginOf(ctx context.Context, login string) (user fees.User, known bool, err error) {
	user, err = s.User(ctx, login)
	switch {
	case fees.CodeOf(err) == fees.NotFound:
		return fees.User{Password: nobodysHash}, false, nil
	case err != nil:
		return fees.User{}, false, err
	}
	return user, !user.Disabled, nil
}
