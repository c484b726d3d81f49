package store

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/fees"
)

func TestSameFormIsOneReceipt(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	o := cash(s, "1", 20_000)
	var wg sync.WaitGroup
	rows := make([]fees.Row, 10)
	for i := range rows {
		wg.Go(func() {
			row, err := s.RecordPayment(ctx, "P", o)
			if err != nil {
				t.Errorf("post %d: %v", i, err)
			}
			rows[i] = row
		})
	}
	wg.Wait()
	for i, r := range rows {
		if r.ID != rows[0].ID || r.NumberText != "P/"+fees.FYShort(r.FY)+"/00001" {
			t.Errorf("post %d was answered with %s %s", i, r.ID, r.NumberText)
		}
	}
	other := o
	other.Tenders = []fees.Tender{{Mode: fees.ModeCash, Amount: 20_001}}
	if _, err := s.RecordPayment(ctx, "P", other); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("the same id with other content: %v, want a conflict", err)
	}
	if r := mustAudit(t, s).Series[0]; r.Count != 1 || r.Total != 20_000 {
		t.Errorf("after ten posts and a conflict: %+v", r)
	}
}

func TestARetryIsAnsweredAfterTheBooksWereClosed(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	o := cash(s, "1", 20_000)
	o.Date = "2026-11-30"
	first, err := s.RecordPayment(ctx, "P", o)
	if err != nil {
		t.Fatal(err)
	}
	now = now.AddDate(0, 0, 1)
	if err := s.CloseBooks(ctx, "P", "2026-11-30"); err != nil {
		t.Fatal(err)
	}
	again, err := s.RecordPayment(ctx, "P", o)
	if err != nil || again.NumberText != first.NumberText {
		t.Errorf("the form of yesterday again: %s, %v; want its receipt %s", again.NumberText, err, first.NumberText)
	}
	late := cash(s, "1", 100)
	late.Date = "2026-11-30"
	if _, err := s.RecordPayment(ctx, "P", late); fees.CodeOf(err) != fees.Invalid {
		t.Errorf("a new payment in a closed day: %v", err)
	}
	mustAudit(t, s)
}

func TestTwoCountersOneStudent(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.RecordPayment(ctx, "P", cash(s, "1", 50_000)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	rows, err := s.StudentRows(ctx, "P", "1")
	if err != nil {
		t.Fatal(err)
	}
	tuition, advance := 0, 0
	for _, r := range rows {
		for _, l := range r.Lines {
			switch {
			case l.Head == "TUITION" && l.Amount == 50_000:
				tuition++
			case l.Head == fees.HeadAdvance && l.Amount == 50_000:
				advance++
			default:
				t.Errorf("line %+v", l)
			}
		}
	}
	if tuition != 1 || advance != 7 {
		t.Errorf("%d payments settled the bill and %d became an advance, want 1 and 7", tuition, advance)
	}
	dues, err := s.Dues(ctx, "P", "1")
	if err != nil || dues.Due != 0 || dues.Advance != 350_000 || dues.Balance != -350_000 {
		t.Errorf("dues %+v, %v", dues, err)
	}
	mustAudit(t, s)
}

func TestARowKeepsWhatWasTrue(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	row, err := s.RecordPayment(ctx, "P", cash(s, "1", 20_000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.UpdateOne(ctx, students, one("P", "P:1"), set("name", "Renamed"), docdb.Update{}); err != nil {
		t.Fatal(err)
	}
	again, err := s.Row(ctx, "P", row.ShortID())
	if err != nil {
		t.Fatal(err)
	}
	if again.StudentName != "Student 1" || again.Class != "5" || again.InstituteName != "School P" || again.CashierName != "Asha R" || again.BalanceAfter != 30_000 {
		t.Errorf("the receipt changed with the student: %+v", again)
	}
}

func TestPaymentsAreRefusedInWords(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	testSchool(t, s, "Q", 2)
	ctx := context.Background()
	cases := []struct {
		name   string
		change func(*fees.PaymentOrder)
		code   fees.Code
	}{
		{"a student of another institute", func(o *fees.PaymentOrder) { o.Student = "2" }, fees.NotFound},
		{"no student", func(o *fees.PaymentOrder) { o.Student = "" }, fees.Invalid},
		{"no tender", func(o *fees.PaymentOrder) { o.Tenders = nil }, fees.Invalid},
		{"nothing tendered", func(o *fees.PaymentOrder) { o.Tenders[0].Amount = 0 }, fees.Invalid},
		{"a negative amount", func(o *fees.PaymentOrder) { o.Tenders[0].Amount = -5 }, fees.Invalid},
		{"an absurd amount", func(o *fees.PaymentOrder) { o.Tenders[0].Amount = fees.MaxAmount + 1 }, fees.Invalid},
		{"a malformed id", func(o *fees.PaymentOrder) { o.ID = "Q:" + o.ID }, fees.Invalid},
		{"no mode", func(o *fees.PaymentOrder) { o.Tenders[0].Mode = "" }, fees.Invalid},
		{"a cheque without a number", func(o *fees.PaymentOrder) { o.Tenders[0].Mode, o.Tenders[0].Bank = fees.ModeCheque, "SBI" }, fees.Invalid},
		{"tomorrow", func(o *fees.PaymentOrder) { o.Date = fees.DateOf(s.Now(), time.UTC).AddDays(2) }, fees.Invalid},
		{"a closed year", func(o *fees.PaymentOrder) { o.Date = "2020-01-01" }, fees.Invalid},
		{"a head that is not owed", func(o *fees.PaymentOrder) {
			o.Choices = []fees.Choice{{Bill: "nowhere", Head: "TUITION", Amount: 100}}
		}, fees.Invalid},
	}
	for _, c := range cases {
		o := cash(s, "1", 100)
		c.change(&o)
		_, err := s.RecordPayment(ctx, "P", o)
		if fees.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
	}
	if n, err := s.DB.Count(ctx, payments, one("P", "P:1")[1:], 0); err != nil || n != 0 {
		t.Errorf("%d rows were written (%v)", n, err)
	}
}

func TestReversals(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	paid, err := s.RecordPayment(ctx, "P", cash(s, "1", 20_000))
	if err != nil {
		t.Fatal(err)
	}
	o := fees.ReversalOrder{ID: paid.ShortID(), Reason: "Cheque bounced", Charge: 25_000, By: fees.Actor{Login: "ravi", Name: "Ravi", Role: fees.RoleAccountant}}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			o := o
			o.Reason = fmt.Sprintf("Cheque bounced, told %d times", i)
			row, err := s.ReversePayment(ctx, "P", o)
			if err != nil || row.Number != 1 || row.Total != -20_000 || row.Reverses != paid.ID {
				t.Errorf("reversal %d: %+v, %v", i, row, err)
			}
		})
	}
	wg.Wait()
	again, err := s.Row(ctx, "P", paid.ShortID())
	if err != nil || again.ReversedBy != paid.ID+":reversal" || again.Status() != fees.StatusReversed {
		t.Errorf("the payment does not point at its reversal: %+v, %v", again, err)
	}
	if _, err := s.ReversePayment(ctx, "P", fees.ReversalOrder{ID: paid.ShortID() + ":reversal", Reason: "a reversal"}); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a reversal was reversed: %v", err)
	}
	dues, err := s.Dues(ctx, "P", "1")
	if err != nil || dues.Balance != 75_000 {
		t.Errorf("owed after the bounce: %+v, %v; want 500.00 and the charge of 250.00", dues, err)
	}
	report := mustAudit(t, s)
	if len(report.Series) != 2 || report.Series[0].Reversed != 1 || report.Series[1].Count != 1 {
		t.Errorf("series: %+v", report.Series)
	}
}

