package handlers_test

import (
	"context"
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// pay records a payment at the store, as the cashier of webtest would.
func pay(t *testing.T, s *webtest.Server, institute, student string, tenders ...fees.Tender) fees.Row {
	t.Helper()
	login := webtest.LoginOf(institute, fees.RoleCashier)
	row, err := s.Store.RecordPayment(context.Background(), institute, fees.PaymentOrder{
		ID: s.Store.NewID(), Student: student, Tenders: tenders,
		By: fees.Actor{Login: login, Name: "The Cashier", Role: fees.RoleCashier},
	})
	if err != nil {
		t.Fatalf("pay for %s: %v", student, err)
	}
	return row
}

func cash(amount fees.Amount) fees.Tender { return fees.Tender{Mode: fees.ModeCash, Amount: amount} }

// column are the texts of one column of a page's first table.
func column(doc *goquery.Document, class string) []string {
	var texts []string
	doc.Find("tbody ." + class).Each(func(_ int, cell *goquery.Selection) {
		texts = append(texts, strings.Join(strings.Fields(cell.Text()), " "))
	})
	return texts
}

func TestRegister(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first := pay(t, s, webtest.Own, "1001", cash(450000))
	upi := pay(t, s, webtest.Own, "1002", fees.Tender{Mode: fees.ModeUPI, Amount: 100000, Ref: "UPI1234567"})
	pay(t, s, webtest.Foreign, "1001", cash(777700))
	back, err := s.Store.ReversePayment(context.Background(), webtest.Own, fees.ReversalOrder{ID: first.ShortID(), Reason: "wrong entry", By: fees.Actor{Login: "mira", Name: "Mira"}})
	if err != nil {
		t.Fatal(err)
	}

	res := s.As(t, fees.RoleAccountant).Get("/receipts")
	if res.Status != http.StatusOK {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	doc := res.Doc()
	if got, want := column(doc, "c-number"), []string{upi.NumberText, back.NumberText, first.NumberText}; !slices.Equal(got, want) {
		t.Errorf("rows are %q, want newest first %q", got, want)
	}
	if got := res.ByTestID("register-total"); got != "1,000.00" {
		t.Errorf("total is %q, want 1,000.00: the reversal takes off what it reverses", got)
	}
	if minor, _ := doc.Find(`[data-testid="register-total"]`).Attr("data-amount"); minor != "100000" {
		t.Errorf("total in minor units is %q", minor)
	}
	if got := column(doc, "c-status"); got[0] != "Issued" || got[1] != "Reversal "+first.NumberText || got[2] != "Reversed "+back.NumberText {
		t.Errorf("statuses are %q", got)
	}
	for _, id := range []string{first.ShortID(), back.ShortID()} {
		if doc.Find(`.c-status a[href="/receipts/`+id+`"]`).Length() != 1 {
			t.Errorf("no status leads to %s: a reversal and its payment lead to each other", id)
		}
	}
	if strings.Contains(res.Body, "7,777.00") || strings.Contains(res.Body, "Foreign") {
		t.Error("the other institute's receipt is in the register")
	}
	if doc.Find("option[value='"+webtest.LoginOf(webtest.Foreign, fees.RoleCashier)+"']").Length() != 0 {
		t.Error("the other institute's cashiers are on offer")
	}
	for _, role := range fees.Roles() {
		login := s.AddUser(t, webtest.Own, role)
		if offered := s.As(t, fees.RoleAdmin).Get("/receipts").Doc().Find("option[value='"+login+"']").Length() > 0; offered != role.May(fees.PermCollect) {
			t.Errorf("%s: on offer as a cashier: %v", role, offered)
		}
	}
	if got := doc.Find(".register caption").Text(); got != "Newest day first; a reversal stands with its receipt." {
		t.Errorf("the register's order is told as %q", got)
	}

	auditor := s.As(t, fees.RoleAuditor)
	for _, tt := range []struct {
		query string
		rows  []string
		total string
	}{
		{"mode=upi", []string{upi.NumberText}, "1,000.00 net by UPI in 1 row"},
		{"class=2", []string{upi.NumberText}, "1,000.00 net of 1 row"},
		{"class=LKG", nil, "0.00"},
		{"head=TUITION", []string{upi.NumberText, back.NumberText, first.NumberText}, "1,000.00 net for TUITION in 3 rows"},
		{"head=transport", nil, "0.00"},
		{"status=reversed", []string{first.NumberText}, "4,500.00"},
		{"status=reversal", []string{back.NumberText}, "-4,500.00"},
		{"status=issued", []string{upi.NumberText}, "1,000.00"},
		{"status=pending", nil, "0.00"},
		{"cashier=mira", []string{back.NumberText}, "-4,500.00"},
		{"from=2026-11-30&to=2026-11-30", []string{upi.NumberText, back.NumberText, first.NumberText}, "1,000.00"},
		{"to=2026-11-29", nil, "0.00"},
		{"from=2026-12-01", nil, "0.00"},
		{"mode=cash&status=reversed&class=1", []string{first.NumberText}, "4,500.00"},
	} {
		res := auditor.Get("/receipts?" + tt.query)
		if res.Status != http.StatusOK {
			t.Errorf("%s: status %d: %s", tt.query, res.Status, res.Alert())
			continue
		}
		if got := column(res.Doc(), "c-number"); !slices.Equal(got, tt.rows) {
			t.Errorf("%s: rows are %q, want %q", tt.query, got, tt.rows)
		}
		if got := text(0, res.Doc().Find(".summary > span")); !strings.HasPrefix(got+" ", "₹ "+tt.total+" ") {
			t.Errorf("%s: total is %q, want %q", tt.query, got, tt.total)
		}
		if len(tt.rows) == 0 && !strings.Contains(res.Body, "No receipts match") {
			t.Errorf("%s: an empty selection does not say so", tt.query)
		}
	}
}

func TestRegisterRefusesFilters(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAccountant)
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	for _, tt := range []struct{ query, field, says string }{
		{"from=2026-12-01&to=2026-11-01", "to", "before the first day"},
		{"from=2026-02-30", "from", ""},
		{"from=0002-01-01", "from", ""},
		{"to=9999-01-01", "to", ""},
		{"to=yesterday", "to", ""},
		{"mode=gold", "mode", "no such mode"},
		{"status=lost", "status", "no such status"},
		{"class=" + strings.Repeat("x", 200), "class", "characters"},
		{"from=2026-11-01&from=2026-11-02", "from", "more than once"},
	} {
		for _, path := range []string{"/receipts", "/receipts.csv"} {
			res := c.Get(path + "?" + tt.query)
			if res.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s?%s: status %d, want 422", path, tt.query, res.Status)
				continue
			}
			problem := res.Doc().Find("#" + tt.field + "-error").Text()
			if problem == "" || !strings.Contains(problem, tt.says) {
				t.Errorf("%s?%s: the field says %q, want something with %q", path, tt.query, problem, tt.says)
			}
			if res.Alert() == "" || strings.Contains(res.Body, row.NumberText) {
				t.Errorf("%s?%s: alert %q, and rows must not be shown", path, tt.query, res.Alert())
			}
		}
	}
	if res := c.Get("/receipts?from=2026-12-01&to=2026-11-01"); res.Input("from") != "2026-12-01" || res.Input("to") != "2026-11-01" {
		t.Error("what was typed into the filter is not kept")
	}
	for _, after := range []string{"x", "2026-11-30", "2026-11-30~", "2026-11-30~QPS:" + row.ShortID(), "2026-13-30~" + row.ShortID(), "~" + row.ShortID()} {
		res := c.Get("/receipts?after=" + url.QueryEscape(after))
		if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "not a page of this register") {
			t.Errorf("after=%s: status %d, alert %q, want 422 in words", after, res.Status, res.Alert())
		}
		if strings.Contains(res.Body, row.NumberText) {
			t.Errorf("after=%s: rows are shown", after)
		}
	}
}

