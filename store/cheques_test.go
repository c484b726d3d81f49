package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

var (
	accountant = fees.Actor{Login: "ravi", Name: "Ravi", Role: fees.RoleAccountant}
	bankAdmin  = fees.Actor{Login: "meera", Name: "Meera", Role: fees.RoleAdmin}
)

func chequeTender(number string, amount fees.Amount, date fees.Date) fees.Tender {
	return fees.Tender{Mode: fees.ModeCheque, Amount: amount, Ref: number, Bank: "State Bank", Date: date}
}

// mustTake records a payment by these tenders.
func mustTake(t *testing.T, s *Store, student string, tenders ...fees.Tender) fees.Row {
	t.Helper()
	o := cash(s, student, 1)
	o.Tenders = tenders
	row, err := s.RecordPayment(context.Background(), "DPS", o)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func wantCheques(t *testing.T, s *Store, student string, want ...string) {
	t.Helper()
	all, err := s.StudentCheques(context.Background(), "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range all {
		var states []string
		for _, h := range c.History {
			states = append(states, string(h.State))
		}
		lines = append(lines, fmt.Sprintf("%s %d of %s: %s, %s, version %d", c.Number, c.Amount, c.Receipt, strings.Join(states, " "), c.Day, c.Version))
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the cheques of %s are\n%s\nwant\n%s", student, got, strings.Join(want, "\n"))
	}
}

func mustDeposit(t *testing.T, s *Store, ids ...string) {
	t.Helper()
	if _, err := s.DepositCheques(context.Background(), "DPS", fees.DepositOrder{ID: s.NewID(), Cheques: ids, Account: "Fees, SBI 1234", By: accountant}); err != nil {
		t.Fatal(err)
	}
}

func mustClear(t *testing.T, s *Store, ids ...string) {
	t.Helper()
	if _, err := s.ClearCheques(context.Background(), "DPS", fees.ClearOrder{Cheques: ids, By: accountant}); err != nil {
		t.Fatal(err)
	}
}

func bounce(s *Store, id string, charge fees.Amount) (fees.Cheque, error) {
	return s.BounceCheque(context.Background(), "DPS", fees.BounceOrder{Cheque: id, Reason: "no funds", Charge: charge, By: accountant})
}

func TestChequesGoToTheBank(t *testing.T) {
	s, ctx := openTermSchool(t, 2), context.Background()
	row := mustTake(t, s, "1", fees.Tender{Mode: fees.ModeCash, Amount: 100_00}, chequeTender("004512", 150_00, ""),
		fees.Tender{Mode: fees.ModeDraft, Amount: 50_00, Ref: "77", Bank: "Union", Date: "2026-06-01"})
	later := mustTake(t, s, "2", chequeTender("9", 10_00, "2026-07-01"))
	inHand := []string{"004512 15000 of " + row.NumberText + ": received, 2026-06-15, version 1", "77 5000 of " + row.NumberText + ": received, 2026-06-01, version 1"}
	wantCheques(t, s, "1", inHand...)
	sums, err := s.ChequesInHand(ctx, "DPS", "2026-06-15")
	if err != nil || sums.Due != (fees.ChequeTotal{Count: 2, Amount: 200_00}) || sums.PostDated != (fees.ChequeTotal{Count: 1, Amount: 10_00}) || sums.Deposited.Count != 0 {
		t.Errorf("in hand: %+v, %v", sums, err)
	}
	slip := fees.DepositOrder{ID: s.NewID(), Cheques: []string{row.ShortID() + ":1", row.ShortID() + ":2"}, Account: " Fees,  SBI ", By: accountant}
	postDated := slip
	postDated.Cheques = append([]string{later.ShortID() + ":0"}, slip.Cheques...)
	_, err = s.DepositCheques(ctx, "DPS", postDated)
	wantCode(t, "a post-dated cheque among them", err, fees.Invalid, "Cheque 9 is dated 1 July 2026 and cannot be deposited before")
	wantCheques(t, s, "1", inHand...)
	for range 2 {
		all, err := s.DepositCheques(ctx, "DPS", slip)
		if err != nil || len(all) != 2 || all[0].Account != "Fees, SBI" || all[1].Deposit != slip.ID {
			t.Fatalf("deposited: %+v, %v", all, err)
		}
	}
	other := slip
	other.ID = s.NewID()
	_, err = s.DepositCheques(ctx, "DPS", other)
	wantCode(t, "another slip", err, fees.Conflict, "was deposited already, on 15 June 2026")
	_, err = s.ClearCheques(ctx, "DPS", fees.ClearOrder{Cheques: []string{later.ShortID() + ":0"}, By: accountant})
	wantCode(t, "clear one in hand", err, fees.Conflict, "still in hand")
	_, err = s.ClearCheques(ctx, "DPS", fees.ClearOrder{Cheques: slip.Cheques, Day: "2026-06-14", By: accountant})
	wantCode(t, "cleared before it was deposited", err, fees.Invalid, "was deposited on 15 June 2026, which is later")
	for range 2 {
		mustClear(t, s, slip.Cheques...)
	}
	_, err = bounce(s, slip.Cheques[0], 0)
	wantCode(t, "bounced after it cleared", err, fees.Conflict, "cleared on 15 June 2026")
	if all, err := s.DepositedCheques(ctx, "DPS", slip.ID); err != nil || len(all) != 2 || all[0].Receipt != row.NumberText {
		t.Errorf("the slip has %+v, %v", all, err)
	}
	wantCheques(t, s, "1", "004512 15000 of "+row.NumberText+": received deposited cleared, 2026-06-15, version 3",
		"77 5000 of "+row.NumberText+": received deposited cleared, 2026-06-15, version 3")
	mustAudit(t, s)
}

func TestABouncedChequeTakesItsReceiptBack(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	row := mustTake(t, s, "1", chequeTender("004512", 300_00, ""))
	id := row.ShortID() + ":0"
	_, err := bounce(s, id, 25_00)
	wantCode(t, "bounced in hand", err, fees.Conflict, "still in hand")
	mustDeposit(t, s, id)
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			if c, err := bounce(s, id, 25_00); err != nil || c.State != fees.ChequeBounced {
				t.Errorf("bounced: %+v, %v", c, err)
			}
		})
	}
	done.Wait()
	c, err := s.Cheque(ctx, "DPS", id)
	if err != nil || c.Bouncing || c.Bounce.Reentry != "" || c.Version != 3 {
		t.Errorf("the cheque is %+v, %v", c, err)
	}
	back, err := s.Row(ctx, "DPS", fees.ReversalID(row.ShortID()))
	if err != nil || back.Reason != "no funds" || back.Charge != 25_00 || back.Total != -300_00 || back.Cashier != "ravi" || back.NumberText == "" {
		t.Errorf("the reversal is %+v, %v", back, err)
	}
	wantAccount(t, s, "1", 525_00, 0, 2, 2)
	_, err = s.ClearCheques(ctx, "DPS", fees.ClearOrder{Cheques: []string{id}, By: accountant})
	wantCode(t, "cleared after it bounced", err, fees.Conflict, "bounced on 15 June 2026")
	// Presented again: another payment, which says so.
	again := mustTake(t, s, "1", chequeTender("004512", 300_00, ""))
	c, err = s.Cheque(ctx, "DPS", again.ShortID()+":0")
	if err != nil || c.Again != row.ID+":0" || c.State != fees.ChequeReceived || !strings.Contains(c.History[0].Note, "bounced on 15 June 2026") {
		t.Errorf("presented again: %+v, %v", c, err)
	}
	wantNext := func(what, want string) {
		t.Helper()
		if c, err := s.Cheque(ctx, "DPS", id); err != nil || c.Next != want {
			t.Errorf("%s: the bounced one is presented again with %q, %v, want %q", what, c.Next, err, want)
		}
	}
	wantNext("presented again", again.ID+":0")
	mustReverse(t, s, again)
	wantNext("which was a wrong entry", "")
	mustAudit(t, s)
}

