package handlers_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web"
	"raseed/web/webtest"
)

// The paper that a counter chose once is what it is offered first from then on,
// what is printed after recording, and the PDF's.
func TestPaperIsRemembered(t *testing.T) {
	public := &url.URL{Scheme: "https", Host: "fees.example.org"}
	for name, options := range map[string]webtest.Options{"http": {}, "https": {Config: web.Config{PublicURL: public}}} {
		t.Run(name, func(t *testing.T) {
			s := webtest.Start(t, options)
			at := "/receipts/" + pay(t, s, webtest.Own, "1001", cash(500000)).ShortID()
			c := s.As(t, fees.RoleCashier)
			offered := func() string {
				doc := c.Get(at).Doc()
				fresh := doc.Find("[data-paper]").AttrOr("data-paper", "")
				if got := doc.Find("a[data-print-paper]").AttrOr("href", ""); got != fresh {
					t.Errorf("Print leads to %q, and what was just recorded is printed as %q", got, fresh)
				}
				return strings.TrimPrefix(fresh, at+"/print?format=")
			}
			if got := offered(); got != "a5" {
				t.Errorf("at first %q is offered", got)
			}
			for _, wrong := range []string{"/print?format=a3", ".pdf?format=thermal", "/print"} {
				if res := c.Get(at + wrong); res.Header.Get("Set-Cookie") != "" || offered() != "a5" {
					t.Errorf("%s is remembered: %q", wrong, res.Header.Get("Set-Cookie"))
				}
			}
			set := c.Get(at + "/print?format=a4").Header.Get("Set-Cookie")
			for _, want := range []string{"raseed-paper=a4", "Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"} {
				if !strings.Contains(set, want) {
					t.Errorf("the cookie %q lacks %s", set, want)
				}
			}
			if strings.Contains(set, "Secure") != (name == "https") {
				t.Errorf("the cookie is %q", set)
			}
			if name == "https" {
				return // and this client has only http
			}
			if got := offered(); got != "a4" {
				t.Errorf("after a print in A4 %q is offered", got)
			}
			if doc := c.Get(at + "/print").Doc(); doc.Find(".paper.a4").Length() != 1 || doc.Find(".paper").Length() != 1 {
				t.Error("the print page is not in A4")
			}
			if box := regexp.MustCompile(`/MediaBox\[0 0 595\.276 841\.89\]`); !box.MatchString(c.Get(at + ".pdf").Body) {
				t.Error("the PDF is not in A4")
			}
			if others := c.Get(at).Doc().Find(`a[href*="format="]`).Map(func(_ int, a *goquery.Selection) string { return strings.TrimSpace(a.Text()) }); len(others) != 3 || others[1] != "Print A5, two copies on A4" {
				t.Errorf("the formats are offered as %q", others)
			}
			c.Get(at + "/print?format=thermal")
			if got := offered(); got != "thermal" {
				t.Errorf("after a print on a roll %q is offered", got)
			}
		})
	}
}

