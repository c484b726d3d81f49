package handlers_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// harmAccount makes an account say something else.
func harmAccount(t *testing.T, s *webtest.Server, institute, student string) {
	t.Helper()
	id := fees.Key(institute, student)
	res, err := s.Store.DB.UpdateOne(context.Background(), "accounts",
		bson.D{{Key: "_id", Value: id}, {Key: "institute", Value: institute}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "received", Value: int64(7)}}}}, docdb.Update{})
	if err != nil || res.Matched != 1 {
		t.Fatalf("harm the account %s: %+v, %v", id, res, err)
	}
}

func TestAuditRepair(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	pay(t, s, webtest.Own, "1001", cash(100))
	pay(t, s, webtest.Foreign, "1001", cash(100))
	admin := s.As(t, fees.RoleAdmin)
	res := admin.Get("/reports/series")
	if got := res.ByTestID("audit-accounts"); !strings.Contains(got, "agree with the bills and receipts") || !strings.Contains(got, "Checked 30 Nov 2026, 10:00") {
		t.Errorf("the accounts of a sound ledger: %q", got)
	}
	if strings.Contains(res.Body, "/reports/series/repair") || !strings.Contains(res.Body, "/reports/series/check") {
		t.Error("a sound ledger is offered a repair, or no check")
	}

	harmAccount(t, s, webtest.Own, "1001")
	harmAccount(t, s, webtest.Foreign, "1001")
	for _, tt := range []struct {
		role      fees.Role
		mayRepair bool
	}{{fees.RoleAccountant, false}, {fees.RoleAuditor, false}, {fees.RoleAdmin, true}} {
		c := s.As(t, tt.role)
		res := c.Get("/reports/series")
		if !strings.Contains(res.Alert(), "1 finding") || !strings.Contains(res.Alert(), "The account of 1001 says") || !strings.Contains(res.Alert(), "DPS:1001") {
			t.Errorf("%s: the page says %q", tt.role, res.Alert())
		}
		if strings.Contains(res.Body, "QPS") {
			t.Errorf("%s: the page tells of the other school", tt.role)
		}
		if got := strings.Contains(res.Body, "/reports/series/repair"); got != tt.mayRepair {
			t.Errorf("%s: is offered a repair: %t, want %t", tt.role, got, tt.mayRepair)
		}
		if tt.mayRepair {
			continue
		}
		if res := c.Post("/reports/series/repair", nil); res.Status != http.StatusForbidden {
			t.Errorf("%s: repair answers %d, want 403", tt.role, res.Status)
		}
		if res := c.Post("/reports/series/check", nil); res.Status != http.StatusSeeOther || res.Location() != "/reports/series" {
			t.Errorf("%s: check answers %d to %q", tt.role, res.Status, res.Location())
		}
	}
	if res := s.As(t, fees.RoleCashier).Post("/reports/series/check", nil); res.Status != http.StatusForbidden {
		t.Errorf("cashier: check answers %d, want 403", res.Status)
	}

	if res := admin.Post("/reports/series/repair", nil); res.Status != http.StatusSeeOther || res.Location() != "/reports/series" {
		t.Fatalf("repair answers %d to %q: %s", res.Status, res.Location(), res.Alert())
	}
	res = admin.Get("/reports/series")
	if !strings.Contains(res.Alert(), "Every number is there") {
		t.Errorf("after the repair the page says %q", res.Alert())
	}
	for _, want := range []string{"Repaired, 30 Nov 2026, 10:00, by The Administrator", "Recounted the account of 1001: it said"} {
		if !strings.Contains(res.Body, want) {
			t.Errorf("after the repair the page lacks %q", want)
		}
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleAuditor).Get("/reports/series"); !strings.Contains(res.Alert(), "1 finding") || strings.Contains(res.Body, "Repaired") {
		t.Errorf("the other school was repaired too, or is told of this one's: %q", res.Alert())
	}
	if res := admin.Post("/reports/series/repair", nil); res.Status != http.StatusSeeOther {
		t.Fatalf("a second repair answers %d", res.Status)
	}
	if res := admin.Get("/reports/series"); !strings.Contains(res.Body, "Nothing to repair, 30 Nov 2026") {
		t.Error("a second repair does not say that there was nothing to do")
	}
}

// slowLedger is a database whose institute is counted only when it is let.
type slowLedger struct {
	docdb.DB
	slow    atomic.Bool
	release chan struct{}
}

func (d *slowLedger) Group(ctx context.Context, coll string, filter bson.D, g docdb.Group) ([]bson.Raw, error) {
	if d.slow.Load() && coll == "payments" && len(g.By) == 2 {
		select {
		case <-d.release:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return d.DB.Group(ctx, coll, filter, g)
}

// A ledger that takes longer than a page may is checked in the background: the
// page says so and asks again until there is a result.
func TestAuditOfALargeLedger(t *testing.T) {
	ledger := &slowLedger{release: make(chan struct{})}
	s := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB { ledger.DB = db; return ledger }})
	pay(t, s, webtest.Own, "1001", cash(100))
	c := s.As(t, fees.RoleAuditor)
	ledger.slow.Store(true)
	res := c.Get("/reports/series")
	if res.Status != http.StatusOK || !strings.Contains(res.ByTestID("audit-progress"), "Checking") {
		t.Fatalf("status %d, progress %q", res.Status, res.ByTestID("audit-progress"))
	}
	if part := res.Doc().Find("#audit"); part.AttrOr("hx-get", "") != "/reports/series" || res.Doc().Find("noscript meta").Length() == 0 && !strings.Contains(res.Body, `http-equiv="refresh"`) {
		t.Error("the page does not ask again, with or without script")
	}
	if res.Alert() != "" || res.ByTestID("series-last") != "" {
		t.Errorf("there is a result already: %q", res.Alert())
	}
	if res := c.HTMX().Get("/reports/series"); res.ByTestID("audit-progress") == "" || strings.Contains(res.Body, "<html") {
		t.Error("htmx does not get the part with the progress alone")
	}
	ledger.slow.Store(false)
	close(ledger.release)
	for range 10_000 { // each a request: no sleep is needed to let the check end
		if res = c.HTMX().Get("/reports/series"); res.ByTestID("audit-progress") == "" {
			break
		}
	}
	if !strings.Contains(res.Alert(), "Every number is there") || res.ByTestID("series-last") != "1" {
		t.Errorf("in the end the page says %q, the last number is %q", res.Alert(), res.ByTestID("series-last"))
	}
	if res.Doc().Find("#audit").AttrOr("hx-get", "") != "" {
		t.Error("the page goes on asking")
	}
}
