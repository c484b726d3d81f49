package handlers_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web/webtest"
)

func TestRecordRefuses(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	foreign := pay(t, s, webtest.Foreign, "1001", cash(450000))

	amount := func(typed string) func(url.Values) {
		return func(f url.Values) { put(f, "tender_amount", 0, typed) }
	}
	mode := func(mode string, fields ...string) func(url.Values) {
		return func(f url.Values) {
			put(f, "tender_mode", 0, mode)
			for i := 0; i < len(fields); i += 2 {
				put(f, fields[i], 0, fields[i+1])
			}
		}
	}
	set := func(name string, values ...string) func(url.Values) {
		return func(f url.Values) { f[name] = values }
	}
	for _, tt := range []struct {
		name   string
		change func(url.Values)
		field  string // that says what is wrong; "" when it is not on the form
		says   string
	}{
		{"European amount", amount("1.384,83"), "tender_amount.0", "12,34,567.50"},
		{"exponent", amount("1e3"), "tender_amount.0", "12,34,567.50"},
		{"negative", amount("-5"), "tender_amount.0", "negative"},
		{"zero", amount("0"), "tender_amount.0", "above zero"},
		{"zero in full", amount("0.00"), "tender_amount.0", "above zero"},
		{"half a group", amount("12,34"), "tender_amount.0", "commas"},
		{"absurd", amount("999999999999999"), "tender_amount.0", "largest amount"},
		{"three decimals", amount("100.001"), "tender_amount.0", "At most 2 digits"},
		{"nothing", amount(""), "tender_amount.0", "amount"},
		{"words", amount("five hundred"), "tender_amount.0", "figure"},
		{"other digits", amount("५००"), "tender_amount.0", "digits"},
		{"markup", amount(`<script>alert(1)</script>`), "tender_amount.0", "cannot be part of an amount"},
		{"no mode", mode(""), "tender_mode.0", "Choose how this was paid"},
		{"unknown mode", mode("bitcoin"), "tender_mode.0", "Choose how this was paid"},
		{"mode in capitals", mode("CASH"), "tender_mode.0", "Choose how this was paid"},
		{"cheque without number", mode("cheque", "tender_bank", "SBI"), "tender_ref.0", "cheque number"},
		{"cheque without bank", mode("cheque", "tender_ref", "004512"), "tender_bank.0", "bank"},
		{"draft without number", mode("dd", "tender_bank", "SBI"), "tender_ref.0", "draft number"},
		{"UPI without reference", mode("upi"), "tender_ref.0", "UPI reference"},
		{"card without code", mode("card"), "tender_ref.0", "approval code"},
		{"card number", mode("card", "tender_ref", "4111111111111111"), "tender_ref.0", "card number"},
		{"transfer without reference", mode("transfer"), "tender_ref.0", "UTR"},
		{"stale cheque", mode("cheque", "tender_ref", "004512", "tender_bank", "SBI", "tender_date", "2025-01-01"), "tender_date.0", "months"},
		{"future", set("date", "2026-12-01"), "date", "future"},
		{"closed year", set("date", "2026-03-31"), "date", "closed up to 31 March 2026"},
		{"long ago", set("date", "2026-04-01"), "date", "7 days"},
		{"no such day", set("date", "2026-02-30"), "date", "day"},
		{"a date of another form", set("date", "30/11/2026"), "date", "date"},
		{"long remark", set("remark", strings.Repeat("x", 201)), "remark", "200"},
		{"control character", set("remark", "a\u202eb"), "remark", "hidden character"},
		{"more than is open", func(f url.Values) { put(f, "line_amount", 0, "4600.00") }, "line_amount.0", "more than is owed"},
		{"line amount", func(f url.Values) { put(f, "line_amount", 0, "1e3") }, "line_amount.0", "12,34,567.50"},
		{"half a split", func(f url.Values) { put(f, "tender_mode", 1, "upi") }, "tender_amount.1", "amount"},
		{"split without mode", func(f url.Values) { put(f, "tender_amount", 1, "10") }, "tender_mode.1", "Choose how this was paid"},
		{"student of another institute", set("student", "2001"), "student", "no student"},
		{"no student", set("student"), "student", "admission number"},
		{"no such student", set("student", "9999"), "student", "no student"},
		{"injected student", set("student", "1001:x"), "student", "may not be in an admission number"},
		{"student twice", set("student", "1001", "1002"), "", "more than once"},
		{"remark twice", set("remark", "a", "b"), "remark", "more than once"},
		{"date twice", set("date", "2026-11-30", "2026-11-29"), "date", "more than once"},
		{"id of another institute", set("payment_id", foreign.ID), "", "renewed"},
		{"malformed id", set("payment_id", "1 OR 1=1"), "", "renewed"},
		{"id in small letters", set("payment_id", "01jd0000000000000000000000"), "", "renewed"},
		{"id of another institute that is free", set("payment_id", "QPS:01JD0000000000000000000000"), "", "another institute"},
		{"id of an institute that is not there", set("payment_id", "XYZ:01JD0000000000000000000000"), "", "renewed"},
		{"institute in small letters", set("payment_id", "dps:01JD0000000000000000000000"), "", "renewed"},
		{"institute twice", set("payment_id", "DPS:DPS:01JD0000000000000000000000"), "", "renewed"},
		{"institute alone", set("payment_id", "DPS:"), "", "renewed"},
		{"id of no institute", set("payment_id", ":01JD0000000000000000000000"), "", "renewed"},
		{"id of a reversal", set("payment_id", "DPS:01JD0000000000000000000000:reversal"), "", "renewed"},
		{"no id", set("payment_id"), "", "renewed"},
		{"id twice", set("payment_id", "01JD0000000000000000000000", "01JD0000000000000000000001"), "", "more than once"},
		{"no tenders", func(f url.Values) {
			for _, name := range []string{"tender_mode", "tender_amount", "tender_ref", "tender_bank", "tender_date"} {
				f.Del(name)
			}
		}, "tender_amount.0", "Enter what was paid"},
		{"rows that do not match", set("tender_ref", "A1", "B2"), "", "do not match"},
		{"lines that do not match", set("line_head", "TUITION"), "", "do not match"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			form := counterForm(t, c, "1001")
			tt.change(form)
			res := c.Post("/payments", form)
			if res.Status != http.StatusUnprocessableEntity {
				t.Fatalf("status %d to %q, want 422: %s", res.Status, res.Location(), res.Alert())
			}
			if !strings.Contains(res.Alert(), tt.says) {
				t.Errorf("the alert %q does not say %q", res.Alert(), tt.says)
			}
			doc := res.Doc()
			if tt.field != "" {
				if text := doc.Find(`[id="` + tt.field + `-error"]`).Text(); !strings.Contains(text, tt.says) {
					t.Errorf("beside %s it says %q, want %q", tt.field, text, tt.says)
				}
				if doc.Find(`[id="`+tt.field+`"][aria-invalid=true][autofocus]`).Length() != 1 {
					t.Errorf("the cursor is not put into %s", tt.field)
				}
			}
			back := formIn(res)
			for _, name := range []string{"student", "date", "remark", "tender_amount", "tender_ref", "tender_bank", "tender_date"} {
				if sent, kept := form[name], back[name]; len(sent) > 0 && len(kept) > 0 && sent[0] != kept[0] {
					t.Errorf("%s: %q was typed, %q is kept", name, sent[0], kept[0])
				}
			}
			id, own := strings.CutPrefix(form.Get("payment_id"), webtest.Own+":")
			if own && fees.ValidID(id) && back.Get("payment_id") != form.Get("payment_id") {
				t.Errorf("the form came back under %q, not under its own id", back.Get("payment_id"))
			}
			if fresh, own := strings.CutPrefix(back.Get("payment_id"), webtest.Own+":"); !own || !fees.ValidID(fresh) {
				t.Errorf("the form came back under the useless id %q", back.Get("payment_id"))
			}
			for _, never := range []string{"Foreign", "fees.", "invalid:", "<script>alert"} {
				if strings.Contains(res.Body, never) {
					t.Errorf("the page shows %q", never)
				}
			}
		})
	}
	for _, student := range []string{"1001", "1002"} {
		if rows := rowsOf(t, s, student); len(rows) != 0 {
			t.Errorf("refused forms recorded %+v", rows)
		}
	}
}

