// Package sqlite keeps docdb's documents in one SQLite file, with nothing to
// install: MongoDB's language, cut to the subset, executed by SQLite.
//
// A collection is a table: _id, the document as JSON that the sqlite3 shell can
// read, and one real column for each indexed path ("key columns"). Indexes are
// ordinary SQLite indexes over key columns. They are columns, and not
// expressions over the JSON, because SQLite rewrites every expression index of
// a row whenever its document changes, and has to parse the document for each.
// Here Go fills the columns, an update sets those that changed, and the b-trees
// of the others are not touched. An array that is indexed (multikey) has a
// table of its own beside the collection, with a row for each item.
//
// A filter becomes SQL over key columns, typed as MongoDB types it; what no
// column can decide is matched in Go over the documents that are left, with
// MongoDB's rules for arrays. What neither can do exactly is refused.
//
// One goroutine writes. It takes all operations that wait, runs them in one
// transaction, makes it durable once (WAL, synchronous=FULL) and answers all.
// Readers have connections of their own, each read a snapshot. A full disk
// refuses writes and nothing else, until there is room. A sync that fails makes
// it open the file anew, since what is in memory can no longer be trusted.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	sqlite3 "modernc.org/sqlite/lib"
	"raseed/store/docdb"
)

// Options are how a file is opened.
type Options struct {
	// ReadOnly opens beside a process that writes: no lock is taken and no
	// write accepted. Ensure makes do with what is there.
	ReadOnly bool
	// Now is the clock that decides what has expired; nil means that nothing is
	// swept but by Sweep's caller, who needs it too.
	Now func() time.Time
	// Log receives what no caller can be told.
	Log *slog.Logger
}

// DB is an open file. It implements docdb.DB.
type DB struct {
	path    string
	opts    Options
	lock    *flock.Flock
	readers readers
	writer  *writer // nil when read-only

	collections atomic.Pointer[map[string]*collection]

	stop    context.CancelFunc // of the sweeper
	workers sync.WaitGroup
	closed  sync.Once
}

var _ docdb.DB = (*DB)(nil)

// The file's marks: "RASD", and the version of this table layout.
const (
	applicationID = 0x52415344
	layoutVersion = 1
)

// How much of the file a connection keeps in memory, in bytes. More is not
// better for the writer: whenever a b-tree was rebalanced, SQLite walks its
// whole cache at the end of the transaction.
const (
	writerCache = 8 << 20
	readerCache = 4 << 20
)

// Open opens the file, and makes it where there is none. Another process that
// has it open is an error that says which.
func Open(_ context.Context, path string, opts Options) (*DB, error) {
	path, err := onePath(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if err := checkPlace(path, opts.ReadOnly); err != nil {
		return nil, err
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	db := &DB{path: path, opts: opts}
	db.collections.Store(&map[string]*collection{})
	if !opts.ReadOnly {
		if db.lock, err = lockFile(path); err != nil {
			return nil, err
		}
	}
	if err := db.start(); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, explain(err))
	}
	return db, nil
}

// checkPlace finds, before SQLite does, what it has no good words for.
func checkPlace(path string, readOnly bool) error {
	dir := filepath.Dir(path)
	switch at, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("open %s: the directory %s does not exist", path, dir)
	case err != nil:
		return fmt.Errorf("open %s: %w", path, err)
	case !at.IsDir():
		return fmt.Errorf("open %s: %s is not a directory", path, dir)
	}
	switch at, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if readOnly {
			return fmt.Errorf("open %s: there is no such file", path)
		}
	case err != nil:
		return fmt.Errorf("open %s: %w", path, err)
	case at.IsDir():
		return fmt.Errorf("open %s: it is a directory", path)
	}
	return nil
}

func (db *DB) start() error {
	db.readers.open = db.openReader
	if db.opts.ReadOnly {
		return db.readers.use(func(c *conn) error { return checkMarks(c, false) })
	}
	if err := makePrivate(db.path); err != nil {
		return err
	}
	c, err := db.openWriter()
	if err != nil {
		return err
	}
	if db.writer, err = newWriter(db, c); err != nil {
		c.close()
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	db.stop = cancel
	db.workers.Go(db.writer.loop)
	db.workers.Go(db.writer.checkpoints)
	if db.opts.Now != nil {
		db.workers.Go(func() { db.sweepUntil(ctx) })
	}
	return nil
}

// makePrivate makes a new file that only its owner may read: it holds names and
// phone numbers. SQLite gives its log the same mode.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s%w", placeWords(err), err)
	}
	return f.Close()
}

