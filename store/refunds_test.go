package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"raseed/store/fees"
)

var asker = fees.Actor{Login: "asha", Name: "Asha R", Role: fees.RoleCashier}

// openDepositSchool is a term school with a refundable deposit of 100.00 billed
// to student 1, who owes 600.00 then.
func openDepositSchool(t *testing.T) *Store {
	t.Helper()
	s := openTermSchool(t, 2)
	deposit(t, s, "DPS")
	return s
}

// deposit bills a refundable deposit of 100.00 to student 1.
func deposit(t *testing.T, s *Store, institute string) {
	t.Helper()
	ctx := context.Background()
	head := fees.Head{ID: fees.Key(institute, "DEPOSIT"), Institute: institute, Code: "DEPOSIT", Name: "Caution deposit", Order: 2, Refundable: true}
	if err := s.DB.InsertOne(ctx, heads, head); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PlaceCharge(ctx, institute, fees.ChargeOrder{ID: s.NewID(), Title: "Caution deposit", Head: "DEPOSIT", Amount: 100_00, DueDate: "2026-07-10", Student: "1", By: bankAdmin}); err != nil {
		t.Fatal(err)
	}
}

func refundOf(s *Store, payment fees.Row, amount fees.Amount) fees.RefundOrder {
	return fees.RefundOrder{
		ID: s.NewID(), Student: payment.Student, Payment: payment.ShortID(), Parts: []fees.RefundPart{{Head: "DEPOSIT", Amount: amount}},
		Mode: fees.ModeCash, Reason: "Left the school", By: asker,
	}
}

func mustAsk(t *testing.T, s *Store, o fees.RefundOrder) fees.Refund {
	t.Helper()
	r, err := s.AskRefund(context.Background(), "DPS", o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func approve(s *Store, r fees.Refund, by fees.Actor) (fees.Refund, error) {
	return s.DecideRefund(context.Background(), "DPS", fees.RefundDecision{ID: r.ShortID(), Approve: true, By: by})
}

func TestARefundedDepositIsNotOwedAgain(t *testing.T) {
	s, ctx := openDepositSchool(t), context.Background()
	paid := mustPay(t, s, "1", 600_00)
	order := refundOf(s, paid, 60_00)
	for range 2 {
		mustAsk(t, s, order)
	}
	other := order
	other.Reason = "Another reason"
	_, err := s.AskRefund(ctx, "DPS", other)
	wantCode(t, "the same form with other content", err, fees.Conflict, "already asked for another refund")
	wantAccount(t, s, "1", 600_00, 600_00, 2, 1)
	r, err := s.Refund(ctx, "DPS", order.ID)
	if err != nil || r.State != fees.RefundRequested {
		t.Fatal(r, err)
	}
	_, err = approve(s, r, fees.Actor{Login: "asha", Role: fees.RoleAccountant})
	wantCode(t, "approved by who asked", err, fees.Forbidden, "somebody else")
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			if r, err := approve(s, r, accountant); err != nil || r.State != fees.RefundPaid {
				t.Errorf("approved: %+v, %v", r, err)
			}
		})
	}
	done.Wait()
	row, err := s.Row(ctx, "DPS", order.ID+":refund")
	if err != nil || row.NumberText != "RF/26-27/00001" || row.Total != -60_00 || row.Cashier != "asha" || row.ApprovedBy != "ravi" || row.Refunds != paid.ID ||
		row.BalanceAfter != 0 || row.Status() != fees.StatusRefund || row.Tenders[0].Amount != -60_00 {
		t.Errorf("the row is %+v, %v", row, err)
	}
	wantDues(t, s, "1", "advance 0, balance 0")
	wantAccount(t, s, "1", 540_00, 540_00, 3, 2)
	_, err = s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "wrong entry", By: accountant})
	wantCode(t, "reverse what was refunded", err, fees.Conflict, "given back by RF/26-27/00001")
	_, err = s.AskRefund(ctx, "DPS", refundOf(s, paid, 40_01))
	wantCode(t, "more than is left", err, fees.Invalid, "At most 40.00 of Caution deposit can be given back from "+paid.NumberText)
	wide := refundOf(s, paid, 1)
	wide.Parts[0].Head = "TUITION"
	_, err = s.AskRefund(ctx, "DPS", wide)
	wantCode(t, "a head that is not refundable", err, fees.Invalid, "Nothing of TUITION")
	foreign := refundOf(s, paid, 1)
	testSchool(t, s, "KVS", 1)
	_, err = s.AskRefund(ctx, "KVS", foreign)
	wantCode(t, "another institute", err, fees.NotFound, "")
	// Two are asked for, and there is only enough for one of them.
	first, second := mustAsk(t, s, refundOf(s, paid, 40_00)), mustAsk(t, s, refundOf(s, paid, 30_00))
	if _, err := approve(s, first, accountant); err != nil {
		t.Fatal(err)
	}
	_, err = approve(s, second, accountant)
	wantCode(t, "twice", err, fees.Conflict, "Nothing of DEPOSIT can be given back")
	refuse := fees.RefundDecision{ID: second.ShortID(), Why: "Paid already", By: accountant}
	if r, err := s.DecideRefund(ctx, "DPS", refuse); err != nil || r.State != fees.RefundRefused || r.Why != "Paid already" {
		t.Errorf("refused: %+v, %v", r, err)
	}
	_, err = approve(s, second, accountant)
	wantCode(t, "approve what was refused", err, fees.Conflict, "refused by Ravi")
	refuse.ID = first.ShortID()
	_, err = s.DecideRefund(ctx, "DPS", refuse)
	wantCode(t, "refuse what is paid", err, fees.Conflict, "approved by Ravi")
	page, err := s.Refunds(ctx, "DPS", fees.RefundPaid, "", 1)
	if err != nil || len(page.Items) != 1 || page.Items[0].Voucher != "RF/26-27/00002" || page.Next == "" {
		t.Errorf("paid out: %+v, %v", page, err)
	}
	mustAudit(t, s)
}

