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

func TestCharges(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	if page := c.Get("/billing/charges?student=1001"); page.Status != http.StatusOK || page.Input("student") != "1001" {
		t.Fatalf("status %d: %s", page.Status, page.Alert())
	}
	typed := url.Values{"title": {"Trip to Agra"}, "head": {"TRANSPORT"}, "amount": {"750.50"}, "due_date": {"2026-12-15"}, "class": {"2"}, "student": {""}}
	preview := c.Post("/billing/charges/preview", typed)
	if preview.Status != http.StatusOK || preview.ByTestID("charge-students") != "1" || preview.ByTestID("charge-total") != "₹750.50" ||
		!strings.Contains(preview.Body, "Not charged: 1 student of the class who left") {
		t.Fatalf("the preview: status %d, %s", preview.Status, preview.Body)
	}
	typed.Set("charge_id", preview.Input("charge_id"))
	for name, want := range typed {
		if got := preview.Input(name); got != want[0] {
			t.Errorf("the preview carries %s as %q, want %q", name, got, want[0])
		}
	}
	for range 2 { // a double click
		if res := c.Post("/billing/charges", typed); res.Status != http.StatusSeeOther || res.Location() != "/billing/charges" {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	if got := cells(c.Get("/billing/charges"), "table.charges tbody tr"); !strings.HasSuffix(got, "Trip to Agra | Transport | Class 2 | 15 Dec 2026 | The Administrator | Done | 750.50 | 1 | 750.50") {
		t.Errorf("the list shows %q", got)
	}
	if page := c.Get("/students/1002"); page.ByTestID("student-balance") != "7,250.50" || !strings.Contains(page.Body, "Trip to Agra") {
		t.Errorf("the student owes %s", page.ByTestID("student-balance"))
	}
	other := url.Values{}
	for k, v := range typed {
		other[k] = v
	}
	other.Set("amount", "1")
	if res := c.Post("/billing/charges", other); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "already charged") {
		t.Errorf("the same form with another amount: status %d, %s", res.Status, res.Alert())
	}
	if all, err := s.Store.Charges(context.Background(), webtest.Foreign, 5); err != nil || len(all) != 0 {
		t.Errorf("the other school has %+v, %v", all, err)
	}
}

func TestChargesRefuse(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	good := url.Values{"charge_id": {s.Store.NewID()}, "title": {"Trip"}, "head": {"TRANSPORT"}, "amount": {"750"}, "due_date": {"2026-12-15"}, "class": {"2"}, "student": {""}}
	for _, tt := range []struct{ field, value string }{
		{"title", ""}, {"head", "SPACE"}, {"amount", "-1"}, {"amount", "1e3"}, {"due_date", "15.12."}, {"due_date", "2025-12-15"},
		{"class", "99"}, {"class", ""}, {"student", "1001"},
	} {
		form := url.Values{}
		for k, v := range good {
			form[k] = v
		}
		form.Set(tt.field, tt.value)
		for _, path := range []string{"/billing/charges/preview", "/billing/charges"} {
			res := c.Post(path, form)
			if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Doc().Find(".field.bad").Length() == 0 {
				t.Errorf("%s, %s=%q: status %d, %s", path, tt.field, tt.value, res.Status, res.Alert())
			}
			if res.Input("due_date") != form.Get("due_date") {
				t.Errorf("%s, %s=%q: what was typed is lost", path, tt.field, tt.value)
			}
		}
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post("/billing/charges", good); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	if all, err := s.Store.Charges(context.Background(), webtest.Own, 5); err != nil || len(all) != 0 {
		t.Errorf("refused forms charged %+v, %v", all, err)
	}
}
