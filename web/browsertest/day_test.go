package browsertest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// logIn logs in without the mouse.
func (p *tab) logIn(login string) {
	p.t.Helper()
	p.visit("/login")
	p.focused("login")
	p.keys(login + "\t" + webtest.Password + "\r")
	p.sees(".who", "")
	p.settle()
}

// find goes to a student from wherever one is, by the search's own key.
func (p *tab) find(student, at string) {
	p.t.Helper()
	p.settle()
	p.keys("/" + student + "\r")
	p.at(at)
	p.focused("tender_amount.0")
}

// secondCashier is the login of a cashier at another counter.
func secondCashier(t *testing.T, s *webtest.Server) string {
	t.Helper()
	if _, err := s.Store.AddUser(t.Context(), webtest.Own, "ravi", "Ravi Menon", fees.RoleCashier, webtest.Password); err != nil {
		t.Fatal(err)
	}
	return "ravi"
}

// sound fails the test unless the audit finds nothing.
func sound(t *testing.T, s *webtest.Server) {
	t.Helper()
	report, err := s.Store.Audit(t.Context(), webtest.Own)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("the audit finds %+v", f)
	}
}

// A whole day at a school with two counters and an office, without the mouse.
func TestDayAtTheSchool(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	asha := open(t, s)
	asha.logIn(s.AddUser(t, webtest.Own, fees.RoleCashier))
	ravi := open(t, s)
	ravi.logIn(secondCashier(t, s))
	office := open(t, s)
	office.logIn(s.AddUser(t, webtest.Own, fees.RoleAccountant))

	// Morning: the till is opened with its float.
	asha.press("Till")
	asha.at("/till")
	asha.focused("float")
	asha.keys("1000\r")
	asha.sees(byTestID("till-expected"), "1,000.00")

	// A payment in two ways, while the other counter has to wait.
	asha.find("1001", "/collect/1001")
	asha.sees(byTestID("till"), "₹1,000.00 in cash")
	ravi.focused("q")
	ravi.keys("1001\r")
	ravi.at("/collect/1001")
	ravi.sees("#hold", "The Cashier has been collecting from Asha Verma")
	if ravi.has("#payment .record:not(:disabled)") {
		t.Error("the second counter can record while the first collects")
	}
	ravi.inspect("a student whom another counter has")
	ravi.shoot("held")
	asha.keys("2000+")
	asha.focused("tender_amount.1")
	asha.keys("1000\tU\t")
	asha.focused("tender_ref.1")
	asha.keys("412345678901\r")
	asha.onReceipt("DPS/26-27/00001")
	asha.sees(".receipt-body", "UPI 412345678901 1,000.00")
	ravi.sees("#hold", "The other counter has finished")
	ravi.press("Collect now")
	ravi.at("/collect/1001")
	ravi.sees(byTestID("due-total"), "2,000.00")
	ravi.keys("/\r") // and leaves it
	ravi.at("/collect")

	// A cheque.
	asha.keys("n")
	asha.at("/collect")
	asha.focused("q")
	asha.keys("1002\r")
	asha.at("/collect/1002")
	asha.focused("tender_amount.0")
	asha.keys("4500\t" + down + "\t")
	asha.focused("tender_ref.0")
	asha.keys("004512\tState Bank\tRohini\r")
	asha.onReceipt("DPS/26-27/00002")
	asha.sees(".receipt-body", "Cheque 004512, State Bank, Rohini")

	// The same reference at the other counter is a question, answered with the
	// space bar. More than is due is said before it is recorded.
	ravi.find("A/12-B", "/collect/A%2F12-B")
	ravi.keys("6500\t")
	ravi.keys("U\t")
	ravi.focused("tender_ref.0")
	ravi.expect("status of 422")
	ravi.keys("412345678901\r")
	ravi.focused("till-says")
	ravi.sees(".record", "Record, ₹500.00 as advance")
	ravi.keys("\r")
	ravi.sees(byTestID("alert"), "Received already: DPS/26-27/00001")
	ravi.focused("ref_again.0")
	ravi.inspect("a reference that was received already")
	ravi.shoot("repeated")
	ravi.keys(" \r")
	ravi.focused("till-says")
	ravi.keys("\r")
	ravi.onReceipt("DPS/26-27/00003")
	ravi.sees("#receipt", "₹500.00 was more than was due")

	// A family, which is kept from the other counter as well.
	asha.find("1001", "/collect/1001")
	asha.press("Pay for the family")
	asha.at("/collect/family/*")
	asha.focused("tender_amount.0")
	if got := asha.value("Amount (₹)"); got != "4000.00" {
		t.Errorf("the family's amount is ready as %q, want what both owe", got)
	}
	asha.inspect("a family at the counter")
	asha.shoot("family")
	ravi.find("1002", "/collect/1002")
	ravi.sees("#hold", "The Cashier has been collecting from Ravi Verma")
	asha.keys("\r")
	asha.at("/receipts/family/*")
	asha.sees(".receipt-body", "DPS/26-27/00004")
	asha.sees(".receipt-body", "DPS/26-27/00005")
	asha.inspect("the receipts of a family")
	asha.opensPrinter(1)
	asha.keys("p")
	asha.opensPrinter(2)
	asha.at("/receipts/family/*")

	// The office: the cheque goes to the bank, and comes back.
	office.press("Cheques")
	office.at("/cheques")
	office.sees(byTestID("chosen"), "Chosen: 1 cheque, ₹4,500.00")
	office.reach("[name=cheque]")
	office.keys(" ")
	office.sees(byTestID("chosen"), "Nothing is chosen")
	office.keys(" ")
	office.write("Into bank account", "Current account")
	office.keys("\r")
	office.at("/cheques/deposits/*")
	office.sees(byTestID("slip-total"), "4,500.00")
	office.inspect("a deposit slip")
	yes := true
	slip := command(office, "print a deposit slip", page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes}).Data
	if box := mediaBox.FindSubmatch(slip); box == nil || math.Abs(mm(box[1])-210) > 1 || math.Abs(mm(box[2])-297) > 1 || len(pdfPage.FindAll(slip, -1)) != 1 {
		t.Errorf("a deposit slip is printed on %q, want one A4", box)
	}
	office.media("print")
	if office.has(".button") {
		t.Error("a deposit slip is printed with the buttons of its page")
	}
	office.media("")
	office.press("Deposited cheques")
	office.press("Cheque 004512")
	office.at("/cheques/*")
	office.press("The bank returned it")
	office.write("Reason", "Funds insufficient")
	office.write("Charge to the student (₹)", "250")
	office.press("Bounce cheque")
	office.sees(byTestID("cheque-state"), "Bounced")
	office.inspect("a bounced cheque")
	office.press("Receipt DPS/26-27/00002")
	office.onReceipt("DPS/26-27/00002")
	office.sees("#receipt", "Reversed by RV/26-27/00001")
	office.find("1002", "/collect/1002")
	office.sees(byTestID("due-total"), "4,750.00")
	office.sees(".due-lines", "Bounce charge")

	// It is presented again.
	office.keys("/\r")
	office.at("/collect")
	office.press("Cheques")
	office.press("Bounced")
	office.press("Cheque 004512")
	office.press("Receive it again")
	office.at("/collect/1002")
	office.sees(byTestID("alert"), "Cheque 004512 is received again")
	for field, want := range map[string]string{"Amount (₹)": "4500.00", "Cheque number": "004512", "Bank": "State Bank", "Branch": "Rohini"} {
		if got := office.value(field); got != want {
			t.Errorf("%s is filled in as %q, want %q", field, got, want)
		}
	}
	office.inspect("a cheque that is presented again")
	office.keys("\r")
	office.onReceipt("DPS/26-27/00006")

	// A receipt of the wrong child is reversed.
	office.keys("/DPS/26-27/00004\r")
	office.onReceipt("DPS/26-27/00004")
	office.press("Reverse receipt")
	office.write("Reason", "Entered for the wrong child")
	office.press(".reverse button")
	office.onReceipt("DPS/26-27/00004")
	office.sees("#receipt", "Reversed by RV/26-27/00002")

	// The advance is given back.
	ravi.press("Students")
	ravi.at("/students")
	ravi.press("A/12-B")
	ravi.at("/students/A%2F12-B")
	ravi.press("Refund advance")
	ravi.at("/refunds/new")
	ravi.inspect("a refund that is asked for")
	ravi.write("Reason", "Paid by mistake")
	ravi.press("Ask for the refund")
	ravi.at("/refunds/*")
	ravi.sees(byTestID("refund-state"), "")
	ravi.inspect("a refund that waits")
	office.press("Refunds")
	office.at("/refunds")
	office.press(".refunds tbody .c-date a")
	office.at("/refunds/*")
	office.press("Approve, ₹500.00")
	office.press(byTestID("refund-voucher"))
	office.at("/receipts/*")
	office.sees("#receipt", "Refund")
	office.inspect("a refund")

	// Evening: the till is counted, ten rupees short, and handed over.
	s.Clock.Advance(30 * time.Minute)
	asha.visit("/till")
	asha.sees(byTestID("till-expected"), "5,000.00")
	asha.press("Count and close")
	asha.write("500 note", "9")
	asha.write("100 note", "4")
	asha.write("50 note", "1")
	asha.write("20 note", "2")
	asha.inspect("a till that is counted")
	asha.sees("[data-verdict]", "hort")
	asha.write("Note", "Ten rupees short")
	asha.press("Close till")
	asha.sees(".alert", "hort by")
	asha.inspect("a till that is closed")
	office.visit("/tills")
	office.sees(".tills", "Short by 10.00")
	office.inspect("all tills")
	asha.keys("p")
	asha.at("/tills/*/print")
	asha.sees(".desk", "DPS/26-27/00001")
	slip = command(asha, "print a till's slip", page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes}).Data
	if box := mediaBox.FindSubmatch(slip); box == nil || math.Abs(mm(box[1])-148) > 1 || math.Abs(mm(box[2])-210) > 1 || len(pdfPage.FindAll(slip, -1)) != 1 {
		t.Errorf("a till's slip is printed on %q, want one A5", box)
	}

	numbers := map[string]bool{}
	for _, row := range rows(t, s) {
		numbers[row.NumberText] = true
	}
	for n := 1; n <= 6; n++ {
		if number := fmt.Sprintf("DPS/26-27/%05d", n); !numbers[number] {
			t.Errorf("%s is missing from %v", number, numbers)
		}
	}
	if len(numbers) != 9 { // six receipts, two reversals and a refund
		t.Errorf("the day has the numbers %v", numbers)
	}
	sound(t, s)
}