func TestRegisterPages(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	want := []string{}
	for range 53 {
		want = append([]string{pay(t, s, webtest.Own, "1001", cash(100)).NumberText}, want...)
	}
	c := s.As(t, fees.RoleAccountant)
	res := c.Get("/receipts?mode=cash")
	first := column(res.Doc(), "c-number")
	next, _ := res.Doc().Find(`a[rel="next"]`).Attr("href")
	if len(first) != 50 || next == "" {
		t.Fatalf("the first page has %d rows and leads to %q", len(first), next)
	}
	part := c.HTMX().Get(next)
	second := column(part.Doc(), "c-number")
	if got := append(first, second...); !slices.Equal(got, want) {
		t.Errorf("two pages have %d rows, want the 53 newest first, each once", len(got))
	}
	if strings.Contains(part.Body, "<html") || part.Doc().Find("#register").Length() != 1 {
		t.Error("htmx was sent something else than the part it asked for")
	}
	if part.Doc().Find(`a[rel="next"]`).Length() != 0 || part.Doc().Find(`a[rel="first"][href="/receipts?mode=cash"]`).Length() != 1 {
		t.Error("the last page leads on, or does not lead back")
	}
	if got := part.ByTestID("register-total"); got != "53.00" {
		t.Errorf("the total on the second page is %q, want that of the whole selection", got)
	}
}

