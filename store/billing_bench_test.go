package store

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/fees"
)

// benchBilling is a school of so many students with five heads in each of 13
// periods, sibling rules, and a concession for every tenth student.
func benchBilling(b *testing.B, people int) *Store {
	b.Helper()
	s := openBench(b)
	s.Now = termTime
	addSchool(b, s, "DPS")
	mustImport(b, s, "students", "DPS", manyStudents(people))
	plan := planHeader
	for period := range 13 {
		for _, head := range []string{"TUITION", "ANNUAL", "LAB", "BUS", "SPORTS"} {
			for class := range 12 {
				plan += fmt.Sprintf("2026-27,2026-27/P%02d,2026-04-%02d,%d,*,%s,100.50\n", period, period+1, class+1, head)
			}
		}
	}
	mustImport(b, s, "plan", "DPS", plan)
	conceded := "admission_no,head,kind,value,reason\n"
	for no := 1001; no < 1001+people; no += 10 {
		conceded += fmt.Sprintf("%d,TUITION,percent,12.5,merit\n", no)
	}
	mustImport(b, s, "concessions", "DPS", conceded)
	rule := fees.SiblingRule{Rank: 2, Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 10_0000}
	if _, err := s.SaveRules(context.Background(), "DPS", fees.Rules{FY: "2026-27", Siblings: []fees.SiblingRule{rule}}, fees.Actor{}); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkBillingRun bills 20,000 students for five heads each, then finds
// them billed, previews, and re-prices them all; with no earlier bills, and
// with those of twelve earlier periods. peak-MB is the most that was alive more than
// before, in all of it.
func BenchmarkBillingRun(b *testing.B) {
	for _, c := range []struct{ people, earlier int }{{20_000, 0}, {20_000, 12}, {2_000, 0}} {
		b.Run(fmt.Sprintf("students=%d/earlier=%d", c.people, c.earlier), func(b *testing.B) {
			if testing.Short() && c.earlier > 0 {
				b.Skip("the earlier periods are left out of -short")
			}
			for range b.N {
				b.StopTimer()
				s := benchBilling(b, c.people)
				for period := range c.earlier {
					mustBill(b, s, "DPS", fmt.Sprintf("2026-27/P%02d", period))
				}
				peak := heapPeak(b)
				b.StartTimer()
				rate := func(what string, do func()) {
					begun := time.Now()
					do()
					b.ReportMetric(float64(c.people)/time.Since(begun).Seconds(), what+"/s")
				}
				last := "2026-27/P12"
				var first, again, priced fees.Run
				rate("first", func() { first = mustBill(b, s, "DPS", last) })
				rate("again", func() { again = mustBill(b, s, "DPS", last) })
				rate("preview", func() {
					if _, err := s.PreviewRun(context.Background(), "DPS", last, ""); err != nil {
						b.Fatal(err)
					}
				})
				b.ReportMetric(peak(), "peak-MB")
				b.StopTimer()
				dearer := planHeader
				for class := range 12 {
					dearer += fmt.Sprintf("2026-27,%s,2026-04-13,%d,*,LAB,120\n", last, class+1)
				}
				mustImport(b, s, "plan", "DPS", dearer)
				b.StartTimer()
				rate("re-price", func() { priced = reprice(b, s, last) })
				if n := int64(c.people); first.Tally.Created != n || again.Tally.Unchanged != n || priced.Tally.Updated != n {
					b.Fatalf("%+v, again %+v, re-priced %+v", first.Tally, again.Tally, priced.Tally)
				}
			}
		})
	}
}

// heapPeak watches until the answer is asked for how much more than before is
// alive, in megabytes, and answers with the most of it. What is garbage grows
// with what else the process holds, and says nothing of a run.
func heapPeak(b *testing.B) func() float64 {
	b.Helper()
	alive := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before := alive()
	most := before
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most = max(most, alive())
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-done
		return float64(most-before) / (1 << 20)
	}
}

// BenchmarkPaymentDuringRun is how long four counters wait for a receipt while
// nothing else goes on, and while a run of 20,000 students does.
func BenchmarkPaymentDuringRun(b *testing.B) {
	const people, counters = 20_000, 4
	for range b.N {
		s := benchBilling(b, people)
		mustBill(b, s, "DPS", "2026-27/P00")
		var next atomic.Int64
		// collect records payments at each counter for as long as more says.
		collect := func(more func(taken int) bool) []time.Duration {
			took := make([][]time.Duration, counters)
			var done atomic.Int64
			finished := make(chan struct{})
			for i := range counters {
				go func() {
					for more(len(took[i])) {
						begun := time.Now()
						_, err := s.RecordPayment(context.Background(), "DPS", cash(s, fmt.Sprint(1001+next.Add(7919)%people), 10_00))
						if took[i] = append(took[i], time.Since(begun)); err != nil {
							b.Error(err)
							break
						}
					}
					if done.Add(1) == counters {
						close(finished)
					}
				}()
			}
			<-finished
			return slices.Concat(took...)
		}
		alone := collect(func(taken int) bool { return taken < 250 })
		var over atomic.Bool
		go func() {
			defer over.Store(true)
			for _, period := range []string{"2026-27/P11", "2026-27/P12"} {
				mustBill(b, s, "DPS", period)
			}
		}()
		during := collect(func(int) bool { return !over.Load() })
		p99 := func(all []time.Duration) time.Duration {
			slices.Sort(all)
			return all[len(all)*99/100]
		}
		b.ReportMetric(float64(p99(alone).Microseconds())/1000, "ms-p99-alone")
		b.ReportMetric(float64(p99(during).Microseconds())/1000, "ms-p99-during")
		b.ReportMetric(float64(p99(during))/float64(p99(alone)), "times")
		b.ReportMetric(float64(len(during)), "payments-during")
	}
}
