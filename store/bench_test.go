package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/sqlite"
	"raseed/store/fees"
)

// BenchmarkReceipt is record + account + number, durable. "row" is the ledger's
// writes: the row, the account, the counter and the number on the row; over one
// institute, and over fifty, each with a counter of its own. "payment" is all of
// RecordPayment: looking up the form, institute, student and dues, allocating,
// and these writes. "raw" is what the engine allows, and of-raw the ratio to it.
func BenchmarkReceipt(b *testing.B) {
	for _, callers := range []int{1, 4, 16, 64} {
		var raw float64
		b.Run(fmt.Sprintf("raw/callers=%d", callers), func(b *testing.B) {
			raw = rawReceipts(b, callers)
		})
		for _, schools := range []int{1, 50} {
			b.Run(fmt.Sprintf("row/institutes=%d/callers=%d", schools, callers), func(b *testing.B) {
				s := openBench(b)
				write := rowWriter(b, s, schools)
				b.ReportMetric(docdbtest.InParallel(b, callers, "receipts", write)/raw, "of-raw")
			})
		}
		b.Run(fmt.Sprintf("payment/callers=%d", callers), func(b *testing.B) {
			s := openBench(b)
			testSchool(b, s, "P", 20_000)
			ctx := context.Background()
			rate := docdbtest.InParallel(b, callers, "receipts", func(i int) error {
				row, err := s.RecordPayment(ctx, "P", cash(s, fmt.Sprint(1+i*7919%20_000), 1_000))
				if err == nil && row.Awaiting {
					err = fmt.Errorf("row %s has no number", row.ID)
				}
				return err
			})
			b.ReportMetric(rate/raw, "of-raw")
		})
	}
}

// rawReceipts are the engine's own writes of documents of a receipt's size: on
// the embedded engine SQLite's without Raseed, on MongoDB the driver's inserts.
func rawReceipts(b *testing.B, callers int) float64 {
	if os.Getenv("RASEED_TEST_MONGODB_URI") == "" {
		return docdbtest.InParallel(b, callers, "receipts", docdbtest.RawReceipts(b))
	}
	s := openBench(b)
	row := benchRow(s, testSchool(b, s, "P", 1), "1")
	return docdbtest.InParallel(b, callers, "receipts", func(int) error {
		row := row
		row.ID = fees.Key("P", s.NewID())
		return s.DB.InsertOne(context.Background(), payments, row)
	})
}

// rowWriter makes the i-th row of one of many institutes.
func rowWriter(b *testing.B, s *Store, institutes int) func(i int) error {
	const people = 64
	schools := make([]fees.Institute, institutes)
	for i := range schools {
		schools[i] = testSchool(b, s, fmt.Sprintf("P%d", i), people)
	}
	return func(i int) error {
		row := benchRow(s, schools[i%institutes], fmt.Sprint(1+i/institutes%people))
		row, err := s.writeRow(context.Background(), row)
		if err != nil {
			return err
		}
		if row = s.finish(context.Background(), row); row.Awaiting {
			return fmt.Errorf("row %s has no number", row.ID)
		}
		return nil
	}
}

// benchRow is a payment by cheque of two heads.
func benchRow(s *Store, inst fees.Institute, student string) fees.Row {
	row := s.rowFor(inst, fees.Student{AdmissionNo: student, Name: "Student " + student, Class: "5", Section: "A", Guardian: "Guardian " + student},
		fees.Actor{Login: "asha", Name: "Asha R", Role: fees.RoleCashier, From: "10.0.0.7"})
	row.ID = fees.Key(inst.Code, s.NewID())
	row.Kind, row.Series, row.FY, row.Format = fees.KindPayment, fees.SeriesReceipt, inst.FY(row.Date), inst.Formats.Receipt
	row.Lines = []fees.Line{{Bill: "2026-27/T1", Title: "2026-27/T1", Head: "TUITION", HeadName: "Tuition", Amount: 45_000}, {Bill: "2026-27/T1", Title: "2026-27/T1", Head: "LAB", HeadName: "Laboratory", Amount: 5_000}}
	row.Tenders = []fees.Tender{{Mode: fees.ModeCheque, Amount: 50_000, Ref: "004512", Bank: "State Bank of India", Date: row.Date}}
	row.Total, row.Digest = 50_000, row.ID
	return row
}

