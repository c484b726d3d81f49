package browsertest

import (
	"context"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// The plan becomes dearer after the period was billed: the preview says for
// whom, a run leaves the bills alone until it is told otherwise, and can be
// cancelled while it is going.
func TestAdminReprices(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	record(t, s, "1001", 200000)
	dearer := "fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T1,2026-06-10,*,*,SPORTS,100\n"
	if report, err := s.Store.ImportPlan(context.Background(), webtest.Own, strings.NewReader(dearer), false, fees.Actor{}); err != nil || len(report.Problems) > 0 {
		t.Fatal(report, err)
	}
	p := open(t, s)
	p.login(s, fees.RoleAdmin)
	p.at("/billing")
	preview := func() {
		p.click("Billing")
		p.at("/billing")
		p.choose("Period", "2026-27/T1")
		p.click("Preview")
		p.at("/billing/preview")
	}
	preview()
	if got := p.texts(".changes tbody tr"); len(got) != 3 || !strings.Contains(got[0], "+100.00") || !strings.Contains(got[0], "bill for the difference") || !strings.Contains(got[1], "revised") {
		t.Errorf("the preview lists %q", got)
	}
	p.sees(".heads tfoot", "300.00")
	p.inspect("a preview of bills that have changed")

	p.click("#reprice")
	p.click("Run")
	p.at("/billing/runs/*")
	p.sees(byTestID("alert"), "0 new, 0 unchanged, 3 re-priced")
	p.sees("#run", "2 revised, 1 difference bill")
	p.inspect("a run that re-priced")

	preview()
	p.sees(byTestID("alert"), "0 new bills")
	if p.has(".changes") || p.has("#reprice") {
		t.Error("after re-pricing there is something to re-price")
	}
	if _, err := s.Store.SaveStudent(context.Background(), webtest.Own, fees.Student{AdmissionNo: "B/7", Name: "Nia Rao", Class: "2", Category: "GEN"}, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	preview()
	held, release := tr.hold(t, "bills")
	p.click("Create 1 bill")
	p.at("/billing/runs/*")
	p.until("the run is at work", func() (bool, error) { return held() > 0, nil })
	p.sees("#run", "Running")
	p.click("Cancel run")
	p.sees(byTestID("alert"), "Cancelled by")
	p.gone("#run-cancel")
	release()
	p.inspect("a run that was cancelled")
	p.until("the batch that the run was at is billed", func() (bool, error) {
		bills, err := s.Store.Bills(context.Background(), webtest.Own, "B/7")
		return len(bills) == 1, err
	})
	p.click("Preview the rest")
	p.at("/billing/preview")
	p.sees(byTestID("alert"), "0 new bills")
	p.click("Students")
	p.click("1001")
	p.sees(byTestID("student-balance"), "3,100.00")
}
