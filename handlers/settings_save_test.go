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

func TestSettingsSave(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	old := pay(t, s, webtest.Own, "1001", cash(100))
	c := s.As(t, fees.RoleAdmin)
	form := url.Values{"name": {"Delta Senior School"}, "address": {"12 Station Road\r\nPune 411001"}}
	if res := s.As(t, fees.RoleAccountant).Post("/settings", form); res.Status != http.StatusForbidden {
		t.Errorf("accountant: status %d, want 403", res.Status)
	}
	for field, value := range map[string]string{"name": " ", "address": strings.Repeat("a", 201)} {
		wrong := url.Values{"name": {"Other"}, "address": {"Elsewhere"}}
		wrong.Set(field, value)
		res := c.Post("/settings", wrong)
		if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Doc().Find("#"+field+"-error").Text() == "" {
			t.Errorf("%s: status %d, %q; want 422 at the field", field, res.Status, res.Alert())
		}
		if res.Input("name") != wrong.Get("name") || res.Doc().Find("textarea[name=address]").Text() != wrong.Get("address") {
			t.Errorf("%s: what was typed is not kept", field)
		}
	}
	if res := c.Post("/settings", form); res.Status != http.StatusSeeOther || res.Location() != "/settings?saved=1" {
		t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
	}
	res := c.Get("/settings")
	if res.Input("name") != "Delta Senior School" || res.Doc().Find("textarea[name=address]").Text() != "12 Station Road, Pune 411001" {
		t.Errorf("the form shows %q, %q", res.Input("name"), res.Doc().Find("textarea[name=address]").Text())
	}
	// A refused closing leaves the other form as it is.
	if res := c.Post("/settings/close", url.Values{}); res.Input("name") != "Delta Senior School" {
		t.Errorf("after a refused closing the name is %q", res.Input("name"))
	}
	if inst, err := s.Store.Institute(ctx, webtest.Foreign); err != nil || strings.Contains(inst.Name, "Delta") || inst.Address != "" {
		t.Errorf("the other institute is %+v, %v", inst, err)
	}
	now := pay(t, s, webtest.Own, "1002", cash(100))
	for id, want := range map[string][2]string{old.ShortID(): {"Delta Public School", ""}, now.ShortID(): {"Delta Senior School", "12 Station Road, Pune 411001"}} {
		paper := c.Get("/receipts/" + id + "/print").Doc().Find(".paper header").First()
		if name, address := paper.Find(".institute").Text(), paper.Find(".address").Text(); name != want[0] || address != want[1] {
			t.Errorf("%s: the paper is headed %q, %q, want %q", id, name, address, want)
		}
	}
}