func (db *DB) openWriter() (*conn, error) {
	c, err := openConn(db.path, sqlite3.SQLITE_OPEN_READWRITE)
	if err != nil {
		return nil, err
	}
	if err := prepareFile(c); err != nil {
		c.keepLog()
		c.close()
		return nil, err
	}
	return c, nil
}

// prepareFile sets up a writer's connection, and the file where it is new. What
// a log has that was left behind is copied into the file before anything is
// added to it: of the end of that log nobody knows whether it is on the disk.
func prepareFile(c *conn) error {
	if err := checkMarks(c, true); err != nil {
		return err
	}
	for _, q := range []string{
		"PRAGMA journal_mode=WAL",
		"PRAGMA synchronous=FULL",
		"PRAGMA wal_autocheckpoint=0", // the checkpointer does it beside the writer
		fmt.Sprintf("PRAGMA cache_size=-%d", writerCache>>10),
		"PRAGMA temp_store=MEMORY",
		fmt.Sprintf("PRAGMA journal_size_limit=%d", 64<<20),
		fmt.Sprintf("PRAGMA application_id=%d", applicationID),
		fmt.Sprintf("PRAGMA user_version=%d", layoutVersion),
	} {
		if err := c.once(q); err != nil {
			return err
		}
	}
	_, _, err := c.checkpoint()
	return err
}

// checkMarks refuses a file that is someone else's or newer than this program.
func checkMarks(c *conn, fresh bool) error {
	id, err := c.number("PRAGMA application_id")
	if err != nil {
		return err
	}
	version, err := c.number("PRAGMA user_version")
	if err != nil {
		return err
	}
	tables, err := c.number("SELECT count(*) FROM sqlite_master")
	if err != nil {
		return err
	}
	switch {
	case id == applicationID && version > layoutVersion:
		return fmt.Errorf("it was written by a newer raseed (layout %d, this one knows %d)", version, layoutVersion)
	case id == applicationID, fresh && id == 0 && tables == 0:
		return nil
	}
	return errors.New("it is a SQLite database, but not one of raseed")
}

func (db *DB) openReader() (*conn, error) {
	c, err := openConn(db.path, sqlite3.SQLITE_OPEN_READWRITE)
	if err != nil {
		return nil, err
	}
	for _, q := range []string{
		"PRAGMA query_only=1",
		fmt.Sprintf("PRAGMA cache_size=-%d", readerCache>>10),
		"PRAGMA temp_store=MEMORY",
	} {
		if err := c.once(q); err != nil {
			c.close()
			return nil, err
		}
	}
	if db.opts.ReadOnly {
		c.keepLog()
	}
	return c, nil
}

// collection finds a declared collection.
func (db *DB) collection(name string) (*collection, error) {
	if k, ok := (*db.collections.Load())[name]; ok {
		return k, nil
	}
	return nil, fmt.Errorf("collection %q is not declared", name)
}

// Ping reads from the file.
func (db *DB) Ping(ctx context.Context) error {
	err := db.read(ctx, func(c *conn) error {
		_, err := c.number("SELECT count(*) FROM sqlite_master")
		return err
	})
	if err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	return nil
}

// Close lets the writer finish what it was given, copies the log into the
// file and gives it free.
func (db *DB) Close() error {
	var err error
	db.closed.Do(func() {
		if db.stop != nil {
			db.stop()
		}
		if db.writer != nil {
			db.writer.close()
		}
		db.workers.Wait()
		err = db.readers.close()
		if db.writer != nil {
			err = errors.Join(db.writer.release(), err)
		}
		if db.lock != nil {
			err = errors.Join(err, db.lock.Unlock())
		}
	})
	if err != nil {
		return fmt.Errorf("close %s: %w", db.path, err)
	}
	return nil
}
