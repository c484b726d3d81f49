package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// A request without the fields of a form takes nothing away that is there.
func TestAMissingFieldIsNoEmptyOne(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	c := s.As(t, fees.RoleAdmin)
	for path, form := range map[string]url.Values{
		"/settings":          {"name": {"Delta"}, "address": {"12 Station Road"}},
		"/settings/receipts": {"footer": {"Thank you"}, "upi": {"fees@bank"}},
	} {
		if res := c.Post(path, form); res.Status != http.StatusSeeOther {
			t.Fatalf("%s: status %d: %s", path, res.Status, res.Alert())
		}
		for name := range form {
			lacking := url.Values{}
			for other, value := range form {
				if other != name {
					lacking[other] = value
				}
			}
			for what, sent := range map[string]url.Values{"nothing": {}, "all but " + name: lacking} {
				if res := c.Post(path, sent); res.Status != http.StatusUnprocessableEntity || res.Alert() == "" {
					t.Errorf("%s with %s: status %d, %q; want 422 and why", path, what, res.Status, res.Alert())
				}
			}
		}
	}
	inst, err := s.Store.Institute(ctx, webtest.Own)
	if err != nil || inst.Address != "12 Station Road" || inst.Footer != "Thank you" || inst.UPI != "fees@bank" {
		t.Errorf("the institute is %+v, %v", inst, err)
	}
	if res := c.Post("/settings/receipts", url.Values{"footer": {""}, "upi": {""}}); res.Status != http.StatusSeeOther {
		t.Errorf("what is emptied by hand: status %d, %q", res.Status, res.Alert())
	}

	rules := fields(c.Get("/plan/rules"), "/plan/rules")
	rules.Set("late_kind", string(fees.LateFlat))
	rules.Set("late_head", fees.HeadLateFee)
	rules.Set("late_amount", "100")
	if res := c.Post("/plan/rules", rules); res.Status != http.StatusSeeOther {
		t.Fatalf("rules: status %d: %s", res.Status, res.Alert())
	}
	now := fields(c.Get("/plan/rules"), "/plan/rules")
	if res := c.Post("/plan/rules", url.Values{"fy": now["fy"], "version": now["version"]}); res.Status != http.StatusUnprocessableEntity {
		t.Errorf("rules without their fields: status %d", res.Status)
	}
	if got := fields(c.Get("/plan/rules"), "/plan/rules"); got.Get("late_kind") != string(fees.LateFlat) {
		t.Errorf("the late fee is %q", got.Get("late_kind"))
	}
}
