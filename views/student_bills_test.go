package views

import (
	"strings"
	"testing"

	"raseed/store/fees"
)

// statementOf is a statement, a line of text for each entry.
func statementOf(bills []fees.Bill, rows []fees.Row) string {
	var text strings.Builder
	for _, e := range StudentOf(rupees(), fees.Student{AdmissionNo: "1"}, bills, rows).Entries {
		word := ""
		if e.Status != nil {
			word = " [" + e.Status.Word + "]"
		}
		text.WriteString(e.Date + " | " + e.What + word + " | " + e.Detail + " | " + e.Billed + " | " + e.Balance + "\n")
	}
	return text.String()
}

func TestStatementOfChangedBills(t *testing.T) {
	tuition := func(net fees.Amount) []fees.BillLine {
		return []fees.BillLine{{Head: "TUITION", HeadName: "Tuition", Gross: net, Net: net}}
	}
	lateLines := func(gross, waived fees.Amount) []fees.BillLine {
		return []fees.BillLine{{Head: fees.HeadLateFee, HeadName: "Late fee", Gross: gross, Concession: waived, Net: gross - waived}}
	}
	bill := fees.Bill{
		Period: "2026-27/T1", Title: "2026-27/T1", DueDate: "2026-06-10", CreatedAt: at("2026-05-01T10:00:00Z"),
		Lines: []fees.BillLine{{Head: "TUITION", HeadName: "Tuition"}}, Cancelled: &fees.BillCancelled{By: "Meera", Reason: "Never came"}, Revision: 2,
		Revisions: []fees.BillRevision{
			{Lines: tuition(500000), Net: 500000, At: at("2026-06-01T10:00:00Z"), Run: "DPS:R", By: "Asha", Reason: "Re-priced"},
			{Revision: 1, Lines: tuition(400000), Net: 400000, At: at("2026-07-05T10:00:00Z"), By: "Meera", Reason: "Never came"},
		},
	}
	late := fees.Bill{
		Period: "2026-27/T1/LATE", Of: "2026-27/T1", Title: "Late fee, 2026-27/T1", DueDate: "2026-06-11", CreatedAt: at("2026-06-11T10:00:00Z"),
		Lines: lateLines(7000, 3000), Net: 4000, Revision: 3,
		Revisions: []fees.BillRevision{
			{Lines: lateLines(1000, 0), Net: 1000, At: at("2026-06-15T10:00:00Z"), Reason: "Late fee up to 2026-06-15"},
			{Revision: 1, Lines: lateLines(5000, 0), Net: 5000, At: at("2026-06-16T10:00:00Z"), By: "Meera", Reason: "Strike"},
			{Revision: 2, Lines: lateLines(5000, 3000), Net: 2000, At: at("2026-06-18T10:00:00Z"), Reason: "Late fee up to 2026-06-18"},
		},
	}
	want := `1 May 2026 | 2026-27/T1 | Tuition 5,000.00 · due 10 Jun 2026 | 5,000.00 | 5,000.00
1 Jun 2026 | 2026-27/T1 [Revised] | from 5,000.00 to 4,000.00, by Asha: Re-priced | -1,000.00 | 4,000.00
11 Jun 2026 | Late fee, 2026-27/T1 | Late fee 70.00 · due 11 Jun 2026 | 70.00 | 4,070.00
16 Jun 2026 | Late fee, 2026-27/T1 [Waived] | from 50.00 to 20.00, by Meera: Strike | -30.00 | 4,040.00
5 Jul 2026 | 2026-27/T1 [Cancelled] | from 4,000.00 to 0.00, by Meera: Never came | -4,000.00 | 40.00
`
	if got := statementOf([]fees.Bill{bill, late}, nil); got != want {
		t.Errorf("the statement is\n%s\nwant\n%s", got, want)
	}
}

func TestOfferCorrections(t *testing.T) {
	bill := func(period, of string, net fees.Amount) fees.Bill {
		return fees.Bill{Student: "1", Period: period, Of: of, Title: period, DueDate: "2026-06-10", Net: net, Lines: []fees.BillLine{{Head: "TUITION", Gross: net, Net: net}}}
	}
	void := bill("Y/T4", "", 0)
	void.Cancelled = &fees.BillCancelled{}
	bills := []fees.Bill{
		bill("Y/T1", "", 100), bill("Y/T1/LATE", "Y/T1", 10), bill("Y/T2", "", 100), bill("Y/T2/D1", "Y/T2", 10),
		bill("Y/T3", "", 100), bill("Y/T3/LATE", "Y/T3", 10), void, bill(fees.HeadOpening, "", 100),
	}
	rows := []fees.Row{{Lines: []fees.Line{{Bill: "Y/T2/D1", Amount: 1}, {Bill: "Y/T3", Amount: 5}, {Bill: "Y/T3/LATE", Amount: 10}}}}
	s := fees.Student{AdmissionNo: "1", Status: fees.StudentLeft, LeftOn: "2026-06-09"}
	v := StudentOf(rupees(), s, bills, rows)
	v.OfferCorrections(rupees(), s, bills, rows)
	offers := ""
	for _, e := range v.Entries {
		if e.Form != nil {
			offers += e.Bill + " " + e.Form.Summary + "; "
		}
	}
	if offers != "Y/T1 Cancel bill; Y/T1/LATE Waive; " {
		t.Errorf("offered are %s", offers)
	}
	if v.Leave == nil || !strings.HasPrefix(v.Leave.Note, "After 9 Jun 2026 that is 1 bill of ₹1.00") {
		t.Errorf("for one who left it offers %+v", v.Leave)
	}
	s.Status = fees.StudentActive
	v = StudentOf(rupees(), s, bills, rows)
	if v.OfferCorrections(rupees(), s, bills, rows); v.Leave != nil {
		t.Error("it offers to cancel bills after leaving to one who has not left")
	}
}
