package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

const lateTerm = "2026-27/T1"

// openLate opens a school on 15 June 2026 with three students of class 5, who
// owe 1,000.00 since 10 June with 10.00 for each late day after two of grace.
func openLate(t testing.TB) *Store {
	t.Helper()
	s, _ := openSchool(t)
	furnishLate(t, s, fees.LateRule{Kind: fees.LateDay, Amount: 10_00, GraceDays: 2})
	return s
}

func furnishLate(t testing.TB, s *Store, rule fees.LateRule) {
	t.Helper()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,", "2,B,5,,general,,,,,,", "3,C,5,,general,,,,,,200"))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-06-10,5,*,TUITION,1000\n2026-27,2026-27/T2,2026-09-10,5,*,TUITION,1000\n")
	if _, err := s.SaveRules(context.Background(), "DPS", fees.Rules{FY: "2026-27", Late: rule}, fees.Actor{Login: "meera"}); err != nil {
		t.Fatal(err)
	}
	mustBill(t, s, "DPS", lateTerm)
}

// onDay sets the clock to 11 o'clock in the school on a day.
func onDay(t testing.TB, s *Store, day string) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	s.Now = func() time.Time { return at.Add(5*time.Hour + 30*time.Minute) }
}

func mustAssess(t testing.TB, s *Store, asOf fees.Date) fees.LateTally {
	t.Helper()
	done, err := s.AssessLateFees(context.Background(), "DPS", asOf)
	if err != nil {
		t.Fatalf("assess late fees as of %q: %v", asOf, err)
	}
	return done
}

// lateFeeOf is a student's late fee of the first term, the zero bill where
// there is none.
func lateFeeOf(t testing.TB, s *Store, student string) fees.Bill {
	t.Helper()
	all, err := s.Bills(context.Background(), "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if b.Period == fees.LatePeriod(lateTerm) {
			return b
		}
	}
	return fees.Bill{}
}

func wantLateFee(t testing.TB, s *Store, when, student string, want fees.Amount) {
	t.Helper()
	if got := lateFeeOf(t, s, student).Net; got != want {
		t.Errorf("%s: the late fee of %s is %d, want %d", when, student, got, want)
	}
}

func TestAssessLateFees(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	preview, err := s.PreviewLateFees(ctx, "DPS", "")
	if err != nil || preview.Tally != (fees.LateTally{Created: 3}) || preview.Amount != 90_00 || len(preview.Changes) != 3 || preview.AsOf != "2026-06-15" {
		t.Errorf("the preview is %+v, %v; want 3 new of 30.00 each", preview, err)
	}
	if bill := lateFeeOf(t, s, "1"); bill.ID != "" {
		t.Errorf("the preview charged %+v", bill)
	}
	if done := mustAssess(t, s, "2026-06-12"); done != (fees.LateTally{}) {
		t.Errorf("in the days of grace: %+v", done)
	}
	if done := mustAssess(t, s, ""); done.Created != 3 || done.Grown != 0 {
		t.Errorf("the first time: %+v, want 3 new", done)
	}
	wantLateFee(t, s, "three days late", "1", 30_00)
	for _, again := range []fees.Date{"", "2026-06-15", "2026-06-13", "2026-06-14"} {
		if done := mustAssess(t, s, again); done != (fees.LateTally{}) {
			t.Errorf("again, as of %q: %+v, want nothing", again, done)
		}
	}
	bill := lateFeeOf(t, s, "3") // who has an opening balance, which is never late
	if bill.Of != lateTerm || bill.DueDate != "2026-06-13" || bill.Title != "Late fee, "+lateTerm || bill.Lines[0].HeadName != "Late fee" || bill.Uncounted {
		t.Errorf("the late fee is %+v", bill)
	}
	onDay(t, s, "2026-06-20")
	if done := mustAssess(t, s, ""); done != (fees.LateTally{Grown: 3}) {
		t.Errorf("five days later: %+v, want 3 grown", done)
	}
	bill = lateFeeOf(t, s, "1")
	onDay(t, s, "2026-06-21")
	mustAssess(t, s, "")
	if again := lateFeeOf(t, s, "1"); again.Net != 90_00 || again.Revision != 2 || len(again.Revisions) != 1 || again.Revisions[0].Net != 30_00 || again.Revisions[0].Reason != "Late fee up to 2026-06-21" {
		t.Errorf("grown again it is %+v; want what it was before it began to grow", again)
	}
	if bill.Net != 80_00 || bill.Revision != 1 || bill.Revisions[0].Net != 30_00 || bill.Revisions[0].Reason != "Late fee up to 2026-06-20" || bill.Revisions[0].By != "" {
		t.Errorf("grown it is %+v", bill)
	}
	if balances, err := s.Balances(ctx, "DPS", []string{"1", "3"}); err != nil || balances["1"] != 1090_00 || balances["3"] != 1290_00 {
		t.Errorf("the accounts say %v, %v", balances, err)
	}
	mustAudit(t, s)

	_, err = s.AssessLateFees(ctx, "DPS", "2026-06-22")
	wantCode(t, "tomorrow", err, fees.Invalid, "ahead of time")
	_, err = s.AssessLateFees(ctx, "DPS", "2026-02-30")
	wantCode(t, "no day", err, fees.Invalid, "no such day")
	_, err = s.AssessLateFees(ctx, "XYZ", "")
	wantCode(t, "another institute", err, fees.NotFound, "")
}

