package store

import (
	"context"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// A payment is reversed in one process while something of it is given back in
// another, at whatever step of either: one of the two is done.
func TestAPaymentIsReversedOrRefunded(t *testing.T) {
	oneThing(t)
	ctx := context.Background()
	for _, reverses := range []bool{true, false} {
		for at := int64(0); ; at++ {
			db := openTestDB(t)
			other := openOn(t, db)
			other.Now = termTime
			testSchool(t, other, "DPS", 1)
			deposit(t, other, "DPS")
			paid := mustPay(t, other, "1", 600_00)
			asked := mustAsk(t, other, refundOf(other, paid, 60_00))
			reverse := func(s *Store) error {
				_, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "wrong entry", By: accountant})
				return err
			}
			refund := func(s *Store) error { _, err := approve(s, asked, accountant); return err }
			first, second := reverse, refund
			if !reverses {
				first, second = refund, reverse
			}
			began, from := false, int64(-1)
			var errs [2]error
			s := openOn(t, docdbtest.Faulty(db, func(op docdbtest.Op) docdbtest.Fault {
				if from >= 0 && !began && op.Seq > from+at {
					began = true
					errs[1] = second(other)
				}
				return docdbtest.None
			}))
			s.Now = termTime
			from = 0
			errs[0] = first(s)
			if !began {
				break
			}
			done := 0
			for _, err := range errs {
				if err == nil {
					done++
				} else if fees.CodeOf(err) != fees.Conflict {
					t.Errorf("reverses first %t, at step %d: %v", reverses, at, err)
				}
			}
			rows := documents(t, s, payments, "institute", "DPS", "kind", fees.KindReversal) + documents(t, s, payments, "institute", "DPS", "kind", fees.KindRefund)
			if rows != 1 || done > 1 {
				t.Errorf("reverses first %t, at step %d: %d rows, %d done: %v", reverses, at, rows, done, errs)
			}
			if documents(t, s, refunds, "institute", "DPS", "active", true) != 0 {
				t.Errorf("reverses first %t, at step %d: the refund is left half done", reverses, at)
			}
			mustAudit(t, s)
			if t.Failed() {
				return
			}
		}
	}
}

// A payment whose cheques may not be written down yet gives nothing back.
func TestARefundWaitsForTheNumber(t *testing.T) {
	db := openTestDB(t)
	well := openOn(t, db)
	well.Now = termTime
	testSchool(t, well, "DPS", 1)
	deposit(t, well, "DPS")
	broken := true
	s := openOn(t, docdbtest.Faulty(db, func(op docdbtest.Op) docdbtest.Fault {
		if broken && op.Write && op.Coll == cheques {
			return docdbtest.BeforeWrite
		}
		return docdbtest.None
	}))
	s.Now = termTime
	paid := mustTake(t, s, "1", chequeTender("1", 800_00, ""))
	if !paid.Awaiting {
		t.Fatalf("numbered without its cheques: %+v", paid)
	}
	ctx := context.Background()
	_, err := s.AskRefund(ctx, "DPS", refundOf(s, paid, 1_00))
	wantCode(t, "of a receipt that awaits its number", err, fees.Conflict, "awaits its number")
	advance := fees.RefundOrder{ID: s.NewID(), Student: "1", Parts: []fees.RefundPart{{Head: fees.HeadAdvance, Amount: 1_00}}, Mode: fees.ModeCash, Reason: "Left", By: asker}
	_, err = s.AskRefund(ctx, "DPS", advance)
	wantCode(t, "of the advance", err, fees.Conflict, "awaits its number")
	broken = false
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = s.AskRefund(ctx, "DPS", advance)
	wantCode(t, "of the advance, later", err, fees.Conflict, "has not cleared")
	mustAudit(t, s)
}
