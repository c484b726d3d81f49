package ferrettest

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/mongodb"
)

// TestContract runs the contract, but for caps, each sub-test in a database of
// its own. The stand-in has longer to answer than a server would get.
func TestContract(t *testing.T) {
	uri := startStandIn(t)
	var count atomic.Int64
	tally := docdbtest.Run(t, func(t *testing.T) docdb.DB {
		db, err := mongodb.Open(t.Context(), fmt.Sprintf("%sledger_%d?timeoutMS=60000", uri, count.Add(1)), mongodb.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		return db
	}, caps)
	tally.Documented(t, "mongodb, over the wire on FerretDB v1.24.2 (SQLite)")
}

// startStandIn runs a server until the test ends.
func startStandIn(t *testing.T) (uri string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	dir := t.TempDir()
	go func() { done <- Serve(ctx, dir, func(uri string) { ready <- uri }) }()
	select {
	case uri = <-ready:
	case err := <-done:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return uri
}
