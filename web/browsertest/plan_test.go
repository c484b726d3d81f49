package browsertest

import (
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// TestAdminPlans walks through the pages of the fee plan and looks at each in
// every view.
func TestAdminPlans(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleAdmin)
	p.click("Fee plan")
	p.at("/plan")
	p.sees("#main", "2026-27/T1 has bills")
	p.inspect("the plan")
	p.fill(`[id="amount.2"]`, "6500")
	p.doubleClick("Save plan")
	p.sees("#main", "The plan is saved")
	if got := p.value(`[id="amount.2"]`); got != "6500.00" {
		t.Errorf("the saved amount is %q", got)
	}
	p.expect("status of 422")
	p.fill(`[id="amount.2"]`, "six")
	p.click("Save plan")
	p.sees(".plan .problem", "")
	p.inspect("a plan with a mistake")

	p.click("Periods")
	p.fill("Name, like T1 or APR", "T2")
	p.choose("Due date", "2026-10-10")
	p.click("Add period")
	p.sees(".periods tbody", "2026-27/T2")
	p.inspect("the periods")
	p.click("Heads")
	p.inspect("the heads")
	p.click("Siblings and late fees")
	p.choose("Late fee", "day")
	p.fill("Days of grace", "5")
	p.expect("status of 422")
	p.click("Save rules")
	p.sees("#main", "Enter an amount above zero")
	p.inspect("rules with a mistake")
	p.click("Copy a year")
	p.fill("Change in percent", "8")
	p.click("Preview")
	p.sees(".copied tbody", "4,860.00")
	p.inspect("the preview of a copy")
	p.click("Copy to 2027-28")
	p.sees("#main", "The plan is saved")
	p.click("Import")
	p.inspect("an import")
}

// TestAdminConcedes adds a concession, reads that it is capped, and finds it in
// the list.
func TestAdminConcedes(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleAdmin)
	p.visit("/students/1001")
	p.click("Concessions")
	p.choose("Head", "TUITION")
	p.choose("Kind", "amount")
	p.fill("Value", "5000")
	p.fill("Reason", "Scholarship")
	p.fill("Approved by", "Principal")
	p.doubleClick("Add concession")
	p.sees("#main", "The concession is saved")
	p.sees(".findings", "no more than that is taken off")
	if got := p.texts(".concessions tbody tr"); len(got) != 1 {
		t.Errorf("the double click left %q", got)
	}
	p.inspect("a student's concessions")
	p.visit("/concessions")
	if got := p.texts(".concessions tbody tr"); len(got) != 1 || !strings.Contains(got[0], "Asha Verma") {
		t.Errorf("the list is %q", got)
	}
	p.inspect("the list of concessions")
}
