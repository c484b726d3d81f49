package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"raseed/store/docdb"
	"raseed/store/fees"
)

const repriced = "2026-27/T1"

// tuition is a plan of one head for everybody.
func tuition(amount string) string {
	return planHeader + "2026-27,2026-27/T1,2026-04-10,*,*,TUITION," + amount + "\n"
}

// reprice runs the period and brings the bills that are there to the plan.
func reprice(t testing.TB, s *Store, period string) fees.Run {
	t.Helper()
	id := s.NewID()
	if _, err := s.StartRun(context.Background(), "DPS", fees.RunOrder{ID: id, Period: period, Reprice: true, By: fees.Actor{Name: "Meera"}}); err != nil {
		t.Fatalf("start run of %s: %v", period, err)
	}
	run, err := s.ExecuteRun(context.Background(), "DPS", id)
	if err != nil {
		t.Fatalf("run of %s: %v", period, err)
	}
	return run
}

// billsOf are a student's bills in words: period, net and revision.
func billsOf(t testing.TB, s *Store, student string) string {
	t.Helper()
	all, err := s.Bills(context.Background(), "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, b := range all {
		words = append(words, fmt.Sprintf("%s %s r%d", b.Period, fees.Institute{Currency: "INR", Decimals: 2}.Money().Format(b.Net), b.Revision))
	}
	return strings.Join(words, ", ")
}

func TestReprice(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,", "2,B,5,,general,,,,,,", "3,C,5,,general,,,,,,", "4,D,5,,general,,,,,,", "5,E,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	mustBill(t, s, "DPS", repriced)
	paid, err := s.RecordPayment(ctx, "DPS", cash(s, "2", 40_00))
	if err != nil {
		t.Fatal(err)
	}
	back, err := s.RecordPayment(ctx, "DPS", cash(s, "3", 40_00))
	if err == nil {
		_, err = s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: fees.After(back.ID), Reason: "wrong student", By: fees.Actor{Login: "meera", Role: fees.RoleAccountant}})
	}
	if err != nil {
		t.Fatal(err)
	}
	five, err := s.Bills(ctx, "DPS", "5")
	if err != nil {
		t.Fatal(err)
	}
	void := five[0]
	void.Lines, void.Cancelled = fees.Voided(void.Lines), &fees.BillCancelled{At: s.instant(), By: "meera", Reason: "left before the term"}
	if _, err := s.reviseBill(ctx, five[0], void, fees.Revised{By: "meera", Reason: "left before the term"}); err != nil {
		t.Fatal(err)
	}

	mustImport(t, s, "plan", "DPS", tuition("120"))
	mustImport(t, s, "concessions", "DPS", "admission_no,head,kind,value,reason\n4,TUITION,percent,50,merit\n")
	preview, err := s.PreviewRun(ctx, "DPS", repriced, "")
	want := fees.RunTally{Students: 5, Done: 5, Changed: 4, Differences: 1, Repriced: 20_00, Skipped: 1, Cancelled: 1}
	if err != nil || preview.Tally != want {
		t.Errorf("the preview says %+v, %v\nwant %+v", preview.Tally, err, want)
	}
	var said []string
	for _, c := range preview.Changes {
		said = append(said, fmt.Sprintf("%s %d to %d %v", c.Student, c.Before, c.After, c.Difference))
	}
	if got := strings.Join(said, ", "); got != "1 10000 to 12000 false, 2 10000 to 12000 true, 3 10000 to 12000 false, 4 10000 to 6000 false" {
		t.Errorf("the preview says %s", got)
	}
	if len(preview.Skips) != 1 || preview.Skips[0].Student != "5" || preview.Skips[0].Reason != fees.SkipCancelled {
		t.Errorf("the preview skips %+v", preview.Skips)
	}
	if h := preview.PerHead; len(h) != 1 || h[0].Billed != 400_00 || h[0].Amount != 0 || h[0].Repriced != 20_00 {
		t.Errorf("per head %+v", h)
	}

	if run := mustBill(t, s, "DPS", repriced); run.Tally.Changed != 4 || run.Tally.Updated != 0 || run.Tally.Created != 0 || billsOf(t, s, "1") != "2026-27/T1 100.00 r0" {
		t.Errorf("a run that was not told to: %+v, %s", run.Tally, billsOf(t, s, "1"))
	}
	run := reprice(t, s, repriced)
	want = fees.RunTally{Students: 5, Done: 5, Updated: 4, Differences: 1, Repriced: 20_00, Skipped: 1, Cancelled: 1}
	if run.Tally != want {
		t.Errorf("re-priced %+v\nwant %+v", run.Tally, want)
	}
	for student, want := range map[string]string{
		"1": "2026-27/T1 120.00 r1",
		"2": "2026-27/T1 100.00 r0, 2026-27/T1/D1 20.00 r0",
		"3": "2026-27/T1 120.00 r1", // what was paid was taken back
		"4": "2026-27/T1 60.00 r1",
		"5": "2026-27/T1 0.00 r1",
	} {
		if got := billsOf(t, s, student); got != want {
			t.Errorf("student %s has %s\nwant %s", student, got, want)
		}
	}
	if one, _ := s.Bills(ctx, "DPS", "1"); len(one[0].Revisions) != 1 || one[0].Revisions[0].Net != 100_00 || one[0].Revisions[0].Run != run.ID || one[0].Revisions[0].By != "Meera" {
		t.Errorf("what was is kept as %+v", one[0].Revisions)
	}
	if two, _ := s.Bills(ctx, "DPS", "2"); two[1].Of != repriced || two[1].Run != run.ID || two[1].DueDate != "2026-06-15" || two[1].Title != "2026-27/T1, difference" {
		t.Errorf("the difference is %+v", two[1])
	}
	if same, err := s.Row(ctx, "DPS", fees.After(paid.ID)); err != nil || same.Body != paid.Body {
		t.Errorf("the receipt changed: %+v, %v", same, err)
	}
	if run := reprice(t, s, repriced); run.Tally.Unchanged != 4 || run.Tally.Updated != 0 || run.Tally.Repriced != 0 {
		t.Errorf("the second time: %+v", run.Tally)
	}
	// Down again, and to nothing at all: the payer is in credit.
	mustImport(t, s, "plan", "DPS", tuition("0"))
	if run := reprice(t, s, repriced); run.Tally.Updated != 4 || run.Tally.Repriced != -420_00 {
		t.Errorf("to nothing: %+v", run.Tally)
	}
	if got := billsOf(t, s, "2"); got != "2026-27/T1 100.00 r0, 2026-27/T1/D1 20.00 r0, 2026-27/T1/D2 -120.00 r0" {
		t.Errorf("student 2 has %s", got)
	}
	if got := billsOf(t, s, "4"); got != "2026-27/T1 0.00 r2" {
		t.Errorf("student 4 has %s", got)
	}
	if run := reprice(t, s, repriced); run.Tally.Updated != 0 || run.Tally.Unchanged != 4 {
		t.Errorf("to nothing again: %+v", run.Tally)
	}
	balances, err := s.Balances(ctx, "DPS", []string{"1", "2", "3", "4", "5"})
	if err != nil || balances["1"] != 0 || balances["2"] != -40_00 || balances["3"] != 0 || balances["4"] != 0 || balances["5"] != 0 {
		t.Errorf("balances %+v, %v", balances, err)
	}
	mustAudit(t, s)
}

