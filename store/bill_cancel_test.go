package store

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"raseed/store/docdb"
	"raseed/store/fees"
)

func cancelOrder(student, bill string) fees.CancelOrder {
	return fees.CancelOrder{Student: student, Bill: bill, Reason: "Admitted elsewhere", By: fees.Actor{Login: "meera", Name: "Meera Joshi"}}
}

func TestCancelBill(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	mustAssess(t, s, "")
	bill, err := s.CancelBill(ctx, "DPS", cancelOrder("1", lateTerm))
	if err != nil || bill.Net != 0 || bill.Cancelled == nil || bill.Cancelled.By != "Meera Joshi" || bill.Cancelled.Reason != "Admitted elsewhere" {
		t.Fatalf("cancelled it is %+v, %v", bill, err)
	}
	if bill.Revision != 1 || bill.Revisions[0].Net != 1000_00 || bill.Revisions[0].Lines[0].Gross != 1000_00 || bill.Lines[0].Gross != 0 {
		t.Errorf("what it was is not kept: %+v", bill)
	}
	if late := lateFeeOf(t, s, "1"); late.Net != 0 || late.Cancelled == nil {
		t.Errorf("its late fee stays: %+v", late)
	}
	if again, err := s.CancelBill(ctx, "DPS", cancelOrder("1", lateTerm)); err != nil || again.Revision != 1 {
		t.Errorf("again: %+v, %v", again, err)
	}
	onDay(t, s, "2026-07-01")
	mustAssess(t, s, "")
	if late := lateFeeOf(t, s, "1"); late.Net != 0 {
		t.Errorf("the late fee of a cancelled bill grows: %+v", late)
	}
	if run := mustBill(t, s, "DPS", lateTerm); run.Tally.Created != 0 || run.Tally.Changed != 0 {
		t.Errorf("a run after it: %+v; want it left alone", run.Tally)
	}
	if balances, err := s.Balances(ctx, "DPS", []string{"1"}); err != nil || balances["1"] != 0 {
		t.Errorf("the account says %v, %v", balances, err)
	}
	row := mustPay(t, s, "1", 100_00)
	if len(row.Lines) != 1 || row.Lines[0].Head != fees.HeadAdvance {
		t.Errorf("a payment settles %+v of a cancelled bill", row.Lines)
	}
	mustAudit(t, s)
}

func TestCancelBillRefuses(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	mustAssess(t, s, "")
	paid := mustPay(t, s, "2", 1_00)
	for _, c := range []struct {
		name    string
		order   fees.CancelOrder
		code    fees.Code
		message string
	}{
		{"a bill with money on it", cancelOrder("2", lateTerm), fees.Conflict, "1.00 was paid for it. Reverse the receipt first"},
		{"a late fee", cancelOrder("1", fees.LatePeriod(lateTerm)), fees.Invalid, "waived"},
		{"an opening balance", cancelOrder("3", fees.HeadOpening), fees.Invalid, "opening balance"},
		{"no bill", cancelOrder("1", "2026-27/T2"), fees.NotFound, "no such bill"},
		{"without a reason", fees.CancelOrder{Student: "1", Bill: lateTerm, Reason: " "}, fees.Invalid, "Say why"},
	} {
		_, err := s.CancelBill(ctx, "DPS", c.order)
		wantCode(t, c.name, err, c.code, c.message)
	}
	_, err := s.CancelBill(ctx, "KVS", cancelOrder("1", lateTerm))
	wantCode(t, "another institute", err, fees.NotFound, "")
	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "Wrong student", By: fees.Actor{Login: "meera"}}); err != nil {
		t.Fatal(err)
	}
	if bill, err := s.CancelBill(ctx, "DPS", cancelOrder("2", lateTerm)); err != nil || bill.Cancelled == nil {
		t.Errorf("after the receipt was reversed: %+v, %v", bill, err)
	}
	onDay(t, s, "2027-04-02")
	if err := s.CloseBooks(ctx, "DPS", "2027-03-31"); err != nil {
		t.Fatal(err)
	}
	_, err = s.CancelBill(ctx, "DPS", cancelOrder("1", lateTerm))
	wantCode(t, "a closed year", err, fees.Invalid, "closed")
	mustAudit(t, s)
}

