package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"raseed/store/fees"
)

// A reference is asked about in every kind of payment that a person enters, by
// whichever row has it, until that is reversed.
func TestReferenceIsAskedAbout(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	ctx := context.Background()
	upi := func(ref string, amount fees.Amount) fees.Tender {
		return fees.Tender{Mode: fees.ModeUPI, Amount: amount, Ref: ref}
	}
	pay := func(student string, again []string, tenders ...fees.Tender) (fees.Row, error) {
		o := cash(s, student, 1)
		o.Tenders, o.RefsAgain = tenders, again
		return s.RecordPayment(ctx, "DPS", o)
	}
	asks := func(what string, err error, ref string) {
		t.Helper()
		var refused *fees.Error
		if !errors.As(err, &refused) || refused.Code != fees.Invalid || !slices.Equal(refused.Asked, []string{ref}) || !strings.Contains(refused.Message, "Received already") {
			t.Errorf("%s: %v, want a question about %s", what, err, ref)
		}
	}
	first, err := pay("1", nil, upi("412345678901", 100_00))
	if err != nil {
		t.Fatal(err)
	}
	_, err = pay("2", nil, fees.Tender{Mode: fees.ModeCash, Amount: 1_00}, upi("4123-4567-8901", 100_00))
	asks("another student", err, "4123-4567-8901")
	_, err = s.RecordFamily(ctx, "DPS", ofFamily(s.NewID(), []string{"1", "2"}, upi("412345678901", 200_00)))
	asks("a family", err, "412345678901")
	if n := counted(t, s, payments, "DPS"); n != 1 {
		t.Fatalf("there are %d rows, want the first alone", n)
	}

	// A family's tender is dealt out over its rows: that is no repetition, and
	// each of them answers for it afterwards.
	order := ofFamily(s.NewID(), []string{"1", "2", "3"}, upi("512345678901", 1200_00))
	for range 2 {
		if _, err := s.RecordFamily(ctx, "DPS", order); err != nil {
			t.Fatal(err)
		}
	}
	_, err = pay("4", nil, upi("512345678901", 100_00))
	asks("a reference of a family", err, "512345678901")

	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: first.ShortID(), Reason: "wrong student"}); err != nil {
		t.Fatal(err)
	}
	if _, err := pay("2", nil, upi("412345678901", 100_00)); err != nil {
		t.Errorf("a reversed receipt's reference is refused: %v", err)
	}
	if _, err := pay("2", []string{"512345678901"}, upi("512345678901", 100_00)); err != nil {
		t.Errorf("a reference that is said to be right is refused: %v", err)
	}
	mustAudit(t, s)
}

// Of many counters that enter one reference at the same moment one is not asked.
func TestReferenceIsAskedAboutAtOnce(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testSchool(t, s, "DPS", 8)
	var done sync.WaitGroup
	var asked atomic.Int64
	for n := range 8 {
		done.Go(func() {
			o := cash(s, strconv.Itoa(n+1), 1)
			o.Tenders = []fees.Tender{{Mode: fees.ModeUPI, Amount: 1_00, Ref: "412345678901"}}
			_, err := s.RecordPayment(context.Background(), "DPS", o)
			switch fees.CodeOf(err) {
			case fees.Invalid:
				asked.Add(1)
			default:
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	done.Wait()
	if n := counted(t, s, payments, "DPS"); n != 1 || asked.Load() != 7 {
		t.Errorf("%d were recorded and %d asked about, want 1 and 7", n, asked.Load())
	}
}
