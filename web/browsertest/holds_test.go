package browsertest

import (
	"testing"
	"time"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// A hold that ran out while the money was on the table: the other counter takes
// the student over, and both payments are recorded, the second as an advance.
func TestHoldRunsOut(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	asha := counter(t, s, "1001")
	ravi := open(t, s)
	ravi.loginAs(secondCashier(t, s), webtest.Password)
	ravi.visit("/collect/1001")
	ravi.sees("#hold", "has been collecting from Asha Verma")
	s.Clock.Advance(fees.HoldTime + time.Second)
	// Nobody is at the first counter: it does not ask for the student again.
	asha.until("nobody works at the first counter", func() (bool, error) { return ask[bool](asha, "dozes") })
	ravi.sees("#hold", "The other counter has finished")
	ravi.click("Collect now")
	ravi.gone("#hold .alert")
	asha.keys("\t") // and back
	asha.sees("#hold", "has been collecting here since")
	ravi.click("Record payment")
	ravi.onReceipt("DPS/26-27/00001")

	asha.click("Record payment")
	asha.onReceipt("DPS/26-27/00002")
	asha.sees("#receipt", "₹5,000.00 was more than was due and is kept as an advance")
	asha.inspect("a receipt that became an advance")
	if n := len(rows(t, s)); n != 2 {
		t.Errorf("the ledger holds %d rows, want 2", n)
	}
	sound(t, s)
}

// A second tab of the same cashier takes the student from the first and says so;
// leaving a page gives them back to the other counter at once.
func TestHoldsOfOnePerson(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	first := counter(t, s, "1001")
	first.click("Pay for the family") // which is no second page
	first.at("/collect/family/1001")
	if first.has("#hold .alert") {
		t.Errorf("a page that follows from the other says %q", first.text("#hold"))
	}
	first.click("Asha Verma")
	first.at("/collect/1001")
	if first.has("#hold .alert") {
		t.Errorf("and the way back says %q", first.text("#hold"))
	}
	second := first.another()
	second.visit("/collect/1001")
	second.sees("#hold", "You opened this already")
	second.inspect("a second tab")
	ravi := open(t, s)
	ravi.loginAs(secondCashier(t, s), webtest.Password)
	ravi.visit("/collect/1001")
	ravi.sees("#hold", "has been collecting from Asha Verma")
	second.visit("/collect")
	ravi.sees("#hold", "The other counter has finished")
}

// A till that was closed while the form was open: nothing is recorded until it is
// pressed again, knowing where the money goes.
func TestTillClosedMeanwhile(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.visit("/till")
	p.click("Open till")
	p.sees(byTestID("till-expected"), "0.00")
	p.visit("/collect/1001")
	p.sees(byTestID("till"), "Till open since")
	other := p.another()
	other.visit("/till")
	other.resize(390, 480) // where the places are a bar at the bottom
	if !asked[bool](other, "comes", "Count and close") {
		t.Error("what is scrolled into view comes up under the bar of a phone")
	}
	other.resize(1366, 768)
	other.click("Count and close")
	other.click("Close till")
	other.sees(".alert", "")
	p.expect("status of 409")
	p.fill("Amount (₹)", "700")
	p.click("Record payment")
	p.sees(byTestID("alert"), "Your till was closed by The Cashier")
	p.inspect("a till that was closed meanwhile")
	if n := len(rows(t, s)); n != 0 {
		t.Fatalf("%d rows are there, want none yet", n)
	}
	p.keys("\r")
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 700_00)
	sound(t, s)
}
