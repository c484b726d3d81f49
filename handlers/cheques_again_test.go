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

// splitPaid records a cheque of 4,000.00 for 1001 and 1002, who are of one family,
// and answers with its parts, deposited.
func splitPaid(t *testing.T, s *webtest.Server) []fees.Cheque {
	t.Helper()
	ctx := context.Background()
	office := fees.Actor{Login: webtest.LoginOf(webtest.Own, fees.RoleAccountant), Name: "The Accountant", Role: fees.RoleAccountant}
	p, err := s.Store.RecordFamily(ctx, webtest.Own, fees.FamilyOrder{
		Payment: fees.PaymentOrder{ID: s.Store.NewID(), Tenders: []fees.Tender{byCheque("004512", 400000)}, By: office},
		Children: []fees.FamilyChild{
			{Student: "1001", Chosen: true, Amount: 150000}, {Student: "1002", Chosen: true, Amount: 250000},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var parts []fees.Cheque
	for _, c := range p.Children {
		of, err := s.Store.RowCheques(ctx, webtest.Own, c.Row)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, of...)
	}
	if _, err := s.Store.DepositCheques(ctx, webtest.Own, fees.DepositOrder{ID: s.Store.NewID(), Cheques: []string{parts[0].ShortID()}, Account: "SBI", By: office}); err != nil {
		t.Fatal(err)
	}
	return parts
}

// A cheque that was split over a family's receipts is received again whole, for
// the family, and once.
func TestASplitChequeIsReceivedAgainWhole(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	parts := splitPaid(t, s)
	c := s.As(t, fees.RoleAccountant)
	page := "/cheques/" + parts[1].ShortID()
	if res := c.Post(page+"/bounce", url.Values{"reason": {"no funds"}, "charge": {""}, "day": {""}}); res.Status != http.StatusSeeOther {
		t.Fatalf("bounce: status %d: %s", res.Status, res.Alert())
	}
	again := c.Get(page).Doc().Find("a.button.primary[href*='cheque=']").AttrOr("href", "")
	if again != "/collect/family/1002?cheque="+url.QueryEscape(parts[1].ShortID()) {
		t.Fatalf("it is received again at %q", again)
	}
	if alone := c.Get("/collect/1002?cheque=" + url.QueryEscape(parts[1].ShortID())); alone.Input("tender_amount") != "4000.00" || alone.Doc().Find("a[href='"+again+"']").Length() != 1 {
		t.Errorf("the counter with the student alone: %s of it, %q", alone.Input("tender_amount"), alone.Alert())
	}
	if other := c.Get("/collect/family/1001?cheque=" + url.QueryEscape("01M8PQW1NYWX10TDSA96AA97TA:0")); other.Status != http.StatusNotFound {
		t.Errorf("no cheque of the family: status %d", other.Status)
	}
	form := c.Get(again)
	for name, want := range map[string]string{"tender_amount": "4000.00", "tender_ref": "004512", "tender_bank": "State Bank", "tender_branch": "Fort", "tender_date": string(parts[1].Date)} {
		if got := form.Input(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(form.Alert(), "Cheque 004512 is received again") {
		t.Errorf("the form says %q", form.Alert())
	}
	if res := c.Post("/payments/family", familyFormIn(form)); res.Status != http.StatusSeeOther {
		t.Fatalf("record: status %d: %s", res.Status, res.Alert())
	}
	for _, part := range parts {
		if c.Get("/cheques/"+part.ShortID()).Doc().Find("a.button.primary[href*='cheque=']").Length() != 0 {
			t.Errorf("%s is offered again", part.ID)
		}
	}
	if twice := c.Get(again); !strings.Contains(twice.Alert(), "was received again already") || twice.Input("tender_ref") != "" {
		t.Errorf("a second time: %q, %q", twice.Alert(), twice.Input("tender_ref"))
	}
}

// Who reverses a receipt is told before where its cheques are, and what to do
// instead.
func TestReverseFormSaysWhereTheChequesAre(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	parts := splitPaid(t, s)
	c := s.As(t, fees.RoleAdmin)
	said := func(receipt string) (text string, instead []string) {
		t.Helper()
		form := c.Get("/receipts/" + receipt).Doc().Find("details.reverse")
		if strings.Contains(form.Text(), "returned unpaid") || form.Length() != 1 {
			t.Errorf("%s: %s", receipt, form.Text())
		}
		paper := form.Find(".reverse-paper")
		for _, a := range paper.Find("a").EachIter() {
			instead = append(instead, a.AttrOr("href", ""))
		}
		return strings.Join(strings.Fields(paper.Text()), " "), instead
	}
	wants := func(what, receipt string, links []string, words ...string) {
		t.Helper()
		text, instead := said(receipt)
		for _, word := range words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: %q lacks %q", what, text, word)
			}
		}
		if strings.Join(instead, " ") != strings.Join(links, " ") {
			t.Errorf("%s leads to %v, want %v", what, instead, links)
		}
	}
	receipt := fees.After(parts[0].Row)
	family := "/receipts/family/" + parts[0].Family
	wants("a part at the bank", receipt, []string{"/cheques/" + url.PathEscape(parts[0].ShortID()), family},
		"A part of Cheque 004512 over ₹4,000.00, ₹1,500.00, is at the bank since 30 November 2026", "do not reverse", "The other parts stay")
	if _, err := s.Store.ClearCheques(context.Background(), webtest.Own, fees.ClearOrder{Cheques: []string{parts[0].ShortID()}}); err != nil {
		t.Fatal(err)
	}
	wants("a part that cleared", receipt, []string{"/refunds/new?receipt=" + receipt, family}, "was paid by the bank on 30 November 2026", "refund it")
	inHand := pay(t, s, webtest.Own, "1001", byCheque("7", 10000))
	wants("one in hand", inHand.ShortID(), nil, "Cheque 7 is still in hand")
	wants("cash", pay(t, s, webtest.Own, "1001", cash(10000)).ShortID(), nil)
	refused := c.Post("/receipts/"+inHand.ShortID()+"/reverse", url.Values{"reason": {"x"}})
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Doc().Find(".reverse-paper").Text(), "Cheque 7 is still in hand") {
		t.Errorf("refused: status %d, %s", refused.Status, refused.Doc().Find(".reverse-paper").Text())
	}
}

// Who reverses a receipt whose cheque bounced already, for another reason, is told
// so; the form of that very reversal leads to it.
func TestReverseOfWhatBounced(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", byCheque("004512", 450000))
	c := s.As(t, fees.RoleAdmin)
	cheque := row.ShortID() + ":0"
	if _, err := s.Store.DepositCheques(context.Background(), webtest.Own, fees.DepositOrder{ID: s.Store.NewID(), Cheques: []string{cheque}, Account: "SBI"}); err != nil {
		t.Fatal(err)
	}
	if res := c.Post("/cheques/"+cheque+"/bounce", url.Values{"reason": {"no funds"}, "charge": {"50"}, "day": {""}}); res.Status != http.StatusSeeOther {
		t.Fatalf("bounce: status %d: %s", res.Status, res.Alert())
	}
	at := "/receipts/" + row.ShortID()
	for range 2 {
		res := c.Post(at+"/reverse", url.Values{"reason": {"wrong student"}, "charge": {"77"}})
		if res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "Cheque 004512 bounced") || res.Doc().Find("a[href='"+at+"']").Length() == 0 || res.Doc().Find("form.stack").Length() != 0 {
			t.Errorf("another reason: status %d, %s", res.Status, res.Alert())
		}
		if res := c.Post(at+"/reverse", url.Values{"reason": {"no funds"}, "charge": {"50.00"}}); res.Status != http.StatusSeeOther || res.Location() != at {
			t.Errorf("the same: status %d to %q, %s", res.Status, res.Location(), res.Alert())
		}
	}
}

