package pdf

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// subset is the typeface as a TrueType file with these glyphs alone, and what
// they are put together from, under the numbers that they have (OpenType 1.9,
// tables glyf, loca, hmtx). The file ends with the last of them.
func (t *typeface) subset(glyphs []font.GID) ([]byte, error) {
	read := func(name string) []byte {
		body, err := t.loader.RawTable(opentype.MustNewTag(name))
		if err != nil {
			return nil // optional ones may be missing, and the others are looked at below
		}
		return body
	}
	head, hhea, maxp, hmtx, loca, glyf := read("head"), read("hhea"), read("maxp"), read("hmtx"), read("loca"), read("glyf")
	if len(head) < 54 || len(hhea) < 36 || len(maxp) < 6 || len(loca) < 4 {
		return nil, fmt.Errorf("subset %s: not a TrueType font", t.file)
	}
	offset := func(g font.GID) uint32 { return binary.BigEndian.Uint32(loca[4*g:]) }
	if binary.BigEndian.Uint16(head[50:]) == 0 { // short offsets
		offset = func(g font.GID) uint32 { return 2 * uint32(binary.BigEndian.Uint16(loca[2*g:])) }
	}
	outline := func(g font.GID) []byte { return glyf[offset(g):offset(g+1)] }

	keep := append([]font.GID{0}, glyphs...)
	for i := 0; i < len(keep); i++ { // grows while it is walked
		keep = append(keep, parts(outline(keep[i]))...)
	}
	slices.Sort(keep)
	keep = slices.Compact(keep)
	count := int(keep[len(keep)-1]) + 1

	kept := make([]byte, 0, 32<<10)
	offsets := make([]byte, 4*(count+1))
	for g, next := 0, 0; g < count; g++ {
		binary.BigEndian.PutUint32(offsets[4*g:], uint32(len(kept)))
		if int(keep[next]) == g {
			kept = append(kept, outline(font.GID(g))...)
			for len(kept)%4 != 0 {
				kept = append(kept, 0)
			}
			next++
		}
	}
	binary.BigEndian.PutUint32(offsets[4*count:], uint32(len(kept)))

	binary.BigEndian.PutUint16(head[50:], 1) // long offsets
	binary.BigEndian.PutUint16(maxp[4:], uint16(count))
	if advances := int(binary.BigEndian.Uint16(hhea[34:])); advances > count {
		binary.BigEndian.PutUint16(hhea[34:], uint16(count))
		hmtx = hmtx[:4*count]
	} else {
		hmtx = hmtx[:4*advances+2*(count-advances)]
	}
	var tables []opentype.Table
	for _, table := range []struct {
		name string
		body []byte
	}{
		{"cvt ", read("cvt ")}, {"fpgm", read("fpgm")}, {"glyf", kept}, {"head", head}, {"hhea", hhea},
		{"hmtx", hmtx}, {"loca", offsets}, {"maxp", maxp}, {"prep", read("prep")},
	} {
		if len(table.body) > 0 {
			tables = append(tables, opentype.Table{Content: table.body, Tag: opentype.MustNewTag(table.name)})
		}
	}
	return opentype.WriteTTF(tables), nil
}

// parts are the glyphs that a composite outline is put together from.
func parts(outline []byte) (of []font.GID) {
	const wordArguments, scaled, more, scaledXY, matrix = 1 << 0, 1 << 3, 1 << 5, 1 << 6, 1 << 7
	if len(outline) < 10 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	for at := outline[10:]; len(at) >= 4; {
		flags := binary.BigEndian.Uint16(at)
		of = append(of, font.GID(binary.BigEndian.Uint16(at[2:])))
		size := 6
		if flags&wordArguments != 0 {
			size += 2
		}
		switch {
		case flags&scaled != 0:
			size += 2
		case flags&scaledXY != 0:
			size += 4
		case flags&matrix != 0:
			size += 8
		}
		if flags&more == 0 || len(at) < size {
			return of
		}
		at = at[size:]
	}
	return of
}
