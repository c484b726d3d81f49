package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// counter is a cashier with a student's dues on screen.
func counter(t *testing.T, s *webtest.Server, student string) *tab {
	t.Helper()
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.visit("/collect/" + student)
	return p
}

// A double click on Record, while the first one is still being written, is one
// receipt: the page sends one form.
func TestDoubleClickIsOneReceipt(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	p := counter(t, s, "1001")
	p.sent()
	held, release := tr.hold(t, "payments")
	p.doubleClick("Record payment")
	p.until("the payment is being written", func() (bool, error) { return held() > 0, nil })
	release()
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 500000)
	if n := p.sent(); n != 1 {
		t.Errorf("a double click sent %d forms, want 1", n)
	}
}

// Without JavaScript nothing holds the second form back; its id does.
func TestClickingAgainWithoutScriptsIsOneReceipt(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	p := open(t, s)
	p.withoutScripts()
	p.login(s, fees.RoleCashier)
	p.visit("/collect/1001")
	p.sent()
	held, release := tr.hold(t, "payments")
	x, y := p.point("Record payment") // a browser that waits for a page answers no questions
	p.clickAt(x, y)
	p.until("the payment is being written", func() (bool, error) { return held() > 0, nil })
	p.clickAt(x, y)
	n := 0
	p.until("the second form is sent", func() (bool, error) { n += p.sent(); return n == 2, nil })
	release()
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 500000)
}

// Back to the form and Record again is the same receipt; with another amount
// it is refused, and nothing changes.
func TestBackAndRecordAgain(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := counter(t, s, "1001")
	p.fill("Amount (₹)", "2000")
	p.click("Record payment")
	receipt := p.onReceipt("DPS/26-27/00001")

	p.back()
	p.at("/collect/1001")
	p.sees(byTestID("alert"), "Already recorded: DPS/26-27/00001")
	p.inspect("back at a recorded form")
	p.click("Record payment")
	if again := p.onReceipt("DPS/26-27/00001"); again != receipt {
		t.Errorf("the form again leads to %s, want %s", again, receipt)
	}

	p.expect("status of 409")
	p.back()
	p.at("/collect/1001")
	p.fill("Amount (₹)", "3000")
	p.click("Record payment")
	p.sees(byTestID("alert"), "Nothing was changed")
	p.inspect("a conflict")
	p.click("See the receipt")
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 200000)
}

// Without JavaScript Back shows what the browser kept, the form that was sent,
// or a fresh one on which nothing is due: neither charges again at a press.
func TestBackWithoutScripts(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.withoutScripts()
	p.login(s, fees.RoleCashier)
	p.visit("/collect/1001")
	p.click("Record payment")
	p.onReceipt("DPS/26-27/00001")
	p.back()
	p.at("/collect/1001")
	p.expect("status of 422")
	p.click("Record payment")
	p.until("the answer is there", func() (bool, error) {
		at, err := p.path()
		return strings.HasPrefix(at, "/receipts/") || at == "/payments", err
	})
	onlyRow(t, s, 500000)
}

// Two tabs with the same form are one receipt. Of two forms each is asked about
// before it is paid twice; pressed again it is a payment of its own, and what is
// more than was due an advance that the receipt tells of.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	one := counter(t, s, "1001")
	same, other := one.another(), one.another()
	same.visit(one.address())
	other.visit("/collect/1001")

	one.expect("status of 409")
	one.click("Record payment")
	one.sees(byTestID("alert"), "You opened this in another page")
	one.click("Record payment")
	receipt := one.onReceipt("DPS/26-27/00001")
	same.click("Record payment")
	if again := same.onReceipt("DPS/26-27/00001"); again != receipt {
		t.Errorf("the same form in another tab leads to %s, want %s", again, receipt)
	}
	onlyRow(t, s, 500000)

	other.expect("status of 409")
	other.fill("Amount (₹)", "100")
	other.click("Record payment")
	other.sees(byTestID("alert"), "You recorded ₹5,000.00 from Asha Verma")
	onlyRow(t, s, 500000)
	other.click("Record payment")
	other.click("Record, ₹100.00 as advance")
	other.onReceipt("DPS/26-27/00002")
	other.sees("#receipt", "₹100.00 was more than was due and is kept as an advance")
	if n := len(rows(t, s)); n != 2 {
		t.Errorf("the ledger holds %d rows, want 2", n)
	}
}

// offline cuts the line, or mends it.
func (p *tab) offline(is bool) {
	p.t.Helper()
	command(p, "cut or mend the line", network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{DownloadThroughput: -1, UploadThroughput: -1, Offline: is}},
	})
}

// The line is down, then the store: each says what became of the payment and
// keeps what was typed; pressing again is one receipt.
func TestLostLineAndLostStore(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	p := counter(t, s, "1001")
	p.fill("Amount (₹)", "1500")

	p.expect("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest")
	p.offline(true)
	p.click("Record payment")
	p.sees(byTestID("alert"), "Not confirmed")
	p.sees(byTestID("alert"), "it cannot be charged twice")
	p.inspect("a lost line")
	p.offline(false)

	p.expect("status of 503")
	tr.refuse("payments")
	p.click("Record payment")
	p.sees(byTestID("alert"), "Not recorded yet")
	p.inspect("a lost store")
	tr.over()

	if got := p.value("Amount (₹)"); got != "1500" {
		t.Errorf("the amount is %q, want 1500 as it was typed", got)
	}
	p.click("Record payment")
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 150000)
}

// While the counter of numbers cannot be reached a payment is recorded all the
// same; its page fills in the number by itself.
func TestNumberPendingFillsIn(t *testing.T) {
	t.Parallel()
	var tr trouble
	s := webtest.Start(t, webtest.Options{Wrap: tr.wrap})
	p := counter(t, s, "1001")
	tr.refuse("counters")
	p.click("Record payment")
	p.at("/receipts/*")
	p.sees(byTestID("receipt-number"), "Number pending")
	p.sees(byTestID("receipt-status"), "Number pending")
	p.sees("#receipt", "recorded and safe")
	if p.has("Print") {
		t.Error("a payment without its number offers to print a receipt")
	}
	p.inspect("a pending number")
	address := p.address()
	tr.over()
	p.sees(byTestID("receipt-number"), "DPS/26-27/00001")
	p.sees(byTestID("receipt-status"), "Issued")
	if now := p.address(); now != address {
		t.Errorf("the page went to %s, want it to fill in at %s", now, address)
	}
	p.opensPrinter(1)
	onlyRow(t, s, 500000)
}
