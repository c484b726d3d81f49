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

func byCheque(number string, amount fees.Amount) fees.Tender {
	return fees.Tender{Mode: fees.ModeCheque, Amount: amount, Ref: number, Bank: "State Bank", Branch: "Fort"}
}

func TestChequesFromTheDrawerToTheBank(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	row := pay(t, s, webtest.Own, "1001", byCheque("004512", 450000), cash(50000))
	pay(t, s, webtest.Foreign, "1001", byCheque("999999", 450000))
	c := s.As(t, fees.RoleAccountant)
	id := row.ShortID() + ":0"

	page := c.Get("/cheques")
	if page.Status != http.StatusOK || page.ByTestID("cheques-total") != "4,500.00" || strings.Contains(page.Body, "999999") {
		t.Fatalf("status %d, total %s", page.Status, page.ByTestID("cheques-total"))
	}
	if got := cells(page, "table.cheques tbody tr"); !strings.Contains(got, "Cheque 004512 | State Bank, Fort") || !strings.Contains(got, row.NumberText+" | In hand | 30 Nov 2026 | 4,500.00") {
		t.Errorf("in hand: %s", got)
	}
	if got := page.ByTestID("chosen"); got != "Chosen: 1 cheque, ₹4,500.00" {
		t.Errorf("what is chosen: %q", got)
	}
	form := url.Values{"deposit_id": {page.Input("deposit_id")}, "account": {"SBI fees"}, "day": {page.Input("day")}, "cheque": {id}}
	empty := url.Values{"deposit_id": form["deposit_id"], "account": {"SBI <fees>"}, "day": form["day"]}
	if res := c.Post("/cheques/deposit", empty); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "Choose at least one cheque") || res.Input("account") != "SBI <fees>" {
		t.Errorf("none chosen: status %d, %s, %q", res.Status, res.Alert(), res.Input("account"))
	}
	within := url.Values{"deposit_id": form["deposit_id"], "account": {""}, "day": form["day"], "from": {form.Get("day")}, "to": {form.Get("day")}}
	if res := c.Post("/cheques/deposit", within); res.Doc().Find("input[name=cheque]").Length() != 1 || res.Doc().Find("input[name=cheque][checked]").Length() != 0 || res.Input("from") != form.Get("day") {
		t.Errorf("none chosen of a day: %d of %d chosen, from %q", res.Doc().Find("input[name=cheque][checked]").Length(), res.Doc().Find("input[name=cheque]").Length(), res.Input("from"))
	}
	for path, twice := range map[string]string{"/cheques/deposit": "account", "/cheques/clear": "day"} {
		sent := url.Values{"deposit_id": form["deposit_id"], "account": form["account"], "day": form["day"], "cheque": {id}}
		sent.Add(twice, sent.Get(twice))
		if res := c.Post(path, sent); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "sent more than once") {
			t.Errorf("%s with two of %s: status %d, %s", path, twice, res.Status, res.Alert())
		}
	}
	slip := "/cheques/deposits/" + form.Get("deposit_id")
	for range 2 {
		if res := c.Post("/cheques/deposit", form); res.Status != http.StatusSeeOther || res.Location() != slip {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	if res := c.Get(slip); res.ByTestID("slip-total") != "4,500.00" || !strings.Contains(res.Body, "SBI fees") || !strings.Contains(res.Body, "Four Thousand Five Hundred") {
		t.Errorf("the slip: %s", res.Body)
	}
	if number := slip[len(slip)-5:]; c.Get(slip).Doc().Find("h1").Text() != "Deposit slip "+number || !strings.Contains(c.Get("/cheques/"+id).Body, "Deposit slip "+number) {
		t.Errorf("the slip is not called %s", number)
	}
	other := url.Values{"deposit_id": {s.Store.NewID()}, "account": {"SBI"}, "day": {""}, "cheque": {id}}
	if res := c.Post("/cheques/deposit", other); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "was deposited already") {
		t.Errorf("deposited twice: status %d, %s", res.Status, res.Alert())
	}
	more := pay(t, s, webtest.Own, "1002", byCheque("004513", 1000)).ShortID() + ":0"
	again := c.Post("/cheques/deposit", url.Values{"deposit_id": form["deposit_id"], "account": form["account"], "day": form["day"], "cheque": {more}})
	if again.Status != http.StatusConflict || !strings.Contains(again.Alert(), "already made a deposit slip") || again.Input("deposit_id") == form.Get("deposit_id") || again.Doc().Find("input[name=cheque][checked]").Length() != 1 {
		t.Errorf("others on the same slip: status %d, %s", again.Status, again.Alert())
	}
	if res := c.Get(slip); res.ByTestID("slip-total") != "4,500.00" {
		t.Errorf("the slip comes to %s", res.ByTestID("slip-total"))
	}
	bounce := "/cheques/" + id + "/bounce"
	for _, tt := range []struct{ field, value string }{{"reason", "x"}, {"reason", ""}, {"charge", "1e3"}, {"charge", "-1"}, {"day", "2099-01-01"}} {
		typed := url.Values{"reason": {"no funds"}, "charge": {"250"}, "day": {""}}
		typed.Set(tt.field, tt.value)
		if res := c.Post(bounce, typed); res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Doc().Find("#"+tt.field+"-error").Text() == "" || res.Input("charge") != typed.Get("charge") {
			t.Errorf("%s=%q: status %d, %s", tt.field, tt.value, res.Status, res.Alert())
		}
	}
	for range 2 {
		if res := c.Post(bounce, url.Values{"reason": {"no funds"}, "charge": {"250"}}); res.Status != http.StatusSeeOther || res.Location() != "/cheques/"+url.PathEscape(id) {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	rows, err := s.Store.StudentRows(ctx, webtest.Own, "1001")
	if err != nil || len(rows) != 3 {
		t.Fatalf("the ledger has %d rows, %v", len(rows), err)
	}
	if res := c.Post("/cheques/clear", url.Values{"cheque": {id}}); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "bounced on") {
		t.Errorf("cleared after it bounced: status %d, %s", res.Status, res.Alert())
	}
	shown := c.Get("/cheques/" + id)
	if shown.ByTestID("cheque-state") != "Bounced" || !strings.Contains(shown.Body, "/collect/1001?cheque=") || strings.Contains(shown.Body, bounce) {
		t.Errorf("the cheque's page: %s", shown.Body)
	}
	if receipt := c.Get("/receipts/" + row.ShortID()); !strings.Contains(cells(receipt, "table.cheques tbody tr"), "Bounced") {
		t.Errorf("the receipt does not say that its cheque bounced")
	}
	if student := c.Get("/students/1001"); !strings.Contains(cells(student, "table.cheques tbody tr"), "Cheque 004512") {
		t.Errorf("the student's page does not show the cheque")
	}
	for _, res := range []webtest.Response{c.Get("/cheques?state=lost"), c.Get("/cheques?after=x~y")} {
		if res.Status != http.StatusUnprocessableEntity {
			t.Errorf("a wrong address: status %d", res.Status)
		}
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleAccountant).Post(bounce, url.Values{"reason": {"no funds"}}); res.Status != http.StatusNotFound {
		t.Errorf("the other school: status %d", res.Status)
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAuditor} {
		if res := s.As(t, role).Post(bounce, url.Values{"reason": {"no funds"}}); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
}
