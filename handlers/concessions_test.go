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

const ashas = "/students/1001/concessions"

func TestConcessions(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	form := url.Values{"head": {"TUITION"}, "kind": {"amount"}, "value": {"9,000"}, "reason": {"Scholarship"}, "approver": {"Principal"}, "from": {t1}}
	for range 2 { // a double click
		if res := c.Post(ashas, form); res.Status != http.StatusSeeOther || res.Location() != ashas+"?saved=1" {
			t.Fatalf("add: status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	page := c.Get(ashas + "?saved=1")
	if got := cells(page, "table.concessions tbody tr"); strings.Count(got, "Scholarship") != 1 || !strings.Contains(got, "Tuition | ₹9,000.00 | from "+t1+" | Scholarship | Principal") {
		t.Errorf("the page shows %q", got)
	}
	if !strings.Contains(page.Doc().Find(".findings").Text(), "no more than that is taken off") {
		t.Error("the page does not say that the amount is more than the charge")
	}
	change := fields(c.Get(ashas+"?head=TUITION&at=0"), ashas)
	if change.Get("value") != "9000.00" || change.Get("at") != "0" || change.Get("version") != "1" {
		t.Fatalf("the form to change is %v", change)
	}
	change.Set("value", "100")
	for range 2 {
		if res := c.Post(ashas, change); res.Status != http.StatusSeeOther {
			t.Fatalf("change: status %d: %s", res.Status, res.Alert())
		}
	}
	change.Set("value", "200")
	if res := c.Post(ashas, change); res.Status != http.StatusConflict || res.Input("value") != "200" {
		t.Errorf("an old form: status %d, %q", res.Status, res.Alert())
	}
	end := fields(c.Get(ashas), ashas+"/end")
	if res := c.Post(ashas+"/end", end); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "Choose") {
		t.Errorf("end without a period: status %d, %q", res.Status, res.Alert())
	}
	end.Set("last", t1)
	if res := c.Post(ashas+"/end", end); res.Status != http.StatusSeeOther {
		t.Errorf("end: status %d, %q", res.Status, res.Alert())
	}
	if got := cells(c.Get(ashas), "table.concessions tbody tr"); !strings.Contains(got, "only "+t1) {
		t.Errorf("then it shows %q", got)
	}
	for q, want := range map[string]int{"": 1, "?head=TUITION&reason=SCHOLAR&class=1": 1, "?class=2": 0, "?head=*": 0} {
		if got := s.As(t, fees.RoleAuditor).Get("/concessions" + q).Doc().Find("table.concessions tbody tr").Length(); got != want {
			t.Errorf("the list %q has %d rows, want %d", q, got, want)
		}
	}
	if got := s.AsOf(t, webtest.Foreign, fees.RoleAdmin).Get(ashas).Doc().Find("table.concessions").Length(); got != 0 {
		t.Error("the other institute sees the concession")
	}
	read := s.As(t, fees.RoleAccountant).Get(ashas)
	if read.Status != http.StatusOK || read.Doc().Find("main form").Length() != 0 {
		t.Errorf("an accountant: status %d, %d forms; want to read only", read.Status, read.Doc().Find("main form").Length())
	}
}

func TestConcessionsRefuse(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	for _, tt := range [][2]string{
		{"head", ""}, {"head", "GOLF"}, {"kind", "gift"}, {"value", "101"}, {"value", "0"}, {"value", "x"}, {"reason", " "}, {"approver", ""}, {"from", "2026-27/T9"},
	} {
		form := url.Values{"head": {"TUITION"}, "kind": {"percent"}, "value": {"50"}, "reason": {"Staff"}, "approver": {"Principal"}}
		form.Set(tt[0], tt[1])
		res := c.Post(ashas, form)
		if res.Status != http.StatusUnprocessableEntity || res.Doc().Find("#"+tt[0]+"-error").Text() == "" {
			t.Errorf("%s=%q: status %d, %q; want the reason at the field", tt[0], tt[1], res.Status, res.Alert())
		}
	}
	if res := c.Post(ashas, url.Values{"head": {"TUITION"}, "at": {"x"}}); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "damaged") {
		t.Errorf("a damaged form: status %d, %q", res.Status, res.Alert())
	}
	if res := c.Post("/students/2001/concessions", url.Values{"head": {"*"}, "kind": {"percent"}, "value": {"5"}, "reason": {"x"}, "approver": {"x"}}); res.Status != http.StatusNotFound {
		t.Errorf("the other institute's student: status %d, want 404", res.Status)
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post(ashas, url.Values{}); res.Status != http.StatusForbidden {
			t.Errorf("%s adds: status %d, want 403", role, res.Status)
		}
	}
	if res := s.As(t, fees.RoleCashier).Get(ashas); res.Status != http.StatusForbidden {
		t.Errorf("a cashier reads: status %d, want 403", res.Status)
	}
	if own, err := s.Store.ConcessionsOf(context.Background(), webtest.Own, "1001"); err != nil || len(own) != 0 {
		t.Errorf("refused forms left %+v, %v", own, err)
	}
}
