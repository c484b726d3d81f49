package views

import (
	"testing"
	"time"

	"raseed/store/fees"
)

func inHand(id string, mode fees.Mode, number string, amount fees.Amount) fees.Cheque {
	return fees.Cheque{
		ID: "DPS:" + id, Mode: mode, Number: number, Bank: "State Bank", Date: "2026-12-15", Day: "2026-12-15", Amount: amount,
		Deposit: "01JDXTEST0000000000007K2QX", State: fees.ChequeReceived,
		History: []fees.ChequeStep{{State: fees.ChequeReceived, Day: "2026-11-30", At: time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)}},
	}
}

// A cheque in hand has the day on which it was received, and the date on it.
func TestChequeSince(t *testing.T) {
	c := inHand("A", fees.ModeCheque, "1", 100)
	lines := ChequesOf(school, "2026-11-30", []fees.Cheque{c})
	if lines[0].Date != "15 Dec 2026" || lines[0].Day != "30 Nov 2026" {
		t.Errorf("dated %s, since %s", lines[0].Date, lines[0].Day)
	}
}

func TestDepositSlipSaysWhatIsOnIt(t *testing.T) {
	half := func(id string) fees.Cheque {
		c := inHand(id, fees.ModeCheque, "3", 50)
		c.Family, c.Of, c.Paper = "F", 1, 100
		return c
	}
	all := []fees.Cheque{inHand("A", fees.ModeCheque, "1", 100), inHand("B", fees.ModeDraft, "2", 250), half("C"), half("D")}
	slip := DepositSlipOf(school, "2026-12-20", all)
	if slip.Count != "2 cheques and 1 draft" || slip.Sum != "4.50" || len(slip.Rows) != 3 || slip.Number != "7K2QX" {
		t.Errorf("the slip %s has %s, %s in %d rows", slip.Number, slip.Count, slip.Sum, len(slip.Rows))
	}
	if got := countPapers(all[1:2]); got != "1 draft" {
		t.Errorf("one draft is %q", got)
	}
	v := ChequesPageOf(school, "2026-12-20", nothingTyped{}, fees.ChequeFilter{State: fees.ChequeReceived}, all, fees.ChequeTotal{}, fees.ChequesInHand{})
	v.OfferDeposit(school, nothingTyped{}, "", "", "2026-12-20", all, []string{"B", "D"}, true)
	if v.Batch.Chosen != "Chosen: 1 cheque and 1 draft, ₹3.50" {
		t.Errorf("a draft and a half of a cheque: %q", v.Batch.Chosen)
	}
	if v.Rows[2].Paper != v.Rows[3].Paper || v.Rows[2].Paper.Minor != "100" || !v.Rows[1].Paper.Draft || v.Rows[0].Paper.Draft {
		t.Errorf("the lines are %+v", v.Rows)
	}
	v.OfferDeposit(school, nothingTyped{}, "", "", "2026-12-20", all, nil, true)
	if v.Batch.Chosen != "Nothing is chosen" {
		t.Errorf("none: %q", v.Batch.Chosen)
	}
}

func TestHandoverSlipListsCheques(t *testing.T) {
	slip := SlipOf(school, fees.Shift{State: fees.ShiftClosed, Count: &fees.TillCount{}, Sums: &fees.TillSums{}}, []fees.Cheque{
		inHand("A", fees.ModeCheque, "004512", 100), inHand("B", fees.ModeDraft, "77", 250),
	}, nil)
	if slip.ChequeCount != "1 cheque and 1 draft" || slip.ChequeSum != "3.50" || len(slip.Cheques) != 2 || slip.Cheques[1].Name != "Draft 77" || slip.Cheques[0].Bank != "State Bank" {
		t.Errorf("the slip has %+v, %s, %s", slip.Cheques, slip.ChequeCount, slip.ChequeSum)
	}
}
