// Package qr makes QR codes as outlines that a page or a PDF can draw.
package qr

import (
	"strconv"

	"github.com/boombuler/barcode/qr"
)

// Run is a dark bar, one module high, in modules from the top left corner.
type Run struct{ X, Y, Width int }

// Code is a QR code of Size × Size modules, without the quiet zone of 4
// modules that has to be left around it.
type Code struct {
	Size int
	Runs []Run
}

// Of is text as a QR code that can be read with an eighth of it damaged; ok is
// false, and the code empty, for no text and for more than a QR code holds.
func Of(text string) (code Code, ok bool) {
	if text == "" {
		return Code{}, false
	}
	modules, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return Code{}, false
	}
	code.Size = modules.Bounds().Dx()
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && isDark(modules.At(x, y)) {
				x++
			}
			if x > from {
				code.Runs = append(code.Runs, Run{X: from, Y: y, Width: x - from})
			}
		}
	}
	return code, true
}

func isDark(c interface{ RGBA() (r, g, b, a uint32) }) bool {
	r, _, _, _ := c.RGBA()
	return r < 0x8000
}

// Path is the code as the "d" of an SVG path, shifted by the quiet zone.
func (c Code) Path() string {
	b := make([]byte, 0, 16*len(c.Runs))
	for _, r := range c.Runs {
		b = append(strconv.AppendInt(append(b, 'M'), int64(r.X+Quiet), 10), ' ')
		b = strconv.AppendInt(b, int64(r.Y+Quiet), 10)
		b = append(strconv.AppendInt(append(b, 'h'), int64(r.Width), 10), "v1h-"...)
		b = append(strconv.AppendInt(b, int64(r.Width), 10), 'z')
	}
	return string(b)
}

// Quiet is the empty margin around a code, in modules (ISO/IEC 18004).
const Quiet = 4

// ViewBox is the "viewBox" of an SVG that holds Path.
func (c Code) ViewBox() string {
	size := strconv.Itoa(c.Size + 2*Quiet)
	return "0 0 " + size + " " + size
}

// SVG is the code as a picture by itself, on white.
func (c Code) SVG() string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="` + c.ViewBox() + `" shape-rendering="crispEdges">` +
		`<rect width="100%" height="100%" fill="#fff"/><path d="` + c.Path() + `"/></svg>`
}
