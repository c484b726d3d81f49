package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	_ "modernc.org/sqlite"
	"raseed/store/docdb"
)

// measure shares b.N receipts among callers and reports their rate and the
// 99th percentile of one.
func measure(b *testing.B, callers int, receipt func(i int) error) {
	b.Helper()
	var next atomic.Int64
	took := make([][]time.Duration, callers)
	var all sync.WaitGroup
	b.ResetTimer()
	start := time.Now()
	for c := range callers {
		all.Go(func() {
			for i := int(next.Add(1)); i <= b.N; i = int(next.Add(1)) {
				t := time.Now()
				if err := receipt(i); err != nil {
					b.Error(err)
					return
				}
				took[c] = append(took[c], time.Since(t))
			}
		})
	}
	all.Wait()
	elapsed := time.Since(start)
	b.StopTimer()
	sorted := slices.Concat(took...)
	slices.Sort(sorted)
	b.ReportMetric(float64(b.N)/elapsed.Seconds(), "receipts/s")
	b.ReportMetric(float64(sorted[len(sorted)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkRawWrites is what SQLite itself can do: the three writes of a
// receipt, a few bytes each, without documents or indexes, all that wait
// sharing a commit.
func BenchmarkRawWrites(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "raw.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			db.SetMaxOpenConns(1)
			for _, q := range []string{"CREATE TABLE payments(id INTEGER PRIMARY KEY, number INTEGER)", "CREATE TABLE counters(id INTEGER PRIMARY KEY, seq INTEGER)", "INSERT INTO counters VALUES(1, 0)"} {
				if _, err := db.Exec(q); err != nil {
					b.Fatal(err)
				}
			}
			steps := []string{"INSERT INTO payments VALUES(?, NULL)", "UPDATE counters SET seq=seq+1 WHERE id=1 AND ?>0", "UPDATE payments SET number=id WHERE id=?"}
			stmts := make([]*sql.Stmt, len(steps))
			for i, q := range steps {
				if stmts[i], err = db.Prepare(q); err != nil {
					b.Fatal(err)
				}
			}
			type write struct {
				step, id int
				done     chan error
			}
			queue := make(chan write, callers)
			go func() {
				for first := range queue {
					group := []write{first}
					for len(queue) > 0 {
						group = append(group, <-queue)
					}
					tx, err := db.Begin()
					for _, w := range group {
						if err == nil {
							_, err = tx.Stmt(stmts[w.step]).Exec(w.id)
						}
					}
					if err == nil {
						err = tx.Commit()
					}
					for _, w := range group {
						w.done <- err
					}
				}
			}()
			defer close(queue)
			measure(b, callers, func(i int) error {
				done := make(chan error)
				for step := range steps {
					queue <- write{step, i, done}
					if err := <-done; err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

// ledger is shaped like the collections that a receipt is written to.
var ledger = []docdb.Collection{
	{Name: "counters"},
	{Name: "payments", Indexes: []docdb.Index{
		{Name: "student", Keys: asc("institute", "student", "_id")},
		{Name: "date", Keys: asc("institute", "date", "_id", "total")},
		{Name: "awaiting", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "awaiting", Value: true}}},
		{Name: "number", Keys: asc("institute", "fy", "series", "number"), Unique: true, Partial: exists("number")},
		{Name: "numberText", Keys: asc("institute", "numberText"), Partial: exists("numberText")},
	}},
}

func asc(paths ...string) []docdb.Key {
	var out []docdb.Key
	for _, p := range paths {
		out = append(out, docdb.Key{Path: p})
	}
	return out
}

func exists(path string) bson.D {
	return bson.D{{Key: path, Value: bson.D{{Key: "$exists", Value: true}}}}
}

type line struct {
	Bill, Title, Head, HeadName string
	Amount                      int64
}

// payment is a row of some 1.3 kB of BSON, as the ledger writes them.
type payment struct {
	ID                              string `bson:"_id"`
	Institute, Kind, Series, FY     string
	Date                            string
	RecordedAt                      time.Time
	Student, StudentName, Class     string
	Section, Guardian               string
	Lines                           []line
	Tenders                         []struct{ Mode, Ref, Bank, Date string }
	Total, BalanceAfter             int64
	Currency, Remark                string
	Cashier, CashierName, From      string
	InstituteName, InstituteAddress string
	Digest, Body                    string
	Awaiting                        bool
}

func paymentOf(i int) *payment {
	p := &payment{
		ID: fmt.Sprintf("DPS:01JDZ%021d", i), Institute: "DPS", Kind: "payment", Series: "receipt", FY: "2026-27",
		Date: fmt.Sprintf("2026-11-%02d", 1+i/10_000%30), RecordedAt: time.UnixMilli(1764496800000 + int64(i)),
		Student: fmt.Sprint(i * 7919 % 20_000), StudentName: "Asha Verma", Class: "VIII", Section: "B", Guardian: "Ramesh Verma",
		Total: 450_000, Currency: "INR", Remark: "second instalment, the rest by the end of the month",
		Cashier: "asha", CashierName: "Asha R", From: "10.0.0.7",
		InstituteName: "Delhi Public School, Vasant Kunj", InstituteAddress: "Sector C, Pocket 5, Vasant Kunj, New Delhi 110070",
		Digest: strings.Repeat("d", 64), Body: strings.Repeat("b", 64), Awaiting: true,
	}
	for range 3 {
		p.Lines = append(p.Lines, line{"2026-27/T1", "Term 1, 2026-27", "TUITION", "Tuition fee", 150_000})
	}
	p.Tenders = append(p.Tenders, struct{ Mode, Ref, Bank, Date string }{"cheque", "004512", "State Bank of India", "2026-11-29"})
	return p
}

// BenchmarkReceiptShape is the three writes of a receipt on this engine, with
// its documents and indexes. Callers who want a number at the same time are
// numbered as one batch, as the ledger does it.
func BenchmarkReceiptShape(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			db := open(b)
			ctx := context.Background()
			if err := db.Ensure(ctx, ledger); err != nil {
				b.Fatal(err)
			}
			if err := db.InsertOne(ctx, "counters", bson.D{{Key: "_id", Value: "c"}, {Key: "seq", Value: int64(0)}, {Key: "holders", Value: bson.A{}}}); err != nil {
				b.Fatal(err)
			}
			n := numberer{db: db}
			measure(b, callers, func(i int) error {
				p := paymentOf(i)
				if err := db.InsertOne(ctx, "payments", p); err != nil {
					return err
				}
				return n.number(p.ID)
			})
		})
	}
}

// numberer numbers all rows that wait as one batch.
type numberer struct {
	db      docdb.DB
	mu      sync.Mutex
	seq     int64
	waiting []ticket
	led     bool
}

type ticket struct {
	row  string
	done chan error
}

func (n *numberer) number(row string) error {
	t := ticket{row, make(chan error, 1)}
	n.mu.Lock()
	n.waiting = append(n.waiting, t)
	lead := !n.led
	n.led = true
	n.mu.Unlock()
	if lead {
		go n.lead()
	}
	return <-t.done
}

func (n *numberer) lead() {
	for {
		runtime.Gosched() // let those in who were recorded together
		n.mu.Lock()
		batch := n.waiting
		n.waiting = nil
		n.led = len(batch) > 0
		n.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		err := n.serve(batch)
		for _, t := range batch {
			t.done <- err
		}
	}
}

func (n *numberer) serve(batch []ticket) error {
	ctx := context.Background()
	rows := make(bson.A, len(batch))
	for i, t := range batch {
		rows[i] = t.row
	}
	var counter struct{ Seq int64 }
	err := n.db.FindOneAndUpdate(ctx, "counters", bson.D{{Key: "_id", Value: "c"}, {Key: "seq", Value: n.seq}},
		bson.D{{Key: "$inc", Value: bson.D{{Key: "seq", Value: int64(len(batch))}}}, {Key: "$set", Value: bson.D{{Key: "holders", Value: rows}}}},
		docdb.Update{After: true}, &counter)
	if err != nil {
		return err
	}
	ops := make([]docdb.UpdateOp, len(batch))
	for i, t := range batch {
		seq := n.seq + 1 + int64(i)
		ops[i] = docdb.UpdateOp{
			Filter: bson.D{{Key: "_id", Value: t.row}, {Key: "number", Value: bson.D{{Key: "$exists", Value: false}}}},
			Update: bson.D{{Key: "$set", Value: bson.D{{Key: "number", Value: seq}, {Key: "numberText", Value: fmt.Sprintf("DPS/26-27/%06d", seq)}, {Key: "numberedAt", Value: time.UnixMilli(1764496800000)}, {Key: "prevHash", Value: strings.Repeat("p", 64)}, {Key: "hash", Value: strings.Repeat("h", 64)}}},
				{Key: "$unset", Value: bson.D{{Key: "awaiting", Value: ""}}}},
		}
	}
	n.seq = counter.Seq
	res, err := n.db.BulkWrite(ctx, "payments", ops, false)
	if err == nil && res.Modified != int64(len(batch)) {
		err = fmt.Errorf("numbered %d of %d rows", res.Modified, len(batch))
	}
	return err
}
