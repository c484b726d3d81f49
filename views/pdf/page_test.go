package pdf

import (
	"bytes"
	"fmt"
	stdimage "image"
	"image/png"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"

	"raseed/store/fees"
	"raseed/views/print"
	"raseed/views/qr"
)

// drawn is what stands on the pages of a document.
type drawn struct {
	text  string   // in the order in which it is drawn, without spaces
	dots  int      // of codes
	logos int      //
	out   []string // what comes too near to the edge of a page
}

var (
	textAt  = regexp.MustCompile(`BT /(\S+) (\S+) Tf \S+ g (\S+) (\S+) Td `)
	rectAt  = regexp.MustCompile(`(\S+) (\S+) (\S+) (\S+) re`)
	imageAt = regexp.MustCompile(`q (\S+) 0 0 (\S+) (\S+) (\S+) cm /I`)
	turned  = regexp.MustCompile(`^q (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) cm$`)
	glyphs  = regexp.MustCompile(`<([0-9A-F]{4})>|(-?[\d.]+)`)
)

func numbers(t *testing.T, texts []string) []float64 {
	t.Helper()
	out := make([]float64, len(texts))
	for i, text := range texts {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = n
	}
	return out
}

// look reads what a document draws.
func look(t *testing.T, d *document) drawn {
	t.Helper()
	var found drawn
	var text strings.Builder
	fonts := map[string]*usedFont{}
	for _, u := range d.used {
		fonts[u.name] = u
	}
	for n, p := range d.pages {
		turn := []float64{1, 0, 0, 1, 0, 0}
		inside := func(what string, x, y, width, height float64) {
			for _, at := range [][2]float64{{x, y}, {x + width, y}, {x, y + height}, {x + width, y + height}} {
				const edge = 2 * mm // printers leave more
				x, y := turn[0]*at[0]+turn[2]*at[1]+turn[4], turn[1]*at[0]+turn[3]*at[1]+turn[5]
				if x < edge || y < p.below+edge || x > p.width-edge || y > p.height-edge {
					found.out = append(found.out, fmt.Sprintf("page %d of %d: %s at %.0f, %.0f", n+1, len(d.pages), what, x, y))
				}
			}
		}
		for _, op := range strings.Split(p.content.String(), "\n") {
			switch m := turned.FindStringSubmatch(op); {
			case m != nil:
				turn = numbers(t, m[1:])
			case op == "Q":
				turn = []float64{1, 0, 0, 1, 0, 0}
			}
			if m := rectAt.FindStringSubmatch(op); m != nil {
				at := numbers(t, m[1:])
				inside("a rule", at[0], at[1], at[2], at[3])
				if strings.HasSuffix(op, "re") {
					found.dots++
				}
			}
			if m := imageAt.FindStringSubmatch(op); m != nil {
				at := numbers(t, m[1:])
				inside("a logo", at[2], at[3], at[0], at[1])
				found.logos++
			}
			if m := textAt.FindStringSubmatch(op); m != nil {
				u, at, width, said := fonts[m[1]], numbers(t, m[2:]), 0.0, ""
				for _, g := range glyphs.FindAllStringSubmatch(op[strings.Index(op, "["):], -1) {
					if g[1] == "" {
						continue // kerning
					}
					id, err := strconv.ParseUint(g[1], 16, 16)
					if err != nil {
						t.Fatal(err)
					}
					width += u.width(font.GID(id)) * at[0] / 1000
					said += string(u.glyphs[font.GID(id)])
				}
				inside(said, at[1], at[2]-at[0]*.25, width, at[0])
				text.WriteString(strings.ReplaceAll(said, " ", ""))
			}
		}
	}
	found.text = text.String()
	return found
}

