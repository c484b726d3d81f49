package browsertest

import (
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
	"raseed/web/webtest"
)

func TestAccountantReadsAndReverses(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	record(t, s, "1001", 200000)
	s.Clock.Advance(24 * time.Hour)
	record(t, s, "1002", 650000)
	record(t, s, "A/12-B", 50000)
	p := open(t, s)
	p.login(s, fees.RoleAccountant)
	p.at("/receipts")
	p.sees(byTestID("register-total"), "9,000.00")
	if got := p.texts(".register tbody .c-number"); strings.Join(got, " ") != "DPS/26-27/00003 DPS/26-27/00002 DPS/26-27/00001" {
		t.Errorf("the register, newest first, is %q", got)
	}

	p.choose("From", "2026-12-01")
	p.choose("To", "2026-12-01")
	p.click("Show")
	p.sees(byTestID("register-total"), "7,000.00")
	if got := p.texts(".register tbody tr"); len(got) != 2 {
		t.Errorf("the second day shows %q, want its two receipts", got)
	}
	if at := p.address(); !strings.Contains(at, "from=2026-12-01") || !strings.Contains(at, "to=2026-12-01") {
		t.Errorf("the address of the filtered register is %s", at)
	}
	p.expect("status of 422")
	p.choose("To", "2026-11-01")
	p.click("Show")
	p.sees("#register", "before")
	p.gone(byTestID("register-total"))
	p.inspect("a refused filter")
	p.click("Clear")
	p.sees(byTestID("register-total"), "9,000.00")

	p.click("DPS/26-27/00002")
	receipt := p.onReceipt("DPS/26-27/00002")
	p.click("Reverse receipt")
	p.sees(".reverse-question", "Reverse DPS/26-27/00002, ₹6,500.00 from Ravi Verma?")
	p.fill("Reason", " ")
	p.click(".reverse button")
	p.sees(".reverse .problem", "")
	p.inspect("a reversal without a reason")
	p.fill("Reason", "Entered for the wrong student")
	p.click(".reverse button")

	p.onReceipt("DPS/26-27/00002")
	if at := p.address(); at != receipt {
		t.Errorf("reversing leads to %s, want the receipt %s", at, receipt)
	}
	p.sees(byTestID("receipt-status"), "Reversed")
	if p.has("Reverse receipt") {
		t.Error("a reversed receipt offers to be reversed again")
	}
	p.click("Reversed by RV/26-27/00001 on 1 Dec 2026")
	p.onReceipt("RV/26-27/00001")
	p.sees("#receipt", "Entered for the wrong student")
	p.click("Reverses DPS/26-27/00002")
	p.onReceipt("DPS/26-27/00002")

	p.click("Receipts")
	p.at("/receipts")
	p.sees(byTestID("register-total"), "2,500.00")
	linked := p.texts(".register tbody .c-status")
	if len(linked) != 4 || linked[1] != "Reversal DPS/26-27/00002" || linked[2] != "Reversed RV/26-27/00001" {
		t.Errorf("the register links its rows as %q", linked)
	}
	p.inspect("the register with a reversal")
	if n := len(rows(t, s)); n != 4 {
		t.Errorf("the ledger holds %d rows, want 4", n)
	}
}

func TestAdminBillsTwice(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	p := open(t, s)
	p.login(s, fees.RoleAdmin)
	p.at("/billing")

	p.click("Students")
	p.at("/students")
	p.click("Add student")
	p.at("/students/new")
	p.focused("admission_no")
	p.fill("Admission number", "b/7")
	p.fill("Name", "Nia Rao")
	p.fill("Class", "2")
	p.fill("Category", "gen")
	p.click("Save student")
	p.at("/students/B%2F7")
	p.sees(byTestID("student-balance"), "0.00")
	p.inspect("a new student")

	bill := func() {
		p.click("Billing")
		p.at("/billing")
		p.choose("Period", "2026-27/T1")
		p.click("Preview")
		p.at("/billing/preview")
	}
	bill()
	p.sees(".heads", "Total 6,500.00")
	p.inspect("a preview")
	held, release := tr.hold(t, "bills")
	p.click("Create 1 bill")
	p.at("/billing/runs/*")
	p.until("the run is at work", func() (bool, error) { return held() > 0, nil })
	p.sees("#run", "Running")
	if !p.has("#run-progress") {
		t.Error("a run at work shows no progress")
	}
	p.inspect("a run at work")
	release()
	p.sees("#run", "Done")
	p.gone("#run-progress")
	for id, want := range map[string]string{"run-created": "1", "run-unchanged": "3", "run-updated": "0", "run-skipped": "1"} {
		if got := p.text(byTestID(id)); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	p.inspect("a run that is done")

	bill()
	p.sees(byTestID("alert"), "0 new bills")
	p.click("Run anyway")
	p.at("/billing/runs/*")
	p.sees(byTestID("alert"), "0 new, 4 unchanged")
	p.sees(byTestID("run-created"), "0")
	p.sees(byTestID("run-unchanged"), "4")
	p.click("Back to billing")
	p.sees(".runs tbody", "The Administrator")
	p.inspect("the runs of a period")
	p.click("Students")
	p.click("B/7")
	p.sees(byTestID("student-balance"), "6,500.00")
}

func TestFirstRun(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{Empty: true})
	p := open(t, s)
	p.expect("status of 422", "status of 503")
	p.visit("/collect")
	p.sees(byTestID("alert"), "not set up yet")
	p.inspect("not set up")

	setup := s.SetupPath(t.Context())
	p.visit(setup)
	p.focused("name")
	p.inspect("the first-run page")
	p.fill("Name, as printed on receipts", "विद्या मंदिर School")
	p.fill("Code", "1st")
	p.fill("Your name", "Meera Joshi")
	p.fill("Login", "meera")
	p.fill("Password", "office-three")
	p.click("Set up Raseed")
	p.sees(byTestID("alert"), "Not set up yet")
	p.inspect("a refused setup")
	p.fill("Code", "VM")
	p.fill("Password", "office-three")
	p.click("Set up Raseed")

	p.at("/billing")
	p.sees(".top", "विद्या मंदिर School")
	p.sees("#main", "There is no fee plan yet")
	p.inspect("the first page of a new institute")
	p.click("Log out")
	p.at("/login")
	p.expect("status of 404")
	p.visit(setup)
	p.sees(byTestID("alert"), "Not found")
	p.loginAs("meera", "office-three")
}
