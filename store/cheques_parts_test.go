package store

import (
	"context"
	"fmt"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// splitCheque records a family payment by one cheque of 1500.00 for three
// children, and answers with its parts, deposited.
func splitCheque(t *testing.T, s *Store) []fees.Cheque {
	t.Helper()
	ctx := context.Background()
	p, err := s.RecordFamily(ctx, "DPS", ofFamily(s.NewID(), []string{"1", "2", "3"}, chequeTender("004512", 1500_00, "")))
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
	if len(parts) != 3 {
		t.Fatalf("the parts are %+v", parts)
	}
	mustDeposit(t, s, parts[0].ShortID())
	return parts
}

// Two people of two processes do something with two parts of one cheque at the
// same moment, at whatever step of the first: one of them is done, to all parts,
// and a charge is billed once.
func TestPartsOfAChequeAgree(t *testing.T) {
	oneThing(t)
	ctx := context.Background()
	type step = func(s *Store, id string) error
	bounces := func(s *Store, id string) error { _, err := bounce(s, id, 25_00); return err }
	clears := func(s *Store, id string) error {
		_, err := s.ClearCheques(ctx, "DPS", fees.ClearOrder{Cheques: []string{id}, By: accountant})
		return err
	}
	for name, both := range map[string][2]step{
		"bounce and bounce": {bounces, bounces}, "bounce and clear": {bounces, clears}, "clear and bounce": {clears, bounces},
	} {
		for at := int64(1); at < 40; at++ {
			db := openTestDB(t)
			other := openOn(t, db)
			other.Now = termTime
			testFamily(t, other, "DPS")
			parts := splitCheque(t, other)
			var began bool
			var second error
			start := int64(0)
			s := openOn(t, docdbtest.Faulty(db, func(op docdbtest.Op) docdbtest.Fault {
				if start == 0 || began || op.Seq < start+at {
					return docdbtest.None
				}
				began = true
				second = both[1](other, parts[0].ShortID())
				return docdbtest.None
			}))
			s.Now = termTime
			if _, err := s.Institute(ctx, "DPS"); err != nil {
				t.Fatal(err)
			}
			start = 1
			first := both[0](s, parts[2].ShortID())
			if !began {
				break
			}
			for _, err := range []error{first, second} {
				if code := fees.CodeOf(err); err != nil && code != fees.Conflict {
					t.Errorf("%s, at step %d: %v", name, at, err)
				}
			}
			states := map[fees.ChequeState]int{}
			for _, p := range parts {
				c, err := s.Cheque(ctx, "DPS", p.ShortID())
				if err != nil {
					t.Fatal(err)
				}
				states[c.State]++
			}
			charged := documents(t, s, payments, "institute", "DPS", "charge", int64(25_00))
			if len(states) != 1 || charged > 1 || charged != int64(states[fees.ChequeBounced]/3) {
				t.Errorf("%s, at step %d: %d charged, and the parts are %v (%v, %v)", name, at, charged, states, first, second)
			}
			if t.Failed() {
				return
			}
			mustAudit(t, s)
		}
	}
}

// A slip is what was taken to the bank: it stays so when one of its cheques
// bounces and another is entered again, and when its form is sent again with
// others.
func TestASlipStaysAsItWasMade(t *testing.T) {
	s, ctx := openTermSchool(t, 2), context.Background()
	row := mustTake(t, s, "1", chequeTender("1", 100_00, ""), chequeTender("2", 200_00, ""), chequeTender("3", 50_00, ""))
	id := row.ShortID()
	slip := fees.DepositOrder{ID: s.NewID(), Cheques: []string{id + ":0", id + ":1"}, Account: "SBI", By: accountant}
	want := func(when string) {
		t.Helper()
		all, err := s.DepositedCheques(ctx, "DPS", slip.ID)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, c := range all {
			text += fmt.Sprintf("%s of %s, ", c.Number, c.Receipt)
		}
		if text != "1 of "+row.NumberText+", 2 of "+row.NumberText+", " {
			t.Errorf("%s the slip has %s", when, text)
		}
	}
	for range 2 {
		if _, err := s.DepositCheques(ctx, "DPS", slip); err != nil {
			t.Fatal(err)
		}
	}
	want("once made,")
	for what, change := range map[string]func(o *fees.DepositOrder){
		"more cheques":    func(o *fees.DepositOrder) { o.Cheques = []string{id + ":2"} },
		"another account": func(o *fees.DepositOrder) { o.Account = "HDFC" },
		"another day":     func(o *fees.DepositOrder) { o.Day = "2026-06-14" },
	} {
		other := slip
		change(&other)
		_, err := s.DepositCheques(ctx, "DPS", other)
		wantCode(t, what, err, fees.Conflict, "already made a deposit slip")
	}
	want("after other forms,")
	if _, err := bounce(s, id+":0", 0); err != nil {
		t.Fatal(err)
	}
	want("after one bounced,")
	all, err := s.StudentCheques(ctx, "DPS", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all { // the other one, of the receipt that was entered again
		if c.First != row.ID+":1" {
			continue
		}
		if _, err := bounce(s, c.ShortID(), 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := documents(t, s, cheques, "institute", "DPS", "state", fees.ChequeBounced); n != 2 {
		t.Errorf("%d cheques bounced", n)
	}
	want("after both bounced,")
	if _, err := s.DepositCheques(ctx, "DPS", slip); err != nil {
		t.Errorf("the same slip again: %v", err)
	}
	mustAudit(t, s)
}
