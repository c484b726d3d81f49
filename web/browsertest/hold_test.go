package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// Two counters, one student: the second looks on, is told by itself when the
// first has left, and collects then. What was typed and where the cursor is stay
// while the page asks.
func TestTwoCountersOneStudent(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	one := counter(t, s, "1001")
	two := open(t, s)
	two.login(s, fees.RoleAccountant)
	two.visit("/collect/1001")
	two.sees("#hold", "The Cashier has been collecting from Asha Verma since 10:00")
	if !two.has(".record:disabled") {
		t.Error("the second counter can record")
	}

	one.visit("/collect") // leaves
	two.sees("#hold", "The other counter has finished")
	two.click("Collect now")
	two.gone("#hold .alert")
	two.fill("Amount (₹)", "100")
	two.click("Record payment")
	two.onReceipt("DPS/26-27/00001")
}

// A page that is left by choosing another student gives the first one back.
func TestHoldFollowsTheCounter(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	one := counter(t, s, "1001")
	one.keys("/")
	one.keys("zoya")
	one.sees("#results", "Zoya Khan")
	one.keys(kb.Enter)
	one.sees(".payer", "Zoya Khan")
	two := open(t, s)
	two.login(s, fees.RoleAccountant)
	two.until("the first student is free", func() (bool, error) {
		two.visit("/collect/1001")
		return !two.has(".record:disabled"), nil
	})
	two.visit("/collect/A%2F12-B")
	two.sees("#hold", "collecting from Zoya Khan")
}

// A family is paid for by keyboard: one payment, a receipt for each child, one
// print of all.
func TestCashierPaysForAFamily(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	one := counter(t, s, "1002")
	one.click("Pay for the family")
	one.at("/collect/family/*")
	one.sees("#counter", "Ravi Verma")
	if due := one.text("[data-testid=due-total]"); due != "11,500.00" {
		t.Errorf("the family owes %q", due)
	}
	// Until somebody types an amount it is what the children pay, once all do.
	one.fill("For Asha Verma", "1000")
	if got := one.value("Amount (₹)"); got != "11500.00" {
		t.Errorf("the amount is %q while one child is left out", got)
	}
	one.fill("For Ravi Verma", "1500")
	one.sees("#typed-says", "Children ₹2,500.00 of ₹2,500.00")
	if got := one.value("Amount (₹)"); got != "2500.00" {
		t.Errorf("the amount is %q, want what the children pay", got)
	}
	one.fill("For Ravi Verma", "")
	one.fill("Amount (₹)", "8000") // 1,000 and all of Ravi's dues, and 500 more
	one.sees("#till-says", "₹3,500.00 stays due")
	one.sees("#typed-says", "Children ₹1,000.00 of ₹8,000.00, the rest settles oldest first")
	one.fill("For Asha Verma", "1000")
	one.fill("Amount (₹)", "2500")
	one.sees("#till-says", "₹9,000.00 stays due")
	// What is entered for one child is not what another owes.
	one.fill("For Asha Verma", "5600")
	one.fill("Amount (₹)", "11500")
	one.sees("#till-says", "₹600.00 is more than is due and will be kept as an advance. ₹600.00 stays due")
	one.fill("For Asha Verma", "1000")
	one.fill("Amount (₹)", "2500")
	one.sees("#till-says", "₹9,000.00 stays due")
	one.keys(kb.Enter)
	one.at("/receipts/family/*")
	one.sees("#receipt", "DPS/26-27/00002")
	totals := strings.Join(one.texts("[data-testid=receipt-total]"), " ")
	if totals != "1,000.00 1,500.00" {
		t.Errorf("the receipts are of %q", totals)
	}
	one.opensPrinter(1)
	one.media("print")
	sheets := strings.Join(one.texts(".paper .number"), " ")
	for _, number := range []string{"DPS/26-27/00001", "DPS/26-27/00002"} {
		if !strings.Contains(sheets, number) {
			t.Errorf("the sheets are %q, and %s is none of them", sheets, number)
		}
	}
}
