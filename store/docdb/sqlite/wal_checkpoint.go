package sqlite

import (
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// logPages is how long the write-ahead log may grow, in pages, before it is
// copied into the database file. Long enough that a page written often is
// copied once, short enough that looking through it costs readers little and
// that those who write while it is copied do not feel the disk being busy.
const logPages = 2048

// log keeps the write-ahead log short without making writers wait: another
// connection copies it beside them, and what they added in the meantime, which
// is little, the writer copies between two groups. Only then can the log begin
// anew.
type log struct {
	db     *DB
	pages  uintptr // *int32 of the C side: set by SQLite after each commit
	limit  int32   // logPages
	next   int32   // pages at which to act
	wake   chan struct{}
	copied atomic.Bool // the checkpointer is done and the writer has the rest
	busy   atomic.Bool
	failed error // of the checkpointer; read once copied is set
}

// watch makes SQLite tell the length of the log after each commit on c.
func (l *log) watch(db *DB, c *conn) error {
	l.db, l.limit, l.next, l.wake = db, logPages, logPages, make(chan struct{}, 1)
	if l.pages = libc.Xcalloc(nil, 1, 4); l.pages == 0 {
		return &fault{code: sqlite3.SQLITE_NOMEM, text: "out of memory"}
	}
	l.hook(c)
	return nil
}

// hook makes c the connection whose commits are watched.
func (l *log) hook(c *conn) {
	*(*int32)(pointer(l.pages)) = 0
	hook := committed
	sqlite3.Xsqlite3_wal_hook(c.tls, c.db, *(*uintptr)(unsafe.Pointer(&hook)), l.pages)
}

// committed is SQLite's wal_hook: arg is log.pages.
func committed(_ *libc.TLS, arg, _, _ uintptr, pages int32) int32 {
	*(*int32)(pointer(arg)) = pages
	return sqlite3.SQLITE_OK
}

// tend is called by the writer between two groups. Its error is that of a sync,
// see distrust.
func (l *log) tend(c *conn) error {
	pages := *(*int32)(pointer(l.pages))
	if l.copied.Swap(false) {
		total, copied, err := c.checkpoint()
		if err != nil {
			l.db.opts.Log.Warn("checkpoint failed", "error", explain(err))
		}
		// Where a reader holds on to an old snapshot the log goes on growing;
		// try again after as much again.
		l.next = l.limit
		if err != nil || copied < total {
			l.next += pages
		}
		l.busy.Store(false)
		if unsynced(l.failed) {
			return l.failed
		}
		if unsynced(err) {
			return err
		}
		return nil
	}
	if pages >= l.next && l.busy.CompareAndSwap(false, true) {
		l.wake <- struct{}{}
	}
	return nil
}

func (l *log) free() { libc.Xfree(nil, l.pages) }

// checkpoints copies the log when it has grown long, until the writer ends.
func (w *writer) checkpoints() {
	for range w.log.wake {
		c, err := openConn(w.db.path, sqlite3.SQLITE_OPEN_READWRITE)
		if err == nil {
			_, _, err = c.checkpoint()
			c.close()
		}
		if err != nil {
			w.db.opts.Log.Warn("checkpoint failed", "error", explain(err))
		}
		w.log.failed = err
		w.log.copied.Store(true)
		w.signal()
	}
}
