package views

import (
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
)

func TestAudit(t *testing.T) {
	sound := AuditOf(rupees(), &fees.AuditReport{Series: []fees.SeriesReport{
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

	broken := AuditOf(rupees(), &fees.AuditReport{
		Series:   []fees.SeriesReport{{FY: "2026-27", Series: fees.SeriesReceipt, First: 1, Last: 200, Count: 50, Missing: []int64{7, 9}, MissingN: 150}},
		Findings: []fees.Finding{{Text: "receipt 2026-27: number 7 is missing"}},
	})
	if broken.Verdict.Kind != "error" || len(broken.Findings) != 1 || broken.More != "" {
		t.Errorf("verdict on a broken ledger is %+v %v", broken.Verdict, broken.Findings)
	}
	if s := broken.Series[0]; s.Missing != "150" || s.MissingWhich != "7, 9 …" || s.Chain.Kind != "error" {
		t.Errorf("the broken series is shown as %+v", s)
	}

	if empty := AuditOf(rupees(), &fees.AuditReport{}); empty.Verdict.Kind != "info" {
		t.Errorf("verdict on an empty ledger is %+v", empty.Verdict)
	}
	if none := AuditOf(rupees(), nil); none.Known {
		t.Errorf("without a report there is a result: %+v", none)
	}
}

func TestAuditAccounts(t *testing.T) {
	for _, tt := range []struct {
		report fees.AccountsReport
		kind   string
		word   string
	}{
		{fees.AccountsReport{Accounts: 0}, "success", "0 accounts agree with the bills and receipts"},
		{fees.AccountsReport{Accounts: 1}, "success", "1 account agrees with the bills and receipts"},
		{fees.AccountsReport{Accounts: 120000}, "success", "1,20,000 accounts agree with the bills and receipts"},
		{fees.AccountsReport{Accounts: 20000, Differ: 3}, "error", "3 of 20,000 accounts differ from the bills and receipts"},
		{fees.AccountsReport{Accounts: 20000, Waiting: 2, Busy: []string{"7"}}, "warning", "19,997 accounts agree with the bills and receipts, 3 not compared: being written to"},
	} {
		got := AuditOf(rupees(), &fees.AuditReport{Accounts: []fees.AccountsReport{tt.report}}).Accounts
		if got.Kind != tt.kind || got.Word != tt.word {
			t.Errorf("%+v is shown as %+v, want %s %q", tt.report, got, tt.kind, tt.word)
		}
	}
}

// A list of findings is bounded, and says how many it leaves out.
func TestAuditListsSoMany(t *testing.T) {
	v := AuditOf(rupees(), &fees.AuditReport{Findings: make([]fees.Finding, findingsShown+1234)})
	if len(v.Findings) != findingsShown || v.More != "and 1,234 more" {
		t.Errorf("%d findings are listed, %q", len(v.Findings), v.More)
	}
}

func TestAuditWords(t *testing.T) {
	at := time.Date(2026, 11, 30, 4, 42, 0, 0, time.UTC)
	for got, want := range map[string]string{
		AuditChecked(rupees(), at, 300*time.Millisecond):               "Checked 30 Nov 2026, 10:12",
		AuditChecked(rupees(), at, 24300*time.Millisecond):             "Checked 30 Nov 2026, 10:12, in 24 seconds",
		AuditProgress(rupees(), 0, false):                              "Checking …",
		AuditProgress(rupees(), 480_256, false):                        "Checking … 4,80,256 rows so far",
		AuditProgress(rupees(), 0, true):                               "Repairing, then checking again …",
		RepairOf(rupees(), "Meera", at, nil).Title:                     "Nothing to repair, 30 Nov 2026, 10:12, by Meera",
		RepairOf(rupees(), "Meera", at, make([]fees.Finding, 1)).Title: "Repaired, 30 Nov 2026, 10:12, by Meera",
	} {
		if got != want {
			t.Errorf("says %q, want %q", got, want)
		}
	}
}