// A bill is never both cancelled and paid by two in one process, and what two
// processes do at once is credited.
func TestCancelWhilePaying(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	var wg sync.WaitGroup
	for _, student := range []string{"1", "2", "3"} {
		for range 3 {
			wg.Go(func() { mustPay(t, s, student, 200_00) })
			wg.Go(func() {
				if _, err := s.CancelBill(ctx, "DPS", cancelOrder(student, lateTerm)); err != nil && fees.CodeOf(err) != fees.Conflict {
					t.Errorf("cancel: %v", err)
				}
			})
		}
	}
	wg.Wait()
	for _, student := range []string{"1", "2", "3"} {
		all, err := s.Bills(ctx, "DPS", student)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.StudentRows(ctx, "DPS", student)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			if sum := fees.PaidOn(rows)[b.Period]; b.Cancelled != nil && sum != 0 {
				t.Errorf("%s was cancelled with %d on it", b.ID, sum)
			}
		}
	}
	mustAudit(t, s)
}

// What belongs to a bill is cancelled with it also where it is written in the
// same moment, or one of the two who write dies before he sees the other's.
func TestCancelledAlong(t *testing.T) {
	ctx := context.Background()
	late := func(t *testing.T, s *Store, student string) (l *lateFees, change []fees.LateChange) {
		inst, err := s.Institute(ctx, "DPS")
		if err == nil {
			l, err = s.openLateFees(ctx, inst, "2026-06-15")
		}
		if err == nil {
			change, err = l.changes(ctx, []string{student})
		}
		if err != nil || len(change) != 1 {
			t.Fatalf("%+v, %v", change, err)
		}
		return l, change
	}
	mustCancel := func(t *testing.T, s *Store) {
		if _, err := s.CancelBill(ctx, "DPS", cancelOrder("1", lateTerm)); err != nil {
			t.Fatal(err)
		}
	}
	difference := nextBill("1", "T1", 300_00)
	difference.ID, difference.Period, difference.Of = difference.ID+"/D1", difference.Period+"/D1", difference.Period
	for name, do := range map[string]func(t *testing.T, s *Store){
		"a late fee that was on its way": func(t *testing.T, s *Store) {
			l, change := late(t, s, "1")
			mustCancel(t, s)
			var done fees.LateTally
			if err := l.write(ctx, change, &done); err != nil {
				t.Fatal(err)
			}
		},
		"and whose writer died": func(t *testing.T, s *Store) {
			_, change := late(t, s, "1")
			mustCancel(t, s)
			op, err := billOp(change[0].New)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.DB.BulkWrite(ctx, bills, []docdb.UpdateOp{op}, false); err != nil {
				t.Fatal(err)
			}
		},
		"a difference that was on its way": func(t *testing.T, s *Store) {
			mustCancel(t, s)
			mustWriteBills(t, s, difference)
		},
		"and who cancelled died": func(t *testing.T, s *Store) {
			mustAssess(t, s, "")
			mustWriteBills(t, s, difference)
			inst, err := s.Institute(ctx, "DPS")
			if err != nil {
				t.Fatal(err)
			}
			order := cancelOrder("1", lateTerm)
			if _, err := s.tryCancel(ctx, inst, order); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openLate(t)
			do(t, s)
			if err := s.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			all, err := s.Bills(ctx, "DPS", "1")
			if err != nil || len(all) < 2 {
				t.Fatalf("%d bills, %v", len(all), err)
			}
			for _, b := range all {
				if b.Cancelled == nil || b.Net != 0 || b.Uncounted || b.Cancelled.Reason != "Admitted elsewhere" {
					t.Errorf("%s still charges %d: %+v", b.Period, b.Net, b)
				}
			}
			wantDues(t, s, "1", "advance 0, balance 0")
			mustAudit(t, s)
		})
	}
}

// A bill that an advance settled has money on it, though no receipt names it.
func TestCancelAppliedAdvance(t *testing.T) {
	s := openTermSchool(t, 1)
	mustPay(t, s, "1", 70_000)
	mustWriteBills(t, s, nextBill("1", "T2", 50_000))
	_, err := s.CancelBill(context.Background(), "DPS", cancelOrder("1", "2026-27/T2"))
	wantCode(t, "a bill that an advance settled", err, fees.Conflict, "200.00 of an advance was used for it, by AD/26-27/00001")
}

