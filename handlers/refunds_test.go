package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web/webtest"
)

func TestRefunds(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	row := pay(t, s, webtest.Own, "1001", cash(600000)) // 1,000.00 of it are an advance
	cashier, c := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)

	if page := cashier.Get("/refunds/new?receipt=" + row.ShortID()); page.Status != http.StatusOK || !strings.Contains(page.Body, "Nothing of this receipt can be given back") {
		t.Fatalf("nothing is refundable: status %d", page.Status)
	}
	page := cashier.Get("/refunds/new?student=1001")
	if page.Status != http.StatusOK || page.Input("amount") != "1000.00" {
		t.Fatalf("the form: status %d, amount %q", page.Status, page.Input("amount"))
	}
	good := url.Values{"refund_id": {page.Input("refund_id")}, "student": {"1001"}, "head": {"ADVANCE"}, "amount": {"750.50"}, "mode": {"transfer"}, "ref": {""}, "reason": {"Left the school"}}
	for _, tt := range []struct{ field, value, marks, says string }{
		{"amount", "1000.01", "amount-0", "At most 1,000.00 of Advance"}, {"amount", "", "", "Enter what is given back"}, {"amount", "1e3", "amount-0", "Nothing was recorded"},
		{"mode", "gold", "mode", "Choose how"}, {"ref", "4111 1111 1111 1111", "ref", "card number"}, {"reason", "x", "reason", "Say why"}, {"head", "TUITION", "", "Nothing of TUITION"},
	} {
		form := url.Values{}
		for k, v := range good {
			form[k] = v
		}
		form.Set(tt.field, tt.value)
		res := cashier.Post("/refunds", form)
		if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), tt.says) {
			t.Errorf("%s=%q: status %d, %s", tt.field, tt.value, res.Status, res.Alert())
		}
		if tt.marks != "" && res.Doc().Find("#"+tt.marks+"-error").Text() == "" {
			t.Errorf("%s=%q is not marked", tt.field, tt.value)
		}
		if res.Input("reason") != form.Get("reason") || tt.field != "head" && res.Input("amount") != form.Get("amount") {
			t.Errorf("%s=%q: what was typed is lost", tt.field, tt.value)
		}
	}
	at := "/refunds/" + good.Get("refund_id")
	for range 2 {
		if res := cashier.Post("/refunds", good); res.Status != http.StatusSeeOther || res.Location() != at {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	if res := cashier.Get(at); res.ByTestID("refund-state") != "Asked for" || strings.Contains(res.Body, "/approve") || !strings.Contains(res.Body, "Give nothing out before") {
		t.Errorf("the cashier sees %s", res.Body)
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAuditor} {
		if res := s.As(t, role).Post(at+"/approve", nil); res.Status != http.StatusForbidden {
			t.Errorf("%s approves: status %d", role, res.Status)
		}
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleAccountant).Post(at+"/approve", nil); res.Status != http.StatusNotFound {
		t.Errorf("the other school approves: status %d", res.Status)
	}
	for range 2 {
		if res := c.Post(at+"/approve", url.Values{}); res.Status != http.StatusSeeOther || res.Location() != at {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	if res := c.Post(at+"/refuse", url.Values{"why": {"No more"}}); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "approved by") {
		t.Errorf("refused after it was paid: status %d, %s", res.Status, res.Alert())
	}
	d, err := s.Store.Dues(ctx, webtest.Own, "1001")
	if err != nil || d.Advance != 24950 {
		t.Errorf("left in advance: %+v, %v", d, err)
	}
	paid := c.Get(at)
	if paid.ByTestID("refund-state") != "Paid out" || !strings.Contains(paid.ByTestID("refund-voucher"), "RF/26-27/00001") {
		t.Errorf("the refund's page: %s", paid.Body)
	}
	voucher := c.Get("/receipts/" + good.Get("refund_id") + ":refund")
	if voucher.Status != http.StatusOK || voucher.ByTestID("receipt-total") != "-750.50" || !strings.Contains(voucher.Body, "Refund voucher") {
		t.Errorf("the voucher: status %d, %s", voucher.Status, voucher.ByTestID("receipt-total"))
	}
	if got := cells(c.Get("/refunds?state=paid"), "table.refunds tbody tr"); !strings.Contains(got, "Advance | Asha Verma | Left the school") {
		t.Errorf("paid out: %s", got)
	}
	if got := cells(c.Get("/receipts?status=refund"), "table.register tbody tr"); !strings.Contains(got, "RF/26-27/00001") || strings.Contains(got, row.NumberText) {
		t.Errorf("refunds in the register: %s", got)
	}
}

// What was given back of a receipt is on its page, which offers no reversal any
// more; and nobody is offered to approve what they asked for themselves.
func TestAReceiptShowsWhatWasGivenBack(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c, admin := s.As(t, fees.RoleAccountant), s.As(t, fees.RoleAdmin)
	refundable(t, s)
	row := pay(t, s, webtest.Own, "1001", cash(100000))
	receipt := "/receipts/" + row.ShortID()
	if before := c.Get(receipt); !strings.Contains(before.Body, receipt+"/reverse") || strings.Contains(before.Body, "given back by") {
		t.Errorf("before: %s", before.Body)
	}
	form := url.Values{
		"refund_id": {s.Store.NewID()}, "receipt": {row.ShortID()}, "head": {"TUITION"}, "amount": {"12.50"}, "mode": {"cash"}, "reason": {"Left the school"},
	}
	at := c.Post("/refunds", form).Location()
	if own := c.Get(at); own.Status != http.StatusOK || strings.Contains(own.Body, at+"/approve") || !strings.Contains(own.Body, "You asked for it yourself") || !strings.Contains(own.Body, at+"/refuse") {
		t.Errorf("one's own: status %d, %s", own.Status, own.Body)
	}
	if res := admin.Post(at+"/approve", url.Values{}); res.Status != http.StatusSeeOther {
		t.Fatalf("approve: status %d, %s", res.Status, res.Alert())
	}
	for _, client := range []*webtest.Client{c, s.As(t, fees.RoleCashier)} {
		after := client.Get(receipt)
		if after.Status != http.StatusOK || !strings.Contains(after.Body, "12.50 given back by RF/26-27/00001 on ") || strings.Contains(after.Body, receipt+"/reverse") {
			t.Errorf("after: status %d, %s", after.Status, after.Body)
		}
	}
}

// refundable makes tuition refundable.
func refundable(t *testing.T, s *webtest.Server) {
	t.Helper()
	admin := s.As(t, fees.RoleAdmin)
	page := admin.Get("/plan/heads")
	form := url.Values{"version": {page.Input("version")}, "refundable": {"TUITION"}}
	page.Doc().Find("input[name=order], input[name=head_name], input[name=code]").Each(func(_ int, in *goquery.Selection) {
		if in.Closest("form").Find("input[name=version]").Length() > 0 {
			form.Add(in.AttrOr("name", ""), in.AttrOr("value", ""))
		}
	})
	if res := admin.Post("/plan/heads", form); res.Status != http.StatusSeeOther {
		t.Fatalf("make tuition refundable: status %d, %s", res.Status, res.Alert())
	}
}
