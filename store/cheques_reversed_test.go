package store

import (
	"context"
	"strings"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

const (
	byHand   = fees.Amount(77_00)
	byBounce = fees.Amount(55_00)
)

func reverseByHand(s *Store, payment string) error {
	_, err := s.ReversePayment(context.Background(), "DPS", fees.ReversalOrder{ID: payment, Reason: "wrong student", Charge: byHand, By: meera})
	return err
}

// interrupted does first, and at its call number at second in another process;
// began is false where first makes no so many calls.
func interrupted(t *testing.T, s *Store, at int64, first, second func(s *Store) error) (errs [2]error, began bool) {
	t.Helper()
	from := int64(-1)
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if from >= 0 && !began && op.Seq > from+at {
			began = true
			errs[1] = second(s)
		}
		return docdbtest.None
	}))
	p.Now = termTime
	from = 0
	errs[0] = first(p)
	return errs, began
}

// wantOneWay checks that a payment of 200.00 by cheque and 300.00 in cash was
// either reversed by hand, and nothing else, or bounced, with all that it brings.
func wantOneWay(t *testing.T, s *Store, what string, paid fees.Row) (bounced bool) {
	t.Helper()
	ctx := context.Background()
	back, err := s.Row(ctx, "DPS", fees.ReversalID(paid.ShortID()))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	c, err := s.Cheque(ctx, "DPS", paid.ShortID()+":1")
	if err != nil {
		t.Fatal(err)
	}
	bounced = back.Cheque != ""
	state, charge, received := fees.ChequeWithdrawn, byHand, int64(1)
	if bounced {
		state, charge, received = fees.ChequeBounced, byBounce, 2
	}
	if c.State != state || c.Bouncing || (c.Bounce != nil) != bounced || back.Charge != charge {
		t.Errorf("%s: reversed for %q with a charge of %d, and the cheque is %+v", what, back.Cheque, back.Charge, c)
	}
	if n := documents(t, s, payments, "institute", "DPS", "kind", fees.KindPayment); n != received {
		t.Errorf("%s: %d payments, want %d", what, n, received)
	}
	all, err := s.Bills(ctx, "DPS", "1")
	if err != nil {
		t.Fatal(err)
	}
	var charged fees.Amount
	for _, b := range all {
		if strings.Contains(b.Period, "/"+fees.HeadBounce+"/") {
			charged += b.Net
		}
	}
	if charged != charge {
		t.Errorf("%s: %d is billed for it, want %d", what, charged, charge)
	}
	mustAudit(t, s)
	return bounced
}

// A receipt is reversed by a person in one process while its cheque bounces in
// another, at whatever step of either: one of the two is done, whole, and the
// other is told.
func TestAReceiptIsReversedOrBounces(t *testing.T) {
	oneThing(t)
	for _, bounceFirst := range []bool{true, false} {
		ways := map[bool]int{}
		for at := int64(0); ; at++ {
			s := openOn(t, openTestDB(t))
			s.Now = termTime
			testSchool(t, s, "DPS", 1)
			paid := mustTake(t, s, "1", fees.Tender{Mode: fees.ModeCash, Amount: 300_00}, chequeTender("1", 200_00, ""))
			id := paid.ShortID()
			mustDeposit(t, s, id+":1")
			bounces := func(s *Store) error { _, err := bounce(s, id+":1", byBounce); return err }
			reverses := func(s *Store) error { return reverseByHand(s, id) }
			first, second := reverses, bounces
			if bounceFirst {
				first, second = bounces, reverses
			}
			errs, began := interrupted(t, s, at, first, second)
			if !began {
				break
			}
			bounced := wantOneWay(t, s, "the bounce first "+map[bool]string{true: "yes", false: "no"}[bounceFirst], paid)
			ways[bounced]++
			winner, loser := 0, 1
			if bounced != bounceFirst {
				winner, loser = 1, 0
			}
			if errs[winner] != nil || fees.CodeOf(errs[loser]) != fees.Conflict {
				t.Errorf("the bounce first %t, at step %d: bounced %t: %v", bounceFirst, at, bounced, errs)
			}
			if t.Failed() {
				return
			}
		}
		if ways[true] == 0 || ways[false] == 0 {
			t.Errorf("the bounce first %t: it went the same way all the time: %v", bounceFirst, ways)
		}
	}
}

