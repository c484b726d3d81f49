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

// late gives the school a late fee of 10.00 a day and charges it: on 30
// November, 173 days after 10 June.
func late(t *testing.T, s *webtest.Server) {
	t.Helper()
	ctx := context.Background()
	for _, institute := range []string{webtest.Own, webtest.Foreign} {
		if _, err := s.Store.SaveRules(ctx, institute, fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateDay, Amount: 10_00}}, fees.Actor{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Store.AssessLateFees(ctx, institute, ""); err != nil {
			t.Fatal(err)
		}
	}
}

func netOf(t *testing.T, s *webtest.Server, institute, student, period string) fees.Amount {
	t.Helper()
	all, err := s.Store.Bills(context.Background(), institute, student)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if b.Period == period {
			return b.Net
		}
	}
	t.Fatalf("%s has no bill of %s", student, period)
	return 0
}

func TestWaiveOnThePage(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	late(t, s)
	const period = t1 + "/LATE"
	c := s.As(t, fees.RoleAccountant)
	page := c.Get("/students/1001")
	form := page.Doc().Find(`form[action="/students/1001/bills/waive"]`)
	if form.Length() != 1 || !strings.Contains(page.Body, "Waive ₹1,730.00 of “Late fee, "+t1+"”?") {
		t.Fatalf("the page offers %d waivers: %s", form.Length(), form.Text())
	}
	if got := page.Doc().Find(`form[action="/students/1001/bills/cancel"]`).Length(); got != 1 {
		t.Errorf("the page offers to cancel %d bills, want the term alone", got)
	}
	typed := url.Values{"bill": {period}, "revision": {"0"}, "amount": {"730"}, "reason": {"Bank strike"}}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAuditor} {
		other := s.As(t, role)
		if res := other.Post("/students/1001/bills/waive", typed); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
		if strings.Contains(other.Get("/students/1001").Body, "bills/waive") {
			t.Errorf("%s is offered to waive", role)
		}
	}
	if got := netOf(t, s, webtest.Own, "1001", period); got != 1730_00 {
		t.Fatalf("forbidden forms left %d", got)
	}
	for _, tt := range []struct {
		name, field, value string
		status             int
		at                 string
	}{
		{"no reason", "reason", " ", http.StatusUnprocessableEntity, "reason"},
		{"more than there is", "amount", "1730.01", http.StatusUnprocessableEntity, "amount"},
		{"no amount", "amount", "all", http.StatusUnprocessableEntity, "amount"},
		{"seen before it changed", "revision", "7", http.StatusConflict, ""},
		{"another bill", "bill", t1, http.StatusConflict, ""},
		{"no bill", "bill", "2026-27/T9", http.StatusNotFound, ""},
		{"a damaged form", "revision", "x", http.StatusConflict, ""},
	} {
		wrong := url.Values{}
		for k, v := range typed {
			wrong[k] = v
		}
		wrong.Set(tt.field, tt.value)
		res := c.Post("/students/1001/bills/waive", wrong)
		if res.Status != tt.status || res.Alert() == "" {
			t.Errorf("%s: status %d, %q; want %d", tt.name, res.Status, res.Alert(), tt.status)
		}
		if tt.status == http.StatusConflict && res.Doc().Find(`a[href="/students/1001"]`).Length() != 1 {
			t.Errorf("%s: the refusal does not lead back to the student", tt.name)
		}
		if tt.at != "" && (res.Doc().Find(".field.bad input[name="+tt.at+"]").Length() != 1 || res.Input("reason") != wrong.Get("reason")) {
			t.Errorf("%s: the form does not say so at %s, or lost what was typed: %s", tt.name, tt.at, res.Body)
		}
	}
	for range 2 { // a double click
		if res := c.Post("/students/1001/bills/waive", typed); res.Status != http.StatusSeeOther || res.Location() != "/students/1001" {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	if got := netOf(t, s, webtest.Own, "1001", period); got != 1000_00 {
		t.Errorf("730.00 of 1,730.00 waived leaves %d", got)
	}
	if got := netOf(t, s, webtest.Foreign, "1001", period); got != 1730_00 {
		t.Errorf("the other school's late fee is %d", got)
	}
	page = c.Get("/students/1001")
	if !strings.Contains(page.Body, "from 1,730.00 to 1,000.00, by The Accountant: Bank strike") || page.ByTestID("student-balance") != "6,000.00" {
		t.Errorf("the statement does not tell: balance %s, %s", page.ByTestID("student-balance"), cells(page, "table.statement tbody tr"))
	}
}

func TestCancelOnThePage(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	late(t, s)
	pay(t, s, webtest.Own, "1002", cash(100))
	c := s.As(t, fees.RoleAdmin)
	form := url.Values{"bill": {t1}, "reason": {"Never came"}}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAuditor} {
		if res := s.As(t, role).Post("/students/1001/bills/cancel", form); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	if res := c.Post("/students/1001/bills/cancel", url.Values{"bill": {t1}, "reason": {""}}); res.Status != http.StatusUnprocessableEntity || res.Input("bill") != t1 {
		t.Errorf("without a reason: status %d, %s", res.Status, res.Alert())
	}
	for name, odd := range map[string][]string{"two reasons": {"Never came", "Came"}, "no text": {"Never \xff came"}} {
		if res := c.Post("/students/1001/bills/cancel", url.Values{"bill": {t1}, "reason": odd}); res.Status != http.StatusUnprocessableEntity || res.Doc().Find(".field.bad").Length() != 1 {
			t.Errorf("%s: status %d, %s", name, res.Status, res.Alert())
		}
	}
	if res := c.Post("/students/1001/bills/cancel", url.Values{"bill": {t1, "2026-27/T2"}, "reason": {"Never came"}}); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "bill was sent more than once") {
		t.Errorf("two bills: status %d, %s", res.Status, res.Alert())
	}
	if res := c.Post("/students/1002/bills/cancel", form); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "1.00 was paid for it") {
		t.Errorf("with money on it: status %d, %s", res.Status, res.Alert())
	}
	if strings.Contains(c.Get("/students/1002").Body, "/bills/cancel") {
		t.Error("the page offers to cancel a bill with money on it")
	}
	if res := c.Post("/students/2001/bills/cancel", form); res.Status != http.StatusNotFound {
		t.Errorf("the other school's student: status %d, want 404", res.Status)
	}
	for range 2 {
		if res := c.Post("/students/1001/bills/cancel", form); res.Status != http.StatusSeeOther {
			t.Fatalf("status %d: %s", res.Status, res.Alert())
		}
	}
	page := c.Get("/students/1001")
	if page.ByTestID("student-balance") != "0.00" || !strings.Contains(page.Body, "from 5,000.00 to 0.00, by The Administrator: Never came") || !strings.Contains(page.Body, ">Cancelled<") {
		t.Errorf("the statement does not tell: balance %s, %s", page.ByTestID("student-balance"), cells(page, "table.statement tbody tr"))
	}
}

