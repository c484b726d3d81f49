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

func TestCollectSearch(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	pay(t, s, webtest.Foreign, "2001", cash(100))
	c := s.As(t, fees.RoleCashier)
	for _, tt := range []struct {
		q     string
		finds []string // addresses
		goes  string   // where Enter leads; "" when it stays on the list
	}{
		{"1001", []string{"/collect/1001"}, "/collect/1001"},
		{"verma", []string{"/collect/1001", "/collect/1002"}, ""},
		{"  Ravi   verma ", []string{"/collect/1002"}, "/collect/1002"},
		{"9810000001", []string{"/collect/1001", "/collect/1002"}, ""},
		{"a/12-b", []string{"/collect/A%2F12-B"}, "/collect/A%2F12-B"},
		{strings.ToLower(row.NumberText), []string{"/receipts/" + row.ShortID()}, "/receipts/" + row.ShortID()},
		{"nobody at all", nil, ""},
		{"foreign", nil, ""},
		{"2001", nil, ""},
		{"QPS/26-27/00001", nil, ""},
		{`"><script>x`, nil, ""},
	} {
		t.Run(tt.q, func(t *testing.T) {
			query := "?q=" + url.QueryEscape(tt.q)
			res := c.Get("/collect" + query)
			hits := res.Doc().Find("#results a.hit")
			if res.Status != http.StatusOK || hits.Length() != len(tt.finds) {
				t.Fatalf("status %d, %d hits, want %v", res.Status, hits.Length(), tt.finds)
			}
			for _, want := range tt.finds {
				if hits.Filter(`[href="`+want+`"]`).Length() != 1 {
					t.Errorf("%s is not found", want)
				}
			}
			if len(tt.finds) == 0 && !strings.Contains(res.Body, "Nobody found") {
				t.Error("the page does not say that nobody was found")
			}
			if got := res.Input("q"); got != strings.Join(strings.Fields(tt.q), " ") {
				t.Errorf("the search box has %q", got)
			}
			for _, never := range []string{"Only Foreign", "<script>x"} {
				if strings.Contains(res.Body, never) {
					t.Errorf("the page has %q", never)
				}
			}

			htmx := c.HTMX()
			htmx.Header.Set("HX-Target", "results")
			part := htmx.Get("/collect" + query)
			if part.Status != http.StatusOK || part.Doc().Find("a.hit").Length() != len(tt.finds) {
				t.Errorf("htmx: status %d, %d hits", part.Status, part.Doc().Find("a.hit").Length())
			}
			if strings.Contains(part.Body, "<html") || strings.Contains(part.Body, `name="q"`) {
				t.Error("htmx gets more than the results")
			}

			enter := c.Get("/collect" + query + "&go=1")
			if tt.goes == "" && enter.Status != http.StatusOK || tt.goes != "" && (enter.Status != http.StatusSeeOther || enter.Location() != tt.goes) {
				t.Errorf("Enter: status %d to %q, want %q", enter.Status, enter.Location(), tt.goes)
			}
		})
	}
}

func TestCollectSearchEdges(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	res := c.Get("/collect")
	if res.Status != http.StatusOK || !strings.Contains(res.Body, "Who is paying?") || res.Doc().Find("#q[autofocus]").Length() != 1 {
		t.Errorf("status %d: the empty counter does not ask who is paying", res.Status)
	}
	for _, query := range []string{"?q=" + strings.Repeat("x", 101), "?q=a&q=b", "?q=a%E2%80%AEb"} {
		if res := c.Get("/collect" + query); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "cannot be searched for") {
			t.Errorf("%s: status %d, %q, want 422 in words", query, res.Status, res.Alert())
		}
	}
	htmx := c.HTMX()
	htmx.Header.Set("HX-Target", "results")
	if res := htmx.Get("/collect?q="); strings.TrimSpace(res.Body) != "" {
		t.Errorf("an emptied search box shows %q", res.Body)
	}
	if res := s.As(t, fees.RoleAuditor).Get("/collect"); res.Status != http.StatusForbidden {
		t.Errorf("auditor: status %d, want 403", res.Status)
	}
}