// A payment is preceded by the late fee up to its day; after it nothing grows
// until it is taken back.
func TestLateFeeAndPayments(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	paid := mustPay(t, s, "1", 1030_00)
	if len(paid.Lines) != 2 || paid.Lines[1].Bill != fees.LatePeriod(lateTerm) || paid.Lines[1].Amount != 30_00 || paid.BalanceAfter != 0 {
		t.Errorf("the payment settles %+v and leaves %d", paid.Lines, paid.BalanceAfter)
	}
	back := cash(s, "2", 1020_00)
	back.Date = "2026-06-14"
	if row, err := s.RecordPayment(ctx, "DPS", back); err != nil || row.BalanceAfter != 0 {
		t.Errorf("a payment of yesterday leaves %d, %v; want the late fee up to yesterday", row.BalanceAfter, err)
	}
	onDay(t, s, "2026-07-01")
	mustAssess(t, s, "")
	wantLateFee(t, s, "paid", "1", 30_00)
	wantLateFee(t, s, "paid the day before", "2", 20_00)
	wantLateFee(t, s, "not paid", "3", 190_00)
	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "Cheque returned", By: fees.Actor{Login: "meera"}}); err != nil {
		t.Fatal(err)
	}
	onDay(t, s, "2026-07-03")
	mustAssess(t, s, "")
	wantLateFee(t, s, "taken back for three days", "1", 60_00)

	inst, err := s.Institute(ctx, "DPS")
	if err != nil {
		t.Fatal(err)
	}
	onDay(t, s, "2026-07-04")
	s.ChargeLate(ctx, inst, "1")
	wantLateFee(t, s, "at the counter", "1", 70_00)
	wantLateFee(t, s, "of another, who is not at the counter", "3", 210_00)
	mustAudit(t, s)
}

func TestLateFeesOfAClosedYear(t *testing.T) {
	s := openLate(t)
	onDay(t, s, "2027-04-02")
	if err := s.CloseBooks(context.Background(), "DPS", "2027-03-31"); err != nil {
		t.Fatal(err)
	}
	if done := mustAssess(t, s, ""); done != (fees.LateTally{}) {
		t.Errorf("a closed year is charged: %+v", done)
	}
}

