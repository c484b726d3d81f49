// Package pdf writes receipts as PDF files, without a browser: the same sheets
// as package print's. Text is shaped by HarfBuzz's rules, so that names in
// Indian scripts and Arabic come out as they are written, and what is used of
// each typeface travels in the file.
package pdf

import (
	"bytes"
	"cmp"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"raseed/static"
)

// typeface is one embedded font, read when it is first needed.
type typeface struct {
	folder   string // "" for Noto's
	file     string
	from, to rune // what it is for; 0 for everything else

	once   sync.Once
	font   *font.Font
	loader *opentype.Loader
}

// Fonts are the typefaces that sheets are set in. It is safe for concurrent
// use; make it with NewFonts.
type Fonts struct {
	plain, bold *typeface
	scripts     []*typeface // without a bold of their own
	east        *typeface   // Chinese, Japanese and Korean, and full-width forms
}

// NewFonts makes Fonts. Nothing is read yet.
func NewFonts() *Fonts {
	script := func(name string, from, to rune) *typeface { return &typeface{file: name, from: from, to: to} }
	return &Fonts{
		east:  &typeface{folder: "droid", file: "DroidSansFallback"},
		plain: &typeface{file: "NotoSans-Regular"}, bold: &typeface{file: "NotoSans-Bold"},
		scripts: []*typeface{
			script("NotoSansDevanagari-Regular", 0x0900, 0x097F),
			script("NotoSansBengali-Regular", 0x0980, 0x09FF),
			script("NotoSansGurmukhi-Regular", 0x0A00, 0x0A7F),
			script("NotoSansGujarati-Regular", 0x0A80, 0x0AFF),
			script("NotoSansOriya-Regular", 0x0B00, 0x0B7F),
			script("NotoSansTamil-Regular", 0x0B80, 0x0BFF),
			script("NotoSansTelugu-Regular", 0x0C00, 0x0C7F),
			script("NotoSansKannada-Regular", 0x0C80, 0x0CFF),
			script("NotoSansMalayalam-Regular", 0x0D00, 0x0D7F),
			script("NotoSansSinhala-Regular", 0x0D80, 0x0DFF),
			script("NotoSansThai-Regular", 0x0E00, 0x0E7F),
			script("NotoSansHebrew-Regular", 0x0590, 0x05FF),
			script("NotoNaskhArabic-Regular", 0x0600, 0x08FF),
			script("NotoNaskhArabic-Regular", 0xFB50, 0xFEFF),
		},
	}
}

// of is the typeface for a letter. What none has is drawn as a box, which is the
// plain ones'.
func (f *Fonts) of(r rune, bold bool) *typeface {
	if r >= 0x1100 && unicode.In(r, eastern) && f.east.has(r) {
		return f.east
	}
	if r >= 0x0590 {
		for _, t := range f.scripts {
			if t.from <= r && r <= t.to {
				return t
			}
		}
	}
	if bold {
		return f.bold
	}
	return f.plain
}

// eastern are the letters, signs and forms of Chinese, Japanese and Korean.
var eastern = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x1100, Hi: 0x11FF, Stride: 1}, {Lo: 0x2E80, Hi: 0x9FFF, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7FF, Stride: 1},
	{Lo: 0xF900, Hi: 0xFAFF, Stride: 1}, {Lo: 0xFE30, Hi: 0xFE4F, Stride: 1}, {Lo: 0xFF00, Hi: 0xFFEF, Stride: 1},
}}

// has says whether the typeface has a letter.
func (t *typeface) has(r rune) bool {
	t.load()
	glyph, ok := t.font.NominalGlyph(r)
	return ok && glyph != 0
}

// load reads the typeface once. It is in the program: it cannot fail.
func (t *typeface) load() {
	t.once.Do(func() {
		body, err := static.File("vendor/" + cmp.Or(t.folder, "noto") + "/" + t.file + ".ttf")
		if err == nil {
			t.loader, err = opentype.NewLoader(bytes.NewReader(body))
		}
		if err == nil {
			t.font, err = font.NewFont(t.loader)
		}
		if err != nil {
			panic("read the typeface " + t.file + ": " + err.Error())
		}
	})
}
