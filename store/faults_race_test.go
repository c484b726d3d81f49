package store

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/fees"
)

// till is who reverses here.
var till = fees.Actor{Login: "asha", Name: "Asha R", Role: fees.RoleAccountant}

// twoProcesses are two stores on one database, as two servers on one MongoDB:
// they share no lock and no queue.
func twoProcesses(t *testing.T) [2]*Store {
	t.Helper()
	db := openTestDB(t)
	return [2]*Store{openOn(t, db), openOn(t, db)}
}

// inSeries fails unless the audit is clean and the series has this many
// numbers, 1 to n.
func inSeries(t *testing.T, s *Store, institute string, series fees.Series, n int64) {
	t.Helper()
	for _, r := range mustAudit(t, s).Series {
		if r.Institute == institute && r.Series == series {
			if r.First != 1 || r.Last != n || r.Count != n || r.Awaiting != 0 {
				t.Errorf("%s: first %d, last %d, %d rows, %d awaiting; want 1 to %d", series, r.First, r.Last, r.Count, r.Awaiting, n)
			}
			return
		}
	}
	t.Errorf("there is no %s", series)
}

// 500 payments, each reversed twice by 20 workers in two processes: exactly 500
// reversals, all in their series, each with its one charge.
func TestFiveHundredReversedTwice(t *testing.T) {
	const payers, each, workers = 50, 10, 20
	ctx := context.Background()
	both := twoProcesses(t)
	s := both[0]
	testSchool(t, s, "P", payers)
	paid := make([]fees.Row, payers*each)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(paid); i += workers {
				row, err := both[w%2].RecordPayment(ctx, "P", cash(s, fmt.Sprint(1+i%payers), 10_00))
				if err != nil {
					t.Errorf("payment %d: %v", i, err)
				}
				paid[i] = row
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	var next atomic.Int64
	for w := range workers {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= 2*len(paid) {
					return
				}
				row := paid[i/2] // the other attempt is under way, too
				got, err := both[w%2].ReversePayment(ctx, "P", fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry", Charge: 1_00, By: till})
				if err != nil || got.Reverses != row.ID || got.Total != -row.Total {
					t.Errorf("reverse %s: %+v, %v", row.NumberText, got, err)
				}
			}
		})
	}
	all.Wait()
	inSeries(t, s, "P", fees.SeriesReceipt, payers*each)
	inSeries(t, s, "P", fees.SeriesReversal, payers*each)
	for i := range payers {
		dues, err := s.Dues(ctx, "P", fmt.Sprint(1+i))
		if err != nil || dues.Balance != 500_00+each*1_00 {
			t.Errorf("student %d owes %d, %v; want the bill and ten charges", 1+i, dues.Balance, err)
		}
	}
}

// The same receipt reversed twenty times at once, in two processes and with
// reasons and charges that differ: one reversal, and the charge that it says.
func TestOneReceiptReversedTwentyTimes(t *testing.T) {
	ctx := context.Background()
	both := twoProcesses(t)
	testSchool(t, both[0], "P", 1)
	paid, err := both[0].RecordPayment(ctx, "P", cash(both[0], "1", 500_00))
	if err != nil {
		t.Fatal(err)
	}
	var answers [20]fees.Row
	var all sync.WaitGroup
	for n := range answers {
		all.Go(func() {
			var err error
			o := fees.ReversalOrder{ID: paid.ShortID(), Reason: fmt.Sprint("reason ", n), Charge: fees.Amount(n+1) * 1_00, By: till}
			if answers[n], err = both[n%2].ReversePayment(ctx, "P", o); err != nil {
				t.Errorf("reversal %d: %v", n, err)
			}
		})
	}
	all.Wait()
	for n, got := range answers {
		if got.ID != answers[0].ID || got.Reason != answers[0].Reason || got.Number != 1 || got.Charge != answers[0].Charge {
			t.Errorf("reversal %d is answered with %s %q number %d, another than the first", n, got.ID, got.Reason, got.Number)
		}
	}
	inSeries(t, both[0], "P", fees.SeriesReversal, 1)
	dues, err := both[0].Dues(ctx, "P", "1")
	if err != nil || dues.Balance != 500_00+answers[0].Charge {
		t.Errorf("owed %d, %v; want the bill and the one charge of %d", dues.Balance, err, answers[0].Charge)
	}
}

// The machine's clock is set back an hour, and forwards again, while eight
// cashiers collect, once across midnight into the year before: no number is
// lost or given twice, and each row is in the year of its date.
func TestClockSetBackWhileCollecting(t *testing.T) {
	const cashiers, each = 8, 12
	ctx := context.Background()
	both := twoProcesses(t)
	s := both[0]
	// 1 April 00:20 in Kolkata: an hour back is 31 March, another year.
	noon := time.Date(2027, 3, 31, 18, 50, 0, 0, time.UTC)
	var clock atomic.Pointer[time.Time]
	clock.Store(&noon)
	for _, p := range both {
		p.Now = func() time.Time { return *clock.Load() }
	}
	back := noon.Add(-time.Hour)
	clock.Store(&back)
	inst := testSchool(t, s, "P", cashiers)
	clock.Store(&noon)
	var all sync.WaitGroup
	var taken atomic.Int64
	perYear := sync.Map{} // of *atomic.Int64, by FY
	for c := range cashiers {
		all.Go(func() {
			for range each {
				row, err := both[c%2].RecordPayment(ctx, "P", cash(s, fmt.Sprint(1+c), 10_00))
				if err != nil {
					t.Errorf("cashier %d: %v", c, err)
					return
				}
				if row.FY != inst.FY(row.Date) || row.Number == 0 {
					t.Errorf("%s of %s is in the year %s", row.NumberText, row.Date, row.FY)
				}
				n, _ := perYear.LoadOrStore(row.FY, new(atomic.Int64))
				n.(*atomic.Int64).Add(1)
				switch taken.Add(1) {
				case cashiers * each / 3:
					clock.Store(&back)
				case cashiers * each * 2 / 3:
					clock.Store(&noon)
				}
			}
		})
	}
	all.Wait()
	years := 0
	for _, r := range mustAudit(t, s).Series {
		years++
		n, ok := perYear.Load(r.FY)
		if !ok || r.First != 1 || r.Last != r.Count || r.Count != n.(*atomic.Int64).Load() || r.Awaiting != 0 {
			t.Errorf("%s %s: %+v, want each receipt of that year once", r.Series, r.FY, r)
		}
	}
	if years != 2 {
		t.Errorf("receipts are in %d years, want 2: the clock was not set back over midnight", years)
	}
}
