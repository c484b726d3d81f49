package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// The same form ten times at once, from two people's browsers: one row, one
// number, and all ten are shown the same receipt.
func TestTenPostsAtOnce(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	browsers := []*webtest.Client{s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)}
	form := splitPayment(t, browsers[0])
	var shown [10]string
	var all sync.WaitGroup
	for n := range shown {
		all.Go(func() {
			browser := browsers[n%2]
			res := browser.Post("/payments", form)
			if res.Status != http.StatusSeeOther {
				t.Errorf("post %d: status %d, %s", n, res.Status, res.Alert())
				return
			}
			receipt := browser.Get(res.Location())
			shown[n] = res.Location() + " " + receipt.ByTestID("receipt-number") + " " + receipt.ByTestID("receipt-total")
		})
	}
	all.Wait()
	want := "/receipts/" + fees.After(form.Get("payment_id")) + " DPS/26-27/00001 3,500.00"
	for n, got := range shown {
		if got != want {
			t.Errorf("post %d is shown %q, want %q", n, got, want)
		}
	}
	if rows := rowsOf(t, s); len(rows) != 1 || rows[0].Number != 1 {
		t.Errorf("the ledger has %+v, want one row with number 1", rows)
	}
	soundLedger(t, s)
}

// The same receipt reversed twenty times at once over the web: one reversal,
// one charge.
func TestTwentyReversalsAtOnce(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAccountant)
	id := s.Store.NewID()
	payAs(t, c, id)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			res := c.Post("/receipts/"+id+"/reverse", url.Values{"reason": {"cheque returned"}, "charge": {"250"}})
			if res.Status != http.StatusSeeOther || res.Location() != "/receipts/"+id {
				t.Errorf("status %d to %q, %s; want 303 to the receipt", res.Status, res.Location(), res.Alert())
			}
		})
	}
	all.Wait()
	rows := rowsOf(t, s)
	if len(rows) != 2 || rows[1].Reverses != rows[0].ID || rows[1].Number != 1 || rows[0].ReversedBy != rows[1].ID {
		t.Errorf("the ledger has %+v, want the payment and one reversal with number 1", rows)
	}
	dues, err := s.Store.Dues(t.Context(), webtest.Own, "1001")
	if err != nil || dues.Balance != 5250_00 {
		t.Errorf("owed %+v, %v; want 5,000.00 and the charge of 250.00 once", dues.Balance, err)
	}
	soundLedger(t, s)
}

// steps tells when a collection was written to.
type steps struct {
	docdb.DB
	entered, passed chan string // collections; nobody has to listen
	gate            atomic.Pointer[gate]
}

// gate holds up the writes to a collection until it is opened.
type gate struct {
	coll string
	open chan struct{}
}

func (s *steps) write(coll string, run func() error) error {
	if at := s.gate.Load(); at != nil && at.coll == coll {
		s.entered <- coll
		<-at.open
	}
	err := run()
	s.passed <- coll
	return err
}

func (s *steps) InsertOne(ctx context.Context, coll string, doc any) error {
	return s.write(coll, func() error { return s.DB.InsertOne(ctx, coll, doc) })
}

func (s *steps) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (res docdb.BulkResult, err error) {
	err = s.write(coll, func() error {
		res, err = s.DB.BulkWrite(ctx, coll, ops, ordered)
		return err
	})
	return res, err
}

// The browser goes away at several points of a payment. Once the whole form has
// arrived, the row is there and gets its number; of half a form nothing is.
func TestBrowserGoesAway(t *testing.T) {
	for _, tt := range []struct {
		name string
		gate string // what is being written to when it goes; "" for at once
		sent int    // percent of the form
	}{
		{"in the middle of the form", "", 50},
		{"right after the form", "", 100},
		{"while the row is written", "payments", 100},
		{"while the account is counted", "accounts", 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := &steps{entered: make(chan string, 1000), passed: make(chan string, 1000)}
			s := webtest.Start(t, webtest.Options{Wrap: func(inner docdb.DB) docdb.DB { db.DB = inner; return db }})
			c := s.As(t, fees.RoleCashier)
			form := splitPayment(t, c)
			for len(db.passed) > 0 {
				<-db.passed
			}
			open := make(chan struct{})
			if tt.gate != "" {
				db.gate.Store(&gate{tt.gate, open})
			}
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			body := form.Encode()
			head := fmt.Sprintf("POST /payments HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n",
				strings.TrimPrefix(s.URL, "http://"), len(body))
			for _, cookie := range c.Cookies() {
				head += "Cookie: " + cookie.Name + "=" + cookie.Value + "\r\n"
			}
			if _, err := conn.Write([]byte(head + "\r\n" + body[:len(body)*tt.sent/100])); err != nil {
				t.Fatal(err)
			}
			if tt.gate != "" {
				<-db.entered
			}
			conn.Close()
			close(open)
			if tt.sent == 100 {
				// The row is inserted, its account counted, its number attached.
				for _, want := range []string{"payments", "accounts", "payments"} {
					for coll := range db.passed {
						if coll == want {
							break
						}
					}
				}
				if rows := rowsOf(t, s); len(rows) != 1 || rows[0].Number != 1 {
					t.Errorf("the browser is gone, and the ledger has %+v; want the payment with number 1", rows)
				}
			}
			if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
				t.Errorf("sent again: status %d, %s", res.Status, res.Alert())
			}
			if rows := rowsOf(t, s); len(rows) != 1 || rows[0].Total != 3500_00 {
				t.Errorf("in the end the ledger has %+v, want the payment once", rows)
			}
			soundLedger(t, s)
		})
	}
}