func TestLeaveOnThePage(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	form := url.Values{"last": {"2026-05-31"}, "reason": {"Moved to Pune"}}
	if res := c.Post("/students/1001/bills/leave", form); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "has not left") {
		t.Errorf("who is still there: status %d, %s", res.Status, res.Alert())
	}
	edit := c.Get("/students/1001/edit")
	values := url.Values{}
	for _, name := range []string{"version", "admission_no", "name", "class", "section", "category", "family", "guardian", "phone", "opening_balance"} {
		values.Set(name, edit.Input(name))
	}
	values.Set("status", "left")
	values.Set("left_on", "2026-05-31")
	if res := c.Post("/students", values); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	page := c.Get("/students/1001")
	if !strings.Contains(page.Body, "31 May 2026") || !strings.Contains(page.Body, "After 31 May 2026 that is 1 bill of ₹5,000.00 in all") || page.Input("last") != "2026-05-31" {
		t.Errorf("the page does not say what would be cancelled: %s", page.Doc().Find(`form[action$="/leave"]`).Text())
	}
	if res := c.Post("/students/1001/bills/leave", url.Values{"last": {"31.5."}, "reason": {""}}); res.Status != http.StatusUnprocessableEntity || res.Doc().Find(".field.bad").Length() != 2 {
		t.Errorf("a damaged day and no reason: status %d, %s", res.Status, res.Body)
	}
	if res := c.Post("/students/1001/bills/leave", url.Values{"last": {"2026-05-31", "2026-06-30"}, "reason": {"Moved to Pune"}}); res.Status != http.StatusUnprocessableEntity || netOf(t, s, webtest.Own, "1001", t1) == 0 {
		t.Errorf("two last days: status %d, %s", res.Status, res.Alert())
	}
	if res := c.Post("/students/1001/bills/leave", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if got := netOf(t, s, webtest.Own, "1001", t1); got != 0 {
		t.Errorf("the term still costs %d", got)
	}
}
