package store

import (
	"context"
	"fmt"
	"testing"

	"raseed/store/fees"
)

// mustFamily records a payment for children of the family, each of whom gets as
// much, and answers with their rows.
func mustFamily(t *testing.T, s *Store, each fees.Amount, children []string, tenders ...fees.Tender) []fees.Row {
	t.Helper()
	ctx := context.Background()
	o := ofFamily(s.NewID(), children, tenders...)
	for i := range o.Children {
		o.Children[i].Chosen, o.Children[i].Amount = true, each
	}
	for _, tender := range tenders { // two that are alike, and what was received before
		o.Payment.RefsAgain = append(o.Payment.RefsAgain, tender.Ref)
	}
	p, err := s.RecordFamily(ctx, "DPS", o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.FamilyRows(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func mustCheque(t *testing.T, s *Store, id string) fees.Cheque {
	t.Helper()
	c, err := s.Cheque(context.Background(), "DPS", id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Two cheques that are alike but for the branch stay two: what is done to one is
// not done to the other, and each of its parts is of it alone.
func TestChequesThatAreAlike(t *testing.T) {
	s := openOn(t, openTestDB(t))
	s.Now = termTime
	testFamily(t, s, "DPS")
	fort, camp := chequeTender("1", 150_00, ""), chequeTender("1", 150_00, "")
	fort.Branch, camp.Branch = "Fort", "Camp"
	rows := mustFamily(t, s, 100_00, []string{"1", "2", "3"}, fort, camp)
	ids := []string{rows[0].ShortID() + ":0", rows[1].ShortID() + ":0", rows[1].ShortID() + ":1", rows[2].ShortID() + ":0"}
	for i, id := range ids {
		branch, of := "Fort", int64(1)
		if i > 1 {
			branch, of = "Camp", 2
		}
		if c := mustCheque(t, s, id); c.Branch != branch || c.Of != of || c.Paper != 150_00 {
			t.Errorf("part %d is of %s, number %d, of %d", i, c.Branch, c.Of, c.Paper)
		}
	}
	mustDeposit(t, s, ids[1])
	states := func() (all string) {
		for _, id := range ids {
			all += string(mustCheque(t, s, id).State) + " "
		}
		return all
	}
	if got := states(); got != "deposited deposited received received " {
		t.Errorf("one was taken to the bank, and they are %s", got)
	}
	mustDeposit(t, s, ids[3])
	if _, err := bounce(s, ids[0], 25_00); err != nil {
		t.Fatal(err)
	}
	again := "" // of the child of both, the other part is on the receipt that was entered again
	all, err := s.StudentCheques(context.Background(), "DPS", "2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.First == fees.Key("DPS", ids[2]) {
			again = c.ShortID()
		}
	}
	ids[2] = again
	if got := states(); got != "bounced bounced deposited deposited " {
		t.Errorf("one bounced, and they are %s", got)
	}
	mustClear(t, s, again)
	if got := states(); got != "bounced bounced cleared cleared " {
		t.Errorf("the other cleared, and they are %s", got)
	}
	mustAudit(t, s)
}

// A cheque is presented again only by the same paper, whole: a part of one is
// presented again with any part of the paper, whoever it is for.
func TestPresentedAgainIsTheSamePaper(t *testing.T) {
	s := openOn(t, openTestDB(t))
	s.Now = termTime
	testFamily(t, s, "DPS")
	single := mustTake(t, s, "4", chequeTender("7", 300_00, "")).ShortID() + ":0"
	mustDeposit(t, s, single)
	if _, err := bounce(s, single, 0); err != nil {
		t.Fatal(err)
	}
	other := mustTake(t, s, "4", chequeTender("7", 299_00, ""))
	if c := mustCheque(t, s, other.ShortID()+":0"); c.Again != "" || mustCheque(t, s, single).Next != "" {
		t.Errorf("one of another amount is presented again for %q", c.Again)
	}
	mustReverse(t, s, other)
	same := mustTake(t, s, "4", chequeTender("7", 300_00, ""))
	if c := mustCheque(t, s, same.ShortID()+":0"); c.Again != fees.Key("DPS", single) || mustCheque(t, s, single).Next != c.ID {
		t.Errorf("the same paper is presented again for %q", c.Again)
	}

	rows := mustFamily(t, s, 100_00, []string{"1", "2"}, chequeTender("8", 200_00, ""))
	parts := []string{rows[0].ShortID() + ":0", rows[1].ShortID() + ":0"}
	mustDeposit(t, s, parts[0])
	if _, err := bounce(s, parts[0], 0); err != nil {
		t.Fatal(err)
	}
	mustTake(t, s, "1", chequeTender("8", 100_00, "")) // of the amount of a part, and no part
	for _, id := range parts {
		if c := mustCheque(t, s, id); c.Next != "" || c.MadeOutFor() != 200_00 {
			t.Errorf("a part of %d is presented again with %q", c.MadeOutFor(), c.Next)
		}
	}
	whole := mustFamily(t, s, 200_00, []string{"1"}, chequeTender("8", 200_00, "")) // all of it for one child now
	for _, id := range parts {
		if c := mustCheque(t, s, id); c.Next != whole[0].ID+":0" {
			t.Errorf("a part is presented again with %q, want %s", c.Next, whole[0].ID)
		}
	}
	total, err := s.ChequeTotal(context.Background(), "DPS", fees.ChequeFilter{State: fees.ChequeBounced})
	if err != nil || total != (fees.ChequeTotal{Count: 3, Parts: 2, Amount: 500_00}) {
		t.Errorf("bounced: %+v, %v", total, err)
	}
	mustAudit(t, s)
}

// What did not bounce settles what the cashier had chosen, in that order, and not
// what is oldest.
func TestReentryKeepsTheChoice(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	mustWriteBills(t, s, nextBill("1", "T2", 200_00), nextBill("1", "T0", 400_00))
	o := cash(s, "1", 300_00)
	o.Tenders = append(o.Tenders, chequeTender("1", 150_00, ""))
	o.Choices = []fees.Choice{{Bill: "2026-27/T2", Head: "TUITION", Amount: 200_00}, {Bill: "2026-27/T0", Head: "TUITION", Amount: 250_00}}
	row := mustRecord(t, s, "DPS", o)
	mustDeposit(t, s, row.ShortID()+":1")
	c, err := bounce(s, row.ShortID()+":1", 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Row(ctx, "DPS", c.Bounce.Reentry)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(r fees.Row) (text string) {
		for _, l := range r.Lines {
			text += fmt.Sprintf("%s %d, ", l.Bill, l.Amount)
		}
		return text
	}
	if got := lines(again); got != "2026-27/T0 25000, 2026-27/T2 5000, " {
		t.Errorf("%s was entered again for %s", lines(row), got)
	}
	mustAudit(t, s)
}