func TestRegisterOfCashier(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	own := pay(t, s, webtest.Own, "1001", cash(450000))
	other, err := s.Store.RecordPayment(context.Background(), webtest.Own, fees.PaymentOrder{
		ID: s.Store.NewID(), Student: "1002", Tenders: []fees.Tender{cash(100)}, By: fees.Actor{Login: "other", Name: "Other", Role: fees.RoleCashier},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := s.As(t, fees.RoleCashier)
	for _, path := range []string{"/receipts", "/receipts?cashier=other", "/receipts.csv?cashier=other", "/receipts?cashier="} {
		res := c.Get(path)
		if res.Status != http.StatusOK || !strings.Contains(res.Body, own.NumberText) || strings.Contains(res.Body, other.NumberText) {
			t.Errorf("%s: status %d; a cashier sees their own rows and no others", path, res.Status)
		}
	}
	if res := c.Get("/receipts"); res.ByTestID("register-total") != "4,500.00" || res.Doc().Find(`[name="cashier"]`).Length() != 0 {
		t.Errorf("total %q; cashiers must not be on offer", res.ByTestID("register-total"))
	}
}

func TestRegisterCSV(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	if _, err := s.Store.SaveStudent(ctx, webtest.Own, fees.Student{AdmissionNo: "9", Name: `=cmd|"x", y`, Class: "1", Category: "gen"}, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	row := pay(t, s, webtest.Own, "9", cash(12345678))
	for range 201 { // more than is read at once
		pay(t, s, webtest.Own, "1001", cash(100))
	}
	back, err := s.Store.ReversePayment(ctx, webtest.Own, fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry", By: fees.Actor{Login: "mira", Name: "Mira"}})
	if err != nil {
		t.Fatal(err)
	}
	pay(t, s, webtest.Foreign, "2001", cash(100))

	res := s.As(t, fees.RoleAccountant).Get("/receipts.csv")
	if res.Status != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") {
		t.Fatalf("status %d, type %s", res.Status, res.Header.Get("Content-Type"))
	}
	if got := res.Header.Get("Content-Disposition"); got != `attachment; filename="receipts-dps-2026-11-30.csv"` {
		t.Errorf("disposition is %s", got)
	}
	body, marked := strings.CutPrefix(res.Body, "\uFEFF")
	if !marked || !strings.Contains(body, "\r\n") {
		t.Error("the file has no byte order mark or no CRLF")
	}
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+203 {
		t.Fatalf("%d lines, want the header and 203 rows", len(rows))
	}
	at := func(name string) int { return slices.Index(rows[0], name) }
	last := rows[len(rows)-1]
	if last[at("number")] != row.NumberText || last[at("name")] != `'=cmd|"x", y` || last[at("total")] != "123456.78" ||
		last[at("status")] != "reversed" || last[at("linked_to")] != back.NumberText || last[at("date")] != "2026-11-30" || last[at("time")] != "10:00:00" {
		t.Errorf("the oldest row is %q", last)
	}
	// By date, then by key: a reversal of the same day stands beside what it reverses.
	if reversal := rows[len(rows)-2]; reversal[at("number")] != back.NumberText || reversal[at("total")] != "-123456.78" || reversal[at("linked_to")] != row.NumberText {
		t.Errorf("the reversal is %q", reversal)
	}
	if strings.Contains(body, "Foreign") {
		t.Error("the other institute's receipt is in the file")
	}
	if got := s.As(t, fees.RoleAuditor).Get("/receipts.csv?status=reversal"); strings.Count(got.Body, "\r\n") != 2 {
		t.Errorf("a filtered file is\n%s", got.Body)
	}
}

// The register is the same whichever way one asks: what it sums on screen is
// what the file adds up to.
func TestRegisterAndFileAgree(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	for i := range 7 {
		pay(t, s, webtest.Own, "1002", cash(fees.Amount(100+i)))
	}
	c := s.As(t, fees.RoleAdmin)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(c.Get("/receipts.csv").Body, "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var sum fees.Amount
	money := fees.Currency{Code: "INR", Decimals: 2, Locale: "en-IN"}
	for _, row := range rows[1:] {
		amount, wrong := money.Parse(row[slices.Index(rows[0], "total")])
		if wrong != nil {
			t.Fatalf("%q: %v", row, wrong)
		}
		sum += amount
	}
	if got := c.Get("/receipts").ByTestID("register-total"); got != money.Format(sum) {
		t.Errorf("the screen says %s, the file %s", got, money.Format(sum))
	}
	if got, want := len(rows)-1, 7; got != want {
		t.Errorf("%d rows in the file, want %d", got, want)
	}
}