// A till's page and its slip list what was taken back of its receipts elsewhere.
func TestTillShowsWhatWasTakenBackElsewhere(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	cashier, admin := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAdmin)
	if res := cashier.Post("/till/open", url.Values{"shift": {s.Store.NewID()}, "float": {"100"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("open: status %d: %s", res.Status, res.Alert())
	}
	form := counterForm(t, cashier, "1001")
	put(form, "tender_amount", 0, "1,234.00")
	res := cashier.Post("/payments", form)
	if res.Status != http.StatusSeeOther {
		t.Fatalf("record: status %d: %s", res.Status, res.Alert())
	}
	if cashier.Get("/till").Doc().Find("[data-testid=till-back]").Length() != 0 {
		t.Error("nothing was taken back, and a list of it is there")
	}
	receipt := res.Location()
	id := cashier.Get("/till").Doc().Find("input[name=shift]").First().AttrOr("value", "")
	if res := cashier.Post("/till/close", url.Values{"shift": {id}, "other": {"1334"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("close: status %d: %s", res.Status, res.Alert())
	}
	if res := admin.Post(receipt+"/reverse", url.Values{"reason": {"wrong student"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("reverse: status %d: %s", res.Status, res.Alert())
	}
	if got := cells(admin.Get("/tills/"+id), "[data-testid=till-back] tbody tr"); !strings.Contains(got, "Reversed") || !strings.Contains(got, "The Admin") || !strings.Contains(got, "-1,234.00") {
		t.Errorf("the closed till says %q", got)
	}
	for _, format := range []string{"a5", "thermal"} {
		if got := cashier.Get("/tills/" + id + "/print?format=" + format).Doc().Find("table.back").Text(); !strings.Contains(got, "Reversed by The Administrator through no till") || !strings.Contains(got, "-1,234.00") {
			t.Errorf("the slip in %s says %q", format, got)
		}
	}
}
