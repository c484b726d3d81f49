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

// openedTill opens a till by its form and gives its id.
func openedTill(t *testing.T, c *webtest.Client, float string) string {
	t.Helper()
	page := c.Get("/till")
	id := page.Input("shift")
	res := c.Post("/till/open", url.Values{"shift": {id}, "float": {float}})
	if res.Status != http.StatusSeeOther || res.Location() != "/till" {
		t.Fatalf("open: status %d to %q: %s", res.Status, res.Location(), res.Alert())
	}
	return id
}

func TestTillDay(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)

	if strip := c.Get("/collect").ByTestID("till"); !strings.Contains(strip, "No till is open") {
		t.Errorf("without a till the counter says %q", strip)
	}
	if c.Get("/collect/1001").Doc().Find(`#payment input[name="shift"]`).Length() != 0 {
		t.Error("without a till the form names one")
	}
	id := openedTill(t, c, "1,000.00")
	if res := c.Post("/till/open", url.Values{"shift": {id}, "float": {"1000"}}); res.Status != http.StatusSeeOther {
		t.Errorf("the same form again: status %d, %q", res.Status, res.Alert())
	}
	page := c.Get("/collect/1001")
	if strip := page.ByTestID("till"); !strings.Contains(strip, "since 10:00") || !strings.Contains(strip, "₹1,000.00") {
		t.Errorf("with a till the counter says %q", strip)
	}
	form := counterForm(t, c, "1001")
	if form.Get("shift") != id {
		t.Errorf("the form is of the till %q, want %q", form.Get("shift"), id)
	}
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther { // 5,000.00 in cash
		t.Fatalf("payment: status %d, %q", res.Status, res.Alert())
	}
	own := c.Get("/till")
	if got := own.Doc().Find(`[data-testid="till-expected"]`).AttrOr("data-amount", ""); got != "600000" {
		t.Errorf("expected %s, want 6000.00", got)
	}
	if !strings.Contains(own.Body, "DPS/26-27/00001") {
		t.Error("the till does not say which receipts went through it")
	}

	drop := url.Values{"shift": {id}, "drop_id": {own.Input("drop_id")}, "amount": {"5000"}, "note": {"<b>van</b>"}}
	for range 2 {
		if res := c.Post("/till/drops", drop); res.Status != http.StatusSeeOther {
			t.Fatalf("drop: status %d, %q", res.Status, res.Alert())
		}
	}
	drop.Set("drop_id", s.Store.NewID())
	if res := c.Post("/till/drops", drop); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "There is 1,000.00 in the till") || res.Input("amount") != "5000" {
		t.Errorf("a drop of more than there is: status %d, %q", res.Status, res.Alert())
	}

	count := url.Values{"shift": {id}, "count.note-500": {"1"}, "count.coin-10": {" 49 "}}
	res := c.Post("/till/close", count)
	if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "short by 10.00") || res.Input("count.coin-10") != " 49 " {
		t.Fatalf("a short till: status %d, %q", res.Status, res.Alert())
	}
	bad := url.Values{"shift": {id}, "count.note-500": {"one"}, "other": {"x"}}
	if res := c.Post("/till/close", bad); res.Status != http.StatusUnprocessableEntity || res.Doc().Find(".problem").Length() != 2 {
		t.Errorf("a count that is none: status %d, %d problems", res.Status, res.Doc().Find(".problem").Length())
	}
	count.Set("note", "a coin is missing")
	for range 2 { // two tabs
		if res = c.Post("/till/close", count); res.Status != http.StatusSeeOther || res.Location() != "/tills/"+id {
			t.Fatalf("close: status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	count.Set("other", "1")
	if res := c.Post("/till/close", count); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "was closed by") || !strings.Contains(res.Body, `href="/tills/`+id+`"`) {
		t.Errorf("closed again with another count: status %d, %q", res.Status, res.Alert())
	}
	shown := c.Get("/tills/" + id)
	for _, want := range []string{"Short by ₹10.00", "a coin is missing", "To the safe", "&lt;b&gt;van&lt;/b&gt;", "49", "/tills/" + id + "/print"} {
		if !strings.Contains(shown.Body, want) {
			t.Errorf("the closed till does not say %q", want)
		}
	}
	if strings.Contains(shown.Body, "<b>van") || strings.Contains(shown.Body, `id="till-close"`) {
		t.Error("the closed till has what it must not have")
	}
	for format, status := range map[string]int{"": http.StatusOK, "?format=a5": http.StatusOK, "?format=thermal": http.StatusOK, "?format=a4": http.StatusUnprocessableEntity} {
		slip := c.Get("/tills/" + id + "/print" + format)
		if slip.Status != status || status == http.StatusOK && (!strings.Contains(slip.Body, "Handed over by") || !strings.Contains(slip.Body, "DPS/26-27/00001")) {
			t.Errorf("slip %s: status %d", format, slip.Status)
		}
	}
	if again := c.Get("/till"); again.Doc().Find(`form[action="/till/open"]`).Length() != 1 || !strings.Contains(again.Body, "Short by 10.00") {
		t.Error("after the close no other till can be opened, or this one is not in the list")
	}
}

// TestFormOfAClosedTill: a form of a till that was closed meanwhile is kept, and
// records at the second press.
func TestFormOfAClosedTill(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	id := openedTill(t, c, "")
	form := counterForm(t, c, "1001")
	form.Set("remark", "half of it")
	put(form, "tender_amount", 0, "2000")
	if res := c.Post("/till/close", url.Values{"shift": {id}}); res.Status != http.StatusSeeOther {
		t.Fatalf("close: %q", res.Alert())
	}
	for _, as := range []*webtest.Client{c, c.HTMX()} {
		res := as.Post("/payments", form)
		if res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "Your till was closed by") || !strings.Contains(res.Alert(), "outside of a till") {
			t.Fatalf("status %d, %q", res.Status, res.Alert())
		}
		if res.Input("remark") != "half of it" || res.Input("payment_id") != form.Get("payment_id") || res.Doc().Find(`#payment input[name="shift"]`).Length() != 0 {
			t.Error("the form was not kept, or still names the till")
		}
	}
	rows, err := s.Store.StudentRows(context.Background(), webtest.Own, "1001")
	if err != nil || len(rows) != 0 {
		t.Fatalf("%d rows were recorded, %v", len(rows), err)
	}
	form.Del("shift")
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("pressed again: status %d, %q", res.Status, res.Alert())
	}
	if rows, err = s.Store.StudentRows(context.Background(), webtest.Own, "1001"); err != nil || len(rows) != 1 || rows[0].Shift != "" {
		t.Errorf("recorded as %+v, %v", rows, err)
	}
}