func TestAnAdvanceIsRefunded(t *testing.T) {
	s, ctx := openTermSchool(t, 2), context.Background()
	paid := mustPay(t, s, "1", 800_00)
	order := fees.RefundOrder{ID: s.NewID(), Student: "1", Parts: []fees.RefundPart{{Head: fees.HeadAdvance, Amount: 300_01}}, Mode: fees.ModeTransfer, Ref: "utr123456", Reason: "Left", By: asker}
	_, err := s.AskRefund(ctx, "DPS", order)
	wantCode(t, "above the advance", err, fees.Invalid, "At most 300.00 of Advance")
	order.Parts[0].Amount = 300_00
	r := mustAsk(t, s, order)
	// What it is asked for of is used meanwhile.
	mustWriteBills(t, s, nextBill("1", "T2", 100_00))
	_, err = approve(s, r, accountant)
	wantCode(t, "an advance that was used", err, fees.Conflict, "At most 200.00 of Advance")
	order.ID, order.Parts[0].Amount = s.NewID(), 200_00
	if r, err = approve(s, mustAsk(t, s, order), accountant); err != nil || r.State != fees.RefundPaid || r.Voucher != "RF/26-27/00001" {
		t.Fatal(r, err)
	}
	wantDues(t, s, "1", "advance 0, balance 0")
	_, err = s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "wrong entry", By: accountant})
	wantCode(t, "reverse what the advance came from", err, fees.Conflict, "given back by RF/26-27/00001")
	// Of another payment there is enough.
	more := mustPay(t, s, "1", 10_00)
	mustReverse(t, s, more)
	order.ID = s.NewID()
	_, err = s.AskRefund(ctx, "DPS", order)
	wantCode(t, "no advance", err, fees.Invalid, "Nothing of ADVANCE can be given back from the advance of Student 1")
	mustAudit(t, s)
}

