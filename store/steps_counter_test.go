package store

import (
	"context"
	"testing"

	"raseed/store/fees"
)

// counterOperations are those of holds, and the shorter ones of tills, cheques
// and refunds, for TestEveryStep.
func counterOperations() []operation {
	id, till, page := testIDs()(), testIDs()(), testIDs()()
	id, till, page = id[:25]+"D", till[:25]+"E", page[:25]+"F" // none of another operation's
	ctx := context.Background()
	school := func(t *testing.T, s *Store, institute string) { testSchool(t, s, institute, 1) }
	take := func(ctx context.Context, s *Store, institute string) error {
		_, err := s.TakeHold(ctx, institute, "1", asha, page, "")
		return err
	}
	held := func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, holds, institute) }
	taken := func(t *testing.T, s *Store, institute string) {
		school(t, s, institute)
		if err := take(ctx, s, institute); err != nil {
			t.Fatal(err)
		}
	}
	atBank := func(t *testing.T, s *Store, institute string) {
		school(t, s, institute)
		o := cash(s, "1", 1)
		o.ID, o.Tenders = id, []fees.Tender{chequeTender("1", 200_00, "")}
		if _, err := s.RecordPayment(ctx, institute, o); err != nil {
			t.Fatal(err)
		}
		if _, err := s.DepositCheques(ctx, institute, fees.DepositOrder{ID: page, Cheques: []string{id + ":0"}, Account: "SBI", By: accountant}); err != nil {
			t.Fatal(err)
		}
	}
	asked := func(t *testing.T, s *Store, institute string) {
		school(t, s, institute)
		if _, err := s.RecordPayment(ctx, institute, cash(s, "1", 700_00)); err != nil {
			t.Fatal(err)
		}
		o := fees.RefundOrder{ID: id, Student: "1", Parts: []fees.RefundPart{{Head: fees.HeadAdvance, Amount: 50_00}}, Mode: fees.ModeCash, Reason: "Left", By: asker}
		if _, err := s.AskRefund(ctx, institute, o); err != nil {
			t.Fatal(err)
		}
	}
	return []operation{
		{"take a student", school, take, held, 1, false},
		{"keep a student", taken, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.RenewHold(ctx, institute, "1", asha, page)
			return err
		}, held, 1, false},
		{"give a student back", taken, func(ctx context.Context, s *Store, institute string) error {
			return s.ReleaseHold(ctx, institute, "1", page)
		}, held, 0, false},
		{"close the till of another", func(t *testing.T, s *Store, institute string) {
			school(t, s, institute)
			if _, err := s.OpenShift(ctx, institute, fees.ShiftOrder{ID: till, Float: 100_00, By: asha}); err != nil {
				t.Fatal(err)
			}
		}, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.CloseShift(ctx, institute, fees.CloseOrder{Shift: till, Other: 90_00, Note: "short", Reason: "went home", By: meera})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, shifts, "institute", institute, "state", string(fees.ShiftClosed))
		}, 1, false},
		{"clear a cheque", atBank, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.ClearCheques(ctx, institute, fees.ClearOrder{Cheques: []string{id + ":0"}, By: accountant})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, cheques, "institute", institute, "state", string(fees.ChequeCleared))
		}, 1, false},
		{"refuse a refund", asked, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.DecideRefund(ctx, institute, fees.RefundDecision{ID: id, Why: "not now", By: accountant})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, refunds, "institute", institute, "state", string(fees.RefundRefused))
		}, 1, false},
		{"give an advance back", asked, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.DecideRefund(ctx, institute, fees.RefundDecision{ID: id, Approve: true, By: accountant})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, payments, "institute", institute, "kind", fees.KindRefund)
		}, 1, false},
	}
}
