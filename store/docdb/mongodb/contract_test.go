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
)

// TestContract runs the whole contract on a real server, with nothing left
// out. RASEED_TEST_MONGODB_URI names it; each sub-test gets a database of its
// own there, which is dropped when it ends.
func TestContract(t *testing.T) {
	uri := os.Getenv("RASEED_TEST_MONGODB_URI")
	if uri == "" {
		t.Skip("RASEED_TEST_MONGODB_URI is not set: the contract is not run on a MongoDB server")
	}
	var count atomic.Int64
	docdbtest.Run(t, func(t *testing.T) docdb.DB {
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
