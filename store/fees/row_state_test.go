package fees_test

import (
	"testing"

	"raseed/store/fees"
)

func TestRowStatus(t *testing.T) {
	for _, tc := range []struct {
		row  fees.Row
		want fees.Status
	}{
		{fees.Row{Kind: fees.KindPayment, Number: 1}, fees.StatusIssued},
		{fees.Row{Kind: fees.KindPayment, Awaiting: true}, fees.StatusPending},
		{fees.Row{Kind: fees.KindPayment, Number: 1, ReversedBy: "DPS:01J:reversal"}, fees.StatusReversed},
		{fees.Row{Kind: fees.KindPayment, Awaiting: true, ReversedBy: "DPS:01J:reversal"}, fees.StatusReversed},
		{fees.Row{Kind: fees.KindReversal, Number: 1}, fees.StatusReversal},
		{fees.Row{Kind: fees.KindReversal, Awaiting: true}, fees.StatusReversal},
		{fees.Row{Kind: fees.KindRefund, Number: 1}, fees.StatusRefund},
		{fees.Row{Kind: fees.KindAdjustment, Awaiting: true}, fees.StatusPending},
		{fees.Row{Kind: fees.KindAdjustment, Number: 1}, fees.StatusAdjustment},
	} {
		if got := tc.row.Status(); got != tc.want {
			t.Errorf("%+v is %s, want %s", tc.row, got, tc.want)
		}
	}
	if got := (fees.Row{ID: "DPS:01J:reversal"}).ShortID(); got != "01J:reversal" {
		t.Errorf("the short id is %q", got)
	}
}

func TestKindSeries(t *testing.T) {
	for kind, want := range map[fees.Kind]fees.Series{
		fees.KindPayment: fees.SeriesReceipt, fees.KindReversal: fees.SeriesReversal,
		fees.KindRefund: fees.SeriesRefund, fees.KindAdjustment: fees.SeriesAdjustment, "gift": "",
	} {
		if got := kind.Series(); got != want {
			t.Errorf("a %s is numbered in %q, want %q", kind, got, want)
		}
	}
}

func TestModes(t *testing.T) {
	want := []string{"Cash", "Cheque", "Demand draft", "UPI", "Card", "Bank transfer"}
	for i, m := range fees.Modes() {
		if m.Title() != want[i] {
			t.Errorf("mode %d, %s, is called %q, want %q", i, m, m.Title(), want[i])
		}
	}
	if got := fees.Mode("barter").Title(); got != "" {
		t.Errorf("a mode that does not exist is called %q", got)
	}
}
