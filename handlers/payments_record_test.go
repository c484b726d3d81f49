package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// counterForm is the payment form of a student as a browser would send it
// untouched, closed folds and hidden fields included.
func counterForm(t *testing.T, c *webtest.Client, student string) url.Values {
	t.Helper()
	res := c.Get("/collect/" + url.PathEscape(student))
	if res.Status != http.StatusOK {
		t.Fatalf("the counter of %s: status %d: %s", student, res.Status, res.Alert())
	}
	return formIn(res)
}

// formIn is what the payment form on a page would send.
func formIn(res webtest.Response) url.Values {
	form := url.Values{}
	res.Doc().Find("form#payment").Find("input[name], select[name]").Each(func(_ int, el *goquery.Selection) {
		value := el.AttrOr("value", "")
		if goquery.NodeName(el) == "select" {
			chosen := el.Find("option[selected]")
			if chosen.Length() == 0 {
				chosen = el.Find("option").First()
			}
			value = chosen.AttrOr("value", "")
		}
		form.Add(el.AttrOr("name", ""), value)
	})
	return form
}

// put replaces the n-th value of a repeated field.
func put(form url.Values, name string, n int, value string) {
	for len(form[name]) <= n {
		form[name] = append(form[name], "")
	}
	form[name][n] = value
}

// paymentID is the id, within the institute, of the payment that a form makes.
func paymentID(form url.Values) string { return fees.After(form.Get("payment_id")) }

func rowsOf(t *testing.T, s *webtest.Server, student string) []fees.Row {
	t.Helper()
	rows, err := s.Store.StudentRows(context.Background(), webtest.Own, student)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestRecord(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	if got := form["tender_amount"][0]; got != "5000.00" {
		t.Fatalf("the form offers %q, want all that is due, 5000.00", got)
	}
	want := "/receipts/" + paymentID(form)
	for range 3 { // a double click, and Back
		if res := c.Post("/payments", form); res.Status != http.StatusSeeOther || res.Location() != want {
			t.Fatalf("status %d to %q, want 303 to %q: %s", res.Status, res.Location(), want, res.Alert())
		}
	}
	if res := c.HTMX().Post("/payments", form); res.Status != http.StatusOK || res.Header.Get("HX-Redirect") != want {
		t.Errorf("htmx: status %d to %q, want %q", res.Status, res.Header.Get("HX-Redirect"), want)
	}
	rows := rowsOf(t, s, "1001")
	if len(rows) != 1 || rows[0].Total != 500000 || rows[0].ID != form.Get("payment_id") {
		t.Fatalf("the ledger has %+v, want one payment of 5,000.00", rows)
	}
	if rows[0].Cashier != webtest.LoginOf(webtest.Own, fees.RoleCashier) || rows[0].From == "" {
		t.Errorf("the payment says it was taken by %q from %q", rows[0].Cashier, rows[0].From)
	}
}

func TestRecordAtOnce(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	var together sync.WaitGroup
	answers := make([]webtest.Response, 12)
	for n := range answers {
		together.Go(func() { answers[n] = c.Post("/payments", form) })
	}
	together.Wait()
	for _, res := range answers {
		if res.Status != http.StatusSeeOther || res.Location() != "/receipts/"+paymentID(form) {
			t.Errorf("status %d to %q, want 303 to the one receipt", res.Status, res.Location())
		}
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 1 || rows[0].Number != 1 {
		t.Errorf("the ledger has %d rows, want one with number 1", len(rows))
	}
}

func TestRecordSplit(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	put(form, "tender_amount", 0, "1,000.00")
	// The second row stays blank.
	put(form, "tender_mode", 2, "cheque")
	put(form, "tender_amount", 2, "2500")
	put(form, "tender_ref", 2, "004512")
	put(form, "tender_bank", 2, "State Bank of India")
	put(form, "tender_date", 2, "2026-11-28")
	put(form, "line_amount", slices.Index(form["line_head"], "TRANSPORT"), "500.00")
	form.Set("remark", "  first \n part ")
	form.Set("date", "2026-11-27")
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	row := rowsOf(t, s, "1001")[0]
	want := []fees.Tender{
		{Mode: fees.ModeCash, Amount: 100000},
		{Mode: fees.ModeCheque, Amount: 250000, Ref: "004512", Bank: "State Bank of India", Date: "2026-11-28"},
	}
	if !slices.Equal(row.Tenders, want) {
		t.Errorf("tenders are %+v, want %+v", row.Tenders, want)
	}
	got := map[string]fees.Amount{}
	for _, l := range row.Lines {
		got[l.Head] += l.Amount
	}
	if got["TRANSPORT"] != 50000 || got["TUITION"] != 300000 || len(got) != 2 {
		t.Errorf("lines are %v, want the chosen 500.00 for transport and the rest for tuition", got)
	}
	if row.Date != "2026-11-27" || row.Remark != "first part" {
		t.Errorf("date %q, remark %q", row.Date, row.Remark)
	}
}

func TestRecordPlainScript(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	id := s.Store.NewID()
	// Only what a cash payment needs. The id is the same payment's with the
	// institute and without.
	form := url.Values{"student": {"a/12-b"}, "tender_mode": {"cash"}, "tender_amount": {"100"}}
	for _, key := range []string{id, webtest.Own + ":" + id} {
		form.Set("payment_id", key)
		if res := c.Post("/payments", form); res.Status != http.StatusSeeOther || res.Location() != "/receipts/"+id {
			t.Fatalf("%s: status %d to %q: %s", key, res.Status, res.Location(), res.Alert())
		}
	}
	if rows := rowsOf(t, s, "A/12-B"); len(rows) != 1 || rows[0].Total != 10000 {
		t.Errorf("the ledger has %+v", rows)
	}
}

func TestRecordOtherContent(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	before := rowsOf(t, s, "1001")
	put(form, "tender_amount", 0, "4999.00")
	for _, c := range []*webtest.Client{c, c.HTMX()} {
		res := c.Post("/payments", form)
		if res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "already recorded with other content, as "+before[0].NumberText) {
			t.Errorf("status %d, alert %q, want 409 naming %s", res.Status, res.Alert(), before[0].NumberText)
		}
		if res.Doc().Find(`#counter a[href="/receipts/`+paymentID(form)+`"]`).Length() == 0 {
			t.Error("the page does not lead to the receipt that was recorded")
		}
		if res.Doc().Find("form#payment").Length() != 0 {
			t.Error("the page offers to send the same id again")
		}
	}
	after := rowsOf(t, s, "1001")
	if len(after) != 1 || after[0].Total != before[0].Total || after[0].Digest != before[0].Digest {
		t.Errorf("the ledger changed to %+v", after)
	}
}

func TestRecordRoles(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	for role, want := range map[fees.Role]int{
		fees.RoleCashier: http.StatusSeeOther, fees.RoleAccountant: http.StatusSeeOther, fees.RoleAdmin: http.StatusSeeOther,
		fees.RoleAuditor: http.StatusForbidden,
	} {
		form := url.Values{"payment_id": {s.Store.NewID()}, "student": {"1001"}, "tender_mode": {"cash"}, "tender_amount": {"1"}}
		if res := s.As(t, role).Post("/payments", form); res.Status != want {
			t.Errorf("%s: status %d, want %d", role, res.Status, want)
		}
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 3 {
		t.Errorf("the ledger has %d rows, want 3", len(rows))
	}
}
