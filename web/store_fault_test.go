package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// outage is a database that can be made to fail while a server runs on it.
type outage struct {
	plan atomic.Pointer[func(docdbtest.Op) docdbtest.Fault]
}

func (o *outage) wrap(db docdb.DB) docdb.DB {
	return docdbtest.Faulty(db, func(op docdbtest.Op) docdbtest.Fault {
		if plan := o.plan.Load(); plan != nil {
			return (*plan)(op)
		}
		return docdbtest.None
	})
}

// away makes every call fail, as if the database's machine were off.
func (o *outage) away() { o.set(func(docdbtest.Op) docdbtest.Fault { return docdbtest.BeforeWrite }) }

// loses makes the database go away with the first write to a collection, whose
// fault is told: whether it was applied or not.
func (o *outage) loses(coll string, fault docdbtest.Fault) {
	var gone atomic.Bool
	o.set(func(op docdbtest.Op) docdbtest.Fault {
		switch {
		case gone.Load():
			return docdbtest.BeforeWrite
		case op.Write && op.Coll == coll:
			gone.Store(true)
			return fault
		}
		return docdbtest.None
	})
}

func (o *outage) set(plan func(docdbtest.Op) docdbtest.Fault) { o.plan.Store(&plan) }

func (o *outage) over() { o.plan.Store(nil) }

// sentAgain is the form on a page whose fields are those of what was sent:
// what a browser sends when its button is pressed.
func sentAgain(t *testing.T, res webtest.Response, action string) url.Values {
	t.Helper()
	form := res.Doc().Find(`form[action="` + action + `"]`)
	if form.Length() != 1 || form.Find("button[type=submit]").Length() == 0 {
		t.Fatalf("the page has no form that can be sent to %s again:\n%s", action, res.Alert())
	}
	values := url.Values{}
	form.Find("input[name], select[name], textarea[name]").Each(func(_ int, el *goquery.Selection) {
		value := el.AttrOr("value", "")
		switch goquery.NodeName(el) {
		case "select":
			value = el.Find("option[selected]").AttrOr("value", "")
		case "textarea":
			value = el.Text()
		}
		values.Add(el.AttrOr("name", ""), value)
	})
	return values
}

// splitPayment is a payment in which every field of the form is used.
func splitPayment(t *testing.T, c *webtest.Client) url.Values {
	t.Helper()
	page := c.Get("/collect/1001")
	form := sentAgain(t, page, "/payments")
	put := func(name string, n int, value string) { form[name][n] = value }
	put("tender_amount", 0, "1,000.00")
	put("tender_mode", 1, "cheque")
	put("tender_amount", 1, "2500")
	put("tender_ref", 1, "004512")
	put("tender_bank", 1, "State Bank of India")
	put("tender_date", 1, "2026-11-28")
	put("line_amount", slices.Index(form["line_head"], "TRANSPORT"), "500.00")
	form.Set("remark", "first part")
	form.Set("date", "2026-11-27")
	return form
}

// filled are the fields of a form in which something stands, in their order.
func filled(form url.Values) url.Values {
	some := url.Values{}
	for name, values := range form {
		if name == "line_bill" || name == "line_head" {
			continue // they say of which line line_amount is
		}
		for _, v := range values {
			if v != "" {
				some.Add(name, v)
			}
		}
	}
	for i, amount := range form["line_amount"] {
		if amount != "" {
			some.Add("line", form["line_bill"][i]+" "+form["line_head"][i]+" "+amount)
		}
	}
	return some
}

