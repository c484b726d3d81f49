package print

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func drawn(t *testing.T, r Receipt, f Format) *goquery.Document {
	t.Helper()
	var page strings.Builder
	if err := Sheet(r, f).Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(page.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func withLines(n int) Receipt {
	r := Receipt{
		Institute: "Delta Public School", Title: "Fee receipt", Number: "DPS/26-27/00042", Date: "30 Nov 2026", Student: "Asha Verma", AdmissionNo: "A/12-B",
		Symbol: "₹", Sum: "₹1.00", Words: "Rupees One Only", Duplicate: "DUPLICATE", Reversed: "Reversed by RV/26-27/00001", By: "Received by", Cashier: "Asha R", Sign: "Signature",
	}
	for range n {
		r.Lines = append(r.Lines, Line{Head: "Tuition", Amount: "1.00"})
	}
	return r
}

// What comes again at the top of each further sheet says whose it is, and the
// total is in one piece with the last line.
func TestSheetIsKnownOnEachPage(t *testing.T) {
	for _, f := range Formats() {
		for _, lines := range []int{0, 1, 2, 60} {
			r := withLines(lines)
			doc := drawn(t, r, f)
			papers := doc.Find(".paper")
			if papers.Length() != len(r.Copies(f)) {
				t.Fatalf("%s: %d copies", f, papers.Length())
			}
			papers.Each(func(i int, paper *goquery.Selection) {
				strip := paper.Find(".strip").Text()
				for _, want := range []string{r.Number, r.Date, r.Student, r.AdmissionNo, r.Duplicate, r.Reversed, r.Copies(f)[i]} {
					if !strings.Contains(strip, want) {
						t.Errorf("%s, %d lines: the strip lacks %q", f, lines, want)
					}
				}
				end := paper.Find("tbody.end tr")
				if end.Last().Find("th").Text() != "Total" || end.Length() != 1+min(lines, 1) || paper.Find("tbody tr").Length() != lines+1 {
					t.Errorf("%s, %d lines: the table ends with %q", f, lines, end.Text())
				}
			})
		}
	}
}

// More on a receipt sets it smaller, and more than that says which sheet is which.
func TestSheetSetting(t *testing.T) {
	for _, tt := range []struct {
		format      Format
		lines       int
		dense, long bool
	}{
		{A5, 2, false, false}, {A5, 14, true, false}, {A5, 60, true, true}, {A4, 2, false, false}, {A4, 24, true, false}, {A4, 90, true, true},
		{Thermal, 90, false, false},
	} {
		doc := drawn(t, withLines(tt.lines), tt.format)
		if got := doc.Find(".dense").Length() > 0; got != tt.dense {
			t.Errorf("%s, %d lines: dense is %t", tt.format, tt.lines, got)
		}
		if got := doc.Find(".long").Length() > 0; got != tt.long {
			t.Errorf("%s, %d lines: long is %t", tt.format, tt.lines, got)
		}
	}
}

func TestRollClass(t *testing.T) {
	for length, want := range map[float64]string{0: "roll-100", 92: "roll-100", 92.1: "roll-120", 152: "roll-160", 1492: "roll-1500", 9000: "roll-1500"} {
		if got := rollClass(length * MM); got != want {
			t.Errorf("%.1f mm is %s, want %s", length, got, want)
		}
	}
}
