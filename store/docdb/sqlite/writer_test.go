package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	sqlite3 "modernc.org/sqlite/lib"
	"raseed/store/docdb"
)

func openTest(t *testing.T, colls ...docdb.Collection) *DB {
	t.Helper()
	db, err := Open(context.Background(), filepath.Join(t.TempDir(), "raseed.db"), Options{})
	if err == nil {
		err = db.Ensure(context.Background(), colls)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// doing is a job that is a function.
type doing func(w *writer) error

func (f doing) do(w *writer) error { return f(w) }

// hold keeps the writer busy until release is called, so that what is written
// meanwhile becomes one group.
func hold(t *testing.T, db *DB) (release func()) {
	t.Helper()
	busy, free, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- db.submit(context.Background(), &task{alone: true, done: make(chan error, 1), job: doing(func(*writer) error {
			close(busy)
			<-free
			return nil
		})})
	}()
	<-busy
	return func() {
		close(free)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// queued waits until n tasks wait for the writer.
func queued(db *DB, n int) {
	for {
		db.writer.mu.Lock()
		waiting := len(db.writer.queue)
		db.writer.mu.Unlock()
		if waiting >= n {
			return
		}
		runtime.Gosched()
	}
}

func doc(id string, n int64) bson.D {
	return bson.D{{Key: "_id", Value: id}, {Key: "n", Value: n}}
}

func total(t *testing.T, db *DB) int64 {
	t.Helper()
	n, err := db.Count(context.Background(), "c", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestGroupFailsOneByOne(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "n", Unique: true, Keys: []docdb.Key{{Path: "n"}}}}})
	release := hold(t, db)
	errs := make([]error, 40)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = db.InsertOne(context.Background(), "c", doc(fmt.Sprint(i), int64(i%20))) })
	}
	queued(db, len(errs))
	release()
	all.Wait()
	refused := 0
	for _, err := range errs {
		if docdb.IsDuplicate(err) {
			refused++
		} else if err != nil {
			t.Error(err)
		}
	}
	if n := total(t, db); refused != 20 || n != 20 {
		t.Errorf("of twenty pairs in one group %d were refused and %d are there, want 20 and 20", refused, n)
	}
}

func TestContextThatEndsInTheQueue(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c"})
	release := hold(t, db)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- db.InsertOne(ctx, "c", doc("a", 1)) }()
	queued(db, 1)
	cancel()
	if err := <-ended; !errors.Is(err, docdb.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want ErrUnavailable and context.Canceled", err)
	}
	release()
	if err := db.InsertOne(context.Background(), "c", doc("b", 1)); err != nil {
		t.Fatal(err)
	}
	if n := total(t, db); n != 1 {
		t.Errorf("%d documents, want 1: what was given up was done", n)
	}
}

func TestContextThatEndsInTheTransaction(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c"})
	ctx, cancel := context.WithCancel(context.Background())
	k, _ := db.collection("c")
	err := db.write(ctx, doing(func(w *writer) error {
		cancel()
		r, err := newRow(k, marshalled(t, doc("a", 1)))
		if err != nil {
			return err
		}
		return w.insert(k, r)
	}))
	if err != nil {
		t.Errorf("a write that was done is called failed: %v", err)
	}
	if n := total(t, db); n != 1 {
		t.Errorf("%d documents, want 1", n)
	}
}

func TestCloseFinishesTheQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	db, err := Open(context.Background(), path, Options{})
	if err == nil {
		err = db.Ensure(context.Background(), []docdb.Collection{{Name: "c"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	release := hold(t, db)
	errs := make(chan error, 50)
	for i := range cap(errs) {
		go func() { errs <- db.InsertOne(context.Background(), "c", doc(fmt.Sprint(i), 1)) }()
	}
	queued(db, cap(errs))
	closed := make(chan error)
	go func() { closed <- db.Close() }()
	release()
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if db, err = Open(context.Background(), path, Options{}); err == nil {
		err = db.Ensure(context.Background(), []docdb.Collection{{Name: "c"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := total(t, db); n != 50 {
		t.Errorf("%d documents, want 50", n)
	}
}

// inWriter runs f in the writer's goroutine.
func inWriter(t *testing.T, db *DB, f func(w *writer) error) {
	t.Helper()
	if err := db.submit(context.Background(), &task{alone: true, done: make(chan error, 1), job: doing(f)}); err != nil {
		t.Fatal(err)
	}
}

func pragma(t *testing.T, db *DB, sql string) {
	t.Helper()
	inWriter(t, db, func(w *writer) error { return w.c.once(sql) })
}

// TestMachineFaultTakesTheGroupBack: when the disk fails a group midway, nothing
// of it stays, everybody is told so, and the next group is served.
func TestMachineFaultTakesTheGroupBack(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c"})
	ctx := context.Background()
	k, _ := db.collection("c")
	release := hold(t, db)
	errs := make([]error, 3)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			errs[i] = db.write(ctx, doing(func(w *writer) error {
				r, err := newRow(k, marshalled(t, doc(fmt.Sprint(i), 1)))
				if err == nil {
					err = w.insert(k, r)
				}
				if err == nil && i == 1 {
					err = &fault{code: sqlite3.SQLITE_IOERR_READ, text: "disk I/O error"}
				}
				return err
			}))
		})
		queued(db, i+1)
	}
	release()
	all.Wait()
	for i, err := range errs {
		if !errors.Is(err, docdb.ErrUnavailable) || !strings.Contains(err.Error(), "disk failed") {
			t.Errorf("write %d: error is %v, want ErrUnavailable that speaks of the disk", i, err)
		}
	}
	if n := total(t, db); n != 0 {
		t.Errorf("%d documents of a group that was taken back are there", n)
	}
	if err := db.InsertOne(ctx, "c", doc("next", 1)); err != nil {
		t.Errorf("the next write: %v", err)
	}
}

func TestDiskFullAndMended(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "n", Keys: []docdb.Key{{Path: "n"}}}, {Name: "tags", Keys: []docdb.Key{{Path: "n"}, {Path: "tags", Multi: true}}}}})
	ctx := context.Background()
	pragma(t, db, "PRAGMA max_page_count=60")
	long := bson.E{Key: "text", Value: strings.Repeat("x", 2000)}
	tags := bson.E{Key: "tags", Value: bson.A{"a", "b", "c"}}
	var acknowledged int64
	var full error
	for i := 0; full == nil; i++ {
		if full = db.InsertOne(ctx, "c", append(doc(fmt.Sprint(i), int64(i)), long, tags)); full == nil {
			acknowledged++
		}
	}
	if !errors.Is(full, docdb.ErrUnavailable) || !strings.Contains(full.Error(), "the disk is full") {
		t.Errorf("error is %v, want ErrUnavailable with: the disk is full", full)
	}
	// A group that meets the full disk is refused whole, and nothing of it is
	// there.
	release := hold(t, db)
	errs := make([]error, 30)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = db.InsertOne(ctx, "c", append(doc(fmt.Sprint("g", i), 0), long, tags)) })
	}
	queued(db, len(errs))
	release()
	all.Wait()
	for i, err := range errs {
		if !errors.Is(err, docdb.ErrUnavailable) {
			t.Errorf("insert %d of the group: error is %v, want ErrUnavailable", i, err)
		}
	}
	if n := total(t, db); n != acknowledged {
		t.Errorf("%d documents are there, %d were acknowledged", n, acknowledged)
	}
	pragma(t, db, "PRAGMA max_page_count=1000000")
	// A write of several chunks that breaks in a later one was done in part.
	var ops []docdb.UpdateOp
	for i := range 3 * chunk {
		ops = append(ops, docdb.UpdateOp{Filter: bson.D{{Key: "_id", Value: fmt.Sprint("u", i)}}, Update: bson.D{{Key: "$set", Value: bson.D{{Key: "n", Value: int64(i)}, long}}}, Upsert: true})
	}
	room, err := db.count(ctx, "c", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	pragma(t, db, "PRAGMA max_page_count="+fmt.Sprint(60+chunk))
	res, err := db.BulkWrite(ctx, "c", ops, false)
	if !errors.Is(err, docdb.ErrUnknownOutcome) || errors.Is(err, docdb.ErrUnavailable) {
		t.Errorf("a long write that broke midway gives %v, want ErrUnknownOutcome", err)
	}
	if n := total(t, db); n != room+chunk || len(res.Upserts) != chunk {
		t.Errorf("%d documents of it are there, it says %d, want %d", n-room, len(res.Upserts), chunk)
	}
	pragma(t, db, "PRAGMA max_page_count=1000000")
	if _, err := db.DeleteMany(ctx, "c", bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: "u"}}}}); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if err := db.InsertOne(ctx, "c", append(doc(fmt.Sprint("m", i), 0), long, tags)); err != nil {
			t.Fatalf("after there is room again: %v", err)
		}
	}
	if n := total(t, db); n != acknowledged+30 {
		t.Errorf("%d documents, want %d", n, acknowledged+30)
	}
}

// TestRunsWhileTheLogIsCopied: while the log grows past its bound again and
// again, with readers about, nothing is lost and it is cut back.
func TestRunsWhileTheLogIsCopied(t *testing.T) {
	db := openTest(t, docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "n", Keys: []docdb.Key{{Path: "n"}}}}})
	ctx := context.Background()
	inWriter(t, db, func(w *writer) error {
		w.log.limit, w.log.next = 50, 50
		return nil
	})
	text := bson.E{Key: "text", Value: strings.Repeat("x", 3000)}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 400 {
				id := fmt.Sprint(g, "-", i)
				if err := db.InsertOne(ctx, "c", append(doc(id, int64(i)), text)); err != nil {
					t.Error(err)
				}
				var out bson.Raw
				if err := db.FindOne(ctx, "c", bson.D{{Key: "_id", Value: id}}, docdb.Find{}, &out); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := total(t, db); n != 1600 {
		t.Errorf("%d documents, want 1600", n)
	}
	// 1600 documents of a page each, and their indexes, went through the log.
	at, err := os.Stat(db.path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if pages := at.Size() / 4096; pages > 800 {
		t.Errorf("the log has grown to %d pages: it did not begin anew", pages)
	}
}