// The database goes away at each point of a payment. The counter says what
// became of it, keeps every field, and the second press shows the one receipt.
func TestPaymentWhileTheStoreGoesAway(t *testing.T) {
	for _, tt := range []struct {
		name   string
		begins func(o *outage)
		title  string // of what the counter says
		says   string
		never  string // what it must not say
		there  int    // rows at that moment
	}{
		{"before the session is read", (*outage).away, "Not available at the moment", "This attempt wrote nothing", "Not confirmed", 0},
		{"the row is refused", func(o *outage) { o.loses("payments", docdbtest.BeforeWrite) }, "Not recorded yet", "This attempt wrote nothing", "Not confirmed", 0},
		{"the answer about the row is lost", func(o *outage) { o.loses("payments", docdbtest.AfterWrite) }, "Not confirmed", "it cannot be charged twice", "This attempt wrote nothing", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var o outage
			s := webtest.Start(t, webtest.Options{Wrap: o.wrap})
			c := s.As(t, fees.RoleCashier)
			form := splitPayment(t, c)
			tt.begins(&o)
			res := c.Post("/payments", form)
			if res.Status != http.StatusServiceUnavailable || !strings.Contains(res.Alert(), tt.title) || !strings.Contains(res.Alert(), tt.says) || strings.Contains(res.Alert(), tt.never) {
				t.Errorf("status %d, %q; want 503, %q and %q", res.Status, res.Alert(), tt.title, tt.says)
			}
			kept := sentAgain(t, res, "/payments")
			if got, want := filled(kept), filled(form); !maps.EqualFunc(got, want, slices.Equal) {
				t.Errorf("the form came back with\n%v, want\n%v", got, want)
			}
			if res.Doc().Find("[autofocus]").Length() != 1 || res.Doc().Find("button.primary[autofocus]").Length() != 1 {
				t.Error("pressing Enter does not send it again")
			}
			if part := c.HTMX().Post("/payments", form); part.Status != http.StatusServiceUnavailable || part.Header.Get("HX-Retarget") != "#alerts" || part.Doc().Find("form").Length() != 0 || part.Alert() == "" {
				t.Errorf("htmx: status %d to %q, %q; want an alert that leaves the form alone", part.Status, part.Header.Get("HX-Retarget"), part.Alert())
			}
			o.over()
			if n := len(rowsOf(t, s)); n != tt.there {
				t.Errorf("%d rows are there, want %d", n, tt.there)
			}
			for _, press := range []*webtest.Client{c, c, c.HTMX()} {
				res := press.Post("/payments", kept)
				to := res.Location() + res.Header.Get("HX-Redirect")
				if want := "/receipts/" + fees.After(form.Get("payment_id")); to != want {
					t.Fatalf("pressed again: status %d to %q, %s; want %s", res.Status, to, res.Alert(), want)
				}
			}
			rows := rowsOf(t, s)
			if len(rows) != 1 || rows[0].Number != 1 || rows[0].Total != 3500_00 || len(rows[0].Tenders) != 2 || rows[0].Remark != "first part" || rows[0].Date != "2026-11-27" {
				t.Fatalf("the ledger has %+v, want the payment as it was typed, once", rows)
			}
			if !slices.ContainsFunc(rows[0].Lines, func(l fees.Line) bool { return l.Head == "TRANSPORT" && l.Amount == 500_00 }) {
				t.Errorf("what was to be settled is forgotten: %+v", rows[0].Lines)
			}
			soundLedger(t, s)
		})
	}
}

// A page that cannot be read does not say of a payment just made that nothing
// was written, and offers to be loaded again.
func TestPageWhileTheStoreIsAway(t *testing.T) {
	var o outage
	s := webtest.Start(t, webtest.Options{Wrap: o.wrap})
	c := s.As(t, fees.RoleCashier)
	receipt := c.Post("/payments", splitPayment(t, c)).Location()
	o.away()
	res := c.Get(receipt + "?from=here")
	if res.Status != http.StatusServiceUnavailable || strings.Contains(res.Body, "This attempt wrote nothing") || !strings.Contains(res.Alert(), "What was recorded is safe") {
		t.Errorf("status %d, %q", res.Status, res.Alert())
	}
	if res.Doc().Find(`a[href="`+receipt+`?from=here"]`).Length() != 1 {
		t.Error("the page does not offer to be loaded again")
	}
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable} {
		if res := c.Get(path); res.Status != want {
			t.Errorf("%s while the store is away: %d, want %d", path, res.Status, want)
		}
	}
	o.over()
	for _, path := range []string{receipt, "/healthz", "/readyz"} {
		if res := c.Get(path); res.Status != http.StatusOK {
			t.Errorf("%s afterwards: %d, want 200", path, res.Status)
		}
	}
}

