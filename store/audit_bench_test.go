package store

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// BenchmarkAudit is the audit of everything, the engine's own files included:
// 1,000, 10,000 and 100,000 rows of students with twelve bills and fifty rows
// each. RASEED_BENCH_ROWS asks for one size more, such as 1000000. "held" is
// the memory in use at the end of an audit, at most.
func BenchmarkAudit(b *testing.B) {
	sizes := []int{1_000, 10_000, 100_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	if asked := os.Getenv("RASEED_BENCH_ROWS"); asked != "" {
		rows, err := strconv.Atoi(asked)
		if err != nil {
			b.Fatalf("RASEED_BENCH_ROWS: %v", err)
		}
		sizes = append(sizes, rows)
	}
	for _, rows := range sizes {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s := openBench(b)
			s.Now = fixedNow
			generateLedger(b, s, addSchool(b, s, "P").Code, LedgerSize{Rows: rows, Students: rows / 50, BillsEach: 12})
			ctx := context.Background()
			var held uint64
			for b.Loop() {
				report, err := s.Audit(ctx, "")
				if err != nil || len(report.Findings) > 0 || report.Accounts[0].Rows != int64(rows) {
					b.Fatalf("the audit says %+v, %v", report, err)
				}
				b.StopTimer()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				held = max(held, m.HeapInuse)
				b.StartTimer()
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(held)/(1<<20), "MB-held")
		})
	}
}
