package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"raseed/store/fees"
)

// What a school does by command line when somebody leaves or forgets a password.
func TestUserChange(t *testing.T) {
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	p.must("", "institute", "add", "--code", "QPS", "--name", "Quartz Public School")
	for login, role := range map[string]string{"asha": "cashier", "ravi": "admin"} {
		p.must("a long password\n", "user", "add", "--institute", "DPS", "--login", login, "--name", "X", "--role", role)
	}
	user := func(do, institute, login string) []string {
		return []string{"user", do, "--institute", institute, "--login", login}
	}
	canLogIn := func(password string) error {
		t.Helper()
		ctx := context.Background()
		s, err := openStore(ctx, filepath.Join(p.dir, "raseed.db"), opening{log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer s.DB.Close()
		_, err = s.Authenticate(ctx, "asha", password, "192.0.2.1")
		return err
	}

	out := p.must("another password\n", user("password", "DPS", "Asha")...)
	if out != "set the password of asha of DPS\n" || strings.Contains(out, "another") {
		t.Errorf("user password prints %q", out)
	}
	if err := canLogIn("another password"); err != nil {
		t.Errorf("with the new password: %v", err)
	}
	if err := canLogIn("a long password"); fees.CodeOf(err) != fees.Invalid {
		t.Errorf("with the old password: %v, want a refusal", err)
	}
	p.refused(1, "8 characters", "short\n", user("password", "DPS", "asha")...)

	if out := p.must("", user("disable", "DPS", "asha")...); out != "disabled asha of DPS\n" {
		t.Errorf("user disable prints %q", out)
	}
	if err := canLogIn("another password"); fees.CodeOf(err) != fees.Invalid {
		t.Errorf("when disabled: %v, want a refusal", err)
	}
	if out := p.must("", user("enable", "DPS", "asha")...); out != "enabled asha of DPS\n" {
		t.Errorf("user enable prints %q", out)
	}
	if err := canLogIn("another password"); err != nil {
		t.Errorf("when enabled again: %v", err)
	}

	p.refused(1, "last administrator", "", user("disable", "DPS", "ravi")...)
	p.refused(1, "may not be in a login", "", user("disable", "DPS", "a b")...)
	for _, do := range []string{"password", "disable", "enable"} {
		p.refused(1, "no user asha", "a third password\n", user(do, "QPS", "asha")...)
		p.refused(1, "no user zoya", "a third password\n", user(do, "DPS", "zoya")...)
		p.refused(1, "no institute XYZ", "a third password\n", user(do, "XYZ", "asha")...)
	}
	if err := canLogIn("another password"); err != nil {
		t.Errorf("after what was refused: %v", err)
	}
}