// A rule that becomes dearer asks nothing more of those who have settled a bill
// and its late fee.
func TestDearerLateFee(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	mustPay(t, s, "1", 1030_00)
	mustAssess(t, s, "")
	if _, err := s.SaveRules(ctx, "DPS", fees.Rules{FY: "2026-27", Version: 1, Late: fees.LateRule{Kind: fees.LateDay, Amount: 25_00, GraceDays: 2}}, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	if done := mustAssess(t, s, ""); done != (fees.LateTally{Grown: 2}) {
		t.Errorf("the dearer rule: %+v, want the two who have not paid to grow", done)
	}
	wantLateFee(t, s, "paid with its late fee", "1", 30_00)
	wantLateFee(t, s, "not paid", "2", 75_00)
	mustAudit(t, s)
}

// Many at once, as from several processes, for whatever days: one late fee per
// bill, and what it is does not depend on who came when.
func TestLateFeesAtOnce(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	onDay(t, s, "2026-07-10")
	var created sync.Map
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			other := openOn(t, s.DB) // another process on the same ledger
			other.Now = s.Now
			var n int64
			for range 4 {
				done, err := other.AssessLateFees(ctx, "DPS", fees.Date(fmt.Sprintf("2026-07-%02d", rand.IntN(10)+1)))
				if err != nil {
					t.Errorf("assess: %v", err)
				}
				n += done.Created
			}
			created.Store(i, n)
		})
	}
	wg.Wait()
	mustAssess(t, s, "")
	var sum int64
	created.Range(func(_, n any) bool { sum += n.(int64); return true })
	if sum != 3 {
		t.Errorf("%d late fees were created, want one for each of 3 bills", sum)
	}
	for _, student := range []string{"1", "2", "3"} {
		bill := lateFeeOf(t, s, student)
		if bill.Net != 280_00 || len(bill.Revisions) > 1 {
			t.Errorf("the late fee of %s is %d and keeps %d revisions", student, bill.Net, len(bill.Revisions))
		}
		for i, r := range bill.Revisions {
			if now := bill.Net; r.Net >= now || i > 0 && r.Net <= bill.Revisions[i-1].Net {
				t.Errorf("the late fee of %s shrank: %+v", student, bill.Revisions)
			}
		}
	}
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	mustAudit(t, s)
}

// Whatever write fails or loses its answer, doing it again charges once.
func TestLateFeesWithFaults(t *testing.T) {
	oneThing(t)
	for _, fault := range []docdbtest.Fault{docdbtest.BeforeWrite, docdbtest.AfterWrite} {
		for at := range 8 {
			s := openLate(t)
			onDay(t, s, "2026-06-20")
			healthy, n := s.DB, 0
			s.DB = docdbtest.Faulty(healthy, func(op docdbtest.Op) docdbtest.Fault {
				if n++; op.Write && n > at {
					n = -1000
					return fault
				}
				return docdbtest.None
			})
			_, err := s.AssessLateFees(context.Background(), "DPS", "")
			if code := fees.CodeOf(err); err != nil && code != fees.Unavailable && code != fees.Unconfirmed {
				t.Errorf("fault %v at %d: %v", fault, at, err)
			}
			s.DB = healthy
			mustAssess(t, s, "")
			wantLateFee(t, s, fmt.Sprintf("after fault %v at %d", fault, at), "2", 80_00)
			if err := s.Sweep(context.Background()); err != nil {
				t.Fatal(err)
			}
			mustAudit(t, s)
		}
	}
}

func TestAssessDaily(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	addSchool(t, s, "KVS")
	done := map[string]fees.Date{}
	if err := s.AssessDaily(ctx, done); err != nil || done["DPS"] != "2026-06-15" || done["KVS"] != "2026-06-15" {
		t.Errorf("assessed %v, %v", done, err)
	}
	wantLateFee(t, s, "the first round", "1", 30_00)
	onDay(t, s, "2026-06-16")
	if err := s.AssessDaily(ctx, map[string]fees.Date{"DPS": "2026-06-16"}); err != nil {
		t.Fatal(err)
	}
	wantLateFee(t, s, "a second round of a day", "1", 30_00)
	if err := s.AssessDaily(ctx, done); err != nil {
		t.Fatal(err)
	}
	wantLateFee(t, s, "the next day", "1", 40_00)
}

