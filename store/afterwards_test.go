package store

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"raseed/store/fees"
)

// Whatever two processes do at once to the same students after billing, nothing
// of a cancelled bill is owed unless it was paid, every sum is what the rows
// say, and the audit is content.
func TestAfterwardsAtOnce(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(6) {
		s := openLate(t)
		onDay(t, s, "2026-07-01")
		other := openOn(t, s.DB)
		other.Now = s.Now
		trip := fees.ChargeOrder{ID: s.NewID(), Title: "Trip", Head: "TUITION", Amount: 75_00, DueDate: "2026-07-05", Class: "5"}
		var wg sync.WaitGroup
		for worker := range uint64(6) {
			s := []*Store{s, other}[worker%2]
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(seed, worker))
				for range 12 {
					student := []string{"1", "2", "3"}[rng.IntN(3)]
					var err error
					switch rng.IntN(7) {
					case 0:
						_, err = s.CancelBill(ctx, "DPS", cancelOrder(student, lateTerm))
					case 1:
						_, err = s.AssessLateFees(ctx, "DPS", fees.Date("2026-06-13").AddDays(rng.IntN(18)))
					case 2:
						_, err = s.WaiveLateFee(ctx, "DPS", fees.WaiverOrder{Student: student, Bill: fees.LatePeriod(lateTerm), Revision: int64(rng.IntN(4)), Amount: 5_00, Reason: "Flood", By: fees.Actor{Name: "Meera"}})
					case 3:
						_, err = s.PlaceCharge(ctx, "DPS", trip)
					case 4:
						_, err = s.CancelAfterLeaving(ctx, "DPS", fees.LeavingOrder{Student: student, Last: "2026-07-01", Reason: "Left"})
					default:
						var row fees.Row
						if row, err = s.RecordPayment(ctx, "DPS", cash(s, student, fees.Amount(1+rng.IntN(1500_00)))); err == nil && rng.IntN(2) == 0 {
							_, err = s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: row.ShortID(), Reason: "Wrong entry", By: fees.Actor{Name: "Meera"}})
						}
					}
					switch fees.CodeOf(err) {
					case "", fees.Conflict, fees.Invalid, fees.NotFound:
					default:
						t.Errorf("seed %d: %v", seed, err)
					}
				}
			})
		}
		wg.Wait()
		if err := s.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		mustAudit(t, s)
		for _, student := range []string{"1", "2", "3"} {
			all, err := s.Bills(ctx, "DPS", student)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := s.StudentRows(ctx, "DPS", student)
			if err != nil {
				t.Fatal(err)
			}
			paid, void := fees.PaidOn(rows), map[string]bool{}
			var billed, received fees.Amount
			for _, b := range all {
				void[b.Period], billed = b.Cancelled != nil, billed+b.Net
			}
			for _, b := range all {
				if void[b.Of] && b.Cancelled == nil && paid[b.Period] == 0 {
					t.Errorf("seed %d: %s of a cancelled bill still charges %d", seed, b.ID, b.Net)
				}
			}
			for _, r := range rows {
				received += r.Total
			}
			d := fees.DuesOf(all, rows)
			for _, l := range d.Lines {
				if void[l.Bill] {
					t.Errorf("seed %d: %d is owed of the cancelled %s of %s", seed, l.Open, l.Bill, student)
				}
			}
			if d.Balance != billed-received || d.Due-d.Advance != d.Balance {
				t.Errorf("seed %d: %s owes %d; %d billed, %d received", seed, student, d.Balance, billed, received)
			}
		}
	}
}