func TestCancelAfterLeaving(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	mustBill(t, s, "DPS", "2026-27/T2")
	st, err := s.Student(ctx, "DPS", "1")
	if err != nil {
		t.Fatal(err)
	}
	st.Status, st.LeftOn = fees.StudentLeft, "2026-08-01"
	if st, err = s.SaveStudent(ctx, "DPS", st, fees.Actor{}); err != nil || st.LeftOn != "2026-08-01" {
		t.Fatalf("left: %+v, %v", st, err)
	}
	if run := mustBill(t, s, "DPS", "2026-27/T2"); run.Tally.Inactive != 1 {
		t.Errorf("a run after leaving: %+v", run.Tally)
	}
	order := fees.LeavingOrder{Student: "1", Last: st.LeftOn, Reason: "Left in August", By: fees.Actor{Name: "Meera"}}
	done, err := s.CancelAfterLeaving(ctx, "DPS", order)
	if err != nil || len(done) != 1 || done[0].Period != "2026-27/T2" || done[0].Cancelled.Reason != "Left in August" {
		t.Errorf("cancelled %+v, %v; want the second term alone", done, err)
	}
	if again, err := s.CancelAfterLeaving(ctx, "DPS", order); err != nil || len(again) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	mustPay(t, s, "2", 1500_00)
	order.Student, order.Last = "2", "2026-06-01"
	if done, err := s.CancelAfterLeaving(ctx, "DPS", order); err != nil || len(done) != 0 {
		t.Errorf("with money on both: %+v, %v; want nothing", done, err)
	}
	order.Last = ""
	_, err = s.CancelAfterLeaving(ctx, "DPS", order)
	wantCode(t, "no day", err, fees.Invalid, "date")
	order.Last, order.Student = "2026-06-01", "9"
	_, err = s.CancelAfterLeaving(ctx, "DPS", order)
	wantCode(t, "no student", err, fees.NotFound, "")

	st.Status = fees.StudentActive
	if st, err = s.SaveStudent(ctx, "DPS", st, fees.Actor{}); err != nil || st.LeftOn != "" {
		t.Errorf("back again: %+v, %v", st, err)
	}
	st.Status, st.LeftOn = fees.StudentLeft, "1 May"
	_, err = s.SaveStudent(ctx, "DPS", st, fees.Actor{})
	wantCode(t, "no date", err, fees.Invalid, "year-month-day")
	mustAudit(t, s)
}

func TestImportLeavingDay(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	head := "admission_no,name,class,category,status,left_on\n"
	mustImport(t, s, "students", "DPS", head+"1,A,5,general,left,2026-05-31\n2,B,5,general,active,\n")
	for _, c := range []struct {
		file string
		want fees.Date
	}{
		{"admission_no,name,class,category\n1,A B,5,general\n", "2026-05-31"},
		{"admission_no,name,class,category,status\n1,A B,5,general,active\n", ""},
		{head + "1,A B,5,general,left,2026-06-01\n", "2026-06-01"},
	} {
		mustImport(t, s, "students", "DPS", c.file)
		if st, err := s.Student(ctx, "DPS", "1"); err != nil || st.LeftOn != c.want {
			t.Errorf("after %q the last day is %q, %v; want %q", c.file, st.LeftOn, err, c.want)
		}
	}
	report, err := s.importers()["students"](ctx, "DPS", strings.NewReader(head+"1,A,5,general,left,31.5.2026\n"), true)
	if err != nil || !slices.ContainsFunc(report.Problems, func(p fees.ImportProblem) bool { return p.Line == 2 && p.Column == "left_on" }) {
		t.Errorf("no date: %+v, %v", report, err)
	}
}

// The bill of a refund is not cancelled, and that is said in words of its own.
func TestTheBillOfARefundIsNotCancelled(t *testing.T) {
	s, ctx := openDepositSchool(t), context.Background()
	paid := mustPay(t, s, "1", 600_00)
	r, err := approve(s, mustAsk(t, s, refundOf(s, paid, 60_00)), accountant)
	if err != nil {
		t.Fatal(err)
	}
	row, err := s.refunded(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.CancelBill(ctx, "DPS", fees.CancelOrder{Student: "1", Bill: fees.RefundPeriod(row.FY, row.ShortID()), Reason: "not needed", By: bankAdmin})
	wantCode(t, "cancel", err, fees.Invalid, "stands for what was given back by a refund")
	mustAudit(t, s)
}