// A concession that comes and goes is in the bills as it is: what they concede
// sums to what the grants say, on a bill with money on it too.
func TestRepriceConcession(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	mustBill(t, s, "DPS", repriced)
	if _, err := s.RecordPayment(ctx, "DPS", cash(s, "1", 100_00)); err != nil {
		t.Fatal(err)
	}
	mustImport(t, s, "concessions", "DPS", "admission_no,head,kind,value,reason\n1,TUITION,amount,30,merit\n")
	reprice(t, s, repriced)
	all, err := s.Bills(ctx, "DPS", "1")
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	line := all[1].Lines[0]
	if line.Gross != 0 || line.Concession != 30_00 || line.Net != -30_00 || len(line.Reasons) != 1 || line.Reasons[0] != (fees.Conceded{Reason: "merit", Amount: 30_00}) {
		t.Errorf("the difference charges %+v", line)
	}
	if _, err := s.DB.DeleteOne(ctx, concessions, one("DPS", fees.Key("DPS", "1", "TUITION"))); err != nil {
		t.Fatal(err)
	}
	reprice(t, s, repriced)
	if all, _ = s.Bills(ctx, "DPS", "1"); len(all) != 3 || all[2].Lines[0].Concession != -30_00 || all[2].Net != 30_00 || all[2].Lines[0].Reasons[0].Amount != -30_00 {
		t.Errorf("without the grant again: %+v", all)
	}
	if dues, err := s.Dues(ctx, "DPS", "1"); err != nil || dues.Balance != 0 {
		t.Errorf("dues %+v, %v", dues, err)
	}
	mustAudit(t, s)
}

// A process that died between marking a bill and making its difference leaves
// work that the next run finishes, once.
func TestRepriceAfterMark(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	mustBill(t, s, "DPS", repriced)
	all, err := s.Bills(ctx, "DPS", "1")
	if err != nil {
		t.Fatal(err)
	}
	old, next := all[0], all[0]
	next.Differences = 1
	_, op, err := changeBillOp(old, next, false)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := s.DB.UpdateOne(ctx, bills, op.Filter, op.Update, docdb.Update{}); err != nil || res.Matched != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	_, err = s.reviseBill(ctx, old, old, fees.Revised{By: "meera"})
	wantCode(t, "a revision of what was read before the mark", err, fees.Conflict, "has changed")
	mustImport(t, s, "plan", "DPS", tuition("130"))
	if run := reprice(t, s, repriced); run.Tally.Updated != 1 || run.Tally.Differences != 1 {
		t.Errorf("%+v", run.Tally)
	}
	if run := reprice(t, s, repriced); run.Tally.Updated != 0 {
		t.Errorf("again: %+v", run.Tally)
	}
	if got := billsOf(t, s, "1"); got != "2026-27/T1 100.00 r0, 2026-27/T1/D1 30.00 r0" {
		t.Errorf("the student has %s", got)
	}
	mustAudit(t, s)
}
