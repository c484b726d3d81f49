package browsertest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// line is the way to a server. While it is down, what is sent arrives and the
// answer does not.
type line struct {
	url  string
	down atomic.Bool
	lost atomic.Int64 // answers
}

func newLine(t *testing.T, s *webtest.Server) *line {
	t.Helper()
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	l := &line{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(res *http.Response) error {
			if l.down.Load() && res.Request.Method == http.MethodPost {
				l.lost.Add(1)
				panic(http.ErrAbortHandler) // breaks the connection off
			}
			return nil
		},
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	l.url = front.URL
	return l
}

// lose makes the store do one more write to a collection, without an answer,
// and nothing after it.
func (tr *trouble) lose(coll string) {
	var gone atomic.Bool
	plan := func(op docdbtest.Op) docdbtest.Fault {
		switch {
		case gone.Load():
			return docdbtest.BeforeWrite
		case op.Write && op.Coll == coll:
			gone.Store(true)
			return docdbtest.AfterWrite
		}
		return docdbtest.None
	}
	tr.plan.Store(&plan)
}

// away makes the store answer nothing at all.
func (tr *trouble) away() {
	plan := func(docdbtest.Op) docdbtest.Fault { return docdbtest.BeforeWrite }
	tr.plan.Store(&plan)
}

// typeSplit types a payment in two ways, one of them with all its references, a
// choice and a remark.
func typeSplit(p *tab) {
	p.t.Helper()
	p.click("Split over several modes")
	p.click("Line by line")
	p.click("Date and remark")
	p.fill(`[id="tender_amount.0"]`, "1,000.00")
	p.choose(`[id="tender_mode.1"]`, "cheque")
	p.fill(`[id="tender_amount.1"]`, "500")
	p.fill(`[id="tender_ref.1"]`, "004512")
	p.fill(`[id="tender_bank.1"]`, "State Bank of India")
	p.fill("2026-27/T1 Transport", "500")
	p.fill("Remark", "paid by the aunt")
}

// keepsSplit fails unless what typeSplit typed is on the form.
func keepsSplit(p *tab) {
	p.t.Helper()
	for field, typed := range map[string]string{
		`[id="tender_amount.0"]`: "1,000.00", `[id="tender_mode.1"]`: "cheque", `[id="tender_amount.1"]`: "500",
		`[id="tender_ref.1"]`: "004512", `[id="tender_bank.1"]`: "State Bank of India", "Remark": "paid by the aunt",
		`#payment [name="line_head"][value="TRANSPORT"] + * [name="line_amount"]`: "500",
	} {
		if got := p.value(field); got != typed {
			p.t.Errorf("%s holds %q, want %q as it was typed", field, got, typed)
		}
	}
}

// oneSplit fails unless the ledger holds that payment, once.
func oneSplit(p *tab, s *webtest.Server) {
	p.t.Helper()
	onlyRow(p.t.(*testing.T), s, 1500_00)
	for _, row := range rows(p.t.(*testing.T), s) {
		if row.Remark != "paid by the aunt" || len(row.Tenders) != 2 || len(row.Lines) != 2 || row.Number != 1 {
			p.t.Errorf("the ledger holds %+v", row)
		}
	}
}

// The answer is lost on the way, or by the store, or the store is away: the
// counter says what to do, keeps the form, and Enter alone, which is what a
// cashier with a queue presses, shows the one receipt.
func TestNotConfirmed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		lose        func(l *line, tr *trouble)
		title, says string
		recorded    int
	}{
		{"lost on the way", func(l *line, _ *trouble) { l.down.Store(true) }, "Not confirmed", "it cannot be charged twice", 1},
		{"lost by the store", func(_ *line, tr *trouble) { tr.lose("payments") }, "Not confirmed", "it cannot be charged twice", 1},
		{"refused by the store", func(_ *line, tr *trouble) { tr.refuse("payments") }, "Not recorded yet", "This attempt wrote nothing", 0},
		{"store away", func(_ *line, tr *trouble) { tr.away() }, "Not available at the moment", "This attempt wrote nothing", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var tr trouble
			s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
			l := newLine(t, s)
			p := openAt(t, l.url)
			p.login(s, fees.RoleCashier)
			p.visit("/collect/1001")
			typeSplit(p)
			p.expect("status of 503", "ERR_EMPTY_RESPONSE", "htmx:sendError", "htmx:afterRequest")
			tt.lose(l, &tr)
			p.click("Record payment")
			p.sees(byTestID("alert"), tt.title)
			p.sees(byTestID("alert"), tt.says)
			keepsSplit(p)
			p.inspect(tt.name)
			p.shoot(strings.ReplaceAll(tt.name, " ", "-"))
			l.down.Store(false)
			tr.over()
			if n := len(rows(t, s)); n != tt.recorded {
				t.Errorf("the ledger holds %d rows at that moment, want %d", n, tt.recorded)
			}
			p.keys("\r")
			p.onReceipt("DPS/26-27/00001")
			oneSplit(p, s)
		})
	}
}

// The same without JavaScript, where the answer is a page of its own.
func TestNotConfirmedWithoutScripts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		lose        func(tr *trouble)
		title, says string
		press       string
	}{
		{"lost by the store, plain", func(tr *trouble) { tr.lose("payments") }, "Not confirmed", "it cannot be charged twice", "Record payment"},
		{"store away, plain", (*trouble).away, "Not available at the moment", "This attempt wrote nothing", "Send it again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var tr trouble
			s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
			p := open(t, s)
			p.withoutScripts()
			p.login(s, fees.RoleCashier)
			p.visit("/collect/1001")
			typeSplit(p)
			p.expect("status of 503")
			tt.lose(&tr)
			p.click("Record payment")
			p.sees(byTestID("alert"), tt.title)
			p.sees(byTestID("alert"), tt.says)
			if tt.press == "Record payment" {
				keepsSplit(p)
			}
			p.shoot(strings.ReplaceAll(tt.name, " ", "-"))
			p.resize(320, 568)
			p.fits()
			tr.over()
			p.click(tt.press)
			p.onReceipt("DPS/26-27/00001")
			oneSplit(p, s)
		})
	}
}

// shoot keeps a picture for whoever wants to look at it.
func (p *tab) shoot(name string) {
	p.t.Helper()
	dir := os.Getenv("RASEED_FAULT_SHOTS")
	if dir == "" {
		return
	}
	shot, err := p.picture()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), shot, 0o644)
	}
	if err != nil {
		p.t.Error(err)
	}
}
