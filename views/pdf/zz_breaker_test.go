package pdf_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"raseed/views/pdf"
	"raseed/views/print"
)

func TestZZ(t *testing.T) {
	fonts := pdf.NewFonts()
	seen := 0
	try := func(name, s string) {
		rc := full()
		rc.Lines, rc.Tenders = rc.Lines[:1], rc.Tenders[:1]
		rc.Student = s
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: %v", name, p)
				if seen++; seen < 6 {
					for _, l := range strings.Split(string(debug.Stack()), "\n") {
						if strings.Contains(l, ".go:") && strings.Contains(l, "pdf") || strings.Contains(l, "typesetting") {
							fmt.Println(l)
						}
					}
				}
			}
		}()
		if _, err := fonts.Receipt(rc, print.Thermal, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []rune{0x80, 0x81, 0x85, 0x8f, 0x1680, 0x1681, 0x2020, 0x2028, 0x2029, 0x202f, 0xa0, 0x3000, 0x200b, 0x2003, 0x0a, 0x0d, 0x0b, 0x0c} {
		try(fmt.Sprintf("%U alone", c), string(c))
		try(fmt.Sprintf("%U mid", c), "ab"+string(c)+"cd")
		try(fmt.Sprintf("%U end", c), "ab"+string(c))
		try(fmt.Sprintf("%U virama", c), "ab"+string(c)+"\u094d"+string(c)+"\u094d")
	}
}
