package web_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// enrol adds students B1 to Bn and bills them.
func enrol(b *testing.B, srv *webtest.Server, n int) {
	b.Helper()
	ctx := context.Background()
	var list strings.Builder
	list.WriteString("admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n")
	for i := range n {
		fmt.Fprintf(&list, "B%d,Student %d,1,A,GEN,,,,,active,\n", i, i)
	}
	report, err := srv.Store.ImportStudents(ctx, webtest.Own, strings.NewReader(list.String()), false, fees.Actor{})
	if err != nil || len(report.Problems) > 0 {
		b.Fatalf("enrol: %v, %v", err, report.Problems)
	}
	run, err := srv.Store.StartRun(ctx, webtest.Own, fees.RunOrder{ID: srv.Store.NewID(), Period: "2026-27/T1", By: fees.Actor{Login: "test", Role: fees.RoleAdmin}})
	if err == nil {
		_, err = srv.Store.ExecuteRun(ctx, webtest.Own, fees.After(run.ID))
	}
	if err != nil {
		b.Fatalf("bill: %v", err)
	}
}

// BenchmarkPaymentsOverHTTP is 16 cashiers who press Record without a pause:
// session, form, payment, number, redirect, all durable.
func BenchmarkPaymentsOverHTTP(b *testing.B) {
	const cashiers, students = 16, 2000
	srv := webtest.Start(b, webtest.Options{})
	enrol(b, srv, students)
	clients := make([]*webtest.Client, cashiers)
	for i := range clients {
		clients[i] = srv.As(b, fees.RoleCashier)
	}
	form := paymentForm(clients[0].Get("/collect/1001"))
	took := make([][]time.Duration, cashiers)
	var done atomic.Int64
	b.ResetTimer()
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() {
			for n := done.Add(1); n <= int64(b.N); n = done.Add(1) {
				mine := make(map[string][]string, len(form))
				for k, v := range form {
					mine[k] = v
				}
				mine["payment_id"] = []string{srv.Store.NewID()}
				mine["student"] = []string{fmt.Sprintf("B%d", n%students)}
				start := time.Now()
				res := c.Post("/payments", mine)
				took[i] = append(took[i], time.Since(start))
				if res.Status != http.StatusSeeOther {
					b.Errorf("status %d: %s", res.Status, res.Alert())
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	every := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "payments/s")
	b.ReportMetric(float64(every[len(every)*99/100].Microseconds())/1000, "p99-ms")
}
