package views

import (
	"strings"
	"testing"

	"raseed/store/fees"
)

var school = fees.Institute{Code: "DPS", TimeZone: "Asia/Kolkata", FYStart: 4, Currency: "INR", Decimals: 2, Locale: "en-IN"}

func twoTerms() fees.Dues {
	line := func(bill string, due fees.Date, head string, open fees.Amount) fees.DueLine {
		return fees.DueLine{Bill: bill, Title: bill, Head: strings.ToUpper(head), HeadName: head, DueDate: due, Net: open, Open: open}
	}
	return fees.Dues{Due: 700000, Balance: 700000, Lines: []fees.DueLine{
		line("2026-27/T1", "2026-06-10", "Tuition", 300000), line("2026-27/T1", "2026-06-10", "Transport", 100000),
		line("2026-27/T2", "2026-12-10", "Tuition", 300000),
	}}
}

func TestPayer(t *testing.T) {
	rows := make([]fees.Row, 8)
	for i := range rows {
		rows[i] = fees.Row{ID: "DPS:" + string(rune('A'+i)), NumberText: string(rune('A' + i)), Total: 100}
	}
	p := PayerOf(school, "2026-11-30", fees.Student{AdmissionNo: "A/1", Name: "Asha", Class: "5", Section: "B", Status: fees.StudentLeft}, twoTerms(), rows)
	if len(p.Bills) != 2 || p.Bills[0].Open != "4,000.00" || len(p.Bills[0].Lines) != 2 || p.Bills[1].Open != "3,000.00" {
		t.Errorf("bills are %+v", p.Bills)
	}
	if !p.Bills[0].Overdue || p.Bills[1].Overdue {
		t.Error("what was due on 10 June is overdue on 30 November, what is due on 10 December is not")
	}
	if len(p.Receipts) != 3 || p.Receipts[0].Number != "H" || p.Receipts[2].Number != "F" {
		t.Errorf("receipts are %+v, want the last three, newest first", p.Receipts)
	}
	if !p.Left || p.Class != "5-B" || p.Href != "/students/A%2F1" || p.HasAdvance {
		t.Errorf("payer is %+v", p)
	}
}

func TestTillFolds(t *testing.T) {
	known := &fees.Student{AdmissionNo: "1"}
	untouched := PaymentText{ID: "X", Student: "1", Tenders: []TenderText{{Mode: "cash", Amount: "7000.00"}}}
	till := TillOf(school, twoTerms(), known, untouched)
	if till.Split || till.LinesOpen || till.MoreOpen || till.Student != nil {
		t.Errorf("an untouched form is unfolded: %+v", till)
	}
	if len(till.Tenders) != tenderRows || len(till.Lines) != 3 || !till.Tenders[0].Amount.Autofocus {
		t.Errorf("%d ways of paying, %d lines, cursor in the amount: %v", len(till.Tenders), len(till.Lines), till.Tenders[0].Amount.Autofocus)
	}
	if first, second := till.Tenders[0].Mode.Options[0].Value, till.Tenders[1].Mode.Options[0].Value; first != "cash" || second != "" {
		t.Errorf("the modes begin with %q and %q: the first way of paying has one, the second need not be", first, second)
	}

	used := untouched
	used.Tenders = append(used.Tenders, TenderText{}, TenderText{Mode: "upi"})
	used.Lines = []LineText{{Bill: "2026-27/T2", Head: "TUITION", Amount: "12"}}
	used.Remark = "r"
	till = TillOf(school, twoTerms(), nil, used)
	if !till.Split || !till.LinesOpen || !till.MoreOpen {
		t.Errorf("what was typed is folded away: %+v", till)
	}
	if till.Lines[2].Amount.Value != "12" || till.Lines[0].Amount.Value != "" {
		t.Errorf("the amount typed for the second term's tuition stands at %+v", till.Lines)
	}
	if till.Student == nil || till.Student.Value != "1" {
		t.Error("a student who is not there cannot be corrected")
	}
}

func TestTillProblems(t *testing.T) {
	text := PaymentText{
		Tenders: []TenderText{{Mode: "cash", Amount: "1"}, {Mode: "cheque", Amount: "2"}},
		// The dues have changed since: the first line typed is the last shown.
		Lines: []LineText{{Bill: "2026-27/T2", Head: "TUITION", Amount: "x"}, {Bill: "gone", Head: "TUITION", Amount: "5"}},
		Problems: map[string]string{
			"tender_ref.1": "number", "line_amount.0": "not a figure", "line_bill.1": "paid meanwhile", "payment_id": "damaged", "remark": "too long",
		},
	}
	till := TillOf(school, twoTerms(), &fees.Student{}, text)
	var told []string
	for _, p := range till.Problems {
		told = append(told, p.Href+" "+p.Text)
	}
	want := "#tender_ref.1 2. Number or reference: number|#line_amount.2 2026-27/T2 Tuition: not a figure|#remark Remark: too long| paid meanwhile| damaged"
	if got := strings.Join(told, "|"); got != want {
		t.Errorf("problems are\n%s\nwant\n%s", got, want)
	}
	if !till.Tenders[1].Ref.Autofocus || till.Tenders[0].Amount.Autofocus || till.Remark.Autofocus {
		t.Error("the cursor is not where the first correction is due, and only there")
	}
}
