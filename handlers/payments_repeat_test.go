package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// upiForm is a payment by UPI with a reference.
func upiForm(s *webtest.Server, student, ref string) url.Values {
	return url.Values{
		"payment_id": {fees.Key(webtest.Own, s.Store.NewID())}, "student": {student},
		"tender_mode": {"upi"}, "tender_amount": {"500"}, "tender_ref": {ref},
	}
}

// A reference that was received already is asked about, with the receipt that
// it is on; nothing is recorded until the cashier says that it is right.
func TestReferenceTwice(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	if res := c.Post("/payments", upiForm(s, "1001", "412345678901")); res.Status != http.StatusSeeOther {
		t.Fatalf("the first: status %d: %s", res.Status, res.Alert())
	}
	form := upiForm(s, "1002", "4123-4567-8901")
	res := c.Post("/payments", form)
	if res.Status != http.StatusUnprocessableEntity {
		t.Fatalf("the same reference again: status %d to %q, want 422", res.Status, res.Location())
	}
	for _, words := range []string{"DPS/26-27/00001", "30 November 2026", "500.00", "Asha Verma"} {
		if !strings.Contains(res.Alert(), words) {
			t.Errorf("the question does not name %q: %s", words, res.Alert())
		}
	}
	again := res.Doc().Find(`#payment input[type="checkbox"][name="ref_again"]`)
	if again.AttrOr("value", "") != "4123-4567-8901" || again.Is("[checked]") {
		t.Errorf("the form asks about %q (checked: %v)", again.AttrOr("value", ""), again.Is("[checked]"))
	}
	if got := res.Input("tender_ref"); got != "4123-4567-8901" {
		t.Errorf("the reference is %q after the question, want it as it was typed", got)
	}
	if n := len(rowsOf(t, s, "1002")); n != 0 {
		t.Fatalf("%d rows are there, want none", n)
	}

	form["ref_again"] = []string{"512345678901"}
	if res := c.Post("/payments", form); res.Status != http.StatusUnprocessableEntity {
		t.Errorf("an answer to another question: status %d, want 422", res.Status)
	}
	form["ref_again"], form["tender_amount"] = []string{"4123-4567-8901"}, []string{"1e3"}
	res = c.Post("/payments", form)
	if again := res.Doc().Find(`input[name="ref_again"]`); res.Status != http.StatusUnprocessableEntity || !again.Is("[checked]") {
		t.Errorf("refused for its amount: status %d, the answer is kept: %v", res.Status, again.Is("[checked]"))
	}
	form["tender_amount"] = []string{"500"}
	for range 2 { // and once more is the same receipt
		if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
			t.Fatalf("said to be right: status %d: %s", res.Status, res.Alert())
		}
	}
	form.Del("ref_again") // an answer is no part of the payment
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("the recorded form without its answer: status %d: %s", res.Status, res.Alert())
	}
	if n := len(rowsOf(t, s, "1002")); n != 1 {
		t.Errorf("%d rows are there, want 1", n)
	}
}

// A reference of a receipt that was reversed, and of another school, is free.
func TestReferenceFree(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAccountant)
	res := c.Post("/payments", upiForm(s, "1001", "412345678901"))
	if reversed := c.Post(res.Location()+"/reverse", url.Values{"reason": {"wrong student"}}); reversed.Status != http.StatusSeeOther {
		t.Fatalf("reverse: status %d: %s", reversed.Status, reversed.Alert())
	}
	if res := c.Post("/payments", upiForm(s, "1002", "412345678901")); res.Status != http.StatusSeeOther {
		t.Errorf("a reversed receipt's reference: status %d: %s", res.Status, res.Alert())
	}
	form := upiForm(s, "1001", "412345678901")
	form["payment_id"] = []string{fees.Key(webtest.Foreign, s.Store.NewID())}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleCashier).Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("another school's reference: status %d: %s", res.Status, res.Alert())
	}
}