// Of a payment by several tenders the good ones are entered again, and a good
// cheque among them stays where it was.
func TestABounceKeepsTheOtherTenders(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	now := termTime()
	s.Now = func() time.Time { return now }
	s.NewID = func() string { return ulid.MustNew(ulid.Timestamp(now), rand.Reader).String() }
	row := mustTake(t, s, "1", chequeTender("1", 100_00, ""), fees.Tender{Mode: fees.ModeCash, Amount: 50_00}, chequeTender("2", 200_00, ""), chequeTender("3", 70_00, "2026-08-01"))
	id := row.ShortID()
	mustDeposit(t, s, id+":0", id+":2")
	mustClear(t, s, id+":2")
	now = now.Add(time.Minute)
	for range 2 {
		if _, err := bounce(s, id+":0", 0); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := s.StudentRows(ctx, "DPS", "1")
	if err != nil || len(rows) != 3 {
		t.Fatalf("rows %+v, %v", rows, err)
	}
	re := rows[2]
	if re.Kind != fees.KindPayment || re.Total != 320_00 || len(re.Tenders) != 3 || re.Remark != "Entered again from "+row.NumberText+": Cheque 1 bounced" || re.Cashier != "ravi" {
		t.Errorf("entered again: %+v", re)
	}
	wantCheques(t, s, "1",
		"1 10000 of "+row.NumberText+": received deposited bounced, 2026-06-15, version 3",
		"2 20000 of "+row.NumberText+": received deposited cleared withdrawn, 2026-06-15, version 4",
		"3 7000 of "+row.NumberText+": received withdrawn, 2026-06-15, version 2",
		"2 20000 of "+re.NumberText+": received deposited cleared, 2026-06-15, version 3",
		"3 7000 of "+re.NumberText+": received, 2026-08-01, version 1")
	wantDues(t, s, "1", "2026-27/T1 TUITION 18000, advance 0, balance 18000")
	mustAudit(t, s)
}

// Two cheques of one payment that bounce at the same moment, in two processes:
// one reversal, and what is left is entered again once.
func TestTwoChequesOfAPaymentBounceAtOnce(t *testing.T) {
	for name, tc := range map[string]struct {
		cash fees.Amount
		want string
	}{"beside cash": {50_00, "2026-27/T1 TUITION 45000, advance 0, balance 45000"}, "and there is no more": {0, "2026-27/T1 TUITION 50000, advance 0, balance 50000"}} {
		t.Run(name, func(t *testing.T) {
			s, ctx := openTermSchool(t, 1), context.Background()
			tenders := []fees.Tender{chequeTender("1", 100_00, ""), chequeTender("2", 200_00, "")}
			if tc.cash > 0 {
				tenders = append(tenders, fees.Tender{Mode: fees.ModeCash, Amount: tc.cash})
			}
			id := mustTake(t, s, "1", tenders...)
			first, second := id.ShortID()+":0", id.ShortID()+":1"
			mustDeposit(t, s, first, second)
			other := openOn(t, s.DB)
			other.Now = s.Now
			var once sync.Once
			p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
				if op.Write && op.Coll == payments { // the first is marked, and about to be taken back
					once.Do(func() {
						if _, err := bounce(other, second, 0); err != nil {
							t.Errorf("the second: %v", err)
						}
					})
				}
				return docdbtest.None
			}))
			p.Now = s.Now
			if _, err := bounce(p, first, 0); err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{first, second} {
				c, err := s.Cheque(ctx, "DPS", id)
				if err != nil || c.State != fees.ChequeBounced || c.Bouncing || (c.Bounce.Reentry != "") != (tc.cash > 0) {
					t.Errorf("%+v, %v", c, err)
				}
			}
			wantDues(t, s, "1", tc.want)
			mustAudit(t, s)
		})
	}
}

