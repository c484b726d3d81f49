package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"go.mongodb.org/mongo-driver/v2/bson"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
	"raseed/store/docdb"
)

// disk is one open file of SQLite's whose syncs a test can make fail.
type disk struct {
	fail   func() bool // whether this one does; it is asked in the writer's goroutine
	syncs  int
	sync   func(tls *libc.TLS, file uintptr, flags int32) int32
	method uintptr
}

// The place of xSync in sqlite3_io_methods, and the size of that.
const (
	xSync     = 40
	ioMethods = 19 * 8
)

// watchSyncs puts a disk between the writer and one of its files: the database
// (SQLITE_FCNTL_FILE_POINTER) or its log (SQLITE_FCNTL_JOURNAL_POINTER).
func watchSyncs(t *testing.T, db *DB, which int32) *disk {
	t.Helper()
	d := &disk{fail: func() bool { return false }}
	inWriter(t, db, func(w *writer) error {
		p := w.c.tls.Alloc(8)
		defer w.c.tls.Free(8)
		name, err := libc.CString("main")
		if err != nil {
			return err
		}
		defer libc.Xfree(w.c.tls, name)
		if rc := sqlite3.Xsqlite3_file_control(w.c.tls, w.c.db, name, which, p); rc != sqlite3.SQLITE_OK {
			return w.c.fault(rc)
		}
		methods := (*uintptr)(pointer(*(*uintptr)(pointer(p)))) // the file's first field
		mine := libc.Xmalloc(w.c.tls, ioMethods)
		libc.Xmemcpy(w.c.tls, mine, *methods, ioMethods)
		d.method = *(*uintptr)(pointer(*methods + xSync))
		d.sync = func(tls *libc.TLS, file uintptr, flags int32) int32 {
			d.syncs++
			if d.fail() {
				return sqlite3.SQLITE_IOERR_FSYNC
			}
			real := *(*func(*libc.TLS, uintptr, int32) int32)(unsafe.Pointer(&struct{ uintptr }{d.method}))
			return real(tls, file, flags)
		}
		*(*uintptr)(pointer(mine + xSync)) = *(*uintptr)(unsafe.Pointer(&d.sync))
		*methods = mine
		return nil
	})
	return d
}

// once is true the first time.
func once() func() bool {
	done := false
	return func() bool {
		first := !done
		done = true
		return first
	}
}

