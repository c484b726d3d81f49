package store

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkBillingOfCredit bills 20,000 students who are all in credit, so that
// each gets a bill and an adjustment with a number, and then the next period,
// for which nothing is left.
func BenchmarkBillingOfCredit(b *testing.B) {
	const people = 20_000
	for range b.N {
		b.StopTimer()
		s := openBench(b)
		s.Now = termTime
		addSchool(b, s, "DPS")
		mustImport(b, s, "students", "DPS", strings.ReplaceAll(manyStudents(people), "active,0\n", "active,-70\n"))
		mustImport(b, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n2026-27,2026-27/T2,2026-08-10,*,*,TUITION,100\n")
		b.StartTimer()
		for _, period := range []string{"T1", "T2"} {
			begun := time.Now()
			mustBill(b, s, "DPS", "2026-27/"+period)
			b.ReportMetric(people/time.Since(begun).Seconds(), period+"/s")
		}
		b.StopTimer()
		if n := len(mustAuditSeries(b, s)); n != 1 {
			b.Fatalf("%d series, want that of the adjustments", n)
		}
	}
}

// mustAuditSeries are the series of a ledger that is sound.
func mustAuditSeries(b *testing.B, s *Store) []string {
	b.Helper()
	var all []string
	for _, r := range mustAudit(b, s).Series {
		if r.Last == 20_000 && r.MissingN == 0 {
			all = append(all, string(r.Series))
		}
	}
	return all
}
