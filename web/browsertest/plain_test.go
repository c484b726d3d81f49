package browsertest

import (
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// The flows of all three roles with JavaScript turned off, on a phone.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	nia := fees.Student{AdmissionNo: "B/7", Name: "Nia Rao", Class: "2", Category: "gen"}
	if _, err := s.Store.SaveStudent(t.Context(), webtest.Own, nia, fees.Actor{}); err != nil {
		t.Fatal(err)
	}

	cashier := open(t, s)
	cashier.withoutScripts()
	cashier.resize(320, 568)
	cashier.login(s, fees.RoleCashier)
	cashier.at("/collect")
	cashier.fill("Find a student or receipt", "verma")
	cashier.keys("\r")
	cashier.sees("table.hits", "Ravi Verma")
	cashier.click("1002")
	cashier.at("/collect/1002")
	cashier.expect("status of 422")
	cashier.fill("Amount (₹)", "1e3")
	cashier.choose("Paid by", "cheque")
	cashier.click("Record payment")
	cashier.sees(byTestID("alert"), "Nothing was recorded yet")
	if got := cashier.value("Amount (₹)"); got != "1e3" {
		t.Errorf("the amount is %q after the refusal, want it as it was typed", got)
	}
	cashier.fits()
	cashier.fill("Amount (₹)", "1000")
	cashier.fill("Number or reference", "000123")
	cashier.fill("Bank", "Canara Bank")
	cashier.choose("Date on it", "2026-11-28")
	cashier.click("Split over several modes")
	cashier.fill(`[id="tender_amount.1"]`, "500")
	cashier.choose(`[id="tender_mode.1"]`, "cash")
	cashier.click("Record payment")
	cashier.onReceipt("DPS/26-27/00001")
	cashier.sees(byTestID("receipt-total"), "1,500.00")
	cashier.sees(".receipt-body", "Cheque 000123, Canara Bank, 28 Nov 2026 1,000.00")
	cashier.fits()
	cashier.click("Print")
	cashier.at("/receipts/*/print")
	cashier.sees(".paper", "DPS/26-27/00001")

	accountant := open(t, s)
	accountant.withoutScripts()
	accountant.resize(320, 568)
	accountant.login(s, fees.RoleAccountant)
	accountant.at("/receipts")
	accountant.sees(byTestID("register-total"), "1,500.00")
	accountant.choose("Mode", "cheque")
	accountant.click("Show")
	accountant.sees(byTestID("register-total"), "1,000.00") // only what came by cheque
	accountant.fits()
	accountant.click("DPS/26-27/00001")
	accountant.click("Reverse receipt")
	accountant.fill("Reason", "Cheque returned unpaid")
	accountant.fill("Charge to the student (₹)", "250")
	accountant.click(".reverse button")
	accountant.onReceipt("DPS/26-27/00001")
	accountant.sees("#receipt", "Reversed by RV/26-27/00001")

	admin := open(t, s)
	admin.withoutScripts()
	admin.resize(320, 568)
	admin.login(s, fees.RoleAdmin)
	admin.at("/billing")
	admin.choose("Period", "2026-27/T1")
	admin.click("Preview")
	admin.sees(".heads", "Total 6,500.00")
	held, release := tr.hold(t, "bills")
	admin.click("Create 1 bill")
	admin.at("/billing/runs/*")
	admin.until("the run is at work", func() (bool, error) { return held() > 0, nil })
	admin.sees("#run", "Running")
	release()
	admin.sees(byTestID("alert"), "1 new bill, 3 unchanged") // the page loads itself again
	admin.fits()
	admin.click("Students")
	admin.click("1002")
	admin.sees(byTestID("student-balance"), "6,750.00")
	admin.click("Log out")
	admin.at("/login")
}

// fits fails the test where the page is wider than the smallest phone.
func (p *tab) fits() {
	p.t.Helper()
	p.settle()
	for _, problem := range asked[[]string](p, "sideways", 320) {
		p.t.Errorf("without scripts, %s: %s", p.address(), problem)
	}
}
