package store

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"raseed/store/fees"
)

var changer = fees.Actor{Login: "head", Name: "Head", Role: fees.RoleAdmin}

func addPeople(t *testing.T, s *Store, institute string, people map[string]fees.Role) {
	t.Helper()
	for login, role := range people {
		if _, err := s.AddUser(context.Background(), institute, login, login, role, "correct horse"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSetUserDisabled(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	addSchool(t, s, "KVS")
	addPeople(t, s, "DPS", map[string]fees.Role{"head": fees.RoleAdmin, "asha": fees.RoleCashier})
	addPeople(t, s, "KVS", map[string]fees.Role{"other": fees.RoleAdmin, "zoya": fees.RoleCashier})
	is := func(login string, want bool) {
		t.Helper()
		if u, err := s.User(ctx, login); err != nil || u.Disabled != want {
			t.Errorf("%s is disabled: %v (%v), want %v", login, u.Disabled, err, want)
		}
	}
	for range 2 { // the second time changes nothing
		if err := s.SetUserDisabled(ctx, "DPS", "asha", true, changer); err != nil {
			t.Fatalf("disable: %v", err)
		}
		is("asha", true)
	}
	_, err := s.Authenticate(ctx, "asha", "correct horse", "192.0.2.1")
	wantCode(t, "log in when disabled", err, fees.Invalid, "wrong")
	people, err := s.Users(ctx, "DPS")
	if err != nil || !people[0].Disabled || people[0].ChangedBy != "head" || people[0].ChangedAt.IsZero() || people[1].ChangedBy != "" {
		t.Errorf("the list has %+v, %v; want asha disabled by head", people, err)
	}
	for range 2 {
		if err := s.SetUserDisabled(ctx, "DPS", "asha", false, changer); err != nil {
			t.Fatalf("enable: %v", err)
		}
		is("asha", false)
	}
	if _, err := s.Authenticate(ctx, "asha", "correct horse", "192.0.2.1"); err != nil {
		t.Errorf("log in when enabled again: %v", err)
	}

	for _, login := range []string{"zoya", "nobody", "ASHA", ""} {
		for _, disabled := range []bool{true, false} {
			wantCode(t, "of another institute or nobody: "+login, s.SetUserDisabled(ctx, "DPS", login, disabled, changer), fees.NotFound, "no user")
		}
	}
	is("zoya", false)

	// An admin of another school, and one who is disabled, are no help.
	addPeople(t, s, "DPS", map[string]fees.Role{"second": fees.RoleAdmin})
	if err := s.SetUserDisabled(ctx, "DPS", "second", true, changer); err != nil {
		t.Fatalf("disable one of two administrators: %v", err)
	}
	wantCode(t, "the last administrator", s.SetUserDisabled(ctx, "DPS", "head", true, changer), fees.Invalid, "last administrator")
	is("head", false)
	if err := s.SetUserDisabled(ctx, "DPS", "second", false, changer); err != nil {
		t.Fatal(err)
	}
	if err := s.SetUserDisabled(ctx, "DPS", "head", true, changer); err != nil {
		t.Errorf("an administrator who is not the last: %v", err)
	}
}

// However the two cross, somebody can still log in to let the other in.
func TestAdminsDisableEachOther(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	admins := map[string]fees.Role{"head": fees.RoleAdmin, "second": fees.RoleAdmin}
	addPeople(t, s, "DPS", admins)
	for round := range 30 {
		var wg sync.WaitGroup
		for login := range admins {
			wg.Go(func() {
				if err := s.SetUserDisabled(ctx, "DPS", login, true, changer); err != nil && fees.CodeOf(err) != fees.Invalid {
					t.Errorf("disable %s: %v", login, err)
				}
			})
		}
		wg.Wait()
		disabled := 0
		for login := range admins {
			u, err := s.User(ctx, login)
			if err != nil {
				t.Fatal(err)
			}
			if u.Disabled {
				disabled++
			}
			if err := s.SetUserDisabled(ctx, "DPS", login, false, changer); err != nil {
				t.Fatal(err)
			}
		}
		if disabled == len(admins) {
			t.Fatalf("round %d: no administrator is left", round)
		}
	}
}

func TestSetPassword(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	addSchool(t, s, "KVS")
	addPeople(t, s, "DPS", map[string]fees.Role{"asha": fees.RoleCashier})
	addPeople(t, s, "KVS", map[string]fees.Role{"zoya": fees.RoleCashier})
	logIn := func(login, password string) error {
		_, err := s.Authenticate(ctx, login, password, "192.0.2.1")
		return err
	}
	// Who asks for a new password has tried the forgotten one.
	for range attemptsOfLogin + 1 {
		_ = logIn("asha", "forgotten")
	}
	wantCode(t, "before", logIn("asha", "correct horse"), fees.Throttled, "Wait")
	if err := s.SetPassword(ctx, "DPS", "asha", "battery staple", changer); err != nil {
		t.Fatal(err)
	}
	if err := logIn("asha", "battery staple"); err != nil {
		t.Errorf("with the new password: %v", err)
	}
	wantCode(t, "with the old password", logIn("asha", "correct horse"), fees.Invalid, "wrong")
	u, err := s.User(ctx, "asha")
	if err != nil || u.ChangedBy != "head" || u.ChangedAt.IsZero() || strings.Contains(u.Password, "staple") || u.Name != "asha" {
		t.Errorf("stored %+v, %v", u, err)
	}

	for _, password := range []string{"", "1234567", strings.Repeat("é", 129), "12345678\xff"} {
		err := s.SetPassword(ctx, "DPS", "asha", password, changer)
		var bad *fees.Error
		if !errors.As(err, &bad) || bad.Code != fees.Invalid || bad.Fields["password"] == "" {
			t.Errorf("%.20q: %v, want Invalid at the password", password, err)
		}
	}
	for _, login := range []string{"zoya", "nobody", ""} {
		wantCode(t, "of another institute or nobody: "+login, s.SetPassword(ctx, "DPS", login, "battery staple", changer), fees.NotFound, "no user")
		wantCode(t, "and a bad password", s.SetPassword(ctx, "DPS", login, "x", changer), fees.NotFound, "no user")
	}
	if err := logIn("zoya", "correct horse"); err != nil {
		t.Errorf("the other institute's user: %v", err)
	}

	if err := s.SetUserDisabled(ctx, "DPS", "asha", true, changer); err != nil {
		t.Fatal(err)
	}
	if err := s.SetPassword(ctx, "DPS", "asha", "a third password", changer); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "a new password of one who is disabled", logIn("asha", "a third password"), fees.Invalid, "wrong")
}
