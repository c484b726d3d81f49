package browsertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// onReceipt waits for the page of a numbered receipt and returns its path.
func (p *tab) onReceipt(number string) string {
	p.t.Helper()
	p.at("/receipts/*")
	p.sees(byTestID("receipt-number"), number)
	return p.address()
}

func TestCashierFindsAndCollects(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)

	login := s.AddUser(t, webtest.Own, fees.RoleCashier)

	p.expect("status of 422")
	p.visit("/login")
	p.fill("Login", login)
	p.fill("Password", "not the password")
	p.click("Log in")
	p.sees(byTestID("alert"), "Not logged in")
	p.fill("Password", webtest.Password)
	p.click("Log in")
	p.at("/collect")

	// As one types: by admission number, by name, by phone.
	for _, tt := range []struct{ typed, finds string }{
		{"a/12", "A/12-B Zoya Khan"},
		{"zoy", "A/12-B Zoya Khan"},
		{"verma", "1001 Asha Verma"},
		{"9810000001", "1002 Ravi Verma"},
	} {
		p.fill("Find a student or receipt", "")
		p.gone("table.hits")
		p.keys(tt.typed)
		p.sees("table.hits", tt.finds)
	}
	// A search of what was typed so far may still be on screen.
	p.until("the phone number finds the two siblings", func() (bool, error) {
		return slices.Equal(p.texts(".hit"), []string{"1001", "1002"}), nil
	})
	p.inspect("results")
	p.fill("Find a student or receipt", "nobody at all")
	p.sees("#results", "Nobody found")
	p.fill("Find a student or receipt", "khan")
	p.click("A/12-B")

	p.at("/collect/A%2F12-B")
	p.sees(byTestID("due-total"), "6,000.00")
	bills := p.texts(".due-lines .bill th")
	if len(bills) != 2 || !strings.HasPrefix(bills[0], "Opening balance") || !strings.HasPrefix(bills[1], "2026-27/T1") {
		t.Errorf("what is due, oldest first, is %q", bills)
	}
	if got := p.value("Amount (₹)"); got != "6000.00" {
		t.Errorf("the amount is ready as %q, want all that is due", got)
	}
	p.fill("Cash given", "6500")
	p.sees("#change", "₹500.00")
	p.click("Record payment")

	p.onReceipt("DPS/26-27/00001")
	p.sees(byTestID("receipt-status"), "Issued")
	p.sees(byTestID("receipt-total"), "6,000.00")
	p.sees(byTestID("receipt-words"), "Rupees Six Thousand Only")
	if got := p.texts(".receipt-body tbody tr"); len(got) != 4 ||
		!strings.HasPrefix(got[0], "Opening balance") || !strings.HasSuffix(got[0], "1,000.00") ||
		!strings.HasPrefix(got[1], "Tuition") || !strings.HasSuffix(got[1], "4,500.00") ||
		!strings.HasPrefix(got[2], "Transport") || !strings.HasSuffix(got[2], "500.00") ||
		!strings.HasPrefix(got[3], "Cash") {
		t.Errorf("the receipt's lines are %q", got)
	}
	paper := func() string {
		p.media("print")
		defer p.media("")
		return strings.Join(p.texts(".on-paper .paper"), " ")
	}
	p.opensPrinter(1)
	first := paper()
	p.keys("p")
	p.opensPrinter(2)
	p.onReceipt("DPS/26-27/00001")
	if again := paper(); strings.Contains(first, "DUPLICATE") || !strings.Contains(again, "DUPLICATE, first printed") {
		t.Errorf("the first print says %q, the second %q", first, again)
	}
	p.click("Collect more")
	p.at("/collect/A%2F12-B")
	p.sees(".dues", "Nothing is due")
	p.sees(byTestID("student-balance"), "0.00")
	p.sees(".dues", "DPS/26-27/00001")

	// Enter goes straight to the only one that is meant.
	p.fill("Find a student or receipt", "dps/26-27/00001")
	p.keys("\r")
	p.onReceipt("DPS/26-27/00001")
	if printed := asked[int](p, "printed"); printed != 0 {
		t.Error("a receipt that was not just recorded opens the printer's dialog")
	}
}

