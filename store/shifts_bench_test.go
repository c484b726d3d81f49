package store

import (
	"context"
	"fmt"
	"testing"

	"raseed/store/fees"
)

// BenchmarkShiftStrip is what each page of the counter pays to show what is in
// the till: the till and the cash of its rows.
func BenchmarkShiftStrip(b *testing.B) {
	for _, rows := range []int{100, 2000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s, ctx := openBench(b), context.Background()
			testSchool(b, s, "DPS", 1)
			shift, err := s.OpenShift(ctx, "DPS", fees.ShiftOrder{ID: s.NewID(), By: asha})
			if err != nil {
				b.Fatal(err)
			}
			made := make([]fees.Row, rows)
			for i := range made {
				id := s.NewID()
				made[i] = fees.Row{ID: fees.Key("DPS", id), Institute: "DPS", Kind: fees.KindPayment, Student: "1", Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: 100}}, Total: 100, Digest: id,
					Lines: []fees.Line{{Head: fees.HeadAdvance, HeadName: "Advance", Amount: 100}}}
				made[i].EnterTill(shift.ShortID())
			}
			if _, err := s.writeRows(ctx, made); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, _, err := s.ShiftOf(ctx, "DPS", "asha"); err != nil {
					b.Fatal(err)
				}
				if cash, err := s.ShiftCash(ctx, "DPS", shift.ShortID()); err != nil || cash != fees.Amount(100*rows) {
					b.Fatal(cash, err)
				}
			}
		})
	}
}
