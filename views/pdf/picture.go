package pdf

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"raseed/store/fees"
	"raseed/views/qr"
)

// picture is an image of the document in the size in which it is drawn.
type picture struct {
	width, height float64
	name          int
}

// logo takes the logo into the document, once, to be drawn at most 30 mm wide and
// that high.
func (d *document) logo(logo *fees.Logo, high float64) (*picture, error) {
	name, there := d.logos[logo]
	if !there {
		dict := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8", logo.Width, logo.Height)
		body := logo.Data
		if logo.Type == fees.LogoJPEG {
			dict += "/Filter/DCTDecode"
		} else {
			var err error
			if body, err = pngData(logo.Data); err != nil {
				return nil, err
			}
			// A PDF takes the rows of a PNG as they are.
			dict += fmt.Sprintf("/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 3/BitsPerComponent 8/Columns %d>>", logo.Width)
		}
		name = len(d.images)
		d.logos[logo] = name
		d.images = append(d.images, image{dict: dict, body: body})
	}
	scale := min(30*mm/float64(logo.Width), high/float64(logo.Height))
	return &picture{width: float64(logo.Width) * scale, height: float64(logo.Height) * scale, name: name}, nil
}

// pngData are the compressed rows of a PNG: the content of its IDAT chunks.
func pngData(file []byte) ([]byte, error) {
	const signature = 8
	if len(file) < signature {
		return nil, fmt.Errorf("read the logo: it is no PNG")
	}
	var data bytes.Buffer
	for at := file[signature:]; len(at) >= 12; {
		size := int(binary.BigEndian.Uint32(at))
		if size > len(at)-12 {
			return nil, fmt.Errorf("read the logo: the PNG ends early")
		}
		if string(at[4:8]) == "IDAT" {
			data.Write(at[8 : 8+size])
		}
		at = at[12+size:]
	}
	return data.Bytes(), nil
}

// at is the picture as a block, that far from the left.
func (i *picture) at(left float64) block {
	return block{height: i.height, draw: func(p *page, x, y float64) {
		fmt.Fprintf(&p.content, "q %s 0 0 %s %s %s cm /I%d Do Q\n", num(i.width), num(i.height), num(x+left), num(y-i.height), i.name)
	}}
}

// qr draws a code with its bottom left corner at x, y.
func (p *page) qr(code qr.Code, x, y, side float64) {
	m := side / float64(code.Size)
	p.content.WriteString("0 g\n")
	for _, r := range code.Runs {
		fmt.Fprintf(&p.content, "%s %s %s %s re\n", num(x+float64(r.X)*m), num(y+side-float64(r.Y+1)*m), num(float64(r.Width)*m), num(m))
	}
	p.content.WriteString("f\n")
}

// dashed draws a line to cut along, from the top to the bottom.
func (p *page) dashed(x float64) {
	fmt.Fprintf(&p.content, "q .47 G .75 w [3 3] 0 d %s 0 m %s %s l S Q\n", num(x), num(x), num(p.height))
}