// Whatever a receipt holds, all of it is drawn, and nothing leaves a page or is
// where printers do not print; each page says whose it is.
func TestReceiptStaysOnPages(t *testing.T) {
	t.Parallel()
	fonts, random := NewFonts(), rand.New(rand.NewPCG(5, 12))
	mark := logoOf(t)
	for i, tt := range []struct{ lines, tenders, name int }{
		{0, 0, 1}, {1, 1, 10}, {6, 1, 120}, {12, 4, 60}, {2, 6, 120}, {2, 10, 120}, {30, 10, 120}, {100, 10, 200}, {400, 10, 120},
		{random.IntN(60), random.IntN(11), random.IntN(121)}, {random.IntN(60), random.IntN(11), random.IntN(121)}, {random.IntN(60), random.IntN(11), random.IntN(121)},
	} {
		for k, format := range print.Formats() {
			if tt.lines > 100 && format != print.Thermal {
				continue
			}
			odd := (i+k)%2 == 0
			r := sized(random, tt.lines, tt.tenders, tt.name)
			paper := Paper{Receipt: r}
			if odd {
				r.Number, r.Reversed, r.Duplicate, r.Reverses = "", "", "", ""
				r.Sum, r.Total = "NPR 99,99,99,99,99,99,999.00", "99,99,99,99,99,99,999.00"
				paper = Paper{Receipt: r, Logo: mark}
			}
			name := fmt.Sprintf("%s, %d lines, %d tenders, names of %d, odd %t", format, tt.lines, tt.tenders, tt.name, odd)
			d := newDocument("", fonts)
			if err := d.set(paper, format); err != nil {
				t.Fatal(err)
			}
			found := look(t, d)
			for _, out := range found.out {
				t.Errorf("%s: %s leaves the page", name, out)
			}
			copies := len(r.Copies(format))
			code, _ := qr.Of(r.Verify)
			if found.dots != copies*len(code.Runs) {
				t.Errorf("%s: %d dots of the code, want %d", name, found.dots, copies*len(code.Runs))
			}
			if odd && found.logos != copies {
				t.Errorf("%s: %d logos, want %d", name, found.logos, copies)
			}
			has := func(text string, times int) {
				if n := strings.Count(found.text, strings.ReplaceAll(text, " ", "")); text != "" && n < times {
					t.Errorf("%s: %q is drawn %d times, want %d", name, text, n, times)
				}
			}
			for _, said := range []string{
				r.Institute, r.Address, strings.ToUpper(r.Title), r.Class, r.Guardian, r.Sum, r.Words, r.BalanceAfter, r.Note, r.Remark,
				r.Reverses, r.By + r.Cashier + "," + r.RecordedAt, "Scan to verify", r.Sign, r.Footer,
			} {
				has(said, copies)
			}
			for _, l := range r.Lines {
				has(l.Head+"·"+l.Title+l.Amount, copies)
			}
			for _, tender := range r.Tenders {
				has(tender.Mode+tender.Details+tender.Amount, copies)
			}
			for _, known := range []string{print.NumberOf(r), r.Student, r.AdmissionNo, r.Duplicate, r.Reversed} {
				has(known, copies*len(d.pages))
			}
			for _, copy := range r.Copies(format) {
				has(copy, len(d.pages))
			}
			if of := len(d.pages); of > 1 {
				has(fmt.Sprintf("page %d of %d", of, of), copies)
			}
		}
	}
}

// sized is a receipt of that size.
func sized(random *rand.Rand, lines, tenders, name int) print.Receipt {
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			if b[i] = byte('a' + random.IntN(26)); i > 0 && i < n-1 && random.IntN(12) == 0 {
				b[i] = ' '
			}
		}
		return strings.ReplaceAll(strings.ReplaceAll(string(b), "f", "e"), "  ", " ") // no ligatures
	}
	r := print.Receipt{
		Institute: word(name), Address: word(200), Footer: word(200), Title: "Fee receipt", Number: "DPS/26-27/000042", Date: "30 Nov 2026", Student: word(name), AdmissionNo: word(20), Class: word(20),
		Guardian: word(name), Symbol: "₹", Total: "1.00", Sum: "₹1.00", Words: word(90), BalanceAfter: "in credit 12,500.00", Remark: word(200), By: "Received by", Cashier: word(min(name, 60)),
		RecordedAt: "30 Nov 2026, 10:31", Sign: "Signature", Note: "Cheques and drafts are subject to realisation.", Duplicate: "DUPLICATE, printed before", Reversed: "Reversed by RV/26-27/00001 on 30 Nov 2026",
		Reverses: word(200), Verify: "https://fees.example.org/verify/DPS:01JDYAZXW0M6V7J3QK4R5T8N9P:q83vEjRWeJCrze8BI0Vniq",
	}
	for n := range lines {
		r.Lines = append(r.Lines, print.Line{Head: word(1+name/2) + strconv.Itoa(n) + "h", Title: "2026-27/T1", Amount: "1,041.66"})
	}
	for n := range tenders {
		r.Tenders = append(r.Tenders, print.Tender{Mode: "Cheque", Details: strconv.Itoa(n) + "t, " + word(60) + ", " + word(60), Amount: "3,125.00"})
	}
	return r
}

func logoOf(t *testing.T) *fees.Logo {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, stdimage.NewRGBA(stdimage.Rect(0, 0, 320, 160))); err != nil {
		t.Fatal(err)
	}
	return &fees.Logo{Type: fees.LogoPNG, Width: 320, Height: 160, Data: b.Bytes()}
}
