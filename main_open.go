package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"raseed/store"
	"raseed/store/docdb"
	"raseed/store/docdb/mongodb"
	"raseed/store/docdb/sqlite"
	"raseed/store/fees"
)

// storeFlag is taken by every command that works on a store.
type storeFlag struct {
	DB string `name:"db" default:"sqlite:raseed.db" env:"RASEED_DB" placeholder:"URL" help:"The store: sqlite:FILE or mongodb://HOST/DATABASE (${default})."`
}

// opening is how a store is opened.
type opening struct {
	readOnly bool // beside a running server
	log      *slog.Logger
}

// openStore opens the ledger that url names: sqlite:FILE, a plain file name,
// mongodb:// or mongodb+srv://. The caller closes its DB.
func openStore(ctx context.Context, url string, o opening) (*store.Store, error) {
	db, err := openDB(ctx, url, o)
	if err != nil {
		return nil, err
	}
	s, err := store.New(ctx, db, time.Now, newIDs(), o.log)
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	if !o.readOnly && !onServer(url) {
		// The lock on the file says that no other process is alive.
		if err := s.TakeOverRuns(ctx); err != nil {
			_ = db.Close()
			return nil, err
		}
	}
	return s, nil
}

// onServer says that several processes may be at the store at once.
func onServer(url string) bool {
	return strings.HasPrefix(url, "mongodb://") || strings.HasPrefix(url, "mongodb+srv://")
}

var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]+:`)

func openDB(ctx context.Context, url string, o opening) (docdb.DB, error) {
	path, embedded := strings.CutPrefix(url, "sqlite:")
	switch {
	case onServer(url):
		return mongodb.Open(ctx, url, mongodb.Options{Log: o.log, Now: time.Now})
	case !embedded && scheme.MatchString(url):
		return nil, fmt.Errorf("the store %q is of no known kind: want sqlite:FILE or mongodb://HOST/DATABASE", scheme.FindString(url)+"…")
	}
	path = strings.TrimPrefix(path, "//")
	if path == "" {
		return nil, fmt.Errorf("the store has no file name: want sqlite:FILE")
	}
	if o.readOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("open the store: %w", err)
		}
	}
	return sqlite.Open(ctx, path, sqlite.Options{ReadOnly: o.readOnly, Now: time.Now, Log: o.log})
}

// newIDs makes ULIDs that sort in the order in which this process made them.
func newIDs() func() string {
	entropy := &ulid.LockedMonotonicReader{MonotonicReader: ulid.Monotonic(rand.Reader, 0)}
	return func() string { return ulid.MustNew(ulid.Now(), entropy).String() }
}

// console is who a command acts as.
func console() fees.Actor {
	return fees.Actor{Login: "console", Name: "Command line", Role: fees.RoleAdmin, From: "console"}
}

// newLog writes what an operator needs to know.
func newLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
