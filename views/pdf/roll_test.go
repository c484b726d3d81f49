package pdf

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"raseed/views/print"
)

var rollLength = regexp.MustCompile(`roll-(\d+)`)

// The page of a roll is chosen by an estimate. It is never shorter than what a
// PDF, which measures, makes of the receipt, and leaves little blank.
func TestRollIsLongEnough(t *testing.T) {
	t.Parallel()
	fonts, random := NewFonts(), rand.New(rand.NewPCG(5, 4))
	mark := logoOf(t)
	names := []string{"Asha Verma", "MWMWMWMWMW MWMWMW", "रविचन्द्रन् क्षत्रिय द्विवेदी", "வெங்கடநரசிம்மராஜுவாரிபேட்டை", "മലയാളം വിദ്യാർത്ഥി", "王小明王小明王小明王小明王小明王小明", "محمد عبد الله", "iiiiiiii", "김민수 김민수 김민수"}
	wasted, n := 0.0, 0
	for i := range 108 {
		var r print.Receipt
		if i%4 == 0 {
			r = sized(random, random.IntN(30), random.IntN(11), 1+random.IntN(120))
		} else { // as most are
			r = sized(random, 1+random.IntN(6), 1, 20)
			r.Reversed, r.Duplicate, r.Reverses, r.Note, r.Remark = "", "", "", "", ""
			r.Footer, r.Address, r.Words = "Keep this receipt.", "12 Station Road, Shivajinagar, Pune 411005", "Rupees Twelve Thousand Five Hundred Only"
		}
		name := names[i%len(names)]
		if i%5 == 0 {
			name = strings.TrimSpace(strings.Repeat(name+" ", 4))
		}
		r.Student, r.Guardian, r.Institute = name, names[(i+3)%len(names)], names[(i+5)%len(names)]
		paper := Paper{Receipt: r}
		if i%3 == 0 {
			paper.Receipt.Logo, paper.Logo = "/logo/x", mark
		}
		d := newDocument("", fonts)
		if err := d.set(paper, print.Thermal); err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := print.Sheet(paper.Receipt, print.Thermal).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		m := rollLength.FindStringSubmatch(page.String())
		if m == nil {
			t.Fatalf("no length: %.300s", page.String())
		}
		estimate, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		length := (d.pages[0].height - d.pages[0].below) / mm
		if length > float64(estimate) && estimate < 1500 {
			t.Errorf("%d lines, %d tenders, %q, %q: %.0f mm, and the page has %d", len(r.Lines), len(r.Tenders), r.Student, r.Institute, length, estimate)
		}
		if i%4 != 0 {
			wasted, n = wasted+float64(estimate)-length, n+1
		}
	}
	if blank := wasted / float64(n); blank > 40 {
		t.Errorf("%.0f mm of a usual receipt are blank", blank)
	} else {
		t.Logf("%.0f mm of a usual receipt are blank", blank)
	}
}
