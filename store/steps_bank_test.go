package store

import (
	"context"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// bankOperations are those of cheques and refunds, for TestEveryStep.
func bankOperations() []operation {
	id, slip, wanted := testIDs()(), testIDs()(), testIDs()()
	id, slip, wanted = id[:25]+"A", slip[:25]+"B", wanted[:25]+"C" // none of another operation's
	take := func(ctx context.Context, s *Store, institute string) error {
		o := cash(s, "1", 300_00)
		o.ID = id
		o.Tenders = append(o.Tenders, chequeTender("1", 200_00, ""), chequeTender("2", 200_00, ""))
		_, err := s.RecordPayment(ctx, institute, o)
		return err
	}
	deposit2 := func(ctx context.Context, s *Store, institute string) error {
		_, err := s.DepositCheques(ctx, institute, fees.DepositOrder{ID: slip, Cheques: []string{id + ":1", id + ":2"}, Account: "SBI", By: accountant})
		return err
	}
	school := func(t *testing.T, s *Store, institute string) {
		testSchool(t, s, institute, 2)
		deposit(t, s, institute)
	}
	after := func(before func(*testing.T, *Store, string), do func(context.Context, *Store, string) error) func(*testing.T, *Store, string) {
		return func(t *testing.T, s *Store, institute string) {
			t.Helper()
			before(t, s, institute)
			if err := do(context.Background(), s, institute); err != nil {
				t.Fatal(err)
			}
		}
	}
	taken := after(school, take)
	deposited := after(taken, deposit2)
	cleared := after(deposited, func(ctx context.Context, s *Store, institute string) error {
		_, err := s.ClearCheques(ctx, institute, fees.ClearOrder{Cheques: []string{id + ":1", id + ":2"}, By: accountant})
		return err
	})
	ask := func(ctx context.Context, s *Store, institute string) error {
		_, err := s.AskRefund(ctx, institute, fees.RefundOrder{
			ID: wanted, Student: "1", Payment: id, Parts: []fees.RefundPart{{Head: "DEPOSIT", Amount: 80_00}}, Mode: fees.ModeCash, Reason: "Left", By: asker,
		})
		return err
	}
	asked := after(cleared, ask)
	return []operation{
		{"record a payment by cheques", school, take, func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, payments, institute) }, 1, false},
		{"deposit cheques", taken, deposit2, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, cheques, "institute", institute, "deposit", slip)
		}, 2, false},
		{"bounce one cheque of two", deposited, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.BounceCheque(ctx, institute, fees.BounceOrder{Cheque: id + ":2", Reason: "no funds", Charge: 25_00, By: accountant})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, cheques, "institute", institute, "state", fees.ChequeBounced)
		}, 1, false},
		{"ask for a refund", cleared, ask, func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, refunds, institute) }, 1, false},
		{"approve a refund", asked, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.DecideRefund(ctx, institute, fees.RefundDecision{ID: wanted, Approve: true, By: accountant})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, payments, "institute", institute, "kind", fees.KindRefund)
		}, 1, false},
	}
}

// TestABounceIsDoneOnce: whatever befell it, a bounce is one reversal and one
// payment entered again, with the cheque that did not bounce still at the bank.
func TestABounceIsDoneOnce(t *testing.T) {
	s := openOn(t, openTestDB(t))
	s.Now = termTime
	for _, o := range bankOperations() {
		if o.name != "bounce one cheque of two" {
			continue
		}
		o.done = func(t *testing.T, s *Store, institute string) int64 {
			n := documents(t, s, payments, "institute", institute, "kind", fees.KindReversal)
			if documents(t, s, cheques, "institute", institute, "state", fees.ChequeBounced) == 1 && n == 1 &&
				documents(t, s, payments, "institute", institute, "kind", fees.KindPayment) == 2 &&
				documents(t, s, cheques, "institute", institute, "state", fees.ChequeDeposited) == 1 &&
				documents(t, s, cheques, "institute", institute, "bouncing", true) == 0 {
				return 1
			}
			return 0
		}
		for at := 1; at < 60; at += 4 {
			institute := "B" + string(rune('A'+at/26)) + string(rune('A'+at%26))
			o.prepare(t, s, institute)
			o.meet(t, s, institute, &life{mishap: mishap{name: "killed after", fault: docdbtest.AfterWrite, after: dies}, at: at})
			if t.Failed() {
				t.Fatalf("killed at call %d", at)
			}
		}
	}
}
