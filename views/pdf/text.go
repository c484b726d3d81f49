package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// style is how text is set.
type style struct {
	size float64
	bold bool
	gray float64 // 0 is black
}

// lineHeight and ascent are in the size of the text: the same line as on the
// printed page.
const (
	lineHeight = 1.35
	ascent     = 1.02
)

// align is where a line stands in its width.
type align int

const (
	left align = iota
	center
	right
)

// line is one line of shaped text.
type line struct {
	runs  []shaping.Output // from left to right
	width float64
}

// lines sets text in lines of at most that width. Only what has no other place
// to break is broken within a word.
func (d *document) lines(text string, st style, width float64) (runes []rune, set []line) {
	runes = []rune(strings.Map(plainSpace, text))
	if len(runes) == 0 {
		return runes, nil
	}
	direction := directionOf(runes)
	var segmenter shaping.Segmenter
	var shaped []shaping.Output
	for _, piece := range segmenter.Split(shaping.Input{
		Text: runes, RunEnd: len(runes), Direction: direction, Size: fixed.Int26_6(st.size*64 + 0.5), Language: language.NewLanguage("en"),
	}, byBold{d, st.bold}) {
		shaped = append(shaped, d.shaper.Shape(piece))
	}
	var wrapper shaping.LineWrapper
	wrapped, _ := wrapper.WrapParagraphF(shaping.WrapConfig{Direction: direction}, fixed.Int26_6(width*64), runes, shaping.NewSliceIterator(shaped))
	for _, runs := range wrapped {
		l := line{runs: slices.Clone(runs)}
		slices.SortStableFunc(l.runs, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
		for _, run := range l.runs {
			l.width += points(run.Advance)
		}
		set = append(set, l)
	}
	return runes, set
}

// plainSpace is r, or a space where it is any other white space: a break of the
// text's own is none of a sheet's, and typefaces have no glyph for most of them.
func plainSpace(r rune) rune {
	if unicode.IsSpace(r) && r != '\u00A0' {
		return ' '
	}
	return r
}

// directionOf is the direction of the first letter that has one.
func directionOf(runes []rune) di.Direction {
	for _, r := range runes {
		if unicode.In(r, unicode.Arabic, unicode.Hebrew) {
			return di.DirectionRTL
		}
		if unicode.IsLetter(r) {
			break
		}
	}
	return di.DirectionLTR
}

func points(f fixed.Int26_6) float64 { return float64(f) / 64 }

// draw draws a line with its left end at x, y.
func (d *document) draw(p *page, text []rune, l line, st style, x, y float64) {
	for _, run := range l.runs {
		d.drawRun(p, text, run, st, x, y)
		x += points(run.Advance)
	}
}

// drawRun draws glyphs of one font. Where they are not one letter each, the
// text itself is written beside them, for copying and for screen readers: whole
// from left to right, and by letter in the other direction, since readers put
// that in order themselves.
func (d *document) drawRun(p *page, text []rune, run shaping.Output, st style, x, y float64) {
	u, b := d.faces[run.Face], &p.content
	said := func(at, n int) { fmt.Fprintf(b, "/Span<</ActualText%s>>BDC ", textString(string(text[at:at+n]))) }
	plain, byLetter := u.note(text, run), run.Direction == di.DirectionRTL
	fmt.Fprintf(b, "BT /%s %s Tf %s g %s %s Td ", u.name, num(st.size), num(st.gray), num(x), num(y))
	thick := st.bold && u.typeface != d.fonts.bold
	if thick { // a typeface without a bold one
		fmt.Fprintf(b, "%s G 2 Tr %s w ", num(st.gray), num(st.size*0.03))
	}
	if !plain && !byLetter {
		said(run.Runes.Offset, run.Runes.Count)
	}
	pen, at, rise, letter := 0.0, 0.0, 0.0, -1 // where the PDF is, and where the glyph belongs
	b.WriteByte('[')
	for _, g := range run.Glyphs {
		if !plain && byLetter && g.TextIndex() != letter {
			b.WriteString("]TJ ")
			if letter >= 0 {
				b.WriteString("EMC ")
			}
			letter = g.TextIndex()
			said(letter, g.RunesCount())
			b.WriteByte('[')
		}
		if r := points(g.YOffset); r != rise {
			fmt.Fprintf(b, "]TJ %s Ts [", num(r))
			rise = r
		}
		if shift := (pen - at - points(g.XOffset)) * 1000 / st.size; shift > 0.5 || shift < -0.5 {
			b.WriteString(num(shift))
			pen = at + points(g.XOffset)
		}
		fmt.Fprintf(b, "<%04X>", g.GlyphID)
		pen += u.width(g.GlyphID) * st.size / 1000
		at += points(g.Advance)
	}
	b.WriteString("]TJ")
	if !plain {
		b.WriteString(" EMC")
	}
	if rise != 0 {
		b.WriteString(" 0 Ts")
	}
	if thick {
		b.WriteString(" 0 Tr")
	}
	b.WriteString(" ET\n")
}

// note notes the glyphs of a run, and says whether each stands for its own part
// of the text.
func (u *usedFont) note(text []rune, run shaping.Output) (plain bool) {
	plain = true
	for _, g := range run.Glyphs {
		if g.GlyphsCount() != 1 {
			plain = false
			if _, known := u.glyphs[g.GlyphID]; !known {
				u.glyphs[g.GlyphID] = nil
			}
			continue
		}
		said := text[g.TextIndex() : g.TextIndex()+g.RunesCount()]
		if before := u.glyphs[g.GlyphID]; before == nil {
			u.glyphs[g.GlyphID] = slices.Clone(said)
		} else if !slices.Equal(before, said) && !unicode.IsSpace(said[0]) {
			plain = false
		}
	}
	return plain
}
