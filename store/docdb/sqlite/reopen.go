package sqlite

import (
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
	"raseed/store/docdb"
)

// errDistrusted is what is said from a failed sync until the file is open anew.
var errDistrusted = fmt.Errorf("the disk failed, and the file is being opened anew: %w", docdb.ErrDiskFailed)

// unsynced says that the disk did not confirm what it had been given.
func unsynced(err error) bool {
	var f *fault
	return errors.As(err, &f) && (f.code == sqlite3.SQLITE_IOERR_FSYNC || f.code == sqlite3.SQLITE_IOERR_DIR_FSYNC)
}

// distrust takes note of a sync that failed. The kernel then takes the pages
// for written, and a second sync that succeeds says nothing about them: of a
// file whose pages were copied from the log before, some may be old, while the
// log counts as copied. So nobody reads or writes until the file is open anew
// (mend): the log, each commit of which was synced by itself, is read from its
// beginning and copied again.
func (w *writer) distrust(err error) {
	if err == nil {
		return
	}
	w.db.opts.Log.Error("the disk failed; the file is opened anew", "error", explain(err))
	w.distrusted = fmt.Errorf("%w: %w", errDistrusted, err)
	w.db.readers.bar(w.signal)
}

// mend opens the file anew if it has to be and nobody is still reading. Where
// that fails it is tried again with the next write.
func (w *writer) mend() {
	// The checkpointer has a connection of its own, and gives a sign when done.
	if w.distrusted == nil || w.log.busy.Load() && !w.log.copied.Load() || !w.db.readers.drop() {
		return
	}
	// The last connection to close would copy the log and delete it.
	if w.c != nil {
		w.c.keepLog()
		err := w.c.close()
		w.c = nil
		if err != nil {
			w.db.opts.Log.Error("the file could not be closed", "error", err)
		}
	}
	c, err := w.db.openWriter()
	if err != nil {
		w.db.opts.Log.Error("the file cannot be opened anew yet", "error", explain(err))
		return
	}
	w.c = c
	w.log.hook(c)
	w.log.next = w.log.limit
	w.log.copied.Store(false)
	w.log.busy.Store(false)
	w.distrusted = nil
	w.db.readers.bar(nil)
	w.db.opts.Log.Info("the file is open anew")
}
