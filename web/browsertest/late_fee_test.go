package browsertest

import (
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// lateSchool is a school with a late fee of 10.00 a day, up to 500.00.
func lateSchool(t *testing.T) *webtest.Server {
	t.Helper()
	s := webtest.Start(t, webtest.Options{})
	rules := fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateDay, Amount: 10_00, Cap: 500_00}}
	if _, err := s.Store.SaveRules(t.Context(), webtest.Own, rules, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLateFeeIsChargedAndWaived(t *testing.T) {
	t.Parallel()
	s := lateSchool(t)
	p := open(t, s)
	p.login(s, fees.RoleAdmin)
	p.click("Billing")
	p.at("/billing")
	p.click("Late fees")
	p.at("/billing/late-fees")
	p.sees(byTestID("late-new"), "3")
	p.sees(byTestID("late-amount"), "1,500.00")
	p.inspect("late fees to be charged")
	p.click("Charge ₹1,500.00")
	p.sees("#main", "Every late fee up to 30 Nov 2026 is charged")
	p.inspect("late fees that are charged")

	p = open(t, s)
	p.login(s, fees.RoleAccountant)
	p.visit("/students/1001")
	p.sees(byTestID("student-balance"), "5,500.00")
	p.click("Waive")
	p.sees("details[open] .reverse-question", "Waive ₹500.00 of “Late fee, 2026-27/T1”?")
	p.inspect("a waiver")
	p.fill("Amount (₹)", "300")
	p.expect("status of 422")
	p.fill("details[open] [name=reason]", " ")
	p.click("Waive late fee")
	p.sees(byTestID("alert"), "Nothing was waived")
	p.sees(".problem", "Say why")
	p.inspect("a waiver without a reason")
	p.fill("Reason", "Bank strike")
	p.click("Waive late fee")
	p.at("/students/1001")
	p.sees(byTestID("student-balance"), "5,200.00")
	p.sees(".statement", "from 500.00 to 200.00, by The Accountant: Bank strike")
	p.inspect("a statement with a waiver")

	p.click("Cancel bill")
	p.fill("details[open] [name=reason]", "Never came")
	p.click("details[open] button")
	p.sees(byTestID("student-balance"), "0.00")
	p.sees(".statement", "Cancelled")
	p.inspect("a statement with a cancelled bill")
}

func TestAdminChargesAClass(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleAdmin)
	p.at("/billing")
	p.click("One-off charges")
	p.at("/billing/charges")
	p.fill("What for", "Trip to Agra")
	p.choose("Head", "TRANSPORT")
	p.fill("Amount for each student (₹)", "750")
	p.choose("Due date", "2026-12-15")
	p.choose("For a class", "1")
	p.inspect("a charge")
	p.click("Preview")
	p.sees(byTestID("charge-total"), "1,500.00")
	p.inspect("a charge's preview")
	p.click("Charge 2 students")
	p.at("/billing/charges")
	p.sees(".charges", "Trip to Agra Transport Class 1 15 Dec 2026 The Administrator Done 750.00 2 1,500.00")
	p.inspect("charges that were placed")
	p.visit("/students/A%2F12-B")
	p.sees(byTestID("student-balance"), "6,750.00")
}