func TestAReversalWithdrawsTheCheques(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	row := mustTake(t, s, "1", chequeTender("1", 100_00, ""))
	mustReverse(t, s, row)
	wantCheques(t, s, "1", "1 10000 of "+row.NumberText+": received withdrawn, 2026-06-15, version 2")
	_, err := s.DepositCheques(ctx, "DPS", fees.DepositOrder{ID: s.NewID(), Cheques: []string{row.ShortID() + ":0"}, Account: "SBI", By: accountant})
	wantCode(t, "deposit", err, fees.Conflict, "was withdrawn on 15 June 2026")
	_, err = bounce(s, row.ShortID()+":0", 0)
	wantCode(t, "bounce", err, fees.Conflict, "was withdrawn on 15 June 2026")
	testSchool(t, s, "KVS", 1)
	_, err = s.BounceCheque(ctx, "KVS", fees.BounceOrder{Cheque: row.ShortID() + ":0", Reason: "no funds", By: accountant})
	wantCode(t, "another institute", err, fees.NotFound, "")
	mustAudit(t, s)
}

func TestNoBounceInAClosedDay(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	row := mustTake(t, s, "1", chequeTender("1", 100_00, ""))
	mustDeposit(t, s, row.ShortID()+":0")
	if err := s.CloseBooks(ctx, "DPS", "2026-06-15"); err != nil {
		t.Fatal(err)
	}
	_, err := bounce(s, row.ShortID()+":0", 0)
	wantCode(t, "bounce", err, fees.Invalid, "The books are closed up to 15 June 2026")
	if c, err := s.Cheque(ctx, "DPS", row.ShortID()+":0"); err != nil || c.State != fees.ChequeDeposited {
		t.Errorf("the cheque is %+v, %v", c, err)
	}
}

