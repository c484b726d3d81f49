package sqlite

import (
	"bytes"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"
)

// storage is SQLite's storage class of a value.
type storage uint8

const (
	null storage = iota
	integer
	text
	blob
)

// value is one SQLite value: num where it is an integer, b where it is text or
// a blob.
type value struct {
	class storage
	num   int64
	b     []byte
}

func intValue(n int64) value   { return value{class: integer, num: n} }
func textValue(b []byte) value { return value{class: text, b: b} }

// stmt is a prepared statement with the memory its parameters lie in, which
// belongs to the C side so that SQLite need not copy them again.
type stmt struct {
	c    *conn
	p    uintptr
	mem  uintptr
	size int
	busy bool // between bind and reset
}

func (s *stmt) finalize() {
	sqlite3.Xsqlite3_finalize(s.c.tls, s.p)
	if s.mem != 0 {
		libc.Xfree(s.c.tls, s.mem)
	}
}

// bind sets all parameters.
func (s *stmt) bind(args []value) error {
	s.busy = true
	need := 1
	for i := range args {
		need += len(args[i].b)
	}
	if need > s.size {
		if s.mem != 0 {
			libc.Xfree(s.c.tls, s.mem)
		}
		s.size = need + need/2
		if s.mem = libc.Xmalloc(s.c.tls, types.Size_t(s.size)); s.mem == 0 {
			s.size = 0
			return &fault{code: sqlite3.SQLITE_NOMEM, text: "out of memory"}
		}
	}
	at := s.mem
	for i := range args {
		a, n := &args[i], int32(i+1)
		var rc int32
		switch a.class {
		case null:
			rc = sqlite3.Xsqlite3_bind_null(s.c.tls, s.p, n)
		case integer:
			rc = sqlite3.Xsqlite3_bind_int64(s.c.tls, s.p, n, a.num)
		default:
			copy(view(at, int32(len(a.b))), a.b)
			if a.class == text {
				rc = sqlite3.Xsqlite3_bind_text(s.c.tls, s.p, n, at, int32(len(a.b)), 0)
			} else {
				rc = sqlite3.Xsqlite3_bind_blob(s.c.tls, s.p, n, at, int32(len(a.b)), 0)
			}
			at += uintptr(len(a.b))
		}
		if rc != sqlite3.SQLITE_OK {
			return s.c.fault(rc)
		}
	}
	return nil
}

// step goes to the next row and says whether there is one.
func (s *stmt) step() (bool, error) {
	switch rc := sqlite3.Xsqlite3_step(s.c.tls, s.p); rc {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, s.c.fault(rc)
	}
}

// reset ends the run. Its code repeats the error of the step.
func (s *stmt) reset() {
	sqlite3.Xsqlite3_reset(s.c.tls, s.p)
	s.busy = false
}

// run executes a statement whose rows do not matter.
func (s *stmt) run(args ...value) error {
	defer s.reset()
	if err := s.bind(args); err != nil {
		return err
	}
	for {
		more, err := s.step()
		if err != nil || !more {
			return err
		}
	}
}

func (s *stmt) int64(col int32) int64 {
	return sqlite3.Xsqlite3_column_int64(s.c.tls, s.p, col)
}

// text is the column's bytes, valid until the next step or reset.
func (s *stmt) text(col int32) []byte {
	p := sqlite3.Xsqlite3_column_text(s.c.tls, s.p, col)
	return view(p, sqlite3.Xsqlite3_column_bytes(s.c.tls, s.p, col))
}

// value is the column, its bytes valid until the next step or reset.
func (s *stmt) value(col int32) value {
	switch sqlite3.Xsqlite3_column_type(s.c.tls, s.p, col) {
	case sqlite3.SQLITE_INTEGER:
		return intValue(s.int64(col))
	case sqlite3.SQLITE_TEXT:
		return textValue(s.text(col))
	case sqlite3.SQLITE_BLOB:
		p := sqlite3.Xsqlite3_column_blob(s.c.tls, s.p, col)
		return value{class: blob, b: view(p, sqlite3.Xsqlite3_column_bytes(s.c.tls, s.p, col))}
	default:
		return value{}
	}
}

func (v value) equal(o value) bool {
	return v.class == o.class && v.num == o.num && bytes.Equal(v.b, o.b)
}