func TestARefundWaitsForTheCheque(t *testing.T) {
	s, ctx := openDepositSchool(t), context.Background()
	paid := mustTake(t, s, "1", chequeTender("1", 600_00, ""))
	_, err := s.AskRefund(ctx, "DPS", refundOf(s, paid, 1_00))
	wantCode(t, "a cheque in hand", err, fees.Conflict, "Cheque 1 of this receipt has not cleared")
	mustDeposit(t, s, paid.ShortID()+":0")
	if _, err := s.ClearCheques(ctx, "DPS", fees.ClearOrder{Cheques: []string{paid.ShortID() + ":0"}, By: accountant}); err != nil {
		t.Fatal(err)
	}
	if _, err := approve(s, mustAsk(t, s, refundOf(s, paid, 1_00)), bankAdmin); err != nil {
		t.Error(err)
	}
	own := refundOf(s, paid, 1_00)
	own.By = bankAdmin
	if _, err := approve(s, mustAsk(t, s, own), bankAdmin); err != nil {
		t.Errorf("an admin approves what they asked for: %v", err)
	}
	if err := s.CloseBooks(ctx, "DPS", "2026-06-14"); err != nil {
		t.Fatal(err)
	}
	mustAudit(t, s)
}

// Whatever is asked for, approved, reversed and bounced in whatever order, what
// is owed is what was billed less what was received, and the audit finds nothing.
func TestRefundsAndBouncesKeepTheBalance(t *testing.T) {
	oneThing(t)
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s, ctx := openDepositSchool(t), context.Background()
			dice := rand.New(rand.NewPCG(seed, 7))
			var paid []fees.Row
			for step := range 40 {
				var err error
				pick := func() fees.Row { return paid[dice.IntN(len(paid))] }
				switch n := dice.IntN(8); {
				case n < 2 || len(paid) == 0:
					tenders := []fees.Tender{{Mode: fees.ModeCash, Amount: fees.Amount(1 + dice.IntN(300_00))}}
					if dice.IntN(2) == 0 {
						tenders = append(tenders, chequeTender(fmt.Sprint(step), fees.Amount(1+dice.IntN(300_00)), ""))
					}
					paid = append(paid, mustTake(t, s, "1", tenders...))
				case n == 2:
					_, err = s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: pick().ShortID(), Reason: "wrong entry", By: accountant})
				case n == 3:
					_, err = s.DepositCheques(ctx, "DPS", fees.DepositOrder{ID: s.NewID(), Cheques: []string{pick().ShortID() + ":1"}, Account: "SBI", By: accountant})
				case n == 4:
					_, err = s.ClearCheques(ctx, "DPS", fees.ClearOrder{Cheques: []string{pick().ShortID() + ":1"}, By: accountant})
				case n == 5:
					_, err = s.BounceCheque(ctx, "DPS", fees.BounceOrder{Cheque: pick().ShortID() + ":1", Reason: "no funds", Charge: fees.Amount(dice.IntN(2) * 25_00), By: accountant})
				default:
					o := refundOf(s, pick(), fees.Amount(1+dice.IntN(100_00)))
					if n == 7 {
						o.Payment, o.Parts[0].Head = "", fees.HeadAdvance
					}
					var r fees.Refund
					if r, err = s.AskRefund(ctx, "DPS", o); err == nil {
						_, err = approve(s, r, accountant)
					}
				}
				if code := fees.CodeOf(err); err != nil && code != fees.Conflict && code != fees.Invalid && code != fees.NotFound {
					t.Fatalf("step %d: %v", step, err)
				}
				wantIdentity(t, s, "1")
			}
			mustAudit(t, s)
		})
	}
}

// wantIdentity compares what is owed with the sums of bills and rows, and says
// that no head was given back beyond what was paid for it.
func wantIdentity(t *testing.T, s *Store, student string) {
	t.Helper()
	ctx := context.Background()
	billed, err := s.Bills(ctx, "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.StudentRows(ctx, "DPS", student)
	if err != nil {
		t.Fatal(err)
	}
	var sum, received, deposit fees.Amount
	for _, b := range billed {
		sum += b.Net
	}
	var text []string
	for _, r := range rows {
		received += r.Total
		for _, l := range r.Lines {
			if l.Head == "DEPOSIT" {
				deposit += l.Amount
			}
		}
		text = append(text, fmt.Sprintf("%s %s %d", r.Kind, r.NumberText, r.Total))
	}
	d := fees.DuesOf(billed, rows)
	if d.Balance != sum-received || d.Balance != d.Due-d.Advance || d.Advance < 0 {
		t.Fatalf("owed %+v of billed %d less received %d:\n%s", d, sum, received, strings.Join(text, "\n"))
	}
	if deposit < 0 {
		t.Fatalf("the deposits are %d:\n%s", deposit, strings.Join(text, "\n"))
	}
}