// A process dies once it has marked a cheque as bounced, a person reverses the
// receipt, and the sweep comes: what the person did stands, and nothing is entered
// again.
func TestAHandIsFasterThanTheSweep(t *testing.T) {
	s := openOn(t, openTestDB(t))
	s.Now = termTime
	testSchool(t, s, "DPS", 1)
	paid := mustTake(t, s, "1", fees.Tender{Mode: fees.ModeCash, Amount: 300_00}, chequeTender("1", 200_00, ""))
	id := paid.ShortID()
	mustDeposit(t, s, id+":1")
	marked := false
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		switch {
		case marked:
			return docdbtest.BeforeWrite
		case op.Write && op.Coll == cheques:
			marked = true
		}
		return docdbtest.None
	}))
	p.Now = termTime
	if _, err := bounce(p, id+":1", byBounce); fees.CodeOf(err) != fees.Unconfirmed {
		t.Fatalf("bounced without a database: %v", err)
	}
	if n := documents(t, s, cheques, "institute", "DPS", "bouncing", true); n != 1 {
		t.Fatalf("%d cheques are marked", n)
	}
	if err := reverseByHand(s, id); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if wantOneWay(t, s, "after the sweep", paid) {
		t.Error("it bounced although a person had reversed it")
	}
	if err := reverseByHand(s, id); err != nil {
		t.Errorf("the same form again: %v", err)
	}
	_, err := bounce(s, id+":1", byBounce)
	wantCode(t, "the bounce again", err, fees.Conflict, "withdrawn")
}

// Who reverses what bounced already is led to the reversal, and told where
// something else was asked for.
func TestAReversalOfWhatBounced(t *testing.T) {
	s, ctx := openTermSchool(t, 1), context.Background()
	paid := mustTake(t, s, "1", chequeTender("4512", 300_00, ""))
	mustDeposit(t, s, paid.ShortID()+":0")
	if _, err := bounce(s, paid.ShortID()+":0", byBounce); err != nil {
		t.Fatal(err)
	}
	same := fees.ReversalOrder{ID: paid.ShortID(), Reason: "no funds", Charge: byBounce, By: meera}
	if row, err := s.ReversePayment(ctx, "DPS", same); err != nil || row.Reverses != paid.ID {
		t.Errorf("as it bounced: %+v, %v", row, err)
	}
	for range 2 {
		wantCode(t, "another reason", reverseByHand(s, paid.ShortID()), fees.Conflict, "Cheque 4512 bounced, and for that "+paid.NumberText+" was reversed already, on 15 June 2026 by Ravi")
	}
	if n := documents(t, s, bills, "institute", "DPS", "student", "1", "net", byHand); n != 0 {
		t.Errorf("%d bills of the charge that was refused", n)
	}
	mustAudit(t, s)
}

