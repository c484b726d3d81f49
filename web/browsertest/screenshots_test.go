package browsertest

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"raseed/store/fees"
)

// The pictures of the documentation, from the demo school. They are written
// where RASEED_SCREENSHOTS says, and not at all when it is not set:
//
//	RASEED_SCREENSHOTS=../../docs go test -run Screenshots ./web/browsertest
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("RASEED_SCREENSHOTS")
	if dir == "" {
		t.Skip("RASEED_SCREENSHOTS names no folder")
	}
	s := startDemo(t)
	shoot := func(p *tab, name string) {
		t.Helper()
		p.settle()
		small, err := shrink(p.picture())
		if err != nil {
			t.Fatal(err)
		}
		if len(small) > 150_000 {
			t.Errorf("%s has %d bytes, want a small picture", name, len(small))
		}
		if err := os.WriteFile(filepath.Join(dir, name), small, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	s.Clock.Advance(20 * time.Minute)
	p := open(t, s)
	p.loginDemo(fees.RoleCashier)
	p.visit("/collect/" + demoPayingInParts(t, s))
	shoot(p, "counter.png")
	p.choose("Paid by", "upi")
	p.fill("UPI reference", "426334118820")
	p.click("Record payment")
	p.onReceipt("DPS/26-27/00121")
	shoot(p, "receipt.png")

	wrong := demoRow(t, s, func(r fees.Row) bool { return r.NumberText == "DPS/26-27/00119" })
	if _, err := s.Store.ReversePayment(t.Context(), wrong.Institute, fees.ReversalOrder{
		ID: wrong.ShortID(), Reason: "Entered for the wrong student", By: fees.Actor{Login: "ravi", Name: "Ravi Menon", Role: fees.RoleAccountant},
	}); err != nil {
		t.Fatal(err)
	}
	p = open(t, s)
	p.loginDemo(fees.RoleAccountant)
	p.visit("/receipts")
	shoot(p, "register.png")
}

// shrink draws a picture again in its 256 most frequent colours, which is all
// that a page of text needs.
func shrink(full []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(full))
	if err != nil {
		return nil, err
	}
	at := img.Bounds()
	often := map[color.RGBA]int{}
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			often[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(often), func(a, b color.RGBA) int {
		return cmp.Or(often[b]-often[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range most[:min(len(most), 256)] {
		palette = append(palette, c)
	}
	few := image.NewPaletted(at, palette)
	draw.Draw(few, at, img, at.Min, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few)
	return out.Bytes(), err
}