func TestCollectShow(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	res := c.Get("/collect/a%2F12-b")
	if res.Status != http.StatusOK || res.ByTestID("due-total") != "6,000.00" || res.ByTestID("student-balance") != "6,000.00" {
		t.Fatalf("status %d, due %q, balance %q, want 6,000.00", res.Status, res.ByTestID("due-total"), res.ByTestID("student-balance"))
	}
	doc := res.Doc()
	if minor := doc.Find("[data-testid=due-total]").AttrOr("data-amount", ""); minor != "600000" {
		t.Errorf("due in minor units is %q", minor)
	}
	// Oldest first: what was open when the books were opened comes before the term.
	if bills := doc.Find(".due-lines .bill th").Map(text); len(bills) != 2 || !strings.HasPrefix(bills[0], "Opening balance") || !strings.HasPrefix(bills[1], "2026-27/T1 due 10 Jun 2026") {
		t.Errorf("bills are %q", bills)
	}
	if first, second := paymentID(formIn(res)), paymentID(counterForm(t, c, "A/12-B")); !fees.ValidID(first) || first == second {
		t.Errorf("two forms have the ids %q and %q, want two of their own", first, second)
	}

	pay(t, s, webtest.Own, "1001", cash(550000))
	res = c.Get("/collect/1001")
	if res.ByTestID("due-total") != "0.00" || res.ByTestID("student-balance") != "-500.00" || !strings.Contains(res.Body, "Advance held") {
		t.Errorf("after an overpayment: due %q, balance %q", res.ByTestID("due-total"), res.ByTestID("student-balance"))
	}
	if got := formIn(res)["tender_amount"][0]; got != "" {
		t.Errorf("the form offers %q where nothing is due", got)
	}
	for _, path := range []string{"/collect/2001", "/collect/9999", "/collect/%3A", "/collect/QPS%3A1001", "/collect/1001%2F..%2F1002"} {
		if res := c.Get(path); res.Status != http.StatusNotFound || res.Doc().Find("form#payment").Length() != 0 {
			t.Errorf("%s: status %d, want 404 and no form", path, res.Status)
		}
	}
}

// Coming Back to a form after it was recorded must not offer a fresh one.
func TestCollectBack(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	back := "/collect/1001?payment_id=" + form.Get("payment_id")
	if got := formIn(c.Get(back)).Get("payment_id"); got != form.Get("payment_id") {
		t.Errorf("before it is recorded, the form comes back under %q", got)
	}
	put(form, "tender_mode", 0, "upi")
	put(form, "tender_ref", 0, "432198765432")
	put(form, "tender_amount", 0, "1,200")
	form.Set("remark", "part")
	receipt := c.Post("/payments", form).Location()

	res := c.Get(back)
	if !strings.Contains(res.Alert(), "Already recorded: DPS/26-27/00001") {
		t.Errorf("the page does not say that the form was recorded: %q", res.Alert())
	}
	if res := c.Post("/payments", formIn(res)); res.Status != http.StatusSeeOther || res.Location() != receipt {
		t.Errorf("recorded again: status %d to %q, want the same receipt", res.Status, res.Location())
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 1 {
		t.Errorf("the ledger has %d rows, want 1", len(rows))
	}
	for _, id := range []string{"x", "QPS:" + paymentID(form), ""} {
		if got := paymentID(formIn(c.Get("/collect/1001?payment_id=" + url.QueryEscape(id)))); !fees.ValidID(got) || got == paymentID(form) {
			t.Errorf("payment_id=%q gives a form under %q, want a fresh id", id, got)
		}
	}
	if got := formIn(c.Get("/collect/1002?payment_id=" + form.Get("payment_id"))).Get("payment_id"); got == form.Get("payment_id") {
		t.Error("another student's form has the id of a recorded payment")
	}
}

// Names are other people's text.
func TestCollectShowsNamesAsText(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	long := strings.Repeat("Venkatanarasimharajuvaripeta ", 4)
	list := "admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n" +
		"7,<b>Bold</b> &amp; आशा,1,A,GEN,,\"<script>alert(1)</script>\",,,active,\n" +
		"8," + long + ",1,A,GEN,,مريم,,,active,\n"
	report, err := s.Store.ImportStudents(context.Background(), webtest.Own, strings.NewReader(list), false, fees.Actor{})
	if err != nil || len(report.Problems) > 0 {
		t.Fatalf("import: %v %v", err, report.Problems)
	}
	c := s.As(t, fees.RoleCashier)
	res := c.Get("/collect/7")
	if strings.Contains(res.Body, "<b>Bold") || strings.Contains(res.Body, "<script>alert") {
		t.Error("a name is markup")
	}
	if got := res.Doc().Find(".payer h2 bdi").Text(); got != "<b>Bold</b> &amp; आशा" {
		t.Errorf("the name is shown as %q", got)
	}
	if got := c.Get("/collect/8").Doc().Find(".payer bdi").First().Text(); got != strings.TrimSpace(long) {
		t.Errorf("the long name is shown as %q", got)
	}
}