// A part of a split cheque is reversed by a person while another part bounces:
// the part goes back by hand and is not entered again, and the charge is billed
// once, or not where nothing bounced.
func TestAPartIsReversedWhileItBounces(t *testing.T) {
	oneThing(t)
	ctx := context.Background()
	for _, part := range []int{0, 2} {
		for at := int64(0); ; at++ {
			s := openOn(t, openTestDB(t))
			s.Now = termTime
			testFamily(t, s, "DPS")
			parts := splitCheque(t, s)
			payment := fees.After(parts[part].Row)
			errs, began := interrupted(t, s, at,
				func(s *Store) error { _, err := bounce(s, parts[2].ShortID(), byBounce); return err },
				func(s *Store) error { return reverseByHand(s, payment) })
			if !began {
				break
			}
			for _, err := range errs {
				if err != nil && fees.CodeOf(err) != fees.Conflict {
					t.Errorf("part %d, at step %d: %v", part, at, errs)
				}
			}
			bounced, hand := 0, 0
			for _, p := range parts {
				c, err := s.Cheque(ctx, "DPS", p.ShortID())
				if err != nil {
					t.Fatal(err)
				}
				back, err := s.Row(ctx, "DPS", fees.ReversalID(fees.After(p.Row)))
				switch {
				case fees.CodeOf(err) == fees.NotFound && c.State == fees.ChequeDeposited:
				case err != nil:
					t.Fatalf("part %d, at step %d: %s: %v", part, at, c.State, err)
				case back.Cheque == c.ID && c.State == fees.ChequeBounced:
					bounced++
				case back.Cheque == "" && c.State == fees.ChequeWithdrawn && p.ID == parts[part].ID:
					hand++
				default:
					t.Errorf("part %d, at step %d: reversed for %q, and the part is %s", part, at, back.Cheque, c.State)
				}
			}
			charged := documents(t, s, payments, "institute", "DPS", "charge", int64(byBounce))
			if n := documents(t, s, payments, "institute", "DPS", "kind", fees.KindPayment); n != 3 || charged != min(1, int64(bounced)) ||
				documents(t, s, cheques, "institute", "DPS", "bouncing", true) > 0 || bounced+hand == 0 {
				t.Errorf("part %d, at step %d: %d payments, %d charged, %d bounced, %d by hand: %v", part, at, n, charged, bounced, hand, errs)
			}
			if hand == 1 && bounced == 0 { // and then the others, by themselves
				if _, err := bounce(s, parts[1].ShortID(), byBounce); err != nil {
					t.Errorf("part %d, at step %d: the others, again: %v", part, at, err)
				}
			}
			mustAudit(t, s)
			if t.Failed() {
				return
			}
		}
	}
}

// The charge of a reversal is billed before anybody else of the process sees the
// row: what a receipt says is owed after it has the charge in it.
func TestAChargeIsBilledWithItsReversal(t *testing.T) {
	for _, bounces := range []bool{true, false} {
		var s *Store
		locked := make(chan bool, 1)
		s = openOn(t, docdbtest.Faulty(openTestDB(t), func(op docdbtest.Op) docdbtest.Fault {
			if op.Write && op.Coll == bills && len(locked) == 0 && s != nil {
				gone, cancel := context.WithCancel(context.Background())
				cancel()
				unlock, err := s.collecting.lock(gone, "DPS:1")
				if err == nil {
					unlock()
				}
				locked <- err != nil
			}
			return docdbtest.None
		}))
		s.Now = termTime
		testSchool(t, s, "DPS", 1)
		paid := mustTake(t, s, "1", chequeTender("1", 200_00, ""))
		mustDeposit(t, s, paid.ShortID()+":0")
		for len(locked) > 0 {
			<-locked
		}
		var err error
		if bounces {
			_, err = bounce(s, paid.ShortID()+":0", byBounce)
		} else {
			err = reverseByHand(s, paid.ShortID())
		}
		if err != nil {
			t.Fatal(err)
		}
		if !<-locked {
			t.Errorf("bounces %t: the charge is billed when the student is free for others", bounces)
		}
		mustAudit(t, s)
	}
}

// A cheque that bounces in two processes at the same moment, at whatever step of
// one, bounced for both.
func TestABounceAtTheSameMomentIsTheSame(t *testing.T) {
	oneThing(t)
	for at := int64(0); ; at++ {
		s := openOn(t, openTestDB(t))
		s.Now = termTime
		testSchool(t, s, "DPS", 1)
		paid := mustTake(t, s, "1", fees.Tender{Mode: fees.ModeCash, Amount: 300_00}, chequeTender("1", 200_00, ""))
		mustDeposit(t, s, paid.ShortID()+":1")
		bounces := func(s *Store) error { _, err := bounce(s, paid.ShortID()+":1", byBounce); return err }
		errs, began := interrupted(t, s, at, bounces, bounces)
		if !began {
			break
		}
		if !wantOneWay(t, s, "at the same moment", paid) || errs[0] != nil || errs[1] != nil {
			t.Fatalf("at step %d: %v", at, errs)
		}
	}
}