// Who logs out is told of a till that is left open; cheques are on its slip, to be
// ticked off, once it is closed.
func TestTillLeftOpen(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	id := openedTill(t, c, "0")
	form := counterForm(t, c, "1001")
	put(form, "tender_mode", 0, "cheque")
	put(form, "tender_ref", 0, "004512")
	put(form, "tender_bank", 0, "State Bank")
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Fatalf("payment: status %d, %q", res.Status, res.Alert())
	}
	out := c.Post("/logout", nil)
	if out.Status != http.StatusSeeOther || out.Location() != "/login?till=open" {
		t.Fatalf("logged out: status %d to %q", out.Status, out.Location())
	}
	if told := c.Get(out.Location()).Alert(); !strings.Contains(told, "your till is still open") {
		t.Errorf("who left a till open is told %q", told)
	}
	if c.Get("/till").Status == http.StatusOK {
		t.Error("who logged out is still in")
	}
	c = s.As(t, fees.RoleCashier)
	if res := c.Post("/till/close", url.Values{"shift": {id}}); res.Status != http.StatusSeeOther {
		t.Fatalf("close: status %d: %s", res.Status, res.Alert())
	}
	slip := c.Get("/tills/" + id + "/print")
	if got := cells(slip, ".paper .cheques tr"); !strings.Contains(got, "Cheque 004512 | State Bank | 5,000.00") || !strings.Contains(got, "1 cheque | 5,000.00") || slip.Doc().Find(".tick").Length() != 1 {
		t.Errorf("the slip lists %q", got)
	}
	if out := c.Post("/logout", nil); out.Location() != "/login" {
		t.Errorf("with the till closed it leads to %q", out.Location())
	}
}

func TestTillsOfOthers(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	cashier, accountant, admin, auditor := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant), s.As(t, fees.RoleAdmin), s.As(t, fees.RoleAuditor)
	id := openedTill(t, cashier, "50")
	other := openedTill(t, accountant, "70")
	foreign := openedTill(t, s.AsOf(t, webtest.Foreign, fees.RoleCashier), "90")

	for _, c := range []*webtest.Client{accountant, admin, auditor} {
		list := c.Get("/tills")
		if list.Status != http.StatusOK || !strings.Contains(list.Body, "/tills/"+id) || strings.Contains(list.Body, foreign) {
			t.Errorf("the tills: status %d", list.Status)
		}
	}
	if res := auditor.Get("/till"); res.Status != http.StatusOK || !strings.Contains(res.Body, "/tills/"+id) {
		t.Errorf("an auditor's till: status %d", res.Status)
	}
	if list := admin.Get("/tills?cashier=" + webtest.LoginOf(webtest.Own, fees.RoleAccountant)); strings.Contains(list.Body, id) || !strings.Contains(list.Body, other) {
		t.Error("one cashier's tills are not theirs")
	}
	for path, status := range map[string]int{"/tills/" + id: http.StatusOK, "/tills/" + other: http.StatusNotFound, "/tills/" + foreign: http.StatusNotFound, "/tills": http.StatusForbidden, "/tills/" + id + "/print": http.StatusConflict} {
		if res := cashier.Get(path); res.Status != status {
			t.Errorf("a cashier at %s: status %d, want %d", path, res.Status, status)
		}
	}
	if res := cashier.Post("/till/close", url.Values{"shift": {other}, "other": {"70"}}); res.Status != http.StatusNotFound {
		t.Errorf("a cashier closes another's till: status %d", res.Status)
	}
	if res := accountant.Post("/tills/"+id+"/close", url.Values{"other": {"50"}, "reason": {"late"}}); res.Status != http.StatusForbidden {
		t.Errorf("an accountant closes another's till: status %d", res.Status)
	}
	if res := admin.Post("/tills/"+foreign+"/close", url.Values{"other": {"90"}, "reason": {"late"}}); res.Status != http.StatusNotFound {
		t.Errorf("an admin closes another school's till: status %d", res.Status)
	}
	if page := admin.Get("/tills/" + id); page.Doc().Find(`#till-close input[name="reason"]`).Length() != 1 {
		t.Error("an admin cannot close it")
	}
	res := admin.Post("/tills/"+id+"/close", url.Values{"other": {"50"}})
	if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "say why you close it") || res.Input("other") != "50" {
		t.Errorf("without a reason: status %d, %q", res.Status, res.Alert())
	}
	res = admin.Post("/tills/"+id+"/close", url.Values{"other": {"50"}, "reason": {"left early"}})
	if res.Status != http.StatusSeeOther || !strings.Contains(cashier.Get("/tills/"+id).Body, "left early") {
		t.Errorf("with a reason: status %d, %q", res.Status, res.Alert())
	}
}
