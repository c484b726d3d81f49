package store

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"raseed/store/fees"
)

// Whatever a file has in it, what is read of it is whole and its lines are
// lines of the file.
func FuzzReadSheet(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("\xef\xbb\xbfA,B \r\n\"1\r\n2\",\"x\"\"y\"\r\n,\r\n3\r\n"))
	f.Add([]byte("b,a,c,\n\"1,2\n3,4,5\n"))
	f.Add([]byte("a\x00b"))
	f.Add([]byte("a;b\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		sheet, err := readSheet(bytes.NewReader(text), []string{"a", "b"}, []string{"c"})
		if err != nil {
			if fees.CodeOf(err) != fees.Invalid {
				t.Errorf("%q: %v is not a refusal", text, err)
			}
			return
		}
		lines := int64(bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) + 1)
		for _, p := range sheet.report(true).Problems {
			if p.Line < 1 || p.Line > lines || p.Reason == "" {
				t.Errorf("%q: %+v, the file has %d lines", text, p, lines)
			}
		}
		if len(sheet.rows) > int(sheet.read) {
			t.Errorf("%q: %d rows of %d", text, len(sheet.rows), sheet.read)
		}
		for _, row := range sheet.rows {
			if row.line < 2 || row.line > lines {
				t.Errorf("%q: line %d of %d", text, row.line, lines)
			}
			for _, column := range []string{"a", "b", "c"} {
				if cell := row.cell(column); !utf8.ValidString(cell) || strings.Contains(cell, "\x00") || len(cell) > csvCellBytes {
					t.Errorf("%q: the cell %s is %q", text, column, cell)
				}
			}
		}
	})
}

// What a spreadsheet writes is what is read.
func FuzzReadSheetBack(f *testing.F) {
	f.Add("1", "two words", "a,b", "say \"x\"")
	f.Add("line\nbreak", "é", "=1+1", "<b>")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for _, cell := range []string{a, b, c, d} {
			if !utf8.ValidString(cell) || strings.ContainsAny(cell, "\x00\r") || strings.TrimSpace(cell) != cell || cell == "" || len(cell) > csvCellBytes {
				return
			}
		}
		var file bytes.Buffer
		w := csv.NewWriter(&file)
		if err := w.WriteAll([][]string{{"b", "a"}, {a, b}, {c, d}}); err != nil {
			t.Fatal(err)
		}
		sheet, err := readSheet(&file, []string{"a", "b"}, nil)
		if err != nil || len(sheet.problems) > 0 || len(sheet.rows) != 2 {
			t.Fatalf("%+v, %v", sheet, err)
		}
		one, two := sheet.rows[0], sheet.rows[1]
		if one.cell("b") != a || one.cell("a") != b || two.cell("b") != c || two.cell("a") != d {
			t.Errorf("read back as %q and %q", one.cells, two.cells)
		}
		if want := int64(3 + strings.Count(a+b, "\n")); one.line != 2 || two.line != want {
			t.Errorf("the rows are on lines %d and %d, want 2 and %d", one.line, two.line, want)
		}
	})
}
