package web_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// sessionWrites counts the writes of sessions, and refuses them once broken.
type sessionWrites struct {
	docdb.DB
	n      atomic.Int64
	broken atomic.Bool
}

func (s *sessionWrites) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	if coll == "sessions" {
		s.n.Add(1)
		if s.broken.Load() {
			return docdb.UpdateResult{}, fmt.Errorf("full: %w", docdb.ErrUnavailable)
		}
	}
	return s.DB.UpdateOne(ctx, coll, filter, update, opts)
}

// A session is saved when it begins and then at most once a minute, never by
// a payment, and a save that fails is nobody's problem.
func TestSessionIsSavedSeldom(t *testing.T) {
	var w *sessionWrites
	srv := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB { w = &sessionWrites{DB: db}; return w }})
	c := srv.As(t, fees.RoleCashier)
	since := w.n.Load()
	wrote := func() int64 { n := w.n.Load(); d := n - since; since = n; return d }
	for range 5 {
		c.Get("/collect")
	}
	if n := wrote(); n != 0 {
		t.Errorf("%d saves by 5 pages within a minute, want none", n)
	}
	srv.Clock.Advance(2 * time.Minute)
	for range 5 {
		c.Get("/collect")
	}
	if n := wrote(); n != 1 {
		t.Errorf("%d saves by 5 pages two minutes later, want 1", n)
	}
	form := paymentForm(c.Get("/collect/1001"))
	srv.Clock.Advance(10 * time.Minute)
	if res := c.Post("/payments", form); res.Status != http.StatusSeeOther {
		t.Errorf("payment: status %d: %s", res.Status, res.Alert())
	}
	if n := wrote(); n != 0 {
		t.Errorf("%d saves by a payment, want none", n)
	}
	w.broken.Store(true)
	if res := c.Get("/collect"); res.Status != http.StatusOK {
		t.Errorf("a page whose session cannot be saved: status %d, want 200", res.Status)
	}
	if n := wrote(); n == 0 {
		t.Error("the save was not tried")
	}
}