func TestRecordTellsEverything(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	put(form, "tender_amount", 0, "12,34")
	put(form, "tender_mode", 0, "cheque")
	put(form, "tender_mode", 2, "upi")
	put(form, "tender_amount", 2, "100.001")
	form.Set("date", "2027-01-01")
	form.Set("remark", strings.Repeat("x", 300))
	res := c.HTMX().Post("/payments", form)
	if res.Status != http.StatusUnprocessableEntity {
		t.Fatalf("status %d", res.Status)
	}
	doc := res.Doc()
	for _, field := range []string{"tender_amount.0", "tender_ref.0", "tender_bank.0", "tender_amount.2", "tender_ref.2", "date", "remark"} {
		if doc.Find(`[id="`+field+`-error"]`).Length() != 1 {
			t.Errorf("%s does not say what is wrong", field)
		}
		if doc.Find(`[data-testid=alert] a[href="#`+field+`"]`).Length() != 1 {
			t.Errorf("the summary does not lead to %s", field)
		}
	}
	if closed := doc.Find("#payment details:not([open])").Text(); strings.Contains(closed, "Split") || strings.Contains(closed, "Date and remark") {
		t.Errorf("a fold hides what is wrong: %q", closed)
	}
	if n := doc.Find("[autofocus]").Length(); n != 1 {
		t.Errorf("%d fields want the cursor", n)
	}
}

