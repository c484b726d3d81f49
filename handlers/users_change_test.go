package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

func TestUsersChange(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	cashier := s.As(t, fees.RoleCashier)
	c := s.As(t, fees.RoleAdmin)
	at := "/users/" + webtest.LoginOf(webtest.Own, fees.RoleCashier)
	act := func(action string) url.Values { return url.Values{"action": {action}} }
	button := func(action string) int {
		return c.Get("/users").Doc().Find(`form[action="` + at + `"] button[value="` + action + `"]`).Length()
	}
	done := func(form url.Values) {
		t.Helper()
		if res := c.Post(at, form); res.Status != http.StatusSeeOther || res.Location() != "/users?saved=1" {
			t.Fatalf("%v: status %d to %q: %s", form, res.Status, res.Location(), res.Alert())
		}
	}
	logIn := func(password string) int {
		login := webtest.LoginOf(webtest.Own, fees.RoleCashier)
		return s.Anyone(t).Post("/login", url.Values{"login": {login}, "password": {password}}).Status
	}

	if button("disable") != 1 || button("enable") != 0 || button("password") != 1 {
		t.Error("an active user cannot be disabled and given a password, or can be enabled")
	}
	done(act("disable"))
	if button("disable") != 0 || button("enable") != 1 {
		t.Error("a disabled user cannot be enabled, or can be disabled again")
	}
	if res := c.Get("/users"); !strings.Contains(res.Body, "Disabled") || !strings.Contains(res.Body, "by "+webtest.LoginOf(webtest.Own, fees.RoleAdmin)) {
		t.Error("the list does not say that the user is disabled, and by whom")
	}
	if res := cashier.Get("/collect"); res.Status != http.StatusSeeOther || !strings.HasPrefix(res.Location(), "/login") {
		t.Errorf("a disabled user's session: status %d to %q, want the login page", res.Status, res.Location())
	}
	if status := logIn(webtest.Password); status != http.StatusUnprocessableEntity {
		t.Errorf("a disabled user logs in: status %d, want 422", status)
	}
	done(act("enable"))

	cashier = s.As(t, fees.RoleCashier)
	done(url.Values{"action": {"password"}, "password": {"battery staple"}})
	if res := cashier.Get("/collect"); res.Status != http.StatusSeeOther {
		t.Errorf("a session begun with the old password: status %d, want 303", res.Status)
	}
	if status := logIn(webtest.Password); status != http.StatusUnprocessableEntity {
		t.Errorf("the old password: status %d, want 422", status)
	}
	if status := logIn("battery staple"); status != http.StatusSeeOther {
		t.Errorf("the new password: status %d, want 303", status)
	}
}

func TestUsersChangeRefused(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	own, foreign := webtest.LoginOf(webtest.Own, fees.RoleAdmin), s.AddUser(t, webtest.Foreign, fees.RoleCashier)
	cashier := s.AddUser(t, webtest.Own, fees.RoleCashier)
	c := s.As(t, fees.RoleAdmin)
	const longEnough = "quite long enough"
	for _, tt := range []struct {
		name, login, action, password string
		status                        int
		says                          string
	}{
		{"oneself, the last administrator too", own, "disable", "", http.StatusUnprocessableEntity, "your own account"},
		{"a short password", cashier, "password", "short7!", http.StatusUnprocessableEntity, "at least 8 characters"},
		{"no password", cashier, "password", "", http.StatusUnprocessableEntity, "at least 8 characters"},
		{"a long password", cashier, "password", strings.Repeat("x", 129), http.StatusUnprocessableEntity, "at most 128 characters"},
		{"no action", cashier, "", "", http.StatusUnprocessableEntity, "Nothing was changed"},
		{"an unknown action", cashier, "delete", "", http.StatusUnprocessableEntity, "Nothing was changed"},
		{"disable, elsewhere", foreign, "disable", "", http.StatusNotFound, "no user"},
		{"enable, elsewhere", foreign, "enable", "", http.StatusNotFound, "no user"},
		{"password, elsewhere", foreign, "password", longEnough, http.StatusNotFound, "no user"},
		{"a bad password, elsewhere", foreign, "password", "short7!", http.StatusNotFound, "no user"},
		{"nobody", "nobody", "disable", "", http.StatusNotFound, "no user"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := c.Post("/users/"+tt.login, url.Values{"action": {tt.action}, "password": {tt.password}})
			if res.Status != tt.status || !strings.Contains(res.Alert(), tt.says) {
				t.Errorf("status %d, %q; want %d, %q", res.Status, res.Alert(), tt.status, tt.says)
			}
			if tt.password != "" && strings.Contains(res.Body, tt.password) {
				t.Error("the password is on the page")
			}
			if strings.Contains(res.Body, "Quartz") || tt.login != foreign && strings.Contains(res.Body, foreign) {
				t.Error("the page shows the other institute")
			}
			open := res.Doc().Find(`form[action="/users/` + tt.login + `"]`).Closest("details[open]")
			if inRow := tt.action == "password" && tt.login == cashier; inRow != (open.Find(".problem").Length() == 1) {
				t.Errorf("the form of the password is unfolded with its problem: %v, want %v", !inRow, inRow)
			}
		})
	}
	if n := c.Get("/users").Doc().Find(`form[action="/users/` + own + `"] button[value="disable"]`).Length(); n != 0 {
		t.Error("one's own account has a button Disable")
	}
	for _, login := range []string{own, cashier, foreign} {
		u, err := s.Store.User(context.Background(), login)
		if err != nil || u.Disabled || u.ChangedBy != "" {
			t.Errorf("%s is changed by what was refused: %+v, %v", login, u, err)
		}
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post("/users/"+own, url.Values{"action": {"disable"}}); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
}