// The branch of a cheque and the last digits of a card reach the receipt; more
// of a card is refused in every field.
func TestTenderDetails(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := url.Values{
		"payment_id": {fees.Key(webtest.Own, s.Store.NewID())}, "student": {"1001"},
		"tender_mode": {"cheque", "card"}, "tender_amount": {"100", "200"}, "tender_ref": {"004512", "A1B2C3"},
		"tender_bank": {"State Bank", ""}, "tender_branch": {"Rohini", ""}, "tender_date": {"2026-12-15", ""}, "tender_last4": {"", "4242"},
	}
	for field, n := range map[string]int{"tender_ref": 1, "tender_bank": 0, "tender_branch": 0, "tender_last4": 1, "remark": 0} {
		bad := url.Values{}
		for name, values := range form {
			bad[name] = append([]string{}, values...)
		}
		if field == "remark" {
			bad["remark"] = []string{""}
		}
		bad[field][n] = "4111 1111 1111 1111"
		res := c.Post("/payments", bad)
		if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "card number") {
			t.Errorf("a card number as %s: status %d: %s", field, res.Status, res.Alert())
		}
	}
	res := c.Post("/payments", form)
	if res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	receipt := c.Get(res.Location()).Doc().Find(".receipt-body").Text()
	for _, words := range []string{"Rohini", "4242", "A1B2C3", "15 Dec 2026"} {
		if !strings.Contains(receipt, words) {
			t.Errorf("the receipt does not say %q: %s", words, receipt)
		}
	}
	if n := len(rowsOf(t, s, "1001")); n != 1 {
		t.Errorf("%d rows are there, want 1", n)
	}
}

// The form says how far back the role may date a payment.
func TestDateWithinTheRole(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	for role, first := range map[fees.Role]string{fees.RoleCashier: "2026-11-23", fees.RoleAdmin: "2026-04-01"} {
		date := s.As(t, role).Get("/collect/1001").Doc().Find(`#payment input[name="date"]`)
		if date.AttrOr("min", "") != first || date.AttrOr("max", "") != "2026-11-30" {
			t.Errorf("%s may choose from %q to %q, want from %s to today", role, date.AttrOr("min", ""), date.AttrOr("max", ""), first)
		}
	}
	if err := s.Store.CloseBooks(t.Context(), webtest.Own, "2026-11-28"); err != nil {
		t.Fatal(err)
	}
	if date := s.As(t, fees.RoleAdmin).Get("/collect/1001").Doc().Find(`#payment input[name="date"]`); date.AttrOr("min", "") != "2026-11-29" {
		t.Errorf("with the books closed to the 28th the first day is %q", date.AttrOr("min", ""))
	}
}

// A cheque in the counter's address is filled in if it is the student's and
// bounced, and only then.
func TestPresentAgain(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := t.Context()
	paid, err := s.Store.RecordPayment(ctx, webtest.Own, fees.PaymentOrder{
		ID: s.Store.NewID(), Student: "1001", By: fees.Actor{Login: "asha", Name: "Asha Rao", Role: fees.RoleCashier},
		Tenders: []fees.Tender{{Mode: fees.ModeCheque, Amount: 500_00, Ref: "004512", Bank: "State Bank", Branch: "Rohini", Date: "2026-11-28"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	cheque := fees.After(fees.ChequeID(paid.ID, 0))
	c := s.As(t, fees.RoleCashier)
	res := c.Get("/collect/1001?cheque=" + cheque)
	if res.Status != http.StatusOK || !strings.Contains(res.Alert(), "has not bounced") || res.Input("tender_ref") != "" {
		t.Errorf("a cheque in hand: status %d, %q, number %q", res.Status, res.Alert(), res.Input("tender_ref"))
	}
	by := fees.Actor{Login: "ravi", Name: "Ravi Menon", Role: fees.RoleAccountant}
	if _, err := s.Store.DepositCheques(ctx, webtest.Own, fees.DepositOrder{ID: s.Store.NewID(), Cheques: []string{cheque}, Account: "Current", By: by}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Store.BounceCheque(ctx, webtest.Own, fees.BounceOrder{Cheque: cheque, Reason: "Funds insufficient", By: by}); err != nil {
		t.Fatal(err)
	}
	res = c.Get("/collect/1001?cheque=" + cheque)
	for field, want := range map[string]string{"tender_amount": "500.00", "tender_ref": "004512", "tender_bank": "State Bank", "tender_branch": "Rohini", "tender_date": "2026-11-28"} {
		if got := res.Doc().Find(`.tender.first input[name="`+field+`"]`).AttrOr("value", ""); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	if mode := res.Doc().Find(".tender.first option[selected]").AttrOr("value", ""); mode != "cheque" || !strings.Contains(res.Alert(), "received again") {
		t.Errorf("the mode is %q, the notice %q", mode, res.Alert())
	}
	if strings.Contains(res.Body, `href="/cheques/`) {
		t.Error("a cashier is led to a page that is not open to them")
	}
	for _, path := range []string{"/collect/1002?cheque=" + cheque, "/collect/1001?cheque=nonsense"} {
		if res := c.Get(path); res.Status != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, res.Status)
		}
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleCashier).Get("/collect/1001?cheque=" + cheque); res.Status != http.StatusNotFound {
		t.Errorf("another school's: status %d, want 404", res.Status)
	}
}