func TestWaiveLateFee(t *testing.T) {
	s := openLate(t)
	ctx := context.Background()
	mustAssess(t, s, "")
	by := fees.Actor{Login: "meera", Name: "Meera Joshi", Role: fees.RoleAccountant}
	order := fees.WaiverOrder{Student: "1", Bill: fees.LatePeriod(lateTerm), Amount: 20_00, Reason: "Bank strike", By: by}
	bill, err := s.WaiveLateFee(ctx, "DPS", order)
	if err != nil || bill.Net != 10_00 || bill.Revisions[0].By != "Meera Joshi" || bill.Revisions[0].Reason != "Bank strike" || bill.Revisions[0].Net != 30_00 {
		t.Fatalf("waived it is %+v, %v", bill, err)
	}
	if again, err := s.WaiveLateFee(ctx, "DPS", order); err != nil || again.Net != 10_00 || again.Revision != 1 {
		t.Errorf("the same form again: %+v, %v; want what it did", again, err)
	}
	order.Reason = "Bank strike and flood"
	_, err = s.WaiveLateFee(ctx, "DPS", order)
	wantCode(t, "another form of the same state", err, fees.Conflict, "changed in the meantime")
	order.Revision, order.Amount = 1, 10_01
	_, err = s.WaiveLateFee(ctx, "DPS", order)
	wantCode(t, "more than there is", err, fees.Invalid, "At most 10.00")
	order.Amount = 10_00
	if bill, err = s.WaiveLateFee(ctx, "DPS", order); err != nil || bill.Net != 0 {
		t.Errorf("the rest: %+v, %v", bill, err)
	}
	mustAssess(t, s, "")
	wantLateFee(t, s, "waived whole", "1", 0)
	onDay(t, s, "2026-06-17")
	mustAssess(t, s, "")
	wantLateFee(t, s, "two days on", "1", 20_00)
	if balances, err := s.Balances(ctx, "DPS", []string{"1"}); err != nil || balances["1"] != 1020_00 {
		t.Errorf("the account says %v, %v", balances, err)
	}
	mustPay(t, s, "2", 1050_00)
	_, err = s.WaiveLateFee(ctx, "DPS", fees.WaiverOrder{Student: "2", Bill: fees.LatePeriod(lateTerm), Revision: 1, Amount: 1, Reason: "Bank strike", By: by})
	wantCode(t, "a late fee that was paid", err, fees.Conflict, "paid already")
	_, err = s.WaiveLateFee(ctx, "DPS", fees.WaiverOrder{Student: "2", Bill: lateTerm, Amount: 1, Reason: "Bank strike", By: by})
	wantCode(t, "a bill", err, fees.Conflict, "no late fee")
	_, err = s.WaiveLateFee(ctx, "KVS", order)
	wantCode(t, "another institute", err, fees.NotFound, "")
	_, err = s.WaiveLateFee(ctx, "DPS", fees.WaiverOrder{Student: "2", Bill: "2026-27/T9/LATE", Amount: 1, Reason: "Bank strike", By: by})
	wantCode(t, "no bill", err, fees.NotFound, "")
	mustAudit(t, s)
}

// A waiver pressed at ten places at once is one waiver.
func TestWaiveAtOnce(t *testing.T) {
	s := openLate(t)
	mustAssess(t, s, "")
	order := fees.WaiverOrder{Student: "1", Bill: fees.LatePeriod(lateTerm), Amount: 10_00, Reason: "Bank strike", By: fees.Actor{Name: "Meera"}}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := s.WaiveLateFee(context.Background(), "DPS", order); err != nil {
				t.Errorf("waive: %v", err)
			}
		})
	}
	wg.Wait()
	if bill := lateFeeOf(t, s, "1"); bill.Net != 20_00 || bill.Revision != 1 {
		t.Errorf("it is %d after %d revisions, want 20.00 after one", bill.Net, bill.Revision)
	}
}

// BenchmarkAssessLateFees is the daily round over 2,000 students of whom one in
// ten is late.
func BenchmarkAssessLateFees(b *testing.B) {
	s := openBench(b)
	onDay(b, s, "2026-06-15")
	addSchool(b, s, "DPS")
	var rows []string
	for i := range 2000 {
		rows = append(rows, fmt.Sprintf("%d,Student %d,5,,general,,,,,,", i+1, i+1))
	}
	mustImport(b, s, "students", "DPS", studentsCSV(rows...))
	mustImport(b, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-06-10,5,*,TUITION,1000\n")
	mustBill(b, s, "DPS", lateTerm)
	for i := range 2000 {
		if i%10 != 0 {
			if _, err := s.RecordPayment(context.Background(), "DPS", cash(s, fmt.Sprint(i+1), 1000_00)); err != nil {
				b.Fatal(err)
			}
		}
	}
	onDay(b, s, "2026-06-16")
	if _, err := s.SaveRules(context.Background(), "DPS", fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateDay, Amount: 10_00, GraceDays: 2}}, fees.Actor{}); err != nil {
		b.Fatal(err)
	}
	mustAssess(b, s, "")
	day := fees.Date("2026-06-16")
	for _, step := range []int{1, 0} {
		b.Run(strings.TrimSpace(map[int]string{1: "growing", 0: "again"}[step]), func(b *testing.B) {
			for b.Loop() {
				day = day.AddDays(step)
				onDay(b, s, string(day))
				mustAssess(b, s, "")
			}
			b.ReportMetric(float64(b.N)*2000/b.Elapsed().Seconds(), "students/s")
		})
	}
}