// Every way of paying shows the fields that it needs and no other, and all of
// them reach the receipt.
func TestCashierTakesEveryMode(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	for i, tt := range []struct {
		mode   string
		fields map[string]string
		tender string // on the receipt
	}{
		{"cash", nil, "Cash 300.00"},
		{"upi", map[string]string{"UPI reference": "412345678901"}, "UPI 412345678901 300.00"},
		{"card", map[string]string{"Approval code": "A1B2C3", "Last 4 digits": "4242"}, "Card ending 4242, A1B2C3 300.00"},
		{"transfer", map[string]string{"UTR": "SBIN426334000123"}, "Bank transfer SBIN426334000123 300.00"},
		{"cheque", map[string]string{"Cheque number": "000123", "Bank": "Canara Bank", "Branch": "Rohini", "Date on it": "2026-11-28"}, "Cheque 000123, Canara Bank, Rohini, 28 Nov 2026 300.00"},
		{"dd", map[string]string{"Draft number": "998877", "Bank": "State Bank", "Branch": "Rohini", "Date on it": "2026-11-27"}, "Demand draft 998877, State Bank, Rohini, 27 Nov 2026 300.00"},
	} {
		p.visit("/collect/1001")
		p.fill("Amount (₹)", "300")
		p.choose("Paid by", tt.mode)
		labels := p.texts(".tender.first label")
		want := 2 + len(tt.fields)
		if tt.mode == "cash" {
			want = 3 // and what was given
		}
		if len(labels) != want {
			t.Errorf("%s shows the fields %q", tt.mode, labels)
		}
		for field, text := range tt.fields {
			if strings.HasPrefix(field, "Date") {
				p.choose(field, text)
			} else {
				p.fill(field, text)
			}
		}
		p.click("Record payment")
		p.onReceipt([]string{"DPS/26-27/00001", "DPS/26-27/00002", "DPS/26-27/00003", "DPS/26-27/00004", "DPS/26-27/00005", "DPS/26-27/00006"}[i])
		p.sees(".receipt-body", tt.tender)
		if i == 4 {
			p.inspect("the receipt of a cheque")
		}
	}
}

func TestCashierSplitsAndTypesBadly(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.expect("status of 422")

	p.visit("/collect/1001")
	for _, fold := range []string{"Split over several modes", "Line by line", "Date and remark"} {
		p.click(fold)
	}
	p.inspect("the counter with all its fields")
	p.fill("Amount (₹)", "1.384,83")
	p.choose("Paid by", "cheque")
	p.fill("Cheque number", "")
	p.fill(`[id="tender_amount.1"]`, "2000")
	p.fill("Remark", "paid by the aunt")
	p.click("Record payment")

	p.sees(byTestID("alert"), "Nothing was recorded yet")
	p.inspect("a refused payment")
	for field, typed := range map[string]string{
		`[id="tender_amount.0"]`: "1.384,83", `[id="tender_mode.0"]`: "cheque", `[id="tender_amount.1"]`: "2000",
		"Remark": "paid by the aunt",
	} {
		if got := p.value(field); got != typed {
			t.Errorf("%s holds %q after the refusal, want %q as it was typed", field, got, typed)
		}
	}
	if n := p.texts(".problem"); len(n) < 3 {
		t.Errorf("the fields say %q; want the amount, the cheque's number and the missing mode", n)
	}
	if path, _ := p.path(); path != "/collect/1001" {
		t.Errorf("a refusal leads to %s", path)
	}

	p.fill(`[id="tender_amount.0"]`, "3,500.50")
	p.choose(`[id="tender_mode.0"]`, "cash")
	p.fill(`[id="tender_ref.0"]`, "")
	p.choose(`[id="tender_mode.1"]`, "upi")
	p.sees("#till-says", "₹5,500.50 in all. ₹500.50 is more than is due and will be kept as an advance.")
	p.fill(`[id="tender_ref.1"]`, "412345678901")
	p.click("Record payment")
	p.click("Record, ₹500.50 as advance")
	p.onReceipt("DPS/26-27/00001")
	p.sees(byTestID("receipt-total"), "5,500.50")
	p.sees(byTestID("receipt-words"), "Rupees Five Thousand Five Hundred and Fifty Paise Only")
	p.sees(".receipt-body", "Cash 3,500.50")
	p.sees(".receipt-body", "UPI 412345678901 2,000.00")
	p.sees(".receipt-body", "paid by the aunt")
	p.sees("#receipt", "₹500.50 was more than was due and is kept as an advance")
	p.inspect("a receipt of two tenders")
}

// Cash that does not do, and more than is due, may be slips of the finger: the
// first is not sent, the second only when it is meant.
func TestCashierSlips(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.visit("/collect/1001")
	p.sent()
	p.fill("Amount (₹)", "5000")
	p.fill("Cash given", "500")
	p.sees("#change.short", "₹4,500.00 short")
	p.click("Record payment")
	p.focused("cash-given")
	p.fill("Cash given", "")
	p.gone("#change.short")

	p.fill("Amount (₹)", "50000")
	p.sees("#till-says.over", "₹45,000.00 is more than is due")
	p.inspect("a notice of an advance")
	p.doubleClick("Record payment") // the second click does not answer the question
	p.focused("till-says")
	p.sees(".record", "Record, ₹45,000.00 as advance")
	p.fill("Amount (₹)", "5500")
	p.sees(".record", "Record payment") // another amount is another question
	if n := p.sent(); n != 0 || len(rows(t, s)) != 0 {
		t.Fatalf("%d forms were sent and %d payments recorded before it was meant", n, len(rows(t, s)))
	}
	p.keys("\r")
	p.focused("till-says")
	p.sees(".record", "Record, ₹500.00 as advance")
	p.keys("\r")
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 550000)

	// What was given in cash is nobody's business when it is paid otherwise.
	p.visit("/collect/1002")
	p.fill("Cash given", "5")
	p.choose("Paid by", "upi")
	p.fill("UPI reference", "412345678901")
	p.click("Record payment")
	p.onReceipt("DPS/26-27/00002")
}

