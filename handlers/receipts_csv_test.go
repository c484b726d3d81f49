package handlers_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// lost is a database that is gone once it has given so many pages of the
// ledger.
type lost struct {
	docdb.DB
	left atomic.Int64
}

func (d *lost) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	if coll == "payments" && d.left.Add(-1) < 0 {
		return func(yield func(bson.Raw, error) bool) { yield(nil, docdb.ErrUnavailable) }
	}
	return d.DB.Find(ctx, coll, filter, opts)
}

// A file that could not be finished must not look like a whole one.
func TestRegisterCSVBreaksOff(t *testing.T) {
	var db *lost
	var log bytes.Buffer
	s := webtest.Start(t, webtest.Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Wrap: func(inner docdb.DB) docdb.DB {
		db = &lost{DB: inner}
		db.left.Store(1 << 30)
		return db
	}})
	for range 201 {
		pay(t, s, webtest.Own, "1001", cash(100))
	}
	c := s.As(t, fees.RoleAccountant)
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, s.URL+"/receipts.csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range c.Cookies() {
		req.AddCookie(cookie)
	}

	db.left.Store(1)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil {
		t.Errorf("status %d: a file of %d lines ends as if it were whole", res.StatusCode, strings.Count(string(body), "\r\n"))
	}

	db.left.Store(0)
	if res := c.Get("/receipts.csv"); res.Status != http.StatusServiceUnavailable || strings.Contains(res.Header.Get("Content-Type"), "csv") {
		t.Errorf("before the first row: status %d, %s, want 503 in words", res.Status, res.Header.Get("Content-Type"))
	}
	if res := c.Get("/receipts"); res.Status != http.StatusServiceUnavailable || res.Alert() == "" {
		t.Errorf("the page: status %d, %q, want 503 in words", res.Status, res.Alert())
	}
	s.Stop()
	if line := logLine(log.String(), "route=/receipts.csv"); !strings.Contains(line, "status=200") || !strings.Contains(line, "level=WARN") || !strings.Contains(line, docdb.ErrUnavailable.Error()) {
		t.Errorf("the log does not say why the file broke off: %s", line)
	}
}
