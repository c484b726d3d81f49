package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"raseed/store/fees"
)

// fixedNow is noon of 30 November 2026 in India.
func fixedNow() time.Time { return time.Date(2026, 11, 30, 6, 30, 0, 0, time.UTC) }

func TestRegisterPagesByKey(t *testing.T) {
	s := openTest(t)
	s.Now = fixedNow
	testSchool(t, s, "P", 3)
	testSchool(t, s, "Q", 1)
	ctx := context.Background()
	for i := range 25 {
		o := cash(s, fmt.Sprint(1+i%3), fees.Amount(100+i))
		o.Date = fees.Date("2026-11-30").AddDays(-(i % 4))
		if i%5 == 0 {
			o.Tenders = append(o.Tenders, fees.Tender{Mode: fees.ModeUPI, Amount: 7, Ref: fmt.Sprintf("UPI%06d", 123456+i)})
		}
		row, err := s.RecordPayment(ctx, "P", o)
		if err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			if _, err := s.ReversePayment(ctx, "P", fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := s.RecordPayment(ctx, "Q", cash(s, "1", 999)); err != nil {
		t.Fatal(err)
	}
	filters := map[string]struct {
		f    fees.RegisterFilter
		want func(fees.Row) bool
		part func(fees.Row) fees.Amount // of the row's money; nil for all
	}{
		"all":       {fees.RegisterFilter{}, func(fees.Row) bool { return true }, nil},
		"days":      {fees.RegisterFilter{From: "2026-11-28", To: "2026-11-29"}, func(r fees.Row) bool { return r.Date == "2026-11-28" || r.Date == "2026-11-29" }, nil},
		"upi":       {fees.RegisterFilter{Mode: fees.ModeUPI}, func(r fees.Row) bool { return len(r.Tenders) == 2 }, func(r fees.Row) fees.Amount { return r.Tenders[1].Amount }},
		"reversed":  {fees.RegisterFilter{Status: fees.StatusReversed}, func(r fees.Row) bool { return r.ReversedBy != "" }, nil},
		"reversals": {fees.RegisterFilter{Status: fees.StatusReversal}, func(r fees.Row) bool { return r.Kind == fees.KindReversal }, nil},
		"issued":    {fees.RegisterFilter{Status: fees.StatusIssued}, func(r fees.Row) bool { return r.Kind == fees.KindPayment && r.ReversedBy == "" }, nil},
		"pending":   {fees.RegisterFilter{Status: fees.StatusPending}, func(fees.Row) bool { return false }, nil},
		"nobody":    {fees.RegisterFilter{Cashier: "nobody"}, func(fees.Row) bool { return false }, nil},
	}
	var every []fees.Row
	for r, err := range s.RegisterRows(ctx, "P", fees.RegisterFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		every = append(every, r)
	}
	if len(every) != 28 {
		t.Fatalf("the register has %d rows, want 25 payments and 3 reversals", len(every))
	}
	for name, c := range filters {
		for _, size := range []int64{1, 7, 28, 100} {
			var got []fees.Row
			after := ""
			for {
				page, err := s.Register(ctx, "P", c.f, after, size)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				got = append(got, page.Items...)
				if after = page.Next; after == "" {
					break
				}
			}
			var want []fees.Row
			var sum fees.Amount
			for _, r := range every {
				if c.want(r) {
					want = append(want, r)
					if c.part != nil {
						sum += c.part(r)
					} else {
						sum += r.Total
					}
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%s in pages of %d: %d rows, want %d", name, size, len(got), len(want))
			}
			for i := range got {
				if got[i].ID != want[i].ID {
					t.Fatalf("%s in pages of %d: row %d is %s, want %s", name, size, i, got[i].ID, want[i].ID)
				}
			}
			total, err := s.RegisterTotal(ctx, "P", c.f)
			if err != nil || total.Count != int64(len(want)) || total.Total != sum {
				t.Errorf("%s: total %+v (%v), want %d rows and %d", name, total, err, len(want), sum)
			}
		}
	}
	for _, bad := range []string{"x", "2026-11-30", "2026-13-30~" + s.NewID(), "2026-11-30~Q:" + s.NewID(), "2026-11-30~"} {
		if _, err := s.Register(ctx, "P", fees.RegisterFilter{}, bad, 5); fees.CodeOf(err) != fees.Invalid {
			t.Errorf("cursor %q: %v, want it refused", bad, err)
		}
	}
	found, err := s.RowsByNumber(ctx, "P", " p/26-27/00003 ", 5)
	if err != nil || len(found) != 1 || found[0].Number != 3 {
		t.Errorf("by number: %+v, %v", found, err)
	}
	if found, err := s.RowsByNumber(ctx, "Q", "P/26-27/00003", 5); err != nil || len(found) != 0 {
		t.Errorf("another institute's receipt was found: %+v, %v", found, err)
	}
}
