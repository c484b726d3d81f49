package docdbtest

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the raw limit is SQLite's own
)

// InParallel shares b.N calls of work among callers, reports their rate and
// the 99th percentile of one, and returns the rate.
func InParallel(b *testing.B, callers int, unit string, work func(i int) error) (perSecond float64) {
	b.Helper()
	var next atomic.Int64
	took := make([][]time.Duration, callers)
	var all sync.WaitGroup
	b.ResetTimer()
	start := time.Now()
	for c := range callers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < b.N; i = int(next.Add(1)) - 1 {
				t := time.Now()
				if err := work(i); err != nil {
					b.Error(err)
					return
				}
				took[c] = append(took[c], time.Since(t))
			}
		})
	}
	all.Wait()
	perSecond = float64(b.N) / time.Since(start).Seconds()
	b.StopTimer()
	sorted := slices.Concat(took...)
	slices.Sort(sorted)
	if len(sorted) > 0 {
		b.ReportMetric(float64(sorted[len(sorted)*99/100].Microseconds())/1000, "p99-ms")
	}
	b.ReportMetric(perSecond, unit+"/s")
	b.ReportMetric(0, "ns/op") // the mean over all callers says nothing
	return perSecond
}

// RawReceipts is what SQLite itself can do on this disk with the three writes
// of a receipt: a few bytes each, without documents or indexes, durable, all
// that wait sharing a commit.
func RawReceipts(b *testing.B) (receipt func(i int) error) {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "raw.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, q := range []string{"CREATE TABLE payments(id INTEGER PRIMARY KEY, number INTEGER)", "CREATE TABLE counters(id INTEGER PRIMARY KEY, seq INTEGER)", "INSERT INTO counters VALUES(1, 0)"} {
		if _, err := db.ExecContext(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
	steps := []string{"INSERT INTO payments VALUES(?, NULL)", "UPDATE counters SET seq=seq+1 WHERE id=1 AND ?>0", "UPDATE payments SET number=id WHERE id=?"}
	stmts := make([]*sql.Stmt, len(steps))
	for i, q := range steps {
		if stmts[i], err = db.PrepareContext(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
	ctx := context.Background() // outlives the benchmark, whose own ends before its clean-up
	queue, closed := make(chan rawWrite, 256), make(chan struct{})
	go func() {
		defer close(closed)
		for first := range queue {
			group := []rawWrite{first}
			for len(queue) > 0 {
				group = append(group, <-queue)
			}
			err := rawCommit(ctx, db, stmts, group)
			for _, w := range group {
				w.done <- err
			}
		}
	}()
	b.Cleanup(func() {
		close(queue)
		<-closed
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return func(i int) error {
		done := make(chan error)
		for step := range steps {
			queue <- rawWrite{step, i, done}
			if err := <-done; err != nil {
				return err
			}
		}
		return nil
	}
}

type rawWrite struct {
	step, id int
	done     chan error
}

// rawCommit runs a group in one transaction.
func rawCommit(ctx context.Context, db *sql.DB, stmts []*sql.Stmt, group []rawWrite) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, w := range group {
		if _, err := tx.StmtContext(ctx, stmts[w.step]).ExecContext(ctx, w.id); err != nil {
			return err
		}
	}
	return tx.Commit()
}
