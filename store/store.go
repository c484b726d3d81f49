// Package store is what the ledger does: it records payments, numbers them,
// takes them back, bills terms, and proves that all of it is so. It speaks the
// domain's words (package fees) upwards and MongoDB's language (package docdb)
// downwards, and never sees HTTP.
//
// Every operation is a sequence of single-document writes that can be resumed
// from its first durable one; no transaction is used. Every method that takes
// an institute confines each of its queries to it.
package store

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"raseed/store/docdb"
)

// Store is the ledger on an open database. Its methods are safe for concurrent
// use; its fields are set once, before the first call.
type Store struct {
	DB    docdb.DB
	Now   func() time.Time
	NewID func() string // ULIDs
	Log   *slog.Logger

	numbers    *numberer
	recounts   *batcher[string, struct{}] // by institute, of students
	collecting keyLock                    // by student
	references keyLock                    // by what payments were paid with
	tills      tills
	planning   keyLock // by institute: of a double click, the second finds all of it saved
	passwords  passwords
	secrets    sync.Map // by institute, of sealKey
	told       sync.Map // ids of documents that the sweep leaves alone and has told of
}

// New makes a Store on db and creates what db lacks of the Schema.
func New(ctx context.Context, db docdb.DB, now func() time.Time, newID func() string, log *slog.Logger) (*Store, error) {
	if err := db.Ensure(ctx, Schema()); err != nil {
		return nil, fmt.Errorf("prepare the store: %w", err)
	}
	s := &Store{DB: db, Now: now, NewID: newID, Log: log, passwords: newPasswords()}
	s.begin()
	return s, nil
}

// begin makes what a process keeps in memory about the store.
func (s *Store) begin() {
	s.numbers = newNumberer(s)
	s.recounts = newBatcher(batchSize, func(ctx context.Context, institute string, students []string) (map[string]struct{}, error) {
		return nil, s.recount(ctx, institute, students)
	})
}

// instant is the present as it is stored: UTC, whole milliseconds.
func (s *Store) instant() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
