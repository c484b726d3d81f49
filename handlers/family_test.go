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

// familyForm is the form of the family of the students 1001 (owes 5,000.00) and
// 1002 (6,500.00) as a browser would send it untouched.
func familyForm(t *testing.T, c *webtest.Client) url.Values {
	t.Helper()
	res := c.Get("/collect/family/1001")
	if res.Status != http.StatusOK {
		t.Fatalf("the family's counter: status %d: %s", res.Status, res.Alert())
	}
	return familyFormIn(res)
}

func familyFormIn(res webtest.Response) url.Values {
	form := formIn(res)
	res.Doc().Find(`input[form="payment"]`).Each(func(_ int, el *goquery.Selection) {
		form.Add(el.AttrOr("name", ""), el.AttrOr("value", ""))
	})
	return form
}

func familyRows(t *testing.T, s *webtest.Server, id string) []fees.Row {
	t.Helper()
	p, err := s.Store.FamilyPayment(context.Background(), webtest.Own, id)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Store.FamilyRows(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestFamily(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	if res := c.Get("/collect/1002"); res.Doc().Find(`.payer a[href^="/collect/family/1002?hold="]`).Length() != 1 {
		t.Error("the counter of a child does not lead to the family")
	}
	if res := c.Get("/collect/A%2F12-B"); strings.Contains(res.Body, "/collect/family/") {
		t.Error("the counter of an only child leads to a family")
	}
	res := c.Get("/collect/family/f1")
	if res.Status != http.StatusOK || res.ByTestID("due-total") != "11,500.00" || res.Input("tender_amount") != "11500.00" {
		t.Fatalf("status %d, due %q, offered %q", res.Status, res.ByTestID("due-total"), res.Input("tender_amount"))
	}
	for _, want := range []string{"Asha Verma", "Ravi Verma", "kept as an advance of <bdi>Asha Verma (1001)</bdi>"} {
		if !strings.Contains(res.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"Zoya", "Foreign"} {
		if strings.Contains(res.Body, never) {
			t.Errorf("the page has %q", never)
		}
	}

	form := familyForm(t, c)
	put(form, "tender_amount", 0, "7,000")
	put(form, "tender_mode", 1, "cheque")
	put(form, "tender_amount", 1, "5,000")
	put(form, "tender_ref", 1, "004512")
	put(form, "tender_bank", 1, "State Bank")
	form.Set("remark", "both")
	want := "/receipts/family/" + paymentID(form)
	for range 3 {
		if res := c.Post("/payments/family", form); res.Status != http.StatusSeeOther || res.Location() != want {
			t.Fatalf("status %d to %q, want %q: %s", res.Status, res.Location(), want, res.Alert())
		}
	}
	rows := familyRows(t, s, paymentID(form))
	if len(rows) != 2 || rows[0].Total != 5500_00 || rows[1].Total != 6500_00 || rows[0].Student != "1001" {
		t.Fatalf("rows %+v", rows)
	}
	res = c.Get(want)
	if res.Status != http.StatusOK || res.ByTestID("family-total") != "12,000.00" || res.Doc().Find("[data-testid=receipt-number] a").Length() != 2 {
		t.Errorf("status %d, total %q", res.Status, res.ByTestID("family-total"))
	}
	for _, text := range []string{rows[0].NumberText, rows[1].NumberText, "₹500.00 of", "004512"} {
		if !strings.Contains(res.Body, text) {
			t.Errorf("the receipts' page lacks %q", text)
		}
	}
	if res := c.Get("/receipts/" + rows[1].ShortID()); res.Doc().Find(`a[href="`+want+`"]`).Length() != 1 {
		t.Error("the receipt does not lead to the payment that it is part of")
	}
	for _, format := range []string{"", "?format=a4", "?format=a5", "?format=thermal"} {
		res := c.Get(want + "/print" + format)
		if res.Status != http.StatusOK || !strings.Contains(res.Body, rows[0].NumberText) || !strings.Contains(res.Body, rows[1].NumberText) {
			t.Errorf("print %q: status %d, or a sheet is missing", format, res.Status)
		}
	}
	if res := c.Get(want + "/print?format=a3"); res.Status != http.StatusUnprocessableEntity {
		t.Errorf("another format: status %d", res.Status)
	}
	if res := c.Get("/collect/family/1001?payment_id=" + paymentID(form)); res.Status != http.StatusSeeOther || res.Location() != want {
		t.Errorf("coming back to the form: status %d to %q", res.Status, res.Location())
	}
	foreign := s.AsOf(t, webtest.Foreign, fees.RoleAdmin)
	for _, path := range []string{want, want + "/print"} {
		if res := foreign.Get(path); res.Status != http.StatusNotFound {
			t.Errorf("another institute, %s: status %d", path, res.Status)
		}
	}
	if res := c.HTMX().Post("/payments/family", form); res.Header.Get("HX-Redirect") != want {
		t.Errorf("htmx: status %d to %q", res.Status, res.Header.Get("HX-Redirect"))
	}
	put(form, "tender_amount", 0, "7,001")
	res = c.Post("/payments/family", form)
	if res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "other content") || res.Doc().Find("form#payment").Length() != 0 {
		t.Errorf("other content: status %d, %q", res.Status, res.Alert())
	}
}

func TestFamilyByChild(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := familyForm(t, c)
	put(form, "tender_amount", 0, "2,000")
	put(form, "child_amount", 0, "1,500.00")
	if res := c.Post("/payments/family", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if rows := familyRows(t, s, paymentID(form)); len(rows) != 2 || rows[0].Total != 1500_00 || rows[1].Total != 500_00 {
		t.Errorf("rows %+v", rows)
	}
	form = familyForm(t, c)
	put(form, "tender_amount", 0, "100")
	put(form, "child_amount", 1, "0")
	if res := c.Post("/payments/family", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if rows := familyRows(t, s, paymentID(form)); len(rows) != 1 || rows[0].Student != "1001" {
		t.Errorf("with nothing for the second: rows %+v", rows)
	}
}

// What is left over when the others have paid settles what the child still owes
// for whom an amount was entered: it is nobody's advance.
func TestFamilyLeftOver(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := familyForm(t, c)
	put(form, "tender_amount", 0, "8,000")
	put(form, "child_amount", 0, "1,000")
	res := c.Post("/payments/family", form)
	if res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	rows := familyRows(t, s, paymentID(form))
	if len(rows) != 2 || rows[0].Total != 1500_00 || rows[1].Total != 6500_00 {
		t.Fatalf("rows %+v", rows)
	}
	if page := c.Get(res.Location()); strings.Contains(page.Body, "advance") || strings.Contains(page.Body, "Advance") {
		t.Error("there is an advance while a child owes")
	}
	if due := c.Get("/collect/family/1001").ByTestID("due-total"); due != "3,500.00" {
		t.Errorf("the family owes %s", due)
	}
}

func TestFamilyRefused(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	for name, tt := range map[string]struct {
		change func(url.Values)
		says   string
	}{
		"another institute's student": {func(f url.Values) { put(f, "child", 1, "2001") }, "There is no student 2001 here"},
		"a child twice":               {func(f url.Values) { put(f, "child", 1, "1001") }, "1001 is listed twice"},
		"of no family":                {func(f url.Values) { put(f, "child", 1, "A/12-B") }, "is in no family"},
		"no child":                    {func(f url.Values) { f.Del("child"); f.Del("child_amount") }, "names no child"},
		"too much by child":           {func(f url.Values) { put(f, "child_amount", 0, "11,500.01") }, "more than what was paid"},
		"no amount":                   {func(f url.Values) { put(f, "child_amount", 0, "1,5"); put(f, "tender_amount", 0, "abc") }, "child_amount"},
		"rows that do not match":      {func(f url.Values) { f["child"] = f["child"][:1] }, "rows that do not match"},
		"tenders without a reference": {func(f url.Values) { put(f, "tender_mode", 0, "cheque") }, "Enter the cheque number"},
		"a card number":               {func(f url.Values) { f.Set("remark", "4111 1111 1111 1111") }, "card number"},
	} {
		t.Run(name, func(t *testing.T) {
			form := familyForm(t, c)
			form.Set("remark", "kept as typed")
			tt.change(form)
			res := c.Post("/payments/family", form)
			if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, tt.says) {
				t.Fatalf("status %d, want 422 that says %q: %s", res.Status, tt.says, res.Alert())
			}
			kept := familyFormIn(res)
			if kept.Get("remark") != form.Get("remark") || kept.Get("payment_id") != form.Get("payment_id") || kept.Get("tender_amount") != form.Get("tender_amount") {
				t.Errorf("the form was not kept: %v", kept)
			}
			if strings.Contains(res.Body, "Only Foreign") {
				t.Error("the page names another institute's student")
			}
		})
	}
	for _, student := range []string{"1001", "1002"} {
		if rows := rowsOf(t, s, student); len(rows) != 0 {
			t.Errorf("student %s: %d rows", student, len(rows))
		}
	}
}

func TestFamilyNone(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	res := c.Get("/collect/family/A%2F12-B")
	if res.Status != http.StatusNotFound || !strings.Contains(res.Alert(), "Zoya Khan (A/12-B) is in no family") || res.Doc().Find(`a[href="/collect/A%2F12-B"]`).Length() != 1 {
		t.Errorf("status %d, %q", res.Status, res.Alert())
	}
	for _, path := range []string{"/collect/family/9999", "/collect/family/2001", "/collect/family/%24where"} {
		if res := c.Get(path); res.Status != http.StatusNotFound || res.Doc().Find("form#payment").Length() != 0 {
			t.Errorf("%s: status %d", path, res.Status)
		}
	}
	if res := c.Get("/receipts/family/" + s.Store.NewID()); res.Status != http.StatusNotFound {
		t.Errorf("a payment that is not there: status %d", res.Status)
	}
	if res := s.As(t, fees.RoleAuditor).Post("/payments/family", url.Values{}); res.Status != http.StatusForbidden {
		t.Errorf("auditor: status %d", res.Status)
	}
}

// The same family at two counters, and one child of it.
func TestFamilyHolds(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first, second := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	mine := familyForm(t, first)
	for _, path := range []string{"/collect/family/1002", "/collect/1002"} {
		res := second.Get(path)
		if !strings.Contains(res.Alert(), "The Cashier has been collecting from") || res.Doc().Find(".record[disabled]").Length() != 1 {
			t.Errorf("%s: %q", path, res.Alert())
		}
	}
	theirs := familyForm(t, second)
	if res := second.Post("/payments/family", theirs); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "Nothing was recorded") || !strings.Contains(res.Alert(), "collecting from Asha Verma") || res.Doc().Find("form#payment").Length() != 1 {
		t.Errorf("status %d, %q", res.Status, res.Alert())
	}
	if res := holdPart(first, "/collect/family/1001", mine.Get("hold")); res.Status != http.StatusNoContent {
		t.Errorf("renew: status %d", res.Status)
	}
	if res := first.Post("/payments/family", mine); res.Status != http.StatusSeeOther {
		t.Fatal(res.Alert())
	}
	if res := second.HTMX().Post("/collect/family/1001/hold", url.Values{"hold": {""}, "since": {"1"}}); !strings.Contains(res.Alert(), "has finished") {
		t.Errorf("the one that waits is told %q", res.Body)
	}

	// One child is with another counter: the family waits, and holds nobody.
	counterForm(t, second, "1002")
	res := first.Get("/collect/family/1001")
	if !strings.Contains(res.Alert(), "collecting from Ravi Verma") {
		t.Errorf("told %q", res.Alert())
	}
	if res := second.Get("/collect/1001"); res.Doc().Find(".record[disabled]").Length() != 0 {
		t.Error("a family that waits holds a child")
	}
	if res := second.Post("/collect/family/1001/hold/release", url.Values{"hold": {mine.Get("hold")}}); res.Status != http.StatusNoContent {
		t.Errorf("release: status %d", res.Status)
	}
}