// BenchmarkBacklog is the time to number what was recorded while the counter
// could not be reached: 10,000 rows of 2,000 students, behind a ledger that is
// empty and one that has ten times as many.
func BenchmarkBacklog(b *testing.B) {
	const rows = 10_000
	for _, ledger := range []int{0, 100_000} {
		if testing.Short() && ledger > 0 {
			b.Skip("the large ledger is left out of -short")
		}
		b.Run(fmt.Sprintf("ledger=%d", ledger), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				s := openBench(b)
				inst := testSchool(b, s, "P", 2_000)
				fillLedger(b, s, ledger, 2_000)
				batch := make([]any, rows)
				for i := range batch {
					doc, _, err := withBody(benchRow(s, inst, fmt.Sprint(1+i*7919%2_000)))
					if err != nil {
						b.Fatal(err)
					}
					batch[i] = doc
				}
				if _, err := s.DB.InsertMany(context.Background(), payments, batch); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if err := s.Sweep(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkAtLedgerSize is what a counter and a register do in a small school
// and in a large one: 1,000 receipts of 200 students, 100,000 of 20,000.
func BenchmarkAtLedgerSize(b *testing.B) {
	for _, receipts := range []int{1_000, 100_000} {
		if testing.Short() && receipts > 1_000 {
			b.Skip("the large ledger is left out of -short")
		}
		s := openBench(b)
		people := receipts / 5
		testSchool(b, s, "P", people)
		ctx := context.Background()
		fillLedger(b, s, receipts, people)
		for _, op := range []struct {
			name string
			do   func(i int) error
		}{
			{"search", func(i int) error {
				found, err := s.SearchStudents(ctx, "P", fmt.Sprint(1+i*7919%people), 10)
				if err == nil && len(found) == 0 {
					err = fmt.Errorf("nobody found")
				}
				return err
			}},
			{"dues", func(i int) error { _, err := s.Dues(ctx, "P", fmt.Sprint(1+i*7919%people)); return err }},
			{"register-first", func(int) error { _, err := s.Register(ctx, "P", fees.RegisterFilter{}, "", 50); return err }},
			{"register-middle", func(int) error {
				_, err := s.Register(ctx, "P", fees.RegisterFilter{}, "2026-11-27~01M00000000000000000000000", 50)
				return err
			}},
			{"register-day-total", func(int) error {
				_, err := s.RegisterTotal(ctx, "P", fees.RegisterFilter{From: "2026-11-30", To: "2026-11-30"})
				return err
			}},
			{"register-total", func(int) error { _, err := s.RegisterTotal(ctx, "P", fees.RegisterFilter{}); return err }},
			{"audit", func(int) error { _, err := s.Audit(ctx, "P"); return err }},
		} {
			b.Run(fmt.Sprintf("%s/receipts=%d", op.name, receipts), func(b *testing.B) {
				for i := range b.N {
					if err := op.do(i); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// fillLedger records receipts over the last week, from sixteen callers.
func fillLedger(b *testing.B, s *Store, receipts, people int) {
	b.Helper()
	s.Now = fixedNow
	ctx := context.Background()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= receipts; i = int(next.Add(1)) {
				o := cash(s, fmt.Sprint(1+i%people), 1_000)
				o.Date = fees.Date("2026-11-30").AddDays(-(i % 7))
				if _, err := s.RecordPayment(ctx, "P", o); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if b.Failed() {
		b.FailNow()
	}
}

// BenchmarkColdStart opens a store of 100,000 receipts, prepares it and looks
// for rows that await a number: all that a server does before it listens.
func BenchmarkColdStart(b *testing.B) {
	if testing.Short() {
		b.Skip("the large ledger is left out of -short")
	}
	path := filepath.Join(b.TempDir(), "large.db")
	ctx := context.Background()
	open := func() (*Store, func()) {
		db, err := sqlite.Open(ctx, path, sqlite.Options{Now: time.Now})
		if err != nil {
			b.Fatal(err)
		}
		return openOn(b, db), func() {
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	s, end := open()
	testSchool(b, s, "P", 20_000)
	fillLedger(b, s, 100_000, 20_000)
	end()
	for b.Loop() {
		s, end := open()
		if err := s.Sweep(ctx); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		end()
		b.StartTimer()
	}
}