// A name typed faster than the page's scripts load is searched for when they
// are there.
func TestCashierTypesBeforeScripts(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	command(p, "type early", page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		document.addEventListener("readystatechange", () => {
			if (document.readyState === "interactive") document.getElementById("q").value = "zoya";
		});`})
	p.visit("/collect")
	p.sees("table.hits", "A/12-B Zoya Khan")
}

// Money goes where the cashier says, and only there.
func TestCashierChoosesLines(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.keys("asha")
	p.click("1001")
	p.at("/collect/1001")
	if title := asked[string](p, "title"); !strings.Contains(title, "Asha Verma") {
		t.Errorf("the page of a chosen student is titled %q", title)
	}
	// Until somebody types an amount it is what the lines come to.
	p.click("Line by line")
	p.fill("2026-27/T1 Transport", "300")
	p.fill("2026-27/T1 Tuition", "1,200")
	p.sees("#typed-says", "Lines ₹1,500.00 of ₹1,500.00")
	if got := p.value("Amount (₹)"); got != "1500.00" {
		t.Errorf("the amount is %q, want what the lines come to", got)
	}
	p.fill("2026-27/T1 Tuition", "")
	p.fill("Amount (₹)", "2000")
	p.sees("#typed-says", "Lines ₹300.00 of ₹2,000.00, the rest settles oldest first")
	p.fill("2026-27/T1 Transport", "500")
	p.fill("Amount (₹)", "500")
	p.click("Record payment")
	p.onReceipt("DPS/26-27/00001")
	if got := p.texts(".receipt-body tbody tr"); len(got) != 2 || got[0] != "Transport 2026-27/T1 500.00" || got[1] != "Cash 500.00" {
		t.Errorf("the receipt's lines are %q", got)
	}
	p.click("Collect more")
	p.at("/collect/1001")
	p.sees(".due-lines", "Tuition 4,500.00")
	if due := p.text(".due-lines"); strings.Contains(due, "Transport") {
		t.Errorf("what was settled is still due: %s", due)
	}
}

// One payment without the mouse: find, amount, mode, record, next.
func TestCashierByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	login := s.AddUser(t, webtest.Own, fees.RoleCashier)
	p.visit("/login")
	p.focused("login")
	p.keys(login + "\t" + webtest.Password + "\r")
	p.at("/collect")

	p.focused("q")
	p.keys("verma")
	p.sees("table.hits", "1002")
	p.keys(down + down)
	p.focused("1002")
	p.keys(up)
	p.focused("1001")
	p.keys(down + "\r")
	p.at("/collect/1002")
	p.sees(byTestID("due-total"), "6,500.00")

	p.focused("tender_amount.0")
	p.keys("4500")
	p.sees("#till-says", "₹2,000.00 stays due.")
	p.keys("\t")
	p.focused("tender_mode.0")
	p.keys("U") // UPI
	p.keys("\t")
	p.focused("tender_ref.0")
	p.keys("412345678901\r")
	p.onReceipt("DPS/26-27/00001")
	p.sees(byTestID("receipt-total"), "4,500.00")

	p.keys("/")
	p.focused("global-q")
	p.keys("1001\r")
	p.at("/collect/1001")
	p.keys("/")
	p.focused("q")
	p.keys("dps/26-27/00001\r")
	p.onReceipt("DPS/26-27/00001")
	p.keys("n")
	p.at("/collect")
	p.focused("q")
	p.keys("1002\r")
	p.at("/collect/1002")
	p.sees(byTestID("due-total"), "2,000.00")
	p.focused("tender_amount.0")
	p.keys("/") // no amount has one
	p.focused("q")
}

// What tells of a recorded payment besides the screen is chosen once.
func TestCashierSignals(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	for n, chosen := range []bool{false, true} {
		p.visit("/collect/1001")
		p.fill("Amount (₹)", "100")
		p.click("Record payment")
		p.onReceipt("DPS/26-27/0000" + string(rune('1'+n)))
		for _, box := range []string{"#signal-sound", "#signal-flash"} {
			if got := p.has(box + ":checked"); got != chosen {
				t.Errorf("after payment %d %s is chosen: %v, want %v", n+1, box, got, chosen)
			}
			if !chosen {
				p.click(box)
			}
		}
	}
}
