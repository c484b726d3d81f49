package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/sqlite"
)

func now() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

// open opens a database in a folder of its own.
func open(t testing.TB) *sqlite.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "raseed.db"))
}

func openAt(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestContract(t *testing.T) {
	tally := docdbtest.Run(t, func(t *testing.T) docdb.DB { return open(t) }, nil)
	tally.Documented(t, "sqlite, the embedded engine")
}
