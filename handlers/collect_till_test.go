package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// An opening balance is one thing: its bill and its head have one name.
func TestOpeningBalanceIsSaidOnce(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	doc := s.As(t, fees.RoleCashier).Get("/collect/A%2F12-B").Doc()
	labels := doc.Find(".lines label").Map(text)
	if len(labels) != 3 || labels[0] != "Opening balance" || labels[1] != "2026-27/T1 Tuition" {
		t.Errorf("line by line: %q", labels)
	}
	if heads := doc.Find(".due-lines .heads").Map(text); len(heads) != 1 || strings.Contains(heads[0], "Opening") {
		t.Errorf("the heads of the bills: %q", heads)
	}
}

// What comes first is asked for first: the ways of paying, then Record.
func TestRecordComesLast(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	order := s.As(t, fees.RoleCashier).Get("/collect/1001").Doc().Find("#payment .tender, #payment .lines, #payment .record").Map(text)
	if len(order) != 6 || order[5] != "Record payment" {
		t.Errorf("the form asks for %q", order)
	}
}

// A cheque for all that is due leaves nothing for the cash that the form began
// with.
func TestFirstTenderLeftOver(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	for student, left := range map[string]string{"1001": "", "1002": "0.00"} {
		form := counterForm(t, c, student)
		put(form, "tender_amount", 0, left)
		put(form, "tender_mode", 1, "cheque")
		put(form, "tender_amount", 1, "5000")
		put(form, "tender_ref", 1, "00451"+student[3:])
		put(form, "tender_bank", 1, "State Bank")
		if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
			t.Fatalf("%q in cash: status %d: %s", left, res.Status, res.Alert())
		}
		if rows := rowsOf(t, s, student); len(rows) != 1 || len(rows[0].Tenders) != 1 || rows[0].Tenders[0].Mode != fees.ModeCheque {
			t.Errorf("%q in cash: the ledger has %+v", left, rows)
		}
	}
	for name, change := range map[string]func(url.Values){
		"alone": func(url.Values) {},
		"in another way": func(f url.Values) {
			put(f, "tender_mode", 0, "transfer")
			put(f, "tender_mode", 1, "cash")
			put(f, "tender_amount", 1, "5")
		},
	} {
		form := counterForm(t, c, "1001")
		put(form, "tender_amount", 0, "0")
		change(form)
		if res := c.Post("/payments", form); res.Status != http.StatusUnprocessableEntity {
			t.Errorf("nothing, %s: status %d", name, res.Status)
		}
	}
}

// Who chooses UPI is shown the code, with what is paid and to whom.
func TestCounterShowsUPICode(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	if c.Get("/collect/1001").Doc().Find(".upi").Length() != 0 {
		t.Error("there is a code where the institute has no UPI address")
	}
	if err := s.Store.UpdateReceipts(t.Context(), webtest.Own, "", "delta@bank"); err != nil {
		t.Fatal(err)
	}
	code := c.Get("/collect/1001").Doc().Find("#payment .upi")
	if code.Find("img").AttrOr("width", "") != "220" || !strings.HasSuffix(code.Find("img").AttrOr("src", ""), "&amount=5000.00") {
		t.Errorf("the code is %q", code.Find("img").AttrOr("src", ""))
	}
	for _, want := range []string{"₹5,000.00", "Delta Public School", "delta@bank"} {
		if !strings.Contains(code.Text(), want) {
			t.Errorf("beside the code there is %q, want %q", code.Text(), want)
		}
	}
	if c.Get("/collect/1001").Doc().Find("details .upi").Length() != 0 {
		t.Error("the code has to be unfolded")
	}
	form := counterForm(t, c, "1001")
	put(form, "tender_mode", 0, "upi")
	put(form, "tender_amount", 0, "1,200")
	if src := c.Post("/payments", form).Doc().Find(".upi img").AttrOr("src", ""); !strings.HasSuffix(src, "&amount=1200.00") {
		t.Errorf("after a refusal the code is %q", src)
	}
	c.Post("/payments", counterForm(t, c, "1001"))
	if _, hidden := c.Get("/collect/1001").Doc().Find(".upi").Attr("hidden"); !hidden {
		t.Error("there is a code for nothing")
	}
}