// A commit that the disk did not confirm is neither called done nor undone, and
// afterwards the file is open anew: it can be read back what became of it, and
// what is written then is safe.
func TestCommitThatTheDiskDoesNotConfirm(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c"})
	ctx := context.Background()
	for i := range 20 {
		if err := db.InsertOne(ctx, "c", doc(fmt.Sprint(i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	log := watchSyncs(t, db, sqlite3.SQLITE_FCNTL_JOURNAL_POINTER)
	inWriter(t, db, func(*writer) error { log.fail = once(); return nil })
	err := db.InsertOne(ctx, "c", doc("lost", 1))
	if log.syncs == 0 {
		t.Fatal("the commit synced nothing: this tests nothing")
	}
	if !errors.Is(err, docdb.ErrUnknownOutcome) || errors.Is(err, docdb.ErrUnavailable) || !strings.Contains(err.Error(), "disk failed") {
		t.Errorf("error is %v, want ErrUnknownOutcome that speaks of the disk", err)
	}
	reopened(t, db)
	var there bson.Raw
	found := db.FindOne(ctx, "c", bson.D{{Key: "_id", Value: "lost"}}, docdb.Find{}, &there)
	if found != nil && !errors.Is(found, docdb.ErrNotFound) {
		t.Errorf("reading back: %v", found)
	}
	again := db.InsertOne(ctx, "c", doc("lost", 1))
	if (found == nil) != docdb.IsDuplicate(again) || found != nil && again != nil {
		t.Errorf("read back %v, written again %v: they contradict each other", found, again)
	}
	if log.syncs > 1 {
		t.Error("the file that failed is still in use")
	}
	for i := range 20 {
		if err := db.InsertOne(ctx, "c", doc(fmt.Sprint("after", i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	if n := total(t, db); n != 41 {
		t.Errorf("%d documents, want 41", n)
	}
	undamaged(t, db)
}

// reopened waits until the file is open anew: a task of the writer's own says
// so, since mending comes before the next group.
func reopened(t *testing.T, db *DB) {
	t.Helper()
	inWriter(t, db, func(w *writer) error {
		if w.distrusted != nil {
			t.Errorf("the file is not open anew: %v", w.distrusted)
		}
		return nil
	})
}

// undamaged has SQLite and the engine check the file.
func undamaged(t *testing.T, db *DB) {
	t.Helper()
	for d, err := range db.Check(context.Background()) {
		t.Errorf("check: %+v, %v", d, err)
	}
}

// When the disk fails while the log is copied into the file, the kernel may
// throw away what was copied earlier, too, and call the next sync a success.
// Nothing that was acknowledged may go with it. Here it does throw away all that
// was written since the last good sync.
func TestDiskThatForgetsWhatWasCopied(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "n", Keys: []docdb.Key{{Path: "n"}}}}})
	ctx := context.Background()
	text := bson.E{Key: "text", Value: strings.Repeat("x", 3000)}
	insert := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			if err := db.InsertOne(ctx, "c", append(doc(fmt.Sprintf("%04d", i), int64(i)), text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	insert(0, 50)
	inWriter(t, db, func(w *writer) error { _, _, err := w.c.checkpoint(); return err })
	synced, err := os.ReadFile(db.path)
	if err != nil {
		t.Fatal(err)
	}
	file := watchSyncs(t, db, sqlite3.SQLITE_FCNTL_FILE_POINTER)
	insert(50, 150)
	// A part is copied while a reader keeps the rest from being copied: that part
	// counts as copied and is not synced.
	next, stop := iterate(db)
	next()
	insert(150, 250)
	inWriter(t, db, func(w *writer) error {
		total, copied, err := w.c.checkpoint()
		if err == nil && (copied == 0 || copied == total || file.syncs > 0) {
			t.Errorf("%d of %d pages are copied with %d syncs: this tests nothing", copied, total, file.syncs)
		}
		return err
	})
	stop()
	inWriter(t, db, func(w *writer) error {
		first := once()
		file.fail = func() bool {
			if !first() {
				return false
			}
			f, err := os.OpenFile(db.path, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt(synced, 0)
				err = errors.Join(err, f.Truncate(int64(len(synced))), f.Close())
			}
			if err != nil {
				t.Error(err)
			}
			return true
		}
		w.log.copied.Store(true) // as the checkpointer says when it is done
		return nil
	})
	reopened(t, db)
	if file.syncs != 1 {
		t.Fatalf("the file that failed was synced %d times, want once and never again", file.syncs)
	}
	insert(250, 300)
	if n := total(t, db); n != 300 {
		t.Errorf("%d documents, want 300: what was acknowledged is lost", n)
	}
	undamaged(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err = Open(ctx, db.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Ensure(ctx, []docdb.Collection{{Name: "c", Indexes: []docdb.Index{{Name: "n", Keys: []docdb.Key{{Path: "n"}}}}}}); err != nil {
		t.Fatal(err)
	}
	if n := total(t, db); n != 300 {
		t.Errorf("after reopening %d documents, want 300", n)
	}
	undamaged(t, db)
}

// iterate begins to read all documents and keeps the snapshot until stopped.
func iterate(db *DB) (next func(), stop func()) {
	step, finish := make(chan struct{}), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for range db.Find(context.Background(), "c", nil, docdb.Find{}) {
			step <- struct{}{}
			<-finish
			return
		}
	})
	return func() { <-step }, func() { close(finish); done.Wait() }
}

// While somebody still reads from the file that failed, nothing else is read or
// written, in words; when they are done, work goes on by itself.
func TestReaderKeepsTheFileFromBeingOpenedAnew(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c"})
	ctx := context.Background()
	for i := range 10 {
		if err := db.InsertOne(ctx, "c", doc(fmt.Sprint(i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	next, stop := iterate(db)
	next()
	log := watchSyncs(t, db, sqlite3.SQLITE_FCNTL_JOURNAL_POINTER)
	inWriter(t, db, func(*writer) error { log.fail = once(); return nil })
	if err := db.InsertOne(ctx, "c", doc("lost", 1)); !errors.Is(err, docdb.ErrUnknownOutcome) {
		t.Errorf("error is %v, want ErrUnknownOutcome", err)
	}
	for what, err := range map[string]error{"write": db.InsertOne(ctx, "c", doc("more", 1)), "read": db.Ping(ctx)} {
		if !errors.Is(err, docdb.ErrUnavailable) || !errors.Is(err, docdb.ErrDiskFailed) {
			t.Errorf("a %s meanwhile: %v, want ErrUnavailable with ErrDiskFailed", what, err)
		}
	}
	stop()
	reopened(t, db)
	if err := db.InsertOne(ctx, "c", doc("more", 1)); err != nil {
		t.Errorf("a write afterwards: %v", err)
	}
	if err := db.Ping(ctx); err != nil {
		t.Errorf("a read afterwards: %v", err)
	}
}

// A log that a dead process left is in the file, and synced, before anything
// is added to it: nobody knows whether its end is on the disk.
func TestLogLeftBehindIsCopiedFirst(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c"})
	ctx := context.Background()
	for i := range 30 {
		if err := db.InsertOne(ctx, "c", doc(fmt.Sprint(i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	dead := t.TempDir() + "/dead.db"
	for _, suffix := range []string{"", "-wal"} { // as the process leaves them that is killed now
		b, err := os.ReadFile(db.path + suffix)
		if err == nil {
			err = os.WriteFile(dead+suffix, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	next, err := Open(ctx, dead, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	alone := t.TempDir() + "/alone.db" // the file without its log
	b, err := os.ReadFile(dead)
	if err == nil {
		err = os.WriteFile(alone, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := Open(ctx, alone, Options{})
	if err == nil {
		err = file.Ensure(ctx, []docdb.Collection{{Name: "c"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if n := total(t, file); n != 30 {
		t.Errorf("the file alone has %d documents, want 30", n)
	}
}