// A payment of a family is printed as a receipt is: at once, all of it, and as a
// file; its page says what each child still owes.
func TestFamilyPaper(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := familyForm(t, c)
	put(form, "tender_amount", 0, "7,000")
	if res := c.Post("/payments/family", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	at := "/receipts/family/" + paymentID(form)
	rows := familyRows(t, s, paymentID(form))
	page := c.Get(at).Doc()
	if got := page.Find("#receipt").AttrOr("data-issued", ""); got != form.Get("payment_id") {
		t.Errorf("the page is of %q, and was recorded as %q: the printer's dialog does not open", got, form.Get("payment_id"))
	}
	for what, got := range map[string]string{
		"what was just recorded": page.Find("[data-paper]").AttrOr("data-paper", ""), "Print": page.Find("a[data-shortcut=p][data-print-paper]").AttrOr("href", ""),
	} {
		if got != at+"/print?format=a5" {
			t.Errorf("%s is printed as %q", what, got)
		}
	}
	for n, row := range rows {
		if got := page.Find(".balance-after").Eq(n).AttrOr("data-amount", ""); got != strconv.FormatInt(int64(row.BalanceAfter), 10) {
			t.Errorf("child %d owes %s afterwards, the page says %s", n+1, strconv.FormatInt(int64(row.BalanceAfter), 10), got)
		}
	}
	if page.Find(`a[href="`+at+`.pdf"]`).Length() != 1 {
		t.Error("no link to the file of all receipts")
	}
	file := c.Get(at + ".pdf?format=a4")
	if file.Status != http.StatusOK || file.Header.Get("Content-Type") != "application/pdf" || strings.Count(file.Body, "/Type/Page/") != len(rows) {
		t.Errorf("the file: status %d, %d pages, want %d", file.Status, strings.Count(file.Body, "/Type/Page/"), len(rows))
	}
	if got := file.Header.Get("Content-Disposition"); got != `inline; filename="family-`+paymentID(form)+`.pdf"` {
		t.Errorf("the file is named by %s", got)
	}
	if res := c.Get(at + "/print"); res.Doc().Find(".duplicate").Length() == 0 {
		t.Error("the file is not logged as a print")
	}
	for path, status := range map[string]int{at + ".pdf?format=a3": http.StatusUnprocessableEntity, "/receipts/family/01ARZ3NDEKTSV4RRFFQ69G5FAV.pdf": http.StatusNotFound} {
		if res := c.Get(path); res.Status != status {
			t.Errorf("%s: status %d, want %d", path, res.Status, status)
		}
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleAdmin).Get(at + ".pdf"); res.Status != http.StatusNotFound {
		t.Errorf("another institute: status %d", res.Status)
	}
}

// What paper says of how it was paid, and of money that was given back.
func TestPaperWords(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAccountant)
	realised := "Cheques and drafts are subject to realisation."
	for mode, tt := range map[string]struct {
		tender fees.Tender
		says   string
	}{
		"cheque": {fees.Tender{Mode: fees.ModeCheque, Amount: 100, Ref: "004512", Bank: "SBI", Date: "2026-11-30"}, realised},
		"draft":  {fees.Tender{Mode: fees.ModeDraft, Amount: 100, Ref: "004513", Bank: "SBI", Date: "2026-11-30"}, realised},
		"card":   {fees.Tender{Mode: fees.ModeCard, Amount: 100, Ref: "A1B2C3", Last4: "4242"}, "Card ending 4242, A1B2C3"},
		"cash":   {cash(100), "Cash"},
	} {
		row := pay(t, s, webtest.Own, "1001", tt.tender)
		paper := strings.Join(strings.Fields(c.Get("/receipts/"+row.ShortID()+"/print?format=a4").Doc().Find(".paper").Text()), " ")
		if !strings.Contains(paper, tt.says) || strings.Contains(paper, realised) != (tt.says == realised) {
			t.Errorf("%s: the paper says %q", mode, paper)
		}
	}
	pay(t, s, webtest.Own, "1002", cash(2000000))
	ask := url.Values{"refund_id": {s.Store.NewID()}, "student": {"1002"}, "head": {"ADVANCE"}, "amount": {"750.50"}, "mode": {"cash"}, "reason": {"Left the school"}}
	if res := s.As(t, fees.RoleCashier).Post("/refunds", ask); res.Status != http.StatusSeeOther {
		t.Fatalf("ask: status %d, %s", res.Status, res.Alert())
	}
	if res := c.Post("/refunds/"+ask.Get("refund_id")+"/approve", url.Values{}); res.Status != http.StatusSeeOther {
		t.Fatalf("approve: status %d, %s", res.Status, res.Alert())
	}
	voucher := "/receipts/" + ask.Get("refund_id") + ":refund"
	page := c.Get(voucher)
	if minus := page.Doc().Find(`[data-testid=receipt-total] .minus`); minus.AttrOr("data-symbol", "") != "₹" || page.Doc().Find(".figure .symbol").Length() != 0 || page.ByTestID("receipt-total") != "-750.50" {
		t.Errorf("the voucher's figure is %q", page.Doc().Find(".figure").Text())
	}
	if !strings.Contains(page.Body, "How it was given back") || !strings.Contains(page.Body, "Given back by") || strings.Contains(page.Body, "How it was paid") || strings.Contains(page.Body, ">Paid by<") {
		t.Error("a refund says how it was paid")
	}
	doc := c.Get(voucher + "/print?format=a5").Doc()
	if copies := strings.Join(doc.Find(".paper .copy").Map(text), "|"); copies != "Office copy|Receiver’s copy" {
		t.Errorf("the copies are %q", copies)
	}
	if got := doc.Find(".paper .total .num").First().Text(); got != "-₹750.50" {
		t.Errorf("the voucher's total is %q", got)
	}
}
