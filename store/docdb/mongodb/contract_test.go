package mongodb

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/mongodb/wiretest"
)

// TestContract runs the whole contract, with nothing left out: over the wire on
// the test server, or on the server that RASEED_TEST_MONGODB_URI names. Each
// sub-test gets a database of its own there, which is dropped when it ends.
func TestContract(t *testing.T) {
	uri := os.Getenv("RASEED_TEST_MONGODB_URI")
	ours := uri == ""
	if ours {
		server, err := wiretest.Start(wiretest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
		uri = server.URI()
	}
	var count atomic.Int64
	tally := docdbtest.Run(t, func(t *testing.T) docdb.DB {
		name := fmt.Sprintf("raseed_test_%d_%d_%d", os.Getpid(), time.Now().UnixMilli(), count.Add(1))
		db, err := Open(t.Context(), withDatabase(uri, name), Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := db.db.Drop(context.Background()); err != nil {
				t.Errorf("drop the database of the test: %v", err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		return db
	}, nil)
	if ours {
		tally.Documented(t, "mongodb, over the wire on the test server")
	} else {
		t.Log(tally.Row("mongodb, on the server of RASEED_TEST_MONGODB_URI"))
	}
}

// withDatabase is uri with another path.
func withDatabase(uri, name string) string {
	scheme, rest, _ := strings.Cut(uri, "://")
	rest, query, _ := strings.Cut(rest, "?")
	hosts, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + hosts + "/" + name + "?" + query
}

func TestWithDatabase(t *testing.T) {
	for uri, want := range map[string]string{
		"mongodb://h":                     "mongodb://h/x?",
		"mongodb://a:1,b:2/y":             "mongodb://a:1,b:2/x?",
		"mongodb://u:p@h/y?replicaSet=rs": "mongodb://u:p@h/x?replicaSet=rs",
	} {
		if got := withDatabase(uri, "x"); got != want {
			t.Errorf("%s becomes %s, want %s", uri, got, want)
		}
	}
}