func TestChequesPageByKey(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	for n := range 7 {
		mustTake(t, s, "1", chequeTender(fmt.Sprint(n), 1_00, fees.Date(fmt.Sprintf("2026-06-%02d", 12+n/3))))
	}
	walk := func(f fees.ChequeFilter) (got []string) {
		for after, more := "", true; more; more = after != "" {
			page, err := s.Cheques(ctx, "DPS", f, after, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range page.Items {
				got = append(got, c.Number)
			}
			after = page.Next
		}
		return got
	}
	if got := fmt.Sprint(walk(fees.ChequeFilter{State: fees.ChequeReceived})); got != "[0 1 2 3 4 5 6]" {
		t.Errorf("in hand: %s", got)
	}
	if got := fmt.Sprint(walk(fees.ChequeFilter{State: fees.ChequeReceived, From: "2026-06-13", To: "2026-06-13"})); got != "[3 4 5]" {
		t.Errorf("of a day: %s", got)
	}
	all, err := s.StudentCheques(ctx, "DPS", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		mustDeposit(t, s, c.ShortID())
	}
	if got := fmt.Sprint(walk(fees.ChequeFilter{State: fees.ChequeDeposited})); got != "[6 5 4 3 2 1 0]" {
		t.Errorf("deposited: %s", got)
	}
	_, err = s.Cheques(ctx, "DPS", fees.ChequeFilter{State: fees.ChequeReceived}, "2026-06-13~KVS:1", 2)
	wantCode(t, "a tampered page", err, fees.Invalid, "")
}

// One cheque for several children is in one place: its parts go to the bank, and
// bounce, together, and the charge is billed once.
func TestAFamilysChequeMovesWhole(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	s.Now = termTime
	testFamily(t, s, "DPS")
	p, err := s.RecordFamily(ctx, "DPS", ofFamily(s.NewID(), []string{"1", "2", "3"}, inCash(700_00), chequeTender("004512", 900_00, "")))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.FamilyRows(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	var parts []fees.Cheque
	for _, row := range rows {
		of, err := s.RowCheques(ctx, "DPS", row.ShortID())
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, of...)
	}
	if len(parts) != 2 { // the first child is paid for in cash
		t.Fatalf("the cheque has the parts %+v", parts)
	}
	slip := fees.DepositOrder{ID: s.NewID(), Cheques: []string{parts[0].ShortID()}, Account: "SBI", By: accountant}
	for range 2 {
		if _, err := s.DepositCheques(ctx, "DPS", slip); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := s.DepositedCheques(ctx, "DPS", slip.ID); err != nil || len(all) != 2 || all[0].Amount+all[1].Amount != 900_00 {
		t.Fatalf("deposited: %+v, %v", all, err)
	}
	for _, part := range []int{1, 0, 1} {
		if _, err := bounce(s, parts[part].ShortID(), 25_00); err != nil {
			t.Fatal(err)
		}
	}
	n := documents(t, s, payments, "institute", "DPS", "kind", fees.KindReversal)
	charged := documents(t, s, payments, "institute", "DPS", "charge", int64(25_00))
	if left := documents(t, s, cheques, "institute", "DPS", "bouncing", true); n != 2 || charged != 1 || left != 0 {
		t.Errorf("%d reversals, %d of them charged, %d cheques left half done", n, charged, left)
	}
	var owed fees.Amount
	for _, no := range []string{"1", "2", "3"} {
		d, err := s.Dues(ctx, "DPS", no)
		if err != nil {
			t.Fatal(err)
		}
		owed += d.Balance
	}
	if owed != 1500_00-700_00+25_00 {
		t.Errorf("the family owes %d", owed)
	}
	mustAudit(t, s)
}
