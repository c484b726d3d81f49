package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// adjustmentsOf are the adjustments of a student, as text, each with its lines.
func adjustmentsOf(t *testing.T, s *Store, student string) []string {
	t.Helper()
	rows, err := s.StudentRows(context.Background(), "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range rows {
		if r.Kind != fees.KindAdjustment {
			continue
		}
		text := fees.After(r.ID) + " " + r.NumberText
		for _, l := range r.Lines {
			text += fmt.Sprintf(", %s %s %d", l.Bill, l.Head, l.Amount)
		}
		all = append(all, text)
	}
	return all
}

func wantAdjustments(t *testing.T, s *Store, student string, want ...string) {
	t.Helper()
	if got := adjustmentsOf(t, s, student); !slices.Equal(got, want) {
		t.Errorf("the adjustments of %s are\n%s\nwant\n%s", student, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// nextBill is a bill of one more term.
func nextBill(student, term string, net fees.Amount) fees.Bill {
	period := "2026-27/" + term
	return fees.Bill{
		ID: fees.Key("DPS", student, period), Institute: "DPS", Student: student, FY: "2026-27", Period: period, Title: period,
		DueDate: fees.Date("2026-1" + term[1:] + "-10"), Net: net, CreatedAt: termTime(),
		Lines: []fees.BillLine{{Head: "TUITION", HeadName: "Tuition", Gross: net, Net: net}},
	}
}

func mustWriteBills(t *testing.T, s *Store, all ...fees.Bill) {
	t.Helper()
	if _, err := s.writeBills(context.Background(), "DPS", all); err != nil {
		t.Fatal(err)
	}
}

func mustPay(t *testing.T, s *Store, student string, amount fees.Amount) fees.Row {
	t.Helper()
	row, err := s.RecordPayment(context.Background(), "DPS", cash(s, student, amount))
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func mustReverse(t *testing.T, s *Store, row fees.Row) fees.Row {
	t.Helper()
	back, err := s.ReversePayment(context.Background(), "DPS", fees.ReversalOrder{ID: fees.After(row.ID), Reason: "bounced", By: fees.Actor{Login: "ravi", Name: "Ravi"}})
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func wantDues(t *testing.T, s *Store, student, want string) {
	t.Helper()
	d, err := s.Dues(context.Background(), "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, l := range d.Lines {
		got += fmt.Sprintf("%s %s %d, ", l.Bill, l.Head, l.Open)
	}
	if got += fmt.Sprintf("advance %d, balance %d", d.Advance, d.Balance); got != want {
		t.Errorf("the dues of %s are %s, want %s", student, got, want)
	}
}

// openTermSchool is a school in term time whose students owe 500.00 each.
func openTermSchool(t *testing.T, n int) *Store {
	s := openTest(t)
	s.Now = termTime
	testSchool(t, s, "DPS", n)
	return s
}

// What was paid in advance settles the next bill by a row of its own, which
// moves no money; the rest settles the one after.
func TestAdvanceIsAppliedToTheNextBills(t *testing.T) {
	s := openTermSchool(t, 2)
	mustPay(t, s, "1", 120_000)
	wantAdjustments(t, s, "1")
	mustWriteBills(t, s, nextBill("1", "T2", 50_000), nextBill("2", "T2", 50_000))
	wantAdjustments(t, s, "1", "1:2026-27/T2:advance AD/26-27/00001,  ADVANCE -50000, 2026-27/T2 TUITION 50000")
	wantAdjustments(t, s, "2")
	mustWriteBills(t, s, nextBill("1", "T2", 50_000))
	mustWriteBills(t, s, nextBill("1", "T3", 60_000))
	wantAdjustments(t, s, "1", "1:2026-27/T2:advance AD/26-27/00001,  ADVANCE -50000, 2026-27/T2 TUITION 50000",
		"1:2026-27/T3:advance AD/26-27/00002,  ADVANCE -20000, 2026-27/T3 TUITION 20000")
	wantDues(t, s, "1", "2026-27/T3 TUITION 40000, advance 0, balance 40000")
	row, err := s.Row(context.Background(), "DPS", "1:2026-27/T3:advance")
	if err != nil || row.Total != 0 || row.Tenders != nil || row.BalanceAfter != 40_000 || row.StudentName != "Student 1" || row.CashierName != "Raseed" ||
		row.Reason != "Advance applied when 2026-27/T3 was billed" || row.Status() != fees.StatusAdjustment {
		t.Errorf("the adjustment is %+v (%v)", row, err)
	}
	wantAccount(t, s, "1", 160_000, 120_000, 3, 3)
	if len(mustAudit(t, s).Series) != 2 {
		t.Error("the audit did not meet the series of adjustments")
	}
}

// An opening balance in the payer's favour is used like an advance, and a run
// is named as the one who did it.
func TestOpeningCreditIsApplied(t *testing.T) {
	s, _ := openSchool(t)
	mustImport(t, s, "students", "DPS", studentsCSV("1,Asha,5,,general,,,,,,-700.00", "2,Ravi,5,,general,,,,,,0"))
	mustImport(t, s, "plan", "DPS", "fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T1,2026-04-10,*,*,TUITION,500\n2026-27,2026-27/T2,2026-08-10,*,*,TUITION,500\n")
	for _, period := range []string{"2026-27/T1", "2026-27/T2", "2026-27/T2"} {
		mustBill(t, s, "DPS", period)
	}
	wantAdjustments(t, s, "1", "1:2026-27/T1:advance AD/26-27/00001, OPENING OPENING -50000, 2026-27/T1 TUITION 50000",
		"1:2026-27/T2:advance AD/26-27/00002, OPENING OPENING -20000, 2026-27/T2 TUITION 20000")
	wantAdjustments(t, s, "2")
	row, err := s.Row(context.Background(), "DPS", "1:2026-27/T1:advance")
	if err != nil || row.CashierName != "Meera" {
		t.Errorf("the adjustment is by %q (%v), want Meera, who ran the billing", row.CashierName, err)
	}
	wantDues(t, s, "1", "2026-27/T2 TUITION 30000, advance 0, balance 30000")
	mustAudit(t, s)
}

// What two counters took for one line settles the next bill.
func TestOverpaidLineIsApplied(t *testing.T) {
	s := openTermSchool(t, 1)
	paid := mustPay(t, s, "1", 50_000)
	again := paid
	again.ID = fees.Key("DPS", s.NewID())
	again.Body, again.Awaiting = "", true
	if _, err := s.writeRow(context.Background(), attached{}.on(again)); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	mustWriteBills(t, s, nextBill("1", "T2", 80_000))
	wantAdjustments(t, s, "1", "1:2026-27/T2:advance AD/26-27/00001, 2026-27/T1 TUITION -50000, 2026-27/T2 TUITION 50000")
	wantDues(t, s, "1", "2026-27/T2 TUITION 30000, advance 0, balance 30000")
	mustAudit(t, s)
}

// A difference in the payer's favour settles what is open already.
func TestCreditBillIsApplied(t *testing.T) {
	s := openTermSchool(t, 1)
	mustPay(t, s, "1", 50_000)
	mustWriteBills(t, s, nextBill("1", "T2", 80_000))
	less := nextBill("1", "T1", -30_000)
	less.ID, less.Period, less.Of = less.ID+"/D1", less.Period+"/D1", less.Period
	mustWriteBills(t, s, less)
	wantAdjustments(t, s, "1", "1:2026-27/T1/D1:advance AD/26-27/00001, 2026-27/T1/D1 TUITION -30000, 2026-27/T2 TUITION 30000")
	wantDues(t, s, "1", "2026-27/T2 TUITION 50000, advance 0, balance 50000")
	mustAudit(t, s)
}

// A payment whose advance is used can be taken back: the newest bills are owed
// again, by an adjustment that is there before the reversal has its number.
func TestReversalGivesTheAdvanceBack(t *testing.T) {
	s := openTermSchool(t, 1)
	early := mustPay(t, s, "1", 50_000)
	paid := mustPay(t, s, "1", 90_000)
	mustWriteBills(t, s, nextBill("1", "T2", 50_000))
	mustWriteBills(t, s, nextBill("1", "T3", 50_000))
	wantDues(t, s, "1", "2026-27/T3 TUITION 10000, advance 0, balance 10000")
	back := mustReverse(t, s, paid)
	wantDues(t, s, "1", "2026-27/T2 TUITION 50000, 2026-27/T3 TUITION 50000, advance 0, balance 100000")
	id := fees.After(back.ID) + ":advance"
	all := adjustmentsOf(t, s, "1")
	want := id + " AD/26-27/00003, 2026-27/T3 TUITION -40000, 2026-27/T2 TUITION -50000,  ADVANCE 90000"
	if !slices.Contains(all, want) || len(all) != 3 {
		t.Errorf("the adjustments are\n%s\nand lack %s", strings.Join(all, "\n"), want)
	}
	if mustReverse(t, s, paid).NumberText != back.NumberText || len(adjustmentsOf(t, s, "1")) != 3 {
		t.Error("reversed again, it was adjusted again")
	}
	row, err := s.Row(context.Background(), "DPS", id)
	if err != nil || row.Cashier != "ravi" || row.BalanceAfter != 100_000 {
		t.Errorf("the adjustment is %+v (%v)", row, err)
	}
	mustReverse(t, s, early)
	wantDues(t, s, "1", "2026-27/T1 TUITION 50000, 2026-27/T2 TUITION 50000, 2026-27/T3 TUITION 50000, advance 0, balance 150000")
	mustAudit(t, s)
}

// What a reversal reopens is settled by what is still held in advance.
func TestReversalIsSettledFromAnAdvance(t *testing.T) {
	s := openTermSchool(t, 1)
	paid := mustPay(t, s, "1", 50_000)
	mustPay(t, s, "1", 20_000)
	back := mustReverse(t, s, paid)
	wantAdjustments(t, s, "1", fees.After(back.ID)+":advance AD/26-27/00001,  ADVANCE -20000, 2026-27/T1 TUITION 20000")
	wantDues(t, s, "1", "2026-27/T1 TUITION 30000, advance 0, balance 30000")
	mustAudit(t, s)
}

// A bill whose writer died before he applied the advance is adjusted by the
// sweep, also when others were billed and counted since.
func TestSweepAppliesAdvances(t *testing.T) {
	s := openTermSchool(t, 1)
	ctx := context.Background()
	mustPay(t, s, "1", 120_000)
	op, err := billOp(nextBill("1", "T2", 100_000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.BulkWrite(ctx, bills, []docdb.UpdateOp{op}, false); err != nil {
		t.Fatal(err)
	}
	mustWriteBills(t, s, nextBill("1", "T3", 50_000))
	for range 2 {
		if err := s.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		wantAdjustments(t, s, "1", "1:2026-27/T2:advance AD/26-27/00001,  ADVANCE -70000, 2026-27/T2 TUITION 70000")
	}
	wantDues(t, s, "1", "2026-27/T2 TUITION 30000, 2026-27/T3 TUITION 50000, advance 0, balance 80000")
	mustAudit(t, s)
}

// Closed books get no row: the advance counts all the same.
func TestNoAdjustmentInClosedBooks(t *testing.T) {
	s := openTermSchool(t, 1)
	mustPay(t, s, "1", 70_000)
	if _, err := s.DB.UpdateOne(context.Background(), institutes, one("DPS", "DPS")[:1], set("closedTo", "2026-06-30"), docdb.Update{}); err != nil {
		t.Fatal(err)
	}
	mustWriteBills(t, s, nextBill("1", "T2", 50_000))
	wantAdjustments(t, s, "1")
	wantDues(t, s, "1", "2026-27/T2 TUITION 30000, advance 0, balance 30000")
	mustAudit(t, s)
}

// Many write the same bills at once, on processes of their own: one advance is
// used once.
func TestAdvanceIsAppliedOnceByMany(t *testing.T) {
	s := openTermSchool(t, 40)
	for i := range 40 {
		mustPay(t, s, fmt.Sprint(i+1), 70_000)
	}
	var writers sync.WaitGroup
	for range 6 {
		other := openOn(t, s.DB)
		other.Now = termTime
		writers.Go(func() {
			all := make([]fees.Bill, 40)
			for i := range all {
				all[i] = nextBill(fmt.Sprint(i+1), "T2", 50_000)
			}
			if _, err := other.writeBills(context.Background(), "DPS", all); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	if err := s.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if n := len(adjustmentsOf(t, s, fmt.Sprint(i+1))); n != 1 {
			t.Errorf("student %d has %d adjustments, want 1", i+1, n)
		}
		wantDues(t, s, fmt.Sprint(i+1), "2026-27/T2 TUITION 30000, advance 0, balance 30000")
		wantAccount(t, s, fmt.Sprint(i+1), 100_000, 70_000, 2, 2)
	}
	mustAudit(t, s)
}
