package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"raseed/store/fees"
)

// What is reversed of a till's receipts goes through it while it is open, whoever
// does it. What was taken back through another till, or none, is told apart, and
// changes no sum of it.
func TestShiftElsewhere(t *testing.T) {
	s, ctx := openDepositSchool(t), context.Background()
	now := s.Now()
	s.Now = func() time.Time { return now }
	shift := openTill(t, s, "DPS", asha, 1000_00)
	other := openTill(t, s, "DPS", meera, 1000_00)
	mine := func(student string, amount fees.Amount) fees.Row {
		o := cash(s, student, amount)
		o.By = asha
		return mustRecord(t, s, "DPS", o)
	}
	refunded, byOther, byNone, own, later := mine("1", 600_00), mine("1", 10_00), mine("1", 20_00), mine("1", 30_00), mine("1", 40_00)
	before, err := s.ShiftSums(ctx, shift)
	if err != nil {
		t.Fatal(err)
	}
	reverse := func(row fees.Row, by fees.Actor) {
		now = now.Add(time.Minute)
		if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong student", By: by}); err != nil {
			t.Fatal(err)
		}
	}
	reverse(byOther, meera)
	reverse(byNone, accountant)
	reverse(own, asha)
	for _, amount := range []fees.Amount{5_00, 6_00} {
		now = now.Add(time.Minute)
		o := refundOf(s, refunded, amount)
		o.By = meera
		if _, err := approve(s, mustAsk(t, s, o), accountant); err != nil {
			t.Fatal(err)
		}
	}
	after, err := s.ShiftSums(ctx, shift)
	if err != nil || after.Cash != before.Cash-byOther.Total-byNone.Total-own.Total {
		t.Errorf("the till has %d in cash, and had %d, %v", after.Cash, before.Cash, err)
	}
	now = now.Add(time.Minute)
	if _, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Other: 1640_00, By: asha}); err != nil {
		t.Fatal(err)
	}
	reverse(later, meera)
	all, err := s.ShiftElsewhere(ctx, shift)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, b := range all {
		got += fmt.Sprintf("%s by %s %s %d, through %t; ", b.Receipt.NumberText, b.By.CashierName, b.By.Kind, b.By.Total, b.By.Shift == other.ShortID())
	}
	want := ""
	for _, amount := range []string{"-500", "-600"} {
		want += fmt.Sprintf("%s by Meera refund %s, through true; ", refunded.NumberText, amount)
	}
	want += fmt.Sprintf("%s by Meera reversal -4000, through true; ", later.NumberText)
	if got != want {
		t.Errorf("taken back elsewhere: %s, want %s", got, want)
	}
	if none, err := s.ShiftElsewhere(ctx, other); err != nil || len(none) != 0 {
		t.Errorf("of the other till: %+v, %v", none, err)
	}
	mustAudit(t, s)
}

// A refund in cash is no more than the till has through which it is handed out,
// whether it is approved or was approved before.
func TestARefundIsInTheTill(t *testing.T) {
	s := openDepositSchool(t)
	paid := mustPay(t, s, "1", 600_00)
	shift := openTill(t, s, "DPS", asker, 50_00)
	asked := mustAsk(t, s, refundOf(s, paid, 60_00))
	_, err := approve(s, asked, accountant)
	wantCode(t, "more than there is", err, fees.Conflict, "There is 50.00 in the till of "+shift.CashierName)
	if r, err := s.Refund(context.Background(), "DPS", asked.ShortID()); err != nil || r.State != fees.RefundRequested || r.Active {
		t.Errorf("the refund is %+v, %v", r, err)
	}
	if n := documents(t, s, payments, "institute", "DPS", "kind", fees.KindRefund); n != 0 {
		t.Errorf("%d refunds were written", n)
	}
	if _, err := approve(s, mustAsk(t, s, refundOf(s, paid, 50_00)), accountant); err != nil {
		t.Errorf("all there is: %v", err)
	}
	card := refundOf(s, paid, 10_00)
	card.Mode = fees.ModeTransfer
	if _, err := approve(s, mustAsk(t, s, card), accountant); err != nil {
		t.Errorf("not in cash: %v", err)
	}
	mustAudit(t, s)
}
