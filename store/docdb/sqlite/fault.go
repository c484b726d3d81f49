package sqlite

import (
	"context"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
	"raseed/store/docdb"
)

// fault is an error of SQLite: an extended result code and its message.
type fault struct {
	code int32
	text string
}

func (f *fault) Error() string { return fmt.Sprintf("sqlite: %s (code %d)", f.text, f.code) }

// Is tells what somebody at the machine can mend.
func (f *fault) Is(target error) bool {
	switch f.code & 0xff {
	case sqlite3.SQLITE_FULL:
		return target == docdb.ErrDiskFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return target == docdb.ErrReadOnly
	case sqlite3.SQLITE_IOERR:
		return target == docdb.ErrDiskFailed
	}
	return false
}

// words are what a fault of the machine is called.
func (f *fault) words() string {
	switch f.code & 0xff {
	case sqlite3.SQLITE_FULL:
		return "the disk is full"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return "the file or its directory cannot be written to"
	case sqlite3.SQLITE_CANTOPEN:
		return "the file cannot be opened (is its directory readable and writable?)"
	case sqlite3.SQLITE_IOERR:
		return "reading or writing the disk failed"
	case sqlite3.SQLITE_NOMEM:
		return "out of memory"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "another program holds a lock on the file"
	case sqlite3.SQLITE_NOTADB:
		return "it is not a SQLite database"
	case sqlite3.SQLITE_CORRUPT:
		return "the file is damaged"
	}
	return ""
}

// explain puts words before a fault that people meet.
func explain(err error) error {
	var f *fault
	if errors.As(err, &f) && f.words() != "" {
		return fmt.Errorf("%s: %w", f.words(), err)
	}
	return err
}

// machine says that an error comes from the machine and not from what was
// asked.
func machine(err error) bool {
	var f *fault
	if !errors.As(err, &f) {
		return false
	}
	switch f.code & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// unavailable is the error of an operation that was not done.
func unavailable(err error) error {
	return fmt.Errorf("%w: %w", docdb.ErrUnavailable, explain(err))
}

// readError is what a read answers with.
func readError(ctx context.Context, err error) error {
	var f *fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f) && f.code == sqlite3.SQLITE_INTERRUPT && ctx.Err() != nil:
		return fmt.Errorf("%w: %w", docdb.ErrUnavailable, ctx.Err())
	case machine(err), errors.Is(err, errClosed), errors.Is(err, errDistrusted):
		return unavailable(err)
	}
	return err
}

// duplicate recognises the refusal of a unique index.
func (k *collection) duplicate(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	if f.code != sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return err
	}
	if f.text == "UNIQUE constraint failed: "+k.name+"._id" {
		return &docdb.DuplicateKeyError{Index: "_id_"}
	}
	for _, x := range k.indexes {
		if x.unique && x.refusal == f.text {
			return &docdb.DuplicateKeyError{Index: x.name}
		}
	}
	return &docdb.DuplicateKeyError{}
}
