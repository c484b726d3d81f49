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

func TestLateFees(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	if page := c.Get("/billing/late-fees"); page.Status != http.StatusOK || !strings.Contains(page.Body, "There is no late fee") {
		t.Errorf("without a rule: status %d, %s", page.Status, page.Body)
	}
	rule := fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateWeek, Amount: 50_00, GraceDays: 5}}
	if _, err := s.Store.SaveRules(context.Background(), webtest.Own, rule, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	page := c.Get("/billing/late-fees?as_of=2026-06-20")
	if page.ByTestID("late-new") != "3" || page.ByTestID("late-grown") != "0" || page.ByTestID("late-amount") != "₹150.00" || page.Input("as_of") != "2026-06-20" {
		t.Errorf("up to 20 June the page shows %s new, %s grown, %s: %s", page.ByTestID("late-new"), page.ByTestID("late-grown"), page.ByTestID("late-amount"), page.Body)
	}
	if got := cells(page, "table.late-fees tbody tr:first-child"); got != "1001 | Asha Verma | "+t1+" | 10 Jun 2026 | 0.00 | 50.00" {
		t.Errorf("the first late fee is %q", got)
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post("/billing/late-fees", url.Values{}); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	for range 2 {
		if res := c.Post("/billing/late-fees", url.Values{"as_of": {"2026-06-20"}}); res.Status != http.StatusSeeOther || res.Location() != "/billing/late-fees?as_of=2026-06-20" {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	if page := c.Get("/billing/late-fees?as_of=2026-06-20"); !strings.Contains(page.Body, "Every late fee up to 20 Jun 2026 is charged") {
		t.Errorf("charged, the page of that day says %s", page.Body)
	}
	if res := c.Post("/billing/late-fees", url.Values{"as_of": {"2026-06-20", "2026-11-30"}}); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "as_of was sent more than once") {
		t.Errorf("two days at once: status %d, %q", res.Status, res.Alert())
	}
	if got := netOf(t, s, webtest.Own, "1001", t1+"/LATE"); got != 50_00 {
		t.Errorf("charged %d, want 50.00", got)
	}
	if page := c.Get("/billing/late-fees"); page.ByTestID("late-new") != "0" || page.ByTestID("late-grown") != "3" {
		t.Errorf("up to today the page shows %s new, %s grown", page.ByTestID("late-new"), page.ByTestID("late-grown"))
	}
	c.Post("/billing/late-fees", url.Values{})
	if page := c.Get("/billing/late-fees"); !strings.Contains(page.Body, "Every late fee up to 30 Nov 2026 is charged") {
		t.Errorf("charged, the page says %s", page.Body)
	}
	for _, day := range []string{"2026-12-01", "30.11.2026"} {
		res := c.Get("/billing/late-fees?as_of=" + day)
		if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Input("as_of") != day {
			t.Errorf("up to %s: status %d, %q, day kept as %q", day, res.Status, res.Alert(), res.Input("as_of"))
		}
	}
}

// The counter charges what is late before it shows what is owed.
func TestLateFeesAtTheCounter(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	rule := fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateFlat, Amount: 100_00}}
	if _, err := s.Store.SaveRules(context.Background(), webtest.Own, rule, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	c := s.As(t, fees.RoleCashier)
	if page := c.Get("/collect/1001"); page.Status != http.StatusOK || !strings.Contains(page.Body, "Late fee") || page.Input("tender_amount") != "5100.00" {
		t.Errorf("status %d, offers %s to pay", page.Status, page.Input("tender_amount"))
	}
	if got := netOf(t, s, webtest.Own, "1001", t1+"/LATE"); got != 100_00 {
		t.Errorf("charged %d", got)
	}
}
