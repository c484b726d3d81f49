package views

import (
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestAudit(t *testing.T) {
	sound := AuditOf(rupees(), fees.AuditReport{Series: []fees.SeriesReport{
		{FY: "2025-26", Series: fees.SeriesReceipt, First: 1, Last: 9, Count: 9, ChainOK: true},
		{FY: "2026-27", Series: fees.SeriesReversal, First: 1, Last: 2, Count: 2, ChainOK: true, Total: -900000},
		{FY: "2026-27", Series: fees.SeriesReceipt, First: 1, Last: 1043, Count: 1043, Reversed: 2, Awaiting: 1, ChainOK: true},
	}})
	if sound.Verdict.Kind != "success" || !strings.Contains(sound.Verdict.Text, "1 row recorded") {
		t.Errorf("verdict on a sound ledger is %+v", sound.Verdict)
	}
	var order []string
	for _, s := range sound.Series {
		order = append(order, s.FY+" "+s.Name)
	}
	if got := strings.Join(order, ", "); got != "2026-27 Receipts, 2026-27 Reversals, 2025-26 Receipts" {
		t.Errorf("series come as %s", got)
	}
	if s := sound.Series[0]; s.First != "1" || s.Last != "1043" || s.Missing != "0" || s.MissingWhich != "" || s.Chain.Kind != "success" {
		t.Errorf("the receipts are shown as %+v", s)
	}

	broken := AuditOf(rupees(), fees.AuditReport{
		Series:   []fees.SeriesReport{{FY: "2026-27", Series: fees.SeriesReceipt, First: 1, Last: 200, Count: 50, Missing: []int64{7, 9}, MissingN: 150}},
		Findings: []fees.Finding{{Text: "receipt 2026-27: number 7 is missing"}},
	})
	if broken.Verdict.Kind != "error" || len(broken.Findings) != 1 {
		t.Errorf("verdict on a broken ledger is %+v %v", broken.Verdict, broken.Findings)
	}
	if s := broken.Series[0]; s.Missing != "150" || s.MissingWhich != "7, 9 …" || s.Chain.Kind != "error" {
		t.Errorf("the broken series is shown as %+v", s)
	}

	if empty := AuditOf(rupees(), fees.AuditReport{}); empty.Verdict.Kind != "info" {
		t.Errorf("verdict on an empty ledger is %+v", empty.Verdict)
	}
}
