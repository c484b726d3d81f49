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

func TestReverse(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	c := s.As(t, fees.RoleAccountant)
	path := "/receipts/" + row.ShortID() + "/reverse"
	owed, err := s.Store.Dues(ctx, webtest.Own, "1001")
	if err != nil {
		t.Fatal(err)
	}

	for range 3 { // a double click, and Back
		res := c.Post(path, url.Values{"reason": {"cheque returned"}, "charge": {"250.00"}})
		if res.Status != http.StatusSeeOther || res.Location() != "/receipts/"+row.ShortID() {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	rows, err := s.Store.StudentRows(ctx, webtest.Own, "1001")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[1].Reverses != row.ID || rows[1].Total != -450000 || rows[1].Reason != "cheque returned" || rows[0].ReversedBy != rows[1].ID {
		t.Fatalf("the ledger has %+v", rows)
	}
	if rows[1].Cashier != webtest.LoginOf(webtest.Own, fees.RoleAccountant) || rows[1].From == "" {
		t.Errorf("the reversal says it was done by %q from %q", rows[1].Cashier, rows[1].From)
	}
	owes, err := s.Store.Dues(ctx, webtest.Own, "1001")
	if err != nil {
		t.Fatal(err)
	}
	if owes.Balance != owed.Balance+450000+25000 {
		t.Errorf("balance went from %d to %d, want the payment and the charge owed again, once", owed.Balance, owes.Balance)
	}
	if res := c.HTMX().Post(path, url.Values{"reason": {"again"}}); res.Status != http.StatusOK || res.Header.Get("HX-Redirect") != "/receipts/"+row.ShortID() {
		t.Errorf("htmx: status %d to %q", res.Status, res.Header.Get("HX-Redirect"))
	}

	res := c.Post("/receipts/"+row.ShortID()+":reversal/reverse", url.Values{"reason": {"undo"}})
	if res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "only a payment can be reversed") {
		t.Errorf("reversing a reversal: status %d, %q, want 409 in words", res.Status, res.Alert())
	}
}

func TestReverseRefuses(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	foreign := pay(t, s, webtest.Foreign, "1001", cash(450000))
	c := s.As(t, fees.RoleAccountant)
	path := "/receipts/" + row.ShortID() + "/reverse"

	for _, tt := range []struct {
		name  string
		form  url.Values
		field string
	}{
		{"no reason", url.Values{"charge": {"12.00"}}, "reason"},
		{"short reason", url.Values{"reason": {"x"}}, "reason"},
		{"long reason", url.Values{"reason": {strings.Repeat("x", 201)}}, "reason"},
		{"reason twice", url.Values{"reason": {"wrong entry", "cheque returned"}}, "reason"},
		{"exponent", url.Values{"reason": {"wrong entry"}, "charge": {"1e3"}}, "charge"},
		{"negative charge", url.Values{"reason": {"wrong entry"}, "charge": {"-5"}}, "charge"},
		{"too many decimals", url.Values{"reason": {"wrong entry"}, "charge": {"1.005"}}, "charge"},
		{"absurd charge", url.Values{"reason": {"wrong entry"}, "charge": {"999999999999999"}}, "charge"},
	} {
		res := c.Post(path, tt.form)
		if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" {
			t.Errorf("%s: status %d, alert %q, want 422 in words", tt.name, res.Status, res.Alert())
			continue
		}
		doc := res.Doc()
		if doc.Find("#"+tt.field+"-error").Text() == "" {
			t.Errorf("%s: the field %s does not say what is wrong", tt.name, tt.field)
		}
		if res.Input("reason") != tt.form.Get("reason") || res.Input("charge") != tt.form.Get("charge") {
			t.Errorf("%s: what was typed is not kept: %q %q", tt.name, res.Input("reason"), res.Input("charge"))
		}
		if question := doc.Find(".reverse-question").Text(); question != "Reverse "+row.NumberText+", ₹4,500.00 from Asha Verma?" {
			t.Errorf("%s: the form asks %q", tt.name, question)
		}
	}
	for _, id := range []string{foreign.ShortID(), webtest.Foreign + ":" + foreign.ShortID(), "nonsense", s.Store.NewID()} {
		res := c.Post("/receipts/"+url.PathEscape(id)+"/reverse", url.Values{"reason": {"wrong entry"}})
		if res.Status != http.StatusNotFound || strings.Contains(res.Body, "Foreign") {
			t.Errorf("%s: status %d, want 404 and nothing of the other institute", id, res.Status)
		}
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAuditor} {
		if res := s.As(t, role).Post(path, url.Values{"reason": {"wrong entry"}}); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	for institute, row := range map[string]fees.Row{webtest.Own: row, webtest.Foreign: foreign} {
		there, err := s.Store.Row(context.Background(), institute, row.ShortID())
		if err != nil || there.ReversedBy != "" {
			t.Errorf("%s was reversed by a refused form (%v)", row.ID, err)
		}
	}
}