// Everything else that is written over the web, while the store goes away:
// clear words, the form kept, and pressing again is safe.
func TestFormsWhileTheStoreGoesAway(t *testing.T) {
	for _, tt := range []struct {
		name, coll, path string
		form             func(s *webtest.Server) url.Values
		done             func(t *testing.T, s *webtest.Server) int // how often it was done
	}{
		{"reversal", "payments", "/receipts/01JD0000000000000000000000/reverse", func(*webtest.Server) url.Values {
			return url.Values{"reason": {"cheque returned"}, "charge": {"250.00"}}
		}, func(t *testing.T, s *webtest.Server) int { return len(rowsOf(t, s)) - 1 }},
		{"billing", "runs", "/billing/runs", func(s *webtest.Server) url.Values {
			return url.Values{"run_id": {s.Store.NewID()}, "period": {"2026-27/T1"}, "class": {"1"}}
		}, func(t *testing.T, s *webtest.Server) int {
			runs, err := s.Store.Runs(t.Context(), webtest.Own, 50)
			if err != nil {
				t.Fatal(err)
			}
			return len(runs) - 1
		}},
		{"student", "students", "/students", func(*webtest.Server) url.Values {
			return url.Values{"admission_no": {"77"}, "name": {"Nia <Rao>"}, "class": {"2"}, "category": {"GEN"}, "status": {"active"}, "opening_balance": {"12.50"}}
		}, func(t *testing.T, s *webtest.Server) int {
			bills, err := s.Store.Bills(t.Context(), webtest.Own, "77")
			if err != nil {
				t.Fatal(err)
			}
			return len(bills)
		}},
		{"settings", "institutes", "/settings", func(*webtest.Server) url.Values {
			return url.Values{"name": {"New Name"}, "address": {"12 Station Road"}}
		}, func(t *testing.T, s *webtest.Server) int {
			inst, err := s.Store.Institute(t.Context(), webtest.Own)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(inst.Name, "New Name")
		}},
		{"closing", "institutes", "/settings/close", func(*webtest.Server) url.Values {
			return url.Values{"to": {"2026-10-31"}, "sure": {"1"}}
		}, func(t *testing.T, s *webtest.Server) int {
			inst, err := s.Store.Institute(t.Context(), webtest.Own)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(string(inst.ClosedTo), "2026-10-31")
		}},
	} {
		for state, begins := range map[string]func(o *outage){
			"away":    (*outage).away,
			"refused": func(o *outage) { o.loses(tt.coll, docdbtest.BeforeWrite) },
			"lost":    func(o *outage) { o.loses(tt.coll, docdbtest.AfterWrite) },
		} {
			t.Run(tt.name+" "+state, func(t *testing.T) {
				var o outage
				s := webtest.Start(t, webtest.Options{Wrap: o.wrap})
				c := s.As(t, fees.RoleAdmin)
				payAs(t, c, "01JD0000000000000000000000")
				form := tt.form(s)
				begins(&o)
				res := c.Post(tt.path, form)
				lost := state == "lost"
				if res.Status != http.StatusServiceUnavailable || strings.Contains(res.Body, "This attempt wrote nothing") == lost || strings.Contains(res.Body, "docdb") {
					t.Errorf("status %d, %q; want 503 in words that are true", res.Status, res.Alert())
				}
				kept := sentAgain(t, res, tt.path)
				for name := range form {
					if kept.Get(name) != form.Get(name) && name != "sure" { // that is ticked anew
						t.Errorf("%s: %q was typed, %q is kept", name, form.Get(name), kept.Get(name))
					}
				}
				kept.Set("sure", form.Get("sure"))
				o.over()
				for range 2 {
					if res := c.Post(tt.path, kept); res.Status != http.StatusSeeOther {
						t.Fatalf("sent again: status %d, %s; want 303", res.Status, res.Alert())
					}
				}
				if n := tt.done(t, s); n != 1 {
					t.Errorf("it was done %d times, want once", n)
				}
				soundLedger(t, s)
			})
		}
	}
}

// A password is not written into a page.
func TestPasswordIsNotKept(t *testing.T) {
	var o outage
	s := webtest.Start(t, webtest.Options{Wrap: o.wrap})
	c := s.As(t, fees.RoleAdmin)
	o.away()
	for path, form := range map[string]url.Values{
		"/login": {"login": {"asha"}, "password": {"a secret of mine"}},
		"/users": {"login": {"asha"}, "name": {"Asha"}, "role": {"cashier"}, "password": {"a secret of mine"}},
	} {
		res := c.Post(path, form)
		if res.Status != http.StatusServiceUnavailable || strings.Contains(res.Body, "a secret of mine") {
			t.Errorf("%s: status %d; want 503 without the password", path, res.Status)
		}
	}
}

// payAs records 4,500.00 in cash for student 1001.
func payAs(t *testing.T, c *webtest.Client, id string) {
	t.Helper()
	res := c.Post("/payments", url.Values{"payment_id": {id}, "student": {"1001"}, "tender_mode": {"cash"}, "tender_amount": {"4500"}})
	if res.Status != http.StatusSeeOther {
		t.Fatalf("pay: status %d, %s", res.Status, res.Alert())
	}
}

// rowsOf are the rows of student 1001.
func rowsOf(t *testing.T, s *webtest.Server) []fees.Row {
	t.Helper()
	rows, err := s.Store.StudentRows(t.Context(), webtest.Own, "1001")
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// soundLedger finishes what is left to the workers and audits.
func soundLedger(t *testing.T, s *webtest.Server) {
	t.Helper()
	if err := s.Store.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := s.Store.Audit(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("audit: %s %s: %s", f.What, f.ID, f.Text)
	}
}
