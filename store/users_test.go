package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"raseed/store/fees"
)

func asError(err error, bad **fees.Error) bool { return errors.As(err, bad) }

func TestAddUser(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	made, err := s.AddUser(ctx, "DPS", " Asha ", "Asha  R", fees.RoleCashier, "correct horse")
	if err != nil || made.Login != "asha" || made.Name != "Asha R" {
		t.Fatalf("%+v, %v", made, err)
	}
	got, err := s.User(ctx, "asha")
	if err != nil || got != made {
		t.Errorf("stored %+v, %v", got, err)
	}
	if !strings.HasPrefix(got.Password, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(got.Password, "horse") {
		t.Errorf("the password is kept as %s", got.Password)
	}
	addSchool(t, s, "KVS")
	_, err = s.AddUser(ctx, "KVS", "asha", "Another", fees.RoleAdmin, "correct horse")
	wantCode(t, "a login that another institute has", err, fees.Conflict, "asha")
	_, err = s.AddUser(ctx, "XYZ", "ravi", "Ravi", fees.RoleAdmin, "correct horse")
	wantCode(t, "no institute", err, fees.NotFound, "XYZ")
	for field, call := range map[string][4]string{
		"login":    {"a b", "A", "cashier", "12345678"},
		"name":     {"ravi", " \n", "cashier", "12345678"},
		"role":     {"ravi", "A", "king", "12345678"},
		"password": {"ravi", "A", "cashier", "1234567"},
	} {
		_, err := s.AddUser(ctx, "DPS", call[0], call[1], fees.Role(call[2]), call[3])
		var bad *fees.Error
		if !asError(err, &bad) || bad.Code != fees.Invalid || len(bad.Fields) != 1 || bad.Fields[field] == "" {
			t.Errorf("a bad %s: %v", field, err)
		}
	}
	_, err = s.AddUser(ctx, "DPS", "ravi", "A", fees.RoleAdmin, strings.Repeat("é", 129))
	wantCode(t, "a password of 129 characters", err, fees.Invalid, "128")
	if _, err = s.AddUser(ctx, "DPS", "ravi", "A", fees.RoleAdmin, strings.Repeat("é", 128)); err != nil {
		t.Errorf("a password of 128 characters: %v", err)
	}
	if _, err := s.Authenticate(ctx, "ravi", strings.Repeat("e\u0301", 128), "192.0.2.1"); err != nil {
		t.Errorf("the same characters written another way: %v", err)
	}
}

// What is compared for nobody costs what a real one costs.
func TestNobodysHash(t *testing.T) {
	params, _, _, err := argon2id.DecodeHash(nobodysHash)
	if err != nil || *params != *passwordCost() {
		t.Errorf("%+v, %v; want %+v", params, err, passwordCost())
	}
}

func TestAuthenticate(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	for _, login := range []string{"asha", "gone"} {
		if _, err := s.AddUser(ctx, "DPS", login, login, fees.RoleCashier, "correct horse"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.DB.UpdateOne(ctx, users, one("DPS", "gone"), set("disabled", true), noUpdate); err != nil {
		t.Fatal(err)
	}
	var said string
	for _, c := range [][2]string{{"asha", "wrong horse"}, {"asha", ""}, {"nobody", "correct horse"}, {"gone", "correct horse"}, {"not a login!", "x"}, {"", ""}, {"asha", strings.Repeat("x", 1<<20)}} {
		_, err := s.Authenticate(ctx, c[0], c[1], "192.0.2.1")
		wantCode(t, fmt.Sprintf("%.20q", c), err, fees.Invalid, "wrong")
		if said != "" && err.Error() != said {
			t.Errorf("%.20q is told apart: %v and %s", c, err, said)
		}
		said = err.Error()
	}
	user, err := s.Authenticate(ctx, " ASHA ", "correct horse", "192.0.2.1")
	if err != nil || user.Login != "asha" || user.Institute != "DPS" {
		t.Errorf("%+v, %v", user, err)
	}
}

func TestThrottleOfAccount(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	clock := termTime()
	s.Now = func() time.Time { return clock }
	if _, err := s.AddUser(ctx, "DPS", "asha", "Asha", fees.RoleCashier, "correct horse"); err != nil {
		t.Fatal(err)
	}
	try := func(password string, from int) error {
		_, err := s.Authenticate(ctx, "asha", password, fmt.Sprintf("192.0.2.%d", from))
		return err
	}
	for i := range 4 {
		wantCode(t, "a failure", try("wrong", i), fees.Invalid, "")
	}
	if err := try("correct horse", 4); err != nil {
		t.Fatalf("after four failures: %v", err)
	}
	for i := range 5 {
		wantCode(t, "a failure after a success", try("wrong", i), fees.Invalid, "")
		clock = clock.Add(time.Minute)
	}
	wantCode(t, "the right password after five failures", try("correct horse", 9), fees.Throttled, "Wait 10 minutes")
	clock = clock.Add(9*time.Minute + 30*time.Second)
	wantCode(t, "a little later", try("correct horse", 9), fees.Throttled, "Wait 1 minute,")
	clock = clock.Add(31 * time.Second)
	if err := try("correct horse", 9); err != nil {
		t.Errorf("after fifteen minutes: %v", err)
	}
}

// Guesses made at once are not let through because none has failed yet.
func TestThrottleAtOnce(t *testing.T) {
	const guesses = attemptsOfAddress + 10
	for _, c := range []struct {
		name  string
		guess func(i int) (login, from string)
		most  int
	}{
		{"one account", func(i int) (string, string) { return "asha", fmt.Sprintf("192.0.2.%d", i) }, attemptsOfLogin},
		{"one network", func(i int) (string, string) { return fmt.Sprintf("user%d", i), fmt.Sprintf("2001:db8:1:2::%x", i) }, attemptsOfAddress},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := openSchool(t)
			var wg sync.WaitGroup
			var mu sync.Mutex
			seen := map[fees.Code]int{}
			for i := range guesses {
				wg.Go(func() {
					login, from := c.guess(i)
					_, err := s.Authenticate(context.Background(), login, "a guess", from)
					mu.Lock()
					defer mu.Unlock()
					seen[fees.CodeOf(err)]++
				})
			}
			wg.Wait()
			if seen[fees.Invalid] != c.most || seen[fees.Throttled] != guesses-c.most {
				t.Errorf("of %d guesses: %v; %d may be looked at", guesses, seen, c.most)
			}
		})
	}
}

// One person who goes on trying does not lock out the others of the school, who
// share the address; guesses over many accounts are stopped, and cost the
// accounts nothing once they are.
func TestThrottleOfAddress(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	for _, login := range []string{"asha", "ravi"} {
		if _, err := s.AddUser(ctx, "DPS", login, login, fees.RoleCashier, "correct horse"); err != nil {
			t.Fatal(err)
		}
	}
	try := func(login, password, from string) error {
		_, err := s.Authenticate(ctx, login, password, from)
		return err
	}
	for range 3 * attemptsOfAddress {
		if err := try("asha", "wrong", "192.0.2.1"); err == nil {
			t.Fatal("a wrong password is right")
		}
	}
	wantCode(t, "the account that was guessed at", try("asha", "correct horse", "192.0.2.1"), fees.Throttled, "Wait")
	if err := try("ravi", "correct horse", "192.0.2.1"); err != nil {
		t.Errorf("a colleague at the same address: %v", err)
	}
	for i := range attemptsOfAddress {
		_ = try(fmt.Sprintf("guess%d", i), "wrong", "192.0.2.1")
	}
	for range 2 * attemptsOfLogin {
		wantCode(t, "an address that guesses", try("ravi", "correct horse", "192.0.2.1"), fees.Throttled, "Wait")
	}
	if err := try("ravi", "correct horse", "192.0.2.2"); err != nil {
		t.Errorf("from elsewhere: %v; what was refused for its address counts against the account", err)
	}
}

// A school behind one address logs in in the morning; nobody has to wait.
func TestThrottleLetsASchoolIn(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	var wg sync.WaitGroup
	if _, err := s.AddUser(ctx, "DPS", "asha", "Asha", fees.RoleCashier, "correct horse"); err != nil {
		t.Fatal(err)
	}
	for range 25 {
		wg.Go(func() {
			if _, err := s.Authenticate(ctx, "asha", "correct horse", "192.0.2.1"); err != nil {
				t.Errorf("refused: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestAttemptAddress(t *testing.T) {
	for from, want := range map[string]string{
		"192.0.2.7":           "addr:192.0.2.7",
		"::ffff:192.0.2.7":    "addr:192.0.2.7",
		"2001:db8:1:2:3::4":   "addr:2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::": "addr:2001:db8:1:2::/64",
		"2001:db8:1:3::1":     "addr:2001:db8:1:3::/64",
		"fe80::1%eth0":        "addr:fe80::/64",
		"":                    "addr:",
		"counter 2":           "addr:counter 2",
	} {
		if got := attemptAddress(from); got != want {
			t.Errorf("%s counts as %s, want %s", from, got, want)
		}
	}
}
