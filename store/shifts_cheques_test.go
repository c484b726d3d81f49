package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
)

// What is handed over with a till is what was in it when it was closed: what went
// to the bank or back to the payer before that is not, and what becomes of the
// others later changes nothing.
func TestShiftCheques(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	clock := time.Date(2026, 11, 30, 4, 30, 0, 0, time.UTC)
	s.Now = func() time.Time { return clock }
	testSchool(t, s, "DPS", 3)
	mustTake(t, s, "1", chequeTender("100", 10_00, "")) // before the till was opened
	shift := openTill(t, s, "DPS", asha, 0)
	clock = clock.Add(time.Minute)
	take := func(student, number string) fees.Row {
		o := cash(s, student, 1_00)
		o.Shift, o.By = shift.ShortID(), asha
		o.Tenders = append(o.Tenders, chequeTender(number, 20_00, ""))
		return mustRecord(t, s, "DPS", o)
	}
	kept, banked, wrong := take("1", "200"), take("2", "300"), take("3", "400")
	if all, err := s.ShiftCheques(ctx, shift); err != nil || len(all) != 0 {
		t.Errorf("an open till hands over %v, %v", all, err)
	}
	mustDeposit(t, s, banked.ShortID()+":1")
	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: wrong.ShortID(), Reason: "wrong student", By: asha}); err != nil {
		t.Fatal(err)
	}
	closed, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Note: "counted", By: asha})
	if err != nil {
		t.Fatal(err)
	}
	for _, later := range []string{"at once", "later"} {
		all, err := s.ShiftCheques(ctx, closed)
		var numbers []string
		for _, c := range all {
			numbers = append(numbers, c.Number)
		}
		if got := strings.Join(numbers, " "); err != nil || got != "200" {
			t.Errorf("%s: handed over are %q, %v", later, got, err)
		}
		clock = clock.Add(time.Hour)
		if later == "at once" {
			mustDeposit(t, s, kept.ShortID()+":1")
		}
	}
}
