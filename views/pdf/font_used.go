package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"
)

// usedFont is a typeface within one document and the glyphs of it that are
// used, each with the text that it stands for.
type usedFont struct {
	*typeface
	name   string // in the pages: "F0"
	face   *font.Face
	glyphs map[font.GID][]rune
}

// resolve is the face for a letter.
func (d *document) resolve(r rune, bold bool) *font.Face {
	t := d.fonts.of(r, bold)
	for _, u := range d.used {
		if u.typeface.file == t.file {
			return u.face
		}
	}
	t.load()
	u := &usedFont{typeface: t, name: fmt.Sprintf("F%d", len(d.used)), face: font.NewFace(t.font), glyphs: map[font.GID][]rune{}}
	d.used = append(d.used, u)
	d.faces[u.face] = u
	return u.face
}

// byBold finds faces in one weight.
type byBold struct {
	d    *document
	bold bool
}

// ResolveFace is the face for a letter.
func (b byBold) ResolveFace(r rune) *font.Face { return b.d.resolve(r, b.bold) }

// width is what a glyph advances by itself, in thousandths of the size.
func (u *usedFont) width(g font.GID) float64 {
	return float64(int(u.face.HorizontalAdvance(g)*1000/float32(u.font.Upem()) + 0.5))
}

// write writes the five objects of a font, of which the first has the number
// at.
func (u *usedFont) write(d *document, at int) error {
	used := make([]font.GID, 0, len(u.glyphs))
	for g := range u.glyphs {
		used = append(used, g)
	}
	slices.Sort(used)
	file, err := u.subset(used)
	if err != nil {
		return err
	}
	var widths, texts strings.Builder
	said := 0
	for _, g := range used {
		fmt.Fprintf(&widths, "%d[%s]", g, num(u.width(g)))
		if text := u.glyphs[g]; len(text) > 0 {
			fmt.Fprintf(&texts, "<%04X><", g)
			for _, unit := range utf16.Encode(text) {
				fmt.Fprintf(&texts, "%04X", unit)
			}
			texts.WriteString(">\n")
			said++
		}
	}
	// The tag makes the subset a font of another name (ISO 32000-1, 9.6.4).
	name := fmt.Sprintf("RASEE%c+%s", 'A'+at%26, u.file)
	extents, _ := u.face.FontHExtents()
	scale := 1000 / float64(u.font.Upem())
	ascent, descent := num(float64(extents.Ascender)*scale), num(float64(extents.Descender)*scale)

	d.object("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", name, at+1, at+4)
	d.object("<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"+
		"/FontDescriptor %d 0 R/CIDToGIDMap/Identity/DW 0/W[%s]>>", name, at+2, widths.String())
	d.object("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[-1000 %s 2000 %s]/ItalicAngle 0/Ascent %s/Descent %s/CapHeight 714/StemV 80/FontFile2 %d 0 R>>",
		name, descent, ascent, ascent, descent, at+3)
	d.deflated(fmt.Sprintf("/Length1 %d", len(file)), file)
	d.deflated("", []byte(toUnicode(texts.String(), said)))
	return nil
}

// toUnicode is the table by which text is copied and searched (Adobe Technical
// Note 5411).
func toUnicode(lines string, n int) string {
	const head = "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
	const tail = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
	var b strings.Builder
	b.WriteString(head)
	const most = 100 // entries in a block
	for n > 0 {
		k := min(n, most)
		fmt.Fprintf(&b, "%d beginbfchar\n", k)
		for range k {
			line, rest, _ := strings.Cut(lines, "\n")
			b.WriteString(line + "\n")
			lines = rest
		}
		b.WriteString("endbfchar\n")
		n -= k
	}
	b.WriteString(tail)
	return b.String()
}
