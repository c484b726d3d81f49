package print

import (
	"math"
	"strings"
	"unicode"
)

// length is how long the receipt is when it is set so, without the margins, in
// points: an estimate that is never too short, whatever typeface a browser has.
func (r Receipt) length(f Format, s Setting) float64 {
	lines := func(text string, size, width float64) float64 { return size * lineHeight * linesOf(text, width/size) }
	l := lines(r.Institute, 1.4*s.Size, s.Text-logoWidth(r, f)) + lines(r.Address, s.Size, s.Text-logoWidth(r, f)) + lines(r.Title, 1.2*s.Size, s.Text-logoWidth(r, f)) + 14
	if r.Logo != "" {
		if f == Thermal {
			l += s.Logo + 4
		} else {
			l = max(l, s.Logo+10)
		}
	}
	if f == A5 {
		l += s.Size * lineHeight // the copy's name
	}
	facts := 2 * 1.35 * s.Size * lineHeight
	if f != Thermal && widthOf("No. "+NumberOf(r)+" Date "+r.Date)*1.35*s.Size < s.Text {
		facts /= 2
	}
	l += facts + 16
	for _, fact := range []string{r.Student, r.AdmissionNo, r.Class, r.Guardian} {
		if fact != "" {
			l += lines(fact, s.Size, s.Text-5.2*s.Size) + 2
		}
	}
	for _, stamp := range []string{r.Duplicate, r.Reversed} {
		if stamp != "" {
			l += lines(stamp, 1.2*s.Size, s.Text-14) + 20
		}
	}
	if r.Number == "" {
		l += lines("Number pending: not yet a receipt", 1.2*s.Size, s.Text-14) + 22
	}
	if r.Reverses != "" {
		l += lines(r.Reverses, s.Size, s.Text) + 8
	}
	apart := func(text, figure string, larger float64) float64 {
		room := s.Text - 8 - widthOf(figure)*s.Size*larger
		if room < s.Text/4 { // the figure has a line of its own
			return (1 + larger) * s.Size * lineHeight * linesOf(text, s.Text/s.Size)
		}
		return max(lines(text, s.Size, room), larger*s.Size*lineHeight)
	}
	l += 2*apart("For", "Amount ("+r.Symbol+")", 1) + 10
	for _, line := range r.Lines {
		l += apart(line.Head+" · "+line.Title, line.Amount, 1) + 2*s.Air + 1
	}
	l += apart("Total", r.Sum, 1.5) + lines(r.Words, s.Size, s.Text) + 4*s.Space + 2
	for _, t := range r.Tenders {
		l += apart(t.Mode+"  "+t.Details, t.Amount, 1) + s.Air*4/3
	}
	l += apart("Balance after this", r.BalanceAfter, 1) + 5
	for _, said := range []string{r.Note, r.Remark} {
		if said != "" {
			l += lines(said, s.Size, s.Text) + 6
		}
	}
	by := s.Text - s.Code - 10
	if f != Thermal {
		by -= .34*s.Text + 10
	}
	l += 2*s.Space + max(s.Code, lines(r.By+" "+r.Cashier+", "+r.RecordedAt, .9*s.Size, by)+lines("Scan to verify", .9*s.Size, by), 2*s.Size*lineHeight+20)
	if f == Thermal {
		l += 26 + 2*s.Size*lineHeight
	}
	if r.Footer != "" {
		l += lines(r.Footer, .9*s.Size, s.Text) + 2*s.Space + 4
	}
	return l
}

// lineHeight is in the size of the text.
const lineHeight = 1.35

// logoWidth is what the letterhead leaves to a logo beside it, which is as wide
// as 30 mm and what is between.
func logoWidth(r Receipt, f Format) float64 {
	if r.Logo == "" || f == Thermal {
		return 0
	}
	return 30*MM + 8
}

// linesOf is how many lines a text takes that is broken between words, and in
// those that are wider than a line. The width is in the size of the text.
func linesOf(text string, width float64) float64 {
	lines, at := 0.0, 0.0
	for _, word := range strings.Fields(text) {
		w := widthOf(word)
		switch {
		case lines > 0 && at+space+w <= width:
			at += space + w
		case w <= width:
			lines, at = lines+1, w
		default:
			n := math.Ceil(w / max(width-2, 1)) // a line ends before the letter that is too much
			lines, at = lines+n, width
		}
	}
	return lines
}

// space is the width of a space.
const space = .35

// widthOf is about as wide as a text is set bold in a wide typeface, in its size.
func widthOf(text string) float64 {
	w := 0.0
	for _, r := range text {
		switch {
		case r == ' ':
			w += space
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			w += .3 // most stand above or below
		case strings.ContainsRune("ilj.,:;'|!()[]/-·", r):
			w += .38
		case strings.ContainsRune("mwMW@%&", r):
			w += 1
		case r < 0x80 && (unicode.IsLower(r) || unicode.IsDigit(r)):
			w += .62
		case r < 0x250:
			w += .75
		default:
			w += 1.1
		}
	}
	return w
}
