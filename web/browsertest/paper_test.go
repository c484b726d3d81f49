package browsertest

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/page"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// Millimetres of a PDF's points.
const pointsPerMM = 72 / 25.4

var (
	mediaBox = regexp.MustCompile(`/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]`)
	pdfPage  = regexp.MustCompile(`/Type\s*/Page\b`)
)

// A receipt is printed on one sheet of its format, the screen's furniture left
// out: from its print page, and A5 straight from its page on screen.
func TestReceiptOnPaper(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	row := record(t, s, "1001", 500000)
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	at := "/receipts/" + row.ShortID()
	for _, tt := range []struct {
		path          string
		width, height float64 // mm
	}{
		{at, 297, 210}, // two A5 beside each other
		{at + "/print", 297, 210},
		{at + "/print?format=a5", 297, 210},
		{at + "/print?format=a4", 210, 297},
		{at + "/print?format=thermal", 80, 200},
	} {
		p.visit(tt.path)
		yes := true
		pdf := command(p, "print "+tt.path, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes}).Data
		if len(pdf) < 5000 {
			t.Errorf("%s: the PDF has %d bytes, want a sheet with something on it", tt.path, len(pdf))
		}
		if n := len(pdfPage.FindAll(pdf, -1)); n != 1 {
			t.Errorf("%s: the PDF has %d pages, want 1", tt.path, n)
		}
		box := mediaBox.FindSubmatch(pdf)
		if box == nil {
			t.Errorf("%s: the PDF does not tell its size", tt.path)
			continue
		}
		width, height := mm(box[1]), mm(box[2])
		if math.Abs(width-tt.width) > 1 || math.Abs(height-tt.height) > 1 {
			t.Errorf("%s: the sheet is %.0f × %.0f mm, want %.0f × %.0f", tt.path, width, height, tt.width, tt.height)
		}

		p.media("print")
		for _, furniture := range []string{".top", ".rail", ".till", ".desk-bar", ".skip", ".button", ".receipt-body"} {
			if p.has(furniture) {
				t.Errorf("%s: %s is printed", tt.path, furniture)
			}
		}
		for _, words := range []string{"Delta Public School", "DPS/26-27/00001", "30 Nov 2026", "Asha Verma", "Tuition", "4,500.00", "Transport", "₹5,000.00", "Rupees Five Thousand Only", "Cash", "Signature"} {
			p.sees(".paper", words)
		}
		p.media("")
	}
	if _, err := s.Store.ReversePayment(t.Context(), webtest.Own, fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry"}); err != nil {
		t.Fatal(err)
	}
	p.visit(at + "/print")
	p.sees(".paper .stamp", "Reversed by RV/26-27/00001 on 30 Nov 2026")
	p.visit(at + ":reversal/print")
	p.sees(".paper", "Takes back DPS/26-27/00001: wrong entry")
}

// The sheet's page is left by the keys that its buttons show.
func TestPaperKeys(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	at := "/receipts/" + record(t, s, "1001", 500000).ShortID()
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.visit(at + "/print")
	p.sees(".desk-bar", "Back to the receipt Esc")
	p.inspect("a sheet and its keys")
	p.expect("NavigationEntryMarkedSkippable") // Esc is no gesture to Chromium: its Back skips the sheet
	p.keys("\x1b")
	p.at(at)
	p.visit(at + "/print")
	p.sees(".desk-bar", "Next student n")
	p.keys("n")
	p.at("/collect")
}

func mm(points []byte) float64 {
	n, err := strconv.ParseFloat(string(points), 64)
	if err != nil {
		return 0
	}
	return n / pointsPerMM
}