// What no field takes is refused at its field, with everything else kept and as
// much of it as can be shown.
func TestRecordKeepsTheFormWhateverIsTyped(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	for _, tt := range []struct{ name, field, typed, says, kept string }{
		{"long remark", "remark", strings.Repeat("x", 5000), "more text", strings.Repeat("x", 4096)},
		{"remark that is not UTF-8", "remark", "caf\xe9", "not text", "caf\uFFFD"},
		{"long reference", "tender_ref", strings.Repeat("9", 5000), "more text", strings.Repeat("9", 4096)},
		{"reference that is not UTF-8", "tender_ref", "\xff\xfe12", "not text", "\uFFFD12"},
		{"amount that is not UTF-8", "tender_amount", "5\xff", "not text", "5\uFFFD"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			form := counterForm(t, c, "1001")
			put(form, "tender_mode", 0, "upi")
			put(form, "tender_ref", 0, "432198765432")
			put(form, "tender_amount", 0, "1,200")
			form.Set("remark", "part")
			id, at := form.Get("payment_id"), tt.field
			if strings.HasPrefix(tt.field, "tender_") {
				at += ".0"
			}
			put(form, tt.field, 0, tt.typed)
			res := c.Post("/payments", form)
			if res.Status != http.StatusUnprocessableEntity {
				t.Fatalf("status %d, want 422: %s", res.Status, res.Alert())
			}
			if text := res.Doc().Find(`[id="` + at + `-error"]`).Text(); !strings.Contains(text, tt.says) {
				t.Errorf("beside the field it says %q, want %q", text, tt.says)
			}
			back := formIn(res)
			if back.Get("payment_id") != id || back.Get("student") != "1001" || back.Get(tt.field) != tt.kept {
				t.Errorf("the form came back under %q for %q with %.20q, want %q and %.20q", back.Get("payment_id"), back.Get("student"), back.Get(tt.field), id, tt.kept)
			}
			for _, name := range []string{"tender_mode", "tender_amount", "tender_ref", "remark"} {
				if name != tt.field && back.Get(name) != form.Get(name) {
					t.Errorf("%s: %q was typed, %q is kept", name, form.Get(name), back.Get(name))
				}
			}
		})
	}
	if rows := rowsOf(t, s, "1001"); len(rows) != 0 {
		t.Errorf("refused forms recorded %+v", rows)
	}
}

// A student who was mistyped can be corrected in the form itself.
func TestRecordCorrectsStudent(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	form.Set("student", "2001")
	res := c.Post("/payments", form)
	form = formIn(res)
	form.Set("student", "1002")
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if rows := rowsOf(t, s, "1002"); len(rows) != 1 {
		t.Errorf("the ledger has %+v", rows)
	}
}

// faulty is a database whose writes fail as long as fail says so.
type faulty struct {
	docdb.DB
	fail atomic.Pointer[func(coll string) error]
}

func (f *faulty) failing(coll string) error {
	if fail := f.fail.Load(); fail != nil {
		return (*fail)(coll)
	}
	return nil
}

func (f *faulty) InsertOne(ctx context.Context, coll string, doc any) error {
	if err := f.failing(coll); err != nil {
		return err
	}
	return f.DB.InsertOne(ctx, coll, doc)
}

