package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strconv"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"

	"raseed/store/fees"
)

// document is a PDF file (ISO 32000-1) that is being written. All lengths are
// points.
type document struct {
	title  string
	fonts  *Fonts
	shaper shaping.HarfbuzzShaper
	used   []*usedFont
	faces  map[*font.Face]*usedFont
	pages  []*page
	images []image
	logos  map[*fees.Logo]int // which of the images they are

	out     bytes.Buffer
	packer  *zlib.Writer // of all streams: to make one is costlier than to use it
	offsets []int        // of the objects, from number 1
}

// page is a sheet of paper. Its content counts upwards from the bottom.
type page struct {
	width, height float64
	below         float64 // where the paper ends
	content       bytes.Buffer
}

// page is the page of this index, made where it is the next one.
func (d *document) page(i int, width, height float64) *page {
	if i == len(d.pages) {
		d.pages = append(d.pages, &page{width: width, height: height})
	}
	return d.pages[i]
}

// image is a picture as a PDF keeps it: its stream and what is said of it.
type image struct {
	dict string
	body []byte
}

func newDocument(title string, fonts *Fonts) *document {
	return &document{title: title, fonts: fonts, faces: map[*font.Face]*usedFont{}, logos: map[*fees.Logo]int{}, packer: zlib.NewWriter(nil)}
}

// bytes is the finished file.
func (d *document) bytes() ([]byte, error) {
	d.out.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	// Numbered ahead, as the objects refer to each other.
	const catalog, tree, info, first = 1, 2, 3, 4
	fonts := first
	images := fonts + 5*len(d.used)
	pages := images + len(d.images)

	var kids, resources bytes.Buffer
	for i := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", pages+2*i)
	}
	resources.WriteString("<</Font<<")
	for i, u := range d.used {
		fmt.Fprintf(&resources, "/%s %d 0 R", u.name, fonts+5*i)
	}
	resources.WriteString(">>/XObject<<")
	for i := range d.images {
		fmt.Fprintf(&resources, "/I%d %d 0 R", i, images+i)
	}
	resources.WriteString(">>>>")

	d.object("<</Type/Catalog/Pages %d 0 R/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>>>", tree)
	d.object("<</Type/Pages/Count %d/Kids[%s]/Resources %s>>", len(d.pages), kids.String(), resources.String())
	d.object("<</Title %s/Producer(Raseed)>>", textString(d.title))
	for i, u := range d.used {
		if err := u.write(d, fonts+5*i); err != nil {
			return nil, err
		}
	}
	for _, img := range d.images {
		d.stream(img.dict, img.body)
	}
	for i, p := range d.pages {
		d.object("<</Type/Page/Parent %d 0 R/MediaBox[0 %s %s %s]/Contents %d 0 R>>", tree, num(p.below), num(p.width), num(p.height), pages+2*i+1)
		d.deflated("", p.content.Bytes())
	}

	start := d.out.Len()
	fmt.Fprintf(&d.out, "xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)+1)
	for _, at := range d.offsets {
		fmt.Fprintf(&d.out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&d.out, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(d.offsets)+1, catalog, info, start)
	return d.out.Bytes(), nil
}

// object writes the next object.
func (d *document) object(format string, args ...any) {
	d.begin()
	fmt.Fprintf(&d.out, format, args...)
	d.out.WriteString("\nendobj\n")
}

func (d *document) begin() {
	d.offsets = append(d.offsets, d.out.Len())
	fmt.Fprintf(&d.out, "%d 0 obj\n", len(d.offsets))
}

// stream writes the next object, a stream that is encoded as dict says.
func (d *document) stream(dict string, body []byte) {
	d.begin()
	fmt.Fprintf(&d.out, "<<%s/Length %d>>\nstream\n", dict, len(body))
	d.out.Write(body)
	d.out.WriteString("\nendstream\nendobj\n")
}

// deflated writes the next object, a stream that is compressed here.
func (d *document) deflated(dict string, body []byte) {
	var packed bytes.Buffer
	d.packer.Reset(&packed)
	_, err := d.packer.Write(body)
	if closed := d.packer.Close(); err == nil {
		err = closed
	}
	if err != nil {
		panic("compress into memory: " + err.Error()) // a buffer takes everything
	}
	d.stream(dict+"/Filter/FlateDecode", packed.Bytes())
}

// num is a length as PDF has it, to a thousandth of a point.
func num(f float64) string {
	b := strconv.AppendFloat(nil, f, 'f', 3, 64)
	b = bytes.TrimRight(b, "0")
	return string(bytes.TrimSuffix(b, []byte(".")))
}

// textString is text outside of the pages: UTF-16, as hexadecimal digits.
func textString(s string) string {
	b := []byte("<FEFF")
	for _, unit := range utf16.Encode([]rune(s)) {
		b = fmt.Appendf(b, "%04X", unit)
	}
	return string(append(b, '>'))
}
