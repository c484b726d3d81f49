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

func TestAuditPage(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first := pay(t, s, webtest.Own, "1001", cash(450000))
	pay(t, s, webtest.Own, "1002", cash(100))
	for range 3 {
		pay(t, s, webtest.Foreign, "1001", cash(100))
	}
	if _, err := s.Store.ReversePayment(context.Background(), webtest.Own, fees.ReversalOrder{ID: first.ShortID(), Reason: "wrong entry"}); err != nil {
		t.Fatal(err)
	}
	for _, role := range []fees.Role{fees.RoleAccountant, fees.RoleAdmin, fees.RoleAuditor} {
		res := s.As(t, role).Get("/reports/series")
		if res.Status != http.StatusOK || !strings.Contains(res.Alert(), "Every number is there") {
			t.Fatalf("%s: status %d, %q", role, res.Status, res.Alert())
		}
		if res.ByTestID("series-first") != "1" || res.ByTestID("series-last") != "2" || res.ByTestID("series-missing") != "0" {
			t.Errorf("%s: receipts run from %s to %s, %s missing", role, res.ByTestID("series-first"), res.ByTestID("series-last"), res.ByTestID("series-missing"))
		}
		if got := res.Doc().Find(`tr[data-series="reversal"] [data-testid="series-last"]`).Text(); got != "1" {
			t.Errorf("%s: the last reversal is %q", role, got)
		}
	}
	if res := s.As(t, fees.RoleCashier).Get("/reports/series"); res.Status != http.StatusForbidden {
		t.Errorf("cashier: status %d, want 403", res.Status)
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleAuditor).Get("/reports/series"); res.ByTestID("series-last") != "3" {
		t.Errorf("the other institute's series ends at %s, want its own 3", res.ByTestID("series-last"))
	}
}

func TestUsers(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	s.AddUser(t, webtest.Foreign, fees.RoleCashier)
	c := s.As(t, fees.RoleAdmin)
	form := url.Values{"name": {"Ravi K"}, "login": {"Ravi.K"}, "role": {"cashier"}, "password": {"a good long one"}}
	if res := c.Post("/users", form); res.Status != http.StatusSeeOther || res.Location() != "/users?saved=1" {
		t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
	}
	user, err := s.Store.User(context.Background(), "ravi.k")
	if err != nil || user.Institute != webtest.Own || user.Role != fees.RoleCashier {
		t.Fatalf("added %+v, %v", user, err)
	}
	res := c.Get("/users")
	if !strings.Contains(res.Body, "ravi.k") || strings.Contains(res.Body, webtest.LoginOf(webtest.Foreign, fees.RoleCashier)) {
		t.Error("the list lacks the new user or shows the other institute's")
	}
	if strings.Contains(res.Body, "argon2") || strings.Contains(res.Body, user.Password) {
		t.Error("a password's hash is on the page")
	}
	for _, tt := range []struct {
		field, value string
		status       int
	}{
		{"login", "ravi.k", http.StatusConflict},
		{"login", webtest.LoginOf(webtest.Foreign, fees.RoleCashier), http.StatusConflict},
		{"login", "x y", http.StatusUnprocessableEntity},
		{"name", "", http.StatusUnprocessableEntity},
		{"role", "god", http.StatusUnprocessableEntity},
		{"password", "short", http.StatusUnprocessableEntity},
	} {
		form := url.Values{"name": {"New"}, "login": {"new"}, "role": {"cashier"}, "password": {"a good long one"}}
		form.Set(tt.field, tt.value)
		res := c.Post("/users", form)
		if res.Status != tt.status || res.Alert() == "" || res.Doc().Find("#"+tt.field+"-error").Text() == "" {
			t.Errorf("%s=%q: status %d, %q, field says %q; want %d at the field", tt.field, tt.value, res.Status, res.Alert(), res.Doc().Find("#"+tt.field+"-error").Text(), tt.status)
		}
		if strings.Contains(res.Body, "Quartz") || strings.Contains(res.Body, "QPS") || strings.Contains(res.Body, "institute") {
			t.Errorf("%s=%q: the page tells whose login it is", tt.field, tt.value)
		}
		if res.Input("password") != "" {
			t.Errorf("%s=%q: the password is shown again", tt.field, tt.value)
		}
		if res.Input("name") != form.Get("name") || res.Input("login") != form.Get("login") {
			t.Errorf("%s=%q: what was typed is not kept", tt.field, tt.value)
		}
	}
	if res := s.As(t, fees.RoleAccountant).Post("/users", form); res.Status != http.StatusForbidden {
		t.Errorf("accountant: status %d, want 403", res.Status)
	}
}

func TestSettings(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	c := s.As(t, fees.RoleAdmin)
	res := c.Get("/settings")
	if res.Status != http.StatusOK || !strings.Contains(res.Body, "Delta Public School") || !strings.Contains(res.Body, "31 Mar 2026") {
		t.Fatalf("status %d, %s", res.Status, res.Alert())
	}
	for _, tt := range []struct {
		name, field string
		form        url.Values
	}{
		{"no day", "to", url.Values{"sure": {"yes"}}},
		{"no day of any month", "to", url.Values{"to": {"2026-02-30"}, "sure": {"yes"}}},
		{"not sure", "sure", url.Values{"to": {"2026-10-31"}}},
		{"in the future", "", url.Values{"to": {"2026-12-01"}, "sure": {"yes"}}},
		{"opens them again", "", url.Values{"to": {"2026-03-01"}, "sure": {"yes"}}},
	} {
		res := c.Post("/settings/close", tt.form)
		if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Input("to") != tt.form.Get("to") {
			t.Errorf("%s: status %d, %q, day kept as %q; want 422", tt.name, res.Status, res.Alert(), res.Input("to"))
		}
		if tt.field != "" && res.Doc().Find("#"+tt.field+"-error").Text() == "" {
			t.Errorf("%s: the field %s does not say what is wrong", tt.name, tt.field)
		}
	}
	form := url.Values{"to": {"2026-10-31"}, "sure": {"yes"}}
	if res := s.As(t, fees.RoleAccountant).Post("/settings/close", form); res.Status != http.StatusForbidden {
		t.Errorf("accountant: status %d, want 403", res.Status)
	}
	if res := c.Post("/settings/close", form); res.Status != http.StatusSeeOther || res.Location() != "/settings?saved=1" {
		t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
	}
	for institute, want := range map[string]fees.Date{webtest.Own: "2026-10-31", webtest.Foreign: "2026-03-31"} {
		if inst, err := s.Store.Institute(ctx, institute); err != nil || inst.ClosedTo != want {
			t.Errorf("%s is closed up to %s (%v), want %s", institute, inst.ClosedTo, err, want)
		}
	}
	if res := c.Get("/settings"); !strings.Contains(res.Body, "31 Oct 2026") {
		t.Error("the page does not say up to when the books are closed")
	}
}