func (f *faulty) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	if err := f.failing(coll); err != nil {
		return err
	}
	return f.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
}

func (f *faulty) failOn(coll string, err error) {
	fail := func(at string) error {
		if at == coll {
			return err
		}
		return nil
	}
	f.fail.Store(&fail)
}

func TestRecordWhileStoreFails(t *testing.T) {
	for _, tt := range []struct {
		err  error
		says string
	}{
		{docdb.ErrUnavailable, "This attempt wrote nothing"},
		{docdb.ErrUnknownOutcome, "cannot be charged twice"},
	} {
		t.Run(tt.says, func(t *testing.T) {
			var db faulty
			var log bytes.Buffer
			s := webtest.Start(t, webtest.Options{
				Log:  slog.New(slog.NewTextHandler(&log, nil)),
				Wrap: func(inner docdb.DB) docdb.DB { db.DB = inner; return &db },
			})
			c := s.As(t, fees.RoleCashier)
			form := counterForm(t, c, "1001")
			put(form, "tender_amount", 0, "1,234.50")
			form.Set("remark", "kept")
			db.failOn("payments", tt.err)
			res := c.Post("/payments", form)
			if res.Status != http.StatusServiceUnavailable || !strings.Contains(res.Alert(), tt.says) {
				t.Errorf("status %d, alert %q, want 503 saying %q", res.Status, res.Alert(), tt.says)
			}
			back := formIn(res)
			if back.Get("payment_id") != form.Get("payment_id") || back["tender_amount"][0] != "1,234.50" || back.Get("remark") != "kept" {
				t.Errorf("the form came back as %v", back)
			}
			if strings.Contains(res.Body, "docdb") {
				t.Error("the page shows internals")
			}
			db.fail.Store(nil)
			for range 2 {
				if res := c.Post("/payments", back); res.Status != http.StatusSeeOther {
					t.Fatalf("again: status %d: %s", res.Status, res.Alert())
				}
			}
			if rows := rowsOf(t, s, "1001"); len(rows) != 1 || rows[0].Total != 123450 {
				t.Errorf("the ledger has %+v, want the payment once", rows)
			}
			s.Stop()
			line := logLine(log.String(), "status=503")
			if !strings.Contains(line, tt.err.Error()) || !strings.Contains(line, "level=ERROR") || !strings.Contains(line, "id="+res.Header.Get("X-Request-Id")) {
				t.Errorf("the log does not say why: %s", line)
			}
			if strings.Contains(log.String(), "kept") || strings.Contains(log.String(), "1001") {
				t.Errorf("the log tells what was typed:\n%s", &log)
			}
		})
	}
}

// logLine is the first line of a log that has a text in it.
func logLine(log, text string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

func TestRecordNumberPending(t *testing.T) {
	var db faulty
	s := webtest.Start(t, webtest.Options{Wrap: func(inner docdb.DB) docdb.DB { db.DB = inner; return &db }})
	c := s.As(t, fees.RoleCashier)
	form := counterForm(t, c, "1001")
	db.failOn("counters", errors.New("the counter is out of order"))
	res := c.Post("/payments", form)
	if res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s; a payment is recorded even when it cannot be numbered", res.Status, res.Alert())
	}
	receipt := res.Location()
	res = c.Get(receipt)
	if res.Status != http.StatusOK || res.ByTestID("receipt-number") != "Number pending" || res.ByTestID("receipt-status") != "Number pending" {
		t.Errorf("status %d, number %q, status %q", res.Status, res.ByTestID("receipt-number"), res.ByTestID("receipt-status"))
	}
	part := res.Doc().Find("#receipt")
	if part.AttrOr("hx-get", "") != receipt || part.AttrOr("hx-trigger", "") != "every 1s" {
		t.Error("the part does not ask again by itself")
	}
	if res = c.Get(receipt + "/print"); !strings.Contains(res.Body, "Number pending: not yet a receipt") {
		t.Error("the paper does not say that it is no receipt yet")
	}
	db.fail.Store(nil)
	if err := s.Store.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	res = c.HTMX().Get(receipt)
	if number := res.ByTestID("receipt-number"); number != "DPS/26-27/00001" {
		t.Errorf("after the sweep the number is %q", number)
	}
	if _, polls := res.Doc().Find("#receipt").Attr("hx-trigger"); polls {
		t.Error("the part goes on asking")
	}
}
