package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"raseed/store/fees"
)

func pictureOf(t *testing.T, width, height int, c color.Color, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, img image.Image) error  { return png.Encode(b, img) }
func asJPEG(b *bytes.Buffer, img image.Image) error { return jpeg.Encode(b, img, nil) }

// A logo is kept in a size for paper, on white, and never changes: a row keeps
// the one it was written with.
func TestSetLogo(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	testSchool(t, s, "DPS", 1)
	testSchool(t, s, "QPS", 1)
	ctx, by := context.Background(), fees.Actor{Login: "meera"}
	clear := color.NRGBA{R: 200, A: 0}
	for _, tt := range []struct {
		name          string
		file          []byte
		kind          string
		width, height int64
	}{
		{"small", pictureOf(t, 100, 50, clear, asPNG), fees.LogoPNG, 100, 50},
		{"wide", pictureOf(t, 2000, 500, clear, asPNG), fees.LogoPNG, 640, 160},
		{"tall", pictureOf(t, 300, 900, color.Black, asJPEG), fees.LogoJPEG, 106, 320},
	} {
		if err := s.SetLogo(ctx, "DPS", tt.file, by); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		inst, err := s.Institute(ctx, "DPS")
		if err != nil {
			t.Fatal(err)
		}
		logo, err := s.Logo(ctx, "DPS", inst.Logo)
		if err != nil || logo.Type != tt.kind || logo.Width != tt.width || logo.Height != tt.height {
			t.Fatalf("%s: kept as %s %d × %d, %v, want %s %d × %d", tt.name, logo.Type, logo.Width, logo.Height, err, tt.kind, tt.width, tt.height)
		}
		if img, _, err := image.Decode(bytes.NewReader(logo.Data)); err != nil {
			t.Errorf("%s: what is kept cannot be read: %v", tt.name, err)
		} else if r, _, _, a := img.At(1, 1).RGBA(); tt.kind == fees.LogoPNG && (r != 0xFFFF || a != 0xFFFF) {
			t.Errorf("%s: what was clear is not white", tt.name)
		}
		_, err = s.Logo(ctx, "QPS", inst.Logo)
		wantCode(t, tt.name+" from another institute", err, fees.NotFound, "")
	}
	row, err := s.RecordPayment(ctx, "DPS", cash(s, "1", 20_000))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveLogo(ctx, "DPS"); err != nil {
		t.Fatal(err)
	}
	if inst, err := s.Institute(ctx, "DPS"); err != nil || inst.Logo != "" {
		t.Errorf("after it was removed the logo is %q, %v", inst.Logo, err)
	}
	if _, err := s.Logo(ctx, "DPS", row.Logo); err != nil || row.Logo == "" {
		t.Errorf("the receipt's logo %q: %v", row.Logo, err)
	}
}

func TestSetLogoRefuses(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	testSchool(t, s, "DPS", 1)
	good := pictureOf(t, 20, 20, color.Black, asPNG)
	// A picture whose head announces 60,000 × 60,000 pixels.
	announcing := func(width, height uint32) []byte {
		bomb := bytes.Clone(good)
		binary.BigEndian.PutUint32(bomb[16:], width)
		binary.BigEndian.PutUint32(bomb[20:], height)
		binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
		return bomb
	}
	// Thin ones are real: they are small, and what makes them smaller needs
	// gigabytes.
	scans := append(pictureOf(t, 20, 20, color.Black, asJPEG), bytes.Repeat([]byte{0xFF, 0xDA}, maxLogoScans)...)
	thin := pictureOf(t, 1, maxLogoSide+1, color.White, asPNG)
	long := pictureOf(t, maxLogoSide+1, 1, color.White, asPNG)
	for name, file := range map[string][]byte{
		"nothing": nil, "text": []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "GIF": []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
		"cut off": good[:len(good)-20], "bomb": announcing(60000, 60000), "thin": thin, "long": long, "scans": scans, "none": announcing(0, 0),
		"large": bytes.Repeat([]byte{0}, fees.MaxLogo+1),
	} {
		err := s.SetLogo(context.Background(), "DPS", file, fees.Actor{})
		wantCode(t, name, err, fees.Invalid, "The logo was not changed")
	}
	if inst, err := s.Institute(context.Background(), "DPS"); err != nil || inst.Logo != "" {
		t.Errorf("the logo is %q, %v", inst.Logo, err)
	}
}

func TestUpdateReceipts(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	testSchool(t, s, "DPS", 1)
	ctx := context.Background()
	if err := s.UpdateReceipts(ctx, "DPS", " Keep this\r\nreceipt. ", " school.fees@okbank "); err != nil {
		t.Fatal(err)
	}
	inst, err := s.Institute(ctx, "DPS")
	if err != nil || inst.Footer != "Keep this, receipt." || inst.UPI != "school.fees@okbank" || !inst.TakesUPI() {
		t.Errorf("%q, %q, %v", inst.Footer, inst.UPI, err)
	}
	for field, sent := range map[string][2]string{"footer": {strings.Repeat("x", 201), ""}, "upi": {"", "school"}} {
		err := s.UpdateReceipts(ctx, "DPS", sent[0], sent[1])
		wantCode(t, field, err, fees.Invalid, "")
	}
	if err := s.UpdateReceipts(ctx, "DPS", "", ""); err != nil {
		t.Fatal(err)
	}
	if inst, err = s.Institute(ctx, "DPS"); err != nil || inst.Footer != "" || inst.UPI != "" {
		t.Errorf("cleared to %q, %q, %v", inst.Footer, inst.UPI, err)
	}
}
