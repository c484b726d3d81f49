package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/mongodb"
	"raseed/store/docdb/mongodb/wiretest"
	"raseed/store/fees"
)

// wireLedger is a ledger on the test server: a process that works through the
// proxy, and another that sees what is really there.
type wireLedger struct {
	server *wiretest.Server
	proxy  *wiretest.Proxy
	s      *Store
	around *Store
}

// openWire starts a server, a proxy and both processes, with the school P of n
// students. query is the URI's, for the process behind the proxy.
func openWire(t *testing.T, opts wiretest.Options, n int, query string) *wireLedger {
	t.Helper()
	server, err := wiretest.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &wireLedger{server: server}
	w.around = w.open(t, server.URI()+"ledger?directConnection=true")
	testSchool(t, w.around, "P", n)
	if w.proxy, err = wiretest.StartProxy(server); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	w.s = w.open(t, w.proxy.URI()+"ledger?heartbeatFrequencyMS=500&"+query)
	return w
}

func (w *wireLedger) open(t *testing.T, uri string) *Store {
	t.Helper()
	db, err := mongodb.Open(context.Background(), uri, mongodb.Options{Log: discard, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return openOn(t, docdbtest.NoScans(t, db))
}

// press posts an order as somebody at a counter does who is told to press
// again. It returns how often that was.
func (w *wireLedger) press(t *testing.T, institute string, o fees.PaymentOrder) (row fees.Row, presses int) {
	t.Helper()
	for presses = 1; presses <= 50; presses++ {
		row, err := w.s.RecordPayment(context.Background(), institute, o)
		if code := fees.CodeOf(err); code == fees.Unavailable || code == fees.Unconfirmed {
			continue
		}
		if err != nil {
			t.Errorf("press %d: %v", presses, err)
		}
		return row, presses
	}
	t.Errorf("fifty presses were not answered")
	return row, presses
}

// wantRows sweeps, as the next start would, and fails unless the ledger is
// sound and the institute has the receipts 1 to n and no other row.
func (w *wireLedger) wantRows(t *testing.T, institute string, n int64) {
	t.Helper()
	if err := w.around.Sweep(context.Background()); err != nil {
		t.Errorf("sweep: %v", err)
	}
	for _, r := range mustAudit(t, w.around).Series {
		if r.Institute == institute && (r.Series != fees.SeriesReceipt || r.Last != n || r.Count != n || r.Awaiting != 0) {
			t.Errorf("series %s of %s ends at %d with %d numbered rows and %d that wait, want %d receipts", r.Series, institute, r.Last, r.Count, r.Awaiting, n)
		}
	}
	if rows, err := w.around.DB.Count(context.Background(), payments, bson.D{{Key: "institute", Value: institute}}, 0); err != nil || rows != n {
		t.Errorf("%d rows of %s (%v), want %d", rows, institute, err, n)
	}
}

// label names a command for a message.
func label(c wiretest.Command) string { return strings.TrimSpace(c.Name + " " + c.Coll) }