func TestNoReversalInAClosedDay(t *testing.T) {
	s := openTest(t)
	now := fixedNow()
	s.Now = func() time.Time { return now }
	testSchool(t, s, "P", 1)
	ctx := context.Background()
	var rows []fees.Row
	for range 2 {
		row, err := s.RecordPayment(ctx, "P", cash(s, "1", 100))
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	order := func(r fees.Row) fees.ReversalOrder { return fees.ReversalOrder{ID: r.ShortID(), Reason: "wrong entry"} }
	before, err := s.ReversePayment(ctx, "P", order(rows[0]))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CloseBooks(ctx, "P", "2026-11-30"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReversePayment(ctx, "P", order(rows[1])); fees.CodeOf(err) != fees.Invalid {
		t.Errorf("a reversal in a day that is closed: %v", err)
	}
	if again, err := s.ReversePayment(ctx, "P", order(rows[0])); err != nil || again.ID != before.ID {
		t.Errorf("the reversal made before the close, asked for again: %+v, %v", again, err)
	}
	now = now.AddDate(0, 0, 1)
	if late, err := s.ReversePayment(ctx, "P", order(rows[1])); err != nil || late.Date != "2026-12-01" {
		t.Errorf("the day after: %+v, %v", late, err)
	}
	mustAudit(t, s)
}

// What is charged for a bounce says so, and for another reversal that, however
// it was paid, and the same however often it is written.
func TestChargeIsNamedByItsCause(t *testing.T) {
	for cheque, name := range map[string]string{"": "Reversal charge", "DPS:01A:0": "Bounce charge"} {
		b := bounceBill(fees.Row{
			Institute: "DPS", Student: "1", FY: "2026-27", Reverses: "DPS:01A", ReversesText: "DPS/1", Cheque: cheque, Charge: 100,
			Tenders: []fees.Tender{{Mode: fees.ModeCheque}},
		})
		if b.Lines[0].HeadName != name || b.Title != name+", DPS/1" || b.Lines[0].Head != fees.HeadBounce {
			t.Errorf("of the cheque %q: %s, %+v, want %s", cheque, b.Title, b.Lines, name)
		}
	}
}
