package pdf_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"raseed/store/fees"
	"raseed/views/pdf"
	"raseed/views/print"
)

// full is a receipt with everything a sheet may have to take: a name of 120
// letters, names in other scripts, 12 heads, 4 tenders.
func full() print.Receipt {
	r := print.Receipt{
		Institute: "Delta Public School", Address: "12 Station Road, Shivajinagar, Pune 411005, Maharashtra", Footer: "Fees once paid are not refunded. Keep this receipt.",
		Title: "Fee receipt", Number: "DPS/26-27/00042", Date: "30 Nov 2026", Student: strings.TrimSpace(strings.Repeat("Venkatanarasimharajuvaripeta ", 4)) + " Xyz",
		AdmissionNo: "A/12-B", Class: "1 A", Guardian: "श्रीमती लक्ष्मी क्षत्रिय द्विवेदी", Symbol: "₹", Total: "12,500.00", Sum: "₹12,500.00",
		Words: "Rupees Twelve Thousand Five Hundred Only", BalanceAfter: "0.00", Remark: "ரவிச்சந்திரன் & محمد عبد الله",
		By: "Received by", Cashier: "Asha R", RecordedAt: "30 Nov 2026, 10:31", Sign: "Signature",
		Verify: "https://fees.example.org/verify/DPS:01JDYAZXW0M6V7J3QK4R5T8N9P:q83vEjRWeJCrze8BI0Vniq",
	}
	for range 12 {
		r.Lines = append(r.Lines, print.Line{Title: "2026-27/T1", Head: "Tuition", Amount: "1,041.66"})
	}
	for _, mode := range []string{"Cash", "Cheque", "UPI", "Bank transfer"} {
		r.Tenders = append(r.Tenders, print.Tender{Mode: mode, Details: "004512, State Bank of India, Shivajinagar, 30 Nov 2026", Amount: "3,125.00"})
	}
	return r
}

// one is a file of one receipt.
func one(fonts *pdf.Fonts, r print.Receipt, format print.Format, logo *fees.Logo) ([]byte, error) {
	return fonts.Receipts(r.Number, []pdf.Paper{{Receipt: r, Logo: logo}}, format)
}

func logo(t testing.TB) *fees.Logo {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 320, 160))
	for y := range 160 {
		for x := range 320 {
			img.Set(x, y, color.RGBA{R: uint8(x), G: uint8(y), B: 120, A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return &fees.Logo{Type: fees.LogoPNG, Width: 320, Height: 160, Data: b.Bytes()}
}

// What a PDF says is what the sheet says, in every format and script.
func TestReceiptText(t *testing.T) {
	t.Parallel()
	read, err := exec.LookPath("pdftotext")
	if err != nil {
		if os.Getenv("RASEED_REQUIRE_PDFTOTEXT") == "1" {
			t.Fatal(err)
		}
		t.Skip("there is no pdftotext: what a PDF says is not read")
	}
	fonts := pdf.NewFonts()
	r := full()
	r.Duplicate, r.Reversed = "DUPLICATE: print 2", "Reversed by RV/26-27/00001 on 30 Nov 2026"
	for format, copies := range map[print.Format]int{print.A4: 1, print.A5: 2, print.Thermal: 1} {
		body, err := one(fonts, r, format, logo(t))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), string(format)+".pdf")
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		if keep := os.Getenv("RASEED_TEST_PAPER"); keep != "" {
			_ = os.WriteFile(filepath.Join(keep, string(format)+".pdf"), body, 0o600)
		}
		out, err := exec.Command(read, "-layout", path, "-").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", format, err, out)
		}
		text := strings.Join(strings.Fields(string(out)), "")
		for _, want := range []string{
			r.Institute, r.Number, "Venkatanarasimharajuvaripeta", r.Guardian, r.Words, "₹12,500.00", "ரவிச்சந்திரன்", "محمد", "Scan to verify",
			r.Duplicate, "Bank transfer", "Asha R",
		} {
			if n := strings.Count(text, strings.Join(strings.Fields(want), "")); n < copies {
				t.Errorf("%s says %q %d times, want %d", format, want, n, copies)
			}
		}
		if n := strings.Count(text, "1,041.66"); n != 12*copies {
			t.Errorf("%s has %d lines, want %d", format, n, 12*copies)
		}
	}
}

// Whatever stands in a text, a sheet is made of it: breaks and spaces of every
// kind, letters that no typeface has, and none at all.
func TestReceiptOddText(t *testing.T) {
	t.Parallel()
	fonts, r := pdf.NewFonts(), full()
	for _, odd := range []string{
		"", " ", "\n", "\r\n", "\v", "\u0085", "\u00A0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202F", "\u3000",
		"\u200B", "\u200D", "\u202E", "\u094D", "\uFFFD", "漢字", "👩‍👩‍👧", "🇮🇳", "\U0010FFFF", "\x00",
	} {
		for _, text := range []string{odd, "ab" + odd, "ab" + odd + "cd", odd + "ab", "अ" + odd + "\u094D" + odd, "م" + odd + "م"} {
			r.Student, r.Remark = text, text
			if _, err := one(fonts, r, print.Thermal, nil); err != nil {
				t.Errorf("%+q: %v", text, err)
			}
		}
	}
}

func BenchmarkReceipt(b *testing.B) {
	fonts, r, l := pdf.NewFonts(), full(), logo(b)
	for _, format := range print.Formats() {
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				body, err := one(fonts, r, format, l)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(body)), "bytes")
			}
		})
	}
}

// Sheets are made for several people at once, from fonts that are read once.
func TestReceiptsAtOnce(t *testing.T) {
	t.Parallel()
	fonts := pdf.NewFonts()
	var wg sync.WaitGroup
	made := make([][]byte, 8)
	for i := range made {
		wg.Go(func() {
			body, err := one(fonts, full(), print.A5, nil)
			if err != nil {
				t.Error(err)
			}
			made[i] = body
		})
	}
	wg.Wait()
	for i, body := range made {
		if !bytes.Equal(body, made[0]) {
			t.Errorf("file %d differs from the first", i)
		}
	}
}
