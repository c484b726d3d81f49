package handlers_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// holdPart is what a page that has the token gets when it asks after its hold.
func holdPart(c *webtest.Client, page, token string) webtest.Response {
	return c.HTMX().Post(page+"/hold", url.Values{"hold": {token}, "since": {""}})
}

func TestHoldOfOther(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first, second := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	mine := counterForm(t, first, "1001")
	if !fees.ValidID(mine.Get("hold")) {
		t.Fatalf("the form has the hold %q", mine.Get("hold"))
	}

	res := second.Get("/collect/1001")
	if res.Status != http.StatusOK || !strings.Contains(res.Alert(), "The Cashier has been collecting from Asha Verma since 10:00") {
		t.Errorf("status %d, the second counter is told %q", res.Status, res.Alert())
	}
	if res.ByTestID("due-total") != "5,000.00" || res.Doc().Find("form#payment .record[disabled]").Length() != 1 {
		t.Error("the second counter cannot look, or can record")
	}
	if strings.Contains(res.Body, mine.Get("hold")) {
		t.Error("the second counter's page has the token of the first")
	}
	since := "1796013000000"
	if vals := res.Doc().Find("#hold").AttrOr("hx-vals", ""); !strings.Contains(vals, since) {
		t.Errorf("the page asks with %s", vals)
	}
	for _, hold := range []string{"", "x", "DPS:" + mine.Get("hold"), strings.ToLower(mine.Get("hold"))} {
		form := formIn(res)
		form.Set("hold", hold)
		put(form, "tender_amount", 0, "1,234.00")
		got := second.Post("/payments", form)
		if got.Status != http.StatusConflict || !strings.Contains(got.Alert(), "Nothing was recorded") || !strings.Contains(got.Alert(), "The Cashier has been collecting") {
			t.Errorf("hold %q: status %d, %q", hold, got.Status, got.Alert())
		}
		if got.Input("tender_amount") != "1,234.00" || got.Input("payment_id") != form.Get("payment_id") {
			t.Errorf("hold %q: the form was not kept", hold)
		}
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 0 {
		t.Fatalf("the ledger has %d rows", len(rows))
	}

	// While it waits nothing changes; when the first is done the page is told.
	ask := func() webtest.Response {
		return second.HTMX().Post("/collect/1001/hold", url.Values{"hold": {""}, "since": {since}})
	}
	if got := ask(); got.Status != http.StatusNoContent || got.Body != "" {
		t.Errorf("asked while it waits: status %d, %q", got.Status, got.Body)
	}
	// Two minutes, and five during which nobody works at it; one renewal rounds up.
	if !strings.Contains(res.Doc().Find("#hold").Text(), "If nobody goes on there, it is free by 10:08 at the latest.") {
		t.Errorf("it is not said until when: %q", res.Doc().Find("#hold").Text())
	}
	until := time.UnixMilli(1796013000000).Add(8 * time.Minute)
	later := func() webtest.Response {
		return second.HTMX().Post("/collect/1001/hold", url.Values{"hold": {""}, "since": {since}, "until": {strconv.FormatInt(until.UnixMilli(), 10)}})
	}
	for range 7 { // somebody works there all the time
		if got := later(); got.Status != http.StatusNoContent {
			t.Fatalf("asked while what it was told holds: status %d, %q", got.Status, got.Body)
		}
		s.Clock.Advance(time.Minute)
		holdPart(first, "/collect/1001", mine.Get("hold"))
	}
	if got := later(); got.Status != http.StatusOK || !strings.Contains(got.Body, "free by 10:15 at the latest") {
		t.Errorf("asked when it lasts longer than it was told: status %d, %q", got.Status, got.Body)
	}
	if got := first.Post("/payments", mine); got.Status != http.StatusSeeOther {
		t.Fatalf("the first counter: status %d: %s", got.Status, got.Alert())
	}
	got := ask()
	if got.Status != http.StatusOK || !strings.Contains(got.Alert(), "The other counter has finished") || got.Doc().Find(`a[href="/collect/1001"]`).Length() != 1 {
		t.Errorf("asked when it is free: status %d, %q", got.Status, got.Body)
	}
	if strings.Contains(got.Body, "<html") || got.Doc().Find("[hx-trigger]").Length() != 0 {
		t.Error("the answer is more than the part, or goes on asking")
	}
	if res = second.Get("/collect/1001"); res.Doc().Find(".record[disabled]").Length() != 0 || !fees.ValidID(res.Input("hold")) {
		t.Error("the second counter cannot collect once the first is done")
	}
}

// The money of a form that held the student is never refused; what is no longer
// owed is an advance, and the receipt says so.
func TestHoldRanOut(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first, second := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	mine := counterForm(t, first, "1001")
	s.Clock.Advance(fees.HoldTime)
	theirs := counterForm(t, second, "1001")
	if !fees.ValidID(theirs.Get("hold")) {
		t.Fatal("the hold that has run out was not taken over")
	}
	lost := holdPart(first, "/collect/1001", mine.Get("hold"))
	if lost.Status != http.StatusOK || !strings.Contains(lost.Alert(), "The Accountant has been collecting here since 10:02") {
		t.Errorf("the first page is told, with status %d, %q", lost.Status, lost.Body)
	}
	if res := second.Post("/payments", theirs); res.Status != http.StatusSeeOther {
		t.Fatal(res.Alert())
	}
	res := first.Post("/payments", mine)
	if res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if res = first.Get(res.Location()); !strings.Contains(res.Body, "₹5,000.00 was more than was due") {
		t.Error("the receipt does not say that it is an advance")
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 2 {
		t.Errorf("the ledger has %d rows, want 2", len(rows))
	}
}

func TestHoldTwoTabs(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	first := counterForm(t, c, "1001")
	s.Clock.Advance(time.Minute)
	res := c.Get("/collect/1001")
	if !strings.Contains(res.Alert(), "You opened this already at 10:00") || res.Doc().Find(".record[disabled]").Length() != 0 {
		t.Errorf("the second tab is told %q", res.Alert())
	}
	second := res.Input("hold")
	if got := holdPart(c, "/collect/1001", second); got.Status != http.StatusNoContent {
		t.Errorf("the second tab renews: status %d", got.Status)
	}
	if got := holdPart(c, "/collect/1001", first.Get("hold")); !strings.Contains(got.Alert(), "You opened this in another page at 10:01") {
		t.Errorf("the first tab renews: %q", got.Body)
	}
	// Its own page loaded anew is no second one.
	if got := c.Get("/collect/1001?payment_id=" + first.Get("payment_id")); got.Alert() != "" {
		t.Errorf("the page loaded again says %q", got.Alert())
	}
}

// Of two pages of one person for one student nothing is recorded twice by a press
// on each; what is another payment is recorded when they say so.
func TestHoldTwoTabsPay(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	first := counterForm(t, c, "1001")
	s.Clock.Advance(time.Second)
	second := counterForm(t, c, "1001")
	s.Clock.Advance(time.Second)
	asked := func(what string, form url.Values, why string) url.Values {
		t.Helper()
		got := c.Post("/payments", form)
		if got.Status != http.StatusConflict || !strings.Contains(got.Alert(), why) || !strings.Contains(got.Alert(), "Nothing was recorded from this page yet") {
			t.Fatalf("%s: status %d, %q", what, got.Status, got.Alert())
		}
		kept := formIn(got)
		if kept.Get("payment_id") != form.Get("payment_id") || kept.Get("tender_amount") != form.Get("tender_amount") || kept.Get("hold") == form.Get("hold") {
			t.Errorf("%s: the form was not kept: %v", what, kept)
		}
		return kept
	}
	first = asked("the first page while the second holds", first, "You opened this in another page at 10:00")
	if res := c.Post("/payments", first); res.Status != http.StatusSeeOther {
		t.Fatalf("pressed again: status %d, %q", res.Status, res.Alert())
	}
	if res := c.Post("/payments", first); res.Status != http.StatusSeeOther {
		t.Errorf("and once more: status %d, %q", res.Status, res.Alert())
	}
	second = asked("the second page after the first recorded", second, "You recorded ₹5,000.00 from Asha Verma at 10:00, after this page was opened")
	if rows := rowsOf(t, s, "1001"); len(rows) != 1 {
		t.Errorf("the ledger has %d rows, want 1", len(rows))
	}
	if res := c.Post("/payments", second); res.Status != http.StatusSeeOther {
		t.Errorf("pressed again: status %d, %q", res.Status, res.Alert())
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 2 {
		t.Errorf("the ledger has %d rows, want 2", len(rows))
	}
}

// What was chosen line by line while another counter was faster is an advance as
// well; chosen while the hold lasts, or where nobody was, it is a mistake.
func TestHoldRanOutLineByLine(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first, second := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	mine := counterForm(t, first, "1001")
	mine["line_amount"][0] = "500"
	put(mine, "tender_amount", 0, "500")
	s.Clock.Advance(fees.HoldTime)
	mine["line_amount"][0] = "4,600"
	put(mine, "tender_amount", 0, "4,600")
	if res := first.Post("/payments", mine); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "This is more than is owed here") {
		t.Errorf("too much for a line, and nobody was faster: status %d, %s", res.Status, res.Alert())
	}
	mine["line_amount"][0] = "500"
	put(mine, "tender_amount", 0, "500")
	theirs := counterForm(t, second, "1001")
	if res := second.Post("/payments", theirs); res.Status != http.StatusSeeOther {
		t.Fatal(res.Alert())
	}
	res := first.Post("/payments", mine)
	if res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if res = first.Get(res.Location()); !strings.Contains(res.Body, "₹500.00 was more than was due") {
		t.Error("the receipt does not say that it is an advance")
	}
	again := counterForm(t, first, "1001")
	again["line_bill"], again["line_head"], again["line_amount"] = mine["line_bill"][:1], mine["line_head"][:1], []string{"500"}
	put(again, "tender_amount", 0, "500")
	if res := first.Post("/payments", again); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "This is not owed, or no longer") {
		t.Errorf("chosen under a hold that lasts: status %d, %s", res.Status, res.Alert())
	}
}

func TestHoldRelease(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first, second := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	token := counterForm(t, first, "a/12-b").Get("hold")
	for hold, want := range map[string]int{"": 1, s.Store.NewID(): 1, token: 0} {
		if hold == token {
			continue
		}
		if res := first.Post("/collect/A%2F12-B/hold/release", url.Values{"hold": {hold}}); res.Status != http.StatusNoContent {
			t.Errorf("release %q: status %d", hold, res.Status)
		}
		if got := second.Get("/collect/A%2F12-B").Doc().Find(".record[disabled]").Length(); got != want {
			t.Errorf("released with %q: held %d, want %d", hold, got, want)
		}
	}
	// The same token from another institute is another student's.
	s.AsOf(t, webtest.Foreign, fees.RoleCashier).Post("/collect/A%2F12-B/hold/release", url.Values{"hold": {token}})
	if second.Get("/collect/A%2F12-B").Doc().Find(".record[disabled]").Length() != 1 {
		t.Error("another institute gave the student back")
	}
	if res := first.Post("/collect/A%2F12-B/hold/release", url.Values{"hold": {token}}); res.Status != http.StatusNoContent {
		t.Errorf("status %d", res.Status)
	}
	if second.Get("/collect/A%2F12-B").Doc().Find(".record[disabled]").Length() != 0 {
		t.Error("what was given back is still held")
	}
	for path, want := range map[string]int{"/collect/9999/hold": http.StatusNotFound, "/collect/2001/hold": http.StatusNotFound, "/collect/9999/hold/release": http.StatusNotFound} {
		if res := first.HTMX().Post(path, url.Values{"hold": {token}}); res.Status != want {
			t.Errorf("%s: status %d, want %d", path, res.Status, want)
		}
	}
	if res := first.Post("/collect/1001/hold", url.Values{"hold": {token}}); res.Status != http.StatusSeeOther || res.Location() != "/collect/1001" {
		t.Errorf("without scripts: status %d to %q", res.Status, res.Location())
	}
	if res := s.As(t, fees.RoleAuditor).Post("/collect/1001/hold", url.Values{"hold": {token}}); res.Status != http.StatusForbidden {
		t.Errorf("auditor: status %d", res.Status)
	}
}

// A form that was recorded is answered with its receipt, also while somebody
// else has the student; a script without a hold is taken where nobody has.
func TestHoldAndScripts(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	first, second := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	form := url.Values{"payment_id": {s.Store.NewID()}, "student": {"1001"}, "tender_mode": {"cash"}, "tender_amount": {"100"}}
	if res := first.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Fatalf("no hold, and nobody has the student: status %d: %s", res.Status, res.Alert())
	}
	counterForm(t, second, "1001")
	if res := first.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("the same again while another counter has the student: status %d: %s", res.Status, res.Alert())
	}
	form.Set("tender_amount", "101")
	if res := first.Post("/payments", form); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "already recorded with other content") {
		t.Errorf("other content: status %d: %s", res.Status, res.Alert())
	}
	form.Set("payment_id", s.Store.NewID())
	if res := first.Post("/payments", form); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "The Accountant has been collecting") {
		t.Errorf("another payment: status %d: %s", res.Status, res.Alert())
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 1 {
		t.Errorf("the ledger has %d rows, want 1", len(rows))
	}
}

// A store that cannot keep holds stands in nobody's way.
func TestHoldFaults(t *testing.T) {
	s := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB {
		return docdbtest.Faulty(db, func(op docdbtest.Op) docdbtest.Fault {
			if op.Coll == "holds" {
				return docdbtest.BeforeWrite
			}
			return docdbtest.None
		})
	}})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	if res := holdPart(c, "/collect/1001", form.Get("hold")); res.Status != http.StatusNoContent {
		t.Errorf("renew: status %d", res.Status)
	}
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("status %d: %s", res.Status, res.Alert())
	}
	form = counterForm(t, c, "1002")
	form.Del("hold")
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("without a hold: status %d: %s", res.Status, res.Alert())
	}
}
