package store

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"

	"golang.org/x/image/draw"

	"raseed/store/fees"
)

// What a logo may be, and what is kept of it: on paper it is 30 × 16 mm at most,
// and 640 × 320 are enough for that. A small file may unfold into a picture that
// takes gigabytes to read, or, where it is long and thin, to be made smaller.
const (
	maxLogoPixels = 16 << 20
	maxLogoSide   = 5000
	maxLogoScans  = 64 // of a JPEG: each goes over the whole picture, and takes 30 bytes
	logoWidth     = 640
	logoHeight    = 320
)

// logoReader is what reads a logo of a kind. It is not image.Decode, which also
// reads what some other part of the program has it read.
type logoReader struct {
	about func(io.Reader) (image.Config, error)
	read  func(io.Reader) (image.Image, error)
}

func logoReaderOf(kind string) (r logoReader, ok bool) {
	switch kind {
	case fees.LogoPNG:
		return logoReader{png.DecodeConfig, png.Decode}, true
	case fees.LogoJPEG:
		return logoReader{jpeg.DecodeConfig, jpeg.Decode}, true
	}
	return r, false
}

// logoPicture reads a picture as an office has it and makes it as it is kept: of
// a size for paper, on white, with nothing in it but the picture. Invalid, with
// Fields logo.
func logoPicture(file []byte) (fees.Logo, error) {
	if len(file) > fees.MaxLogo {
		return fees.Logo{}, badLogo("The picture is larger than 300 KB. Make it smaller and choose it again")
	}
	kind := http.DetectContentType(file)
	reader, ok := logoReaderOf(kind)
	if !ok {
		return fees.Logo{}, badLogo("This is no PNG or JPEG picture")
	}
	about, err := reader.about(bytes.NewReader(file))
	if err != nil {
		return fees.Logo{}, badLogo("This is no PNG or JPEG picture")
	}
	if about.Width < 1 || about.Height < 1 || max(about.Width, about.Height) > maxLogoSide || about.Width*about.Height > maxLogoPixels {
		return fees.Logo{}, badLogo(fmt.Sprintf("The picture has %d × %d pixels. %d × %d are enough", about.Width, about.Height, logoWidth, logoHeight))
	}
	// A scan begins with FF DA, which stands for nothing else in a JPEG's data.
	if kind == fees.LogoJPEG && bytes.Count(file, []byte{0xFF, 0xDA}) > maxLogoScans {
		return fees.Logo{}, badLogo("The picture is built up in too many steps. Save it as a PNG and choose it again")
	}
	from, err := reader.read(bytes.NewReader(file))
	if err != nil {
		return fees.Logo{}, badLogo("The picture is damaged. Save it anew and choose it again")
	}
	width, height := about.Width, about.Height
	if width > logoWidth {
		width, height = logoWidth, max(1, height*logoWidth/width)
	}
	if height > logoHeight {
		width, height = max(1, width*logoHeight/height), logoHeight
	}
	onWhite := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(onWhite, onWhite.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(onWhite, onWhite.Bounds(), from, from.Bounds(), draw.Over, nil)
	logo := fees.Logo{Type: kind, Width: int64(width), Height: int64(height)}
	var b bytes.Buffer
	if kind == fees.LogoJPEG {
		err = jpeg.Encode(&b, onWhite, &jpeg.Options{Quality: 90})
	} else {
		err = png.Encode(&b, onWhite)
	}
	if err != nil {
		return fees.Logo{}, fmt.Errorf("keep logo: %w", err)
	}
	logo.Data = b.Bytes()
	return logo, nil
}

func badLogo(why string) *fees.Error {
	return &fees.Error{Code: fees.Invalid, Message: "The logo was not changed. " + why + ".", Fields: map[string]string{"logo": why}}
}
