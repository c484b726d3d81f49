package fees_test

import (
	"testing"

	"raseed/store/fees"
)

// What can be given back of a payment is what it brought in, less what was given
// back, and no more than is held for the head.
func TestRefundable(t *testing.T) {
	heads := []fees.Head{{Code: "DEPOSIT", Name: "Deposit", Refundable: true}, {Code: "TUITION", Name: "Tuition"}}
	bill := func(period, head string, net fees.Amount) fees.Bill {
		return fees.Bill{Period: period, DueDate: "2026-04-10", Lines: []fees.BillLine{{Head: head, Net: net}}, Net: net}
	}
	line := func(period, head string, amount fees.Amount) fees.Line {
		return fees.Line{Bill: period, Head: head, HeadName: head, Amount: amount}
	}
	paid := fees.Row{ID: "DPS:P", Kind: fees.KindPayment, Lines: []fees.Line{line("T1", "TUITION", 500), line("C1", "DEPOSIT", 100), line("", fees.HeadAdvance, 50)}}
	refund := func(id string, amount fees.Amount) (fees.Row, fees.Bill) {
		period := fees.RefundPeriod("2026-27", id)
		row := fees.Row{ID: "DPS:" + id, Institute: "DPS", Student: "1", FY: "2026-27", Kind: fees.KindRefund, Refunds: "DPS:P", RefundsText: "P/1", Lines: []fees.Line{line(period, "DEPOSIT", -amount)}}
		b, ok := fees.RefundBill(row)
		if !ok || b.Net != -amount || b.ID != "DPS:1:"+period {
			t.Fatalf("the bill of %s is %+v", id, b)
		}
		return row, b
	}
	back, backBill := refund("R1:refund", 60)
	tuition, deposit := bill("T1", "TUITION", 500), bill("C1", "DEPOSIT", 100)
	reversed := paid
	reversed.ReversedBy = "DPS:P:reversal"
	for _, tt := range []struct {
		what  string
		paid  fees.Row
		bills []fees.Bill
		rows  []fees.Row
		want  fees.Amount
	}{
		{"all of it", paid, []fees.Bill{tuition, deposit}, []fees.Row{paid}, 100},
		{"less what was given back", paid, []fees.Bill{tuition, deposit, backBill}, []fees.Row{paid, back}, 40},
		{"nothing of what was reversed", reversed, []fees.Bill{tuition, deposit}, []fees.Row{reversed}, 0},
		{"a deposit that was made smaller since", paid, []fees.Bill{tuition, deposit, bill("C1/D1", "DEPOSIT", -30)}, []fees.Row{paid}, 70},
		{"a deposit whose bill was cancelled", paid, []fees.Bill{tuition, bill("C1", "DEPOSIT", 0)}, []fees.Row{paid}, 0},
		{"of which something was moved", paid, []fees.Bill{tuition, deposit, bill("T2", "TUITION", 80)},
			[]fees.Row{paid, {Kind: fees.KindAdjustment, Lines: []fees.Line{line("C1", "DEPOSIT", -20), line("T2", "TUITION", 20)}}}, 80},
	} {
		sum := fees.Amount(0)
		for _, l := range fees.Refundable(tt.paid, heads, tt.bills, tt.rows) {
			if l.Head != "DEPOSIT" || l.Bill != "" {
				t.Errorf("%s: gives %+v back", tt.what, l)
			}
			sum += l.Amount
		}
		if sum != tt.want {
			t.Errorf("%s: %d can be given back, want %d", tt.what, sum, tt.want)
		}
		if d := fees.DuesOf(tt.bills, tt.rows); tt.what == "less what was given back" && (d.Due != 0 || d.Advance != 50) {
			t.Errorf("%s: %+v is owed", tt.what, d)
		}
	}
	if _, ok := fees.RefundBill(fees.Row{ID: "DPS:R", Lines: []fees.Line{line("", fees.HeadAdvance, -5)}}); ok {
		t.Error("an advance is billed")
	}
}

func TestChequeRefuses(t *testing.T) {
	at := func(state fees.ChequeState) fees.Cheque {
		return fees.Cheque{Mode: fees.ModeCheque, Number: "7", StudentName: "Asha", Date: "2026-06-10", State: state, History: []fees.ChequeStep{{State: state, Day: "2026-06-12"}}}
	}
	const in, dep, clr, bnc, out = fees.ChequeReceived, fees.ChequeDeposited, fees.ChequeCleared, fees.ChequeBounced, fees.ChequeWithdrawn
	may := map[[2]fees.ChequeState]bool{{in, dep}: true, {dep, clr}: true, {dep, bnc}: true}
	for _, from := range []fees.ChequeState{in, dep, clr, bnc, out} {
		for _, to := range []fees.ChequeState{dep, clr, bnc} {
			c := at(from)
			bad := c.Refuses(to, "2026-06-15", "2026-06-15")
			if (bad == nil) != may[[2]fees.ChequeState{from, to}] || bad != nil && bad.Code != fees.Conflict {
				t.Errorf("%s to %s: %v", from, to, bad)
			}
		}
	}
	for day, code := range map[fees.Date]fees.Code{"2026-06-11": fees.Invalid, "2026-06-16": fees.Invalid, "2026-06-12": ""} {
		c := at(in)
		var got fees.Code
		if bad := c.Refuses(dep, day, "2026-06-15"); bad != nil {
			got = bad.Code
		}
		if got != code {
			t.Errorf("deposited on %s: %q, want %q", day, got, code)
		}
	}
	for id, want := range map[string]bool{"01M8PQW1NYWX10TDSA96AA97TA:0": true, "01M8PQW1NYWX10TDSA96AA97TA:x": false, "01M8PQW1NYWX10TDSA96AA97TA": false, "": false, "KVS:01M8PQW1NYWX10TDSA96AA97:0": false} {
		if fees.ValidChequeID(id) != want {
			t.Errorf("%q is a cheque's id: %t", id, !want)
		}
	}
	for id, want := range map[string]bool{"01M8PQW1NYWX10TDSA96AA97TA:refund": true, ":refund": false, "x:refund": false, "01M8PQW1NYWX10TDSA96AA97TA:refund:refund": false} {
		if fees.ValidRowID(id) != want {
			t.Errorf("%q is a row's id: %t", id, !want)
		}
	}
}
