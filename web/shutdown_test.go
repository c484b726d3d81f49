package web_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// gated is a database whose payments wait at a gate.
type gated struct {
	docdb.DB
	arrived chan struct{} // closed when the first payment waits
	open    chan struct{} // closed to let it through
	once    *sync.Once
}

func newGated(db docdb.DB) *gated {
	return &gated{DB: db, arrived: make(chan struct{}), open: make(chan struct{}), once: new(sync.Once)}
}

func (g *gated) InsertOne(ctx context.Context, coll string, doc any) error {
	if coll == "payments" {
		g.once.Do(func() { close(g.arrived) })
		<-g.open
	}
	return g.DB.InsertOne(ctx, coll, doc)
}

func paymentForm(res webtest.Response) url.Values {
	return url.Values{
		"payment_id": {res.Input("payment_id")}, "student": {"1001"},
		"tender_mode": {"cash"}, "tender_amount": {"5000.00"}, "tender_ref": {""}, "tender_bank": {""}, "tender_date": {""},
	}
}

// Ctrl-C while a payment is being recorded: nobody new gets in, the payment is
// recorded and answered, and only then the server stops.
func TestShutdownFinishesThePayment(t *testing.T) {
	var g *gated
	srv := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB { g = newGated(db); return g }})
	c := srv.As(t, fees.RoleCashier)
	form := paymentForm(c.Get("/collect/1001"))
	var res webtest.Response
	var paying, stopping sync.WaitGroup
	paying.Go(func() { res = c.Post("/payments", form) })
	<-g.arrived
	stopping.Go(srv.Stop)
	for { // until the listener is closed
		conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
		if err != nil {
			break
		}
		conn.Close()
	}
	close(g.open)
	paying.Wait()
	if res.Status != http.StatusSeeOther || res.Location() != "/receipts/"+fees.After(form.Get("payment_id")) {
		t.Errorf("the payment in flight: status %d to %q, %s; want 303 to its receipt", res.Status, res.Location(), res.Alert())
	}
	stopping.Wait()
}

// The browser goes away while the payment is being recorded: the money was
// handed over, so it is recorded all the same.
func TestPaymentOutlivesTheBrowser(t *testing.T) {
	var g *gated
	srv := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB { g = newGated(db); return g }})
	c := srv.As(t, fees.RoleCashier)
	form := paymentForm(c.Get("/collect/1001"))
	ctx, leave := context.WithCancel(context.Background())
	req := newRequest(t, srv, http.MethodPost, "/payments", strings.NewReader(form.Encode()), map[string]string{"Sec-Fetch-Site": "same-origin"})
	for _, cookie := range c.Cookies() {
		req.AddCookie(cookie)
	}
	var paying sync.WaitGroup
	paying.Go(func() {
		if res, err := http.DefaultClient.Do(req.WithContext(ctx)); err == nil {
			res.Body.Close()
		}
	})
	<-g.arrived
	leave()
	paying.Wait()
	close(g.open)
	receipt := c.Post("/payments", form) // pressed again: the same receipt
	if receipt.Status != http.StatusSeeOther {
		t.Fatalf("pressed again: status %d, %s; want 303", receipt.Status, receipt.Alert())
	}
	rows, err := srv.Store.StudentRows(context.Background(), webtest.Own, "1001")
	if err != nil || len(rows) != 1 || rows[0].ID != form.Get("payment_id") {
		t.Errorf("rows are %v, %v; want the one payment", rows, err)
	}
}
