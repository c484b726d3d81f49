package browsertest

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"raseed/store/fees"
	"raseed/views/print"
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
		{at + "/print?format=thermal", 80, 180},
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
	longPaper(t, p, at)
	if _, err := s.Store.ReversePayment(t.Context(), webtest.Own, fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry"}); err != nil {
		t.Fatal(err)
	}
	p.visit(at + "/print")
	p.sees(".paper .stamp", "Reversed by RV/26-27/00001 on 30 Nov 2026")
	p.visit(at + ":reversal/print")
	p.sees(".paper", "Takes back DPS/26-27/00001: wrong entry")
}

// longPaper prints receipts that are too long for a sheet: each of their sheets
// says whose it is, and the total is with the last line.
func longPaper(t *testing.T, p *tab, at string) {
	t.Helper()
	read, err := exec.LookPath("pdftotext")
	if err != nil {
		if os.Getenv("RASEED_REQUIRE_PDFTOTEXT") == "1" {
			t.Fatal(err)
		}
		t.Log("there is no pdftotext: what long receipts say is not looked at")
		return
	}
	long := print.Receipt{
		Institute: "Delta Public School", Title: "Fee receipt", Number: "DPS/26-27/00042", Date: "30 Nov 2026", AdmissionNo: "A/12-B", Symbol: "₹",
		Student: strings.TrimSpace(strings.Repeat("Venkatanarasimharajuvaripeta ", 4)), Sum: "₹12,500.00", Words: "Rupees Twelve Thousand Five Hundred Only", BalanceAfter: "0.00",
		Duplicate: "DUPLICATE, first printed 30 Nov 2026, 10:31", Reversed: "Reversed by RV/26-27/00001 on 30 Nov 2026", By: "Received by", Cashier: "Asha R", Sign: "Signature",
	}
	for _, tt := range []struct {
		format       print.Format
		lines, pages int
	}{{print.A5, 45, 2}, {print.A4, 70, 2}, {print.Thermal, 70, 1}} {
		format, pages := tt.format, tt.pages
		copies := len(long.Copies(format))
		r := long
		for n := range tt.lines {
			r.Lines = append(r.Lines, print.Line{Head: fmt.Sprintf("Head%dh", n), Amount: "312.50"})
		}
		var sheet strings.Builder
		if err := print.Sheet(r, format).Render(t.Context(), &sheet); err != nil {
			t.Fatal(err)
		}
		p.visit(at + "/print?format=" + string(format))
		p.do("put in a long receipt", chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector('main').innerHTML = %q", sheet.String())))
		yes := true
		pdf := command(p, "print a long receipt", page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes}).Data
		path := filepath.Join(t.TempDir(), "long.pdf")
		if err := os.WriteFile(path, pdf, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(read, path, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		sheets := strings.Split(strings.TrimSuffix(string(out), "\f"), "\f")
		if len(sheets) != pages {
			t.Errorf("%s: %d sheets, want %d", format, len(sheets), pages)
		}
		for n, text := range sheets {
			text = strings.Join(strings.Fields(text), " ")
			for _, want := range []string{r.Number, r.Student, r.AdmissionNo, r.Duplicate, r.Reversed} {
				if n := strings.Count(text, want); n < copies {
					t.Errorf("%s, a sheet of %d says %q %d times, want %d", format, len(sheets), want, n, copies)
				}
			}
			for _, copy := range r.Copies(format) {
				if !strings.Contains(text, copy) {
					t.Errorf("%s, sheet %d of %d lacks %q", format, n+1, len(sheets), copy)
				}
			}
			if pages > 1 && strings.Count(text, fmt.Sprintf("Page %d of %d", n+1, pages)) != copies {
				t.Errorf("%s, sheet %d of %d does not say which it is", format, n+1, len(sheets))
			}
			if last := r.Lines[len(r.Lines)-1].Head; strings.Contains(text, "Total") != strings.Contains(text, last) || strings.Contains(text, "Signature") && n != pages-1 {
				t.Errorf("%s, sheet %d of %d parts the total from the last line", format, n+1, len(sheets))
			}
		}
	}
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
	p.keys("p")
	p.opensPrinter(1)
	p.keys("\x1b")
	p.at(at)
	p.visit(at + "/print")
	p.sees(".desk-bar", "Next student n")
	p.keys("n")
	p.at("/collect")
}

// opensPrinter waits until the page has opened the printer's dialog n times.
func (p *tab) opensPrinter(n int) {
	p.t.Helper()
	p.until("the printer's dialog opens, once its paper is there", func() (bool, error) {
		times, err := ask[int](p, "printed")
		return times == n, err
	})
}

func mm(points []byte) float64 {
	n, err := strconv.ParseFloat(string(points), 64)
	if err != nil {
		return 0
	}
	return n / pointsPerMM
}
