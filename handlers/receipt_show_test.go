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

// text is an element's text with its white space collapsed.
func text(_ int, el *goquery.Selection) string { return strings.Join(strings.Fields(el.Text()), " ") }

func TestReceipt(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", fees.Tender{Mode: fees.ModeCheque, Amount: 12500002, Ref: "004512", Bank: "SBI", Date: "2026-11-28"})
	href := "/receipts/" + row.ShortID()
	c := s.As(t, fees.RoleCashier)
	res := c.Get(href)
	for id, want := range map[string]string{
		"receipt-number": "DPS/26-27/00001",
		"receipt-total":  "1,25,000.02",
		"receipt-words":  "Rupees One Lakh Twenty Five Thousand and Two Paise Only",
		"receipt-status": "Issued",
	} {
		if got := res.ByTestID(id); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	if !strings.Contains(res.Body, "₹1,20,000.02 was more than was due and is kept as an advance") {
		t.Error("the page does not say what became an advance")
	}
	if in := res.Doc().Find(".sums dd"); in.Text() != "in credit 1,20,000.02" || in.AttrOr("data-amount", "") != "-12000002" {
		t.Errorf("the balance after is %q (%s)", in.Text(), in.AttrOr("data-amount", ""))
	}
	if paper := c.Get(href + "/print"); !strings.Contains(paper.Body, "in credit 1,20,000.02") || strings.Contains(paper.Body, "-1,20,000.02") {
		t.Error("the paper does not say the credit in words")
	}
	head := c.Get("/students/1001").Doc().Find(".balance")
	if amount := head.Find(`[data-testid="student-balance"]`); amount.Text() != "-1,20,000.02" || !strings.HasSuffix(text(0, head), "in credit") || head.Find(".muted").First().Text() != "₹" || amount.Find("[hidden]").Text() != "-" || amount.AttrOr("data-amount", "") != "-12000002" {
		t.Errorf("the statement is headed %q", text(0, head))
	}
	if !strings.Contains(res.Body, "004512, SBI, 28 Nov 2026") {
		t.Error("the cheque's details are missing")
	}
	if res.Doc().Find("details.reverse").Length() != 0 {
		t.Error("a cashier is offered to reverse")
	}
	if s.As(t, fees.RoleAccountant).Get(href).Doc().Find("details.reverse form[action$='/reverse']").Length() != 1 {
		t.Error("an accountant is not offered to reverse")
	}
	auditor := s.As(t, fees.RoleAuditor).Get(href)
	if auditor.Status != http.StatusOK || auditor.Doc().Find(`[data-shortcut=n], a[href^="/collect"]`).Length() != 0 {
		t.Errorf("an auditor: status %d, or is sent to the counter", auditor.Status)
	}
}

func TestReceiptReversed(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	c := s.As(t, fees.RoleAccountant)
	href := "/receipts/" + row.ShortID()
	if res := c.Post(href+"/reverse", url.Values{"reason": {"wrong <i>child</i>"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("reverse: status %d: %s", res.Status, res.Alert())
	}
	res := c.Get(href)
	link := res.Doc().Find(`#receipt a[href="` + href + `:reversal"]`)
	if res.ByTestID("receipt-status") != "Reversed" || link.Text() != "Reversed by RV/26-27/00001 on 30 Nov 2026" {
		t.Errorf("status %q, link %q", res.ByTestID("receipt-status"), link.Text())
	}
	if res.Doc().Find("details.reverse").Length() != 0 {
		t.Error("a reversed receipt is offered to be reversed")
	}
	res = c.Get(href + ":reversal")
	link = res.Doc().Find(`#receipt a[href="` + href + `"]`)
	if res.ByTestID("receipt-status") != "Reversal" || res.ByTestID("receipt-total") != "-4,500.00" || link.Text() != "Reverses "+row.NumberText {
		t.Errorf("status %q, total %q, link %q", res.ByTestID("receipt-status"), res.ByTestID("receipt-total"), link.Text())
	}
	if !strings.Contains(res.Body, "wrong &lt;i&gt;child&lt;/i&gt;") {
		t.Error("the reason is not shown as text")
	}
	if paper := c.Get(href + "/print"); !strings.Contains(paper.Body, "Reversed by RV/26-27/00001 on 30 Nov 2026") {
		t.Error("the paper does not say that it was reversed")
	}
	if paper := c.Get(href + ":reversal/print"); !strings.Contains(paper.Body, "Takes back "+row.NumberText) {
		t.Error("the reversal's paper does not say what it takes back")
	}
}

func TestReceiptPrint(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	c := s.As(t, fees.RoleCashier)
	href := "/receipts/" + row.ShortID() + "/print"
	sheets := map[string]int{"a4": 1, "a5": 2, "thermal": 1} // an A5 in two copies
	for _, tt := range [][2]string{{"", "a5"}, {"?format=a5", "a5"}, {"?format=a4", "a4"}, {"?format=thermal", "thermal"}, {"", "thermal"}} {
		query, class := tt[0], tt[1]
		res := c.Get(href + query)
		if res.Status != http.StatusOK || res.Doc().Find("article.paper."+class).Length() != sheets[class] {
			t.Errorf("%q: status %d, want a sheet of %s", query, res.Status, class)
		}
		for _, want := range []string{"Delta Public School", "DPS/26-27/00001", "Asha Verma", "Rupees Four Thousand Five Hundred Only", "4,500.00", "Signature", row.CashierName} {
			if !strings.Contains(res.Body, want) {
				t.Errorf("%q: the paper lacks %q", query, want)
			}
		}
		if strings.Contains(res.Body, `class="rail"`) {
			t.Errorf("%q: the paper has screen furniture", query)
		}
	}
	if next := c.Get(href).Doc().Find(".desk-bar [data-shortcut=n]"); next.AttrOr("href", "") != "/collect" {
		t.Error("a cashier's sheet does not lead to the next student")
	}
	if s.As(t, fees.RoleAuditor).Get(href).Doc().Find("[data-shortcut=n]").Length() != 0 {
		t.Error("an auditor's sheet leads to the counter")
	}
	for _, query := range []string{"?format=a3", "?format=A4", "?format=a4&format=a5"} {
		if res := c.Get(href + query); res.Status != http.StatusUnprocessableEntity {
			t.Errorf("%q: status %d, want 422", query, res.Status)
		}
	}
	// A later reprint is the same receipt.
	st, err := s.Store.Student(ctx, webtest.Own, "1001")
	if err != nil {
		t.Fatal(err)
	}
	before := c.Get(href).Body // a duplicate, as all that follow
	st.Name, st.Class = "Asha Renamed", "9"
	if _, err := s.Store.SaveStudent(ctx, webtest.Own, st, fees.Actor{Login: "test", Role: fees.RoleAdmin}); err != nil {
		t.Fatal(err)
	}
	if after := c.Get(href).Body; after != before {
		t.Error("the reprint differs after the student was renamed")
	}
}

func TestReceiptForeign(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	foreign := pay(t, s, webtest.Foreign, "2001", cash(100))
	for _, role := range fees.Roles() {
		c := s.As(t, role)
		for _, id := range []string{foreign.ShortID(), foreign.ID, foreign.ShortID() + ":reversal", "nonsense", "%3A"} {
			for _, page := range []string{"", "/print"} {
				res := c.Get("/receipts/" + id + page)
				if res.Status != http.StatusNotFound || strings.Contains(res.Body, "Foreign") || strings.Contains(res.Body, "Quartz") {
					t.Errorf("%s: /receipts/%s%s: status %d, want 404 and nothing of the other institute", role, id, page, res.Status)
				}
			}
		}
	}
}
