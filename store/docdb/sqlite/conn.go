package sqlite

import (
	"fmt"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxStmts bounds the prepared statements a connection keeps. Query shapes are
// few; values never are part of the SQL text but for the literals of partial
// indexes.
const maxStmts = 256

// conn is one SQLite connection. One goroutine uses it at a time, so SQLite's
// own mutexes are off; interrupt alone may be called from elsewhere.
//
// It speaks to the transpiled C interface and not through database/sql: that
// saves a goroutine, several allocations and two copies for each statement.
type conn struct {
	tls   *libc.TLS
	db    uintptr
	stmts map[string]*stmt
}

// openConn opens path with SQLITE_OPEN_ flags.
func openConn(path string, flags int32) (*conn, error) {
	c := &conn{tls: libc.NewTLS(), stmts: map[string]*stmt{}}
	name, err := libc.CString(path)
	if err != nil {
		c.tls.Close()
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	pp := c.tls.Alloc(8)
	defer c.tls.Free(8)
	rc := sqlite3.Xsqlite3_open_v2(c.tls, name, pp, flags|sqlite3.SQLITE_OPEN_NOMUTEX, 0)
	c.db = *(*uintptr)(pointer(pp))
	if rc != sqlite3.SQLITE_OK {
		err := c.fault(rc)
		c.close()
		return nil, err
	}
	sqlite3.Xsqlite3_extended_result_codes(c.tls, c.db, 1)
	sqlite3.Xsqlite3_busy_timeout(c.tls, c.db, 5000)
	return c, nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		s.finalize()
	}
	c.stmts = nil
	rc := sqlite3.Xsqlite3_close_v2(c.tls, c.db)
	c.tls.Close()
	if rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("close sqlite: code %d", rc)
	}
	return nil
}

// interrupt makes the statement that runs on c, if any, end with an error.
func (c *conn) interrupt() { sqlite3.Xsqlite3_interrupt(c.tls, c.db) }

func (c *conn) inTransaction() bool { return sqlite3.Xsqlite3_get_autocommit(c.tls, c.db) == 0 }

func (c *conn) lastRowID() int64 { return sqlite3.Xsqlite3_last_insert_rowid(c.tls, c.db) }

// fault makes the error of a result code, with the connection's message.
func (c *conn) fault(rc int32) error {
	f := &fault{code: rc}
	if c.db != 0 {
		f.text = libc.GoString(sqlite3.Xsqlite3_errmsg(c.tls, c.db))
	}
	return f
}

// checkpoint copies the log into the database file, as much as readers and
// writers let it without waiting. It says how many pages the log holds and how
// many of them are copied.
func (c *conn) checkpoint() (pages, copied int64, err error) {
	p := c.tls.Alloc(8)
	defer c.tls.Free(8)
	rc := sqlite3.Xsqlite3_wal_checkpoint_v2(c.tls, c.db, 0, sqlite3.SQLITE_CHECKPOINT_PASSIVE, p, p+4)
	n := *(*[2]int32)(pointer(p))
	if rc != sqlite3.SQLITE_OK {
		return 0, 0, c.fault(rc)
	}
	return int64(n[0]), int64(n[1]), nil
}

// prepare compiles sql, or finds it compiled.
func (c *conn) prepare(sql []byte) (*stmt, error) {
	if s, ok := c.stmts[string(sql)]; ok {
		return s, nil
	}
	if len(c.stmts) >= maxStmts {
		for key, s := range c.stmts {
			if !s.busy {
				s.finalize()
				delete(c.stmts, key)
			}
		}
	}
	s, err := c.compile(string(sql))
	if err != nil {
		return nil, err
	}
	c.stmts[string(sql)] = s
	return s, nil
}

func (c *conn) compile(sql string) (*stmt, error) {
	text, err := libc.CString(sql)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, text)
	pp := c.tls.Alloc(8)
	defer c.tls.Free(8)
	rc := sqlite3.Xsqlite3_prepare_v3(c.tls, c.db, text, -1, sqlite3.SQLITE_PREPARE_PERSISTENT, pp, 0)
	if rc != sqlite3.SQLITE_OK {
		return nil, fmt.Errorf("%w in %s", c.fault(rc), sql)
	}
	return &stmt{c: c, p: *(*uintptr)(pointer(pp))}, nil
}

// exec runs one statement that returns nothing of interest.
func (c *conn) exec(sql string, args ...value) error {
	s, err := c.prepare([]byte(sql))
	if err != nil {
		return err
	}
	return s.run(args...)
}

// once runs a statement that will not come again.
func (c *conn) once(sql string) error {
	s, err := c.compile(sql)
	if err != nil {
		return err
	}
	defer s.finalize()
	for {
		more, err := s.step()
		if err != nil || !more {
			return err
		}
	}
}

// pointer makes an address outside of Go's memory usable.
func pointer(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// view is the n bytes at p, valid as long as SQLite keeps them.
func view(p uintptr, n int32) []byte {
	if p == 0 || n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(pointer(p)), n)
}

// number is the first column of the first row, 0 where there is none.
func (c *conn) number(sql string) (int64, error) {
	s, err := c.compile(sql)
	if err != nil {
		return 0, err
	}
	defer s.finalize()
	if _, err := s.step(); err != nil {
		return 0, err
	}
	return s.int64(0), nil
}

// keepLog leaves the log alone when the last connection to the file closes:
// who only reads changes nothing.
func (c *conn) keepLog() {
	va := libc.NewVaList(int32(1), uintptr(0))
	defer libc.Xfree(c.tls, va)
	sqlite3.Xsqlite3_db_config(c.tls, c.db, sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, va)
}
