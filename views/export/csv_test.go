package export

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	var b strings.Builder
	f, err := NewCSV(&b, "name", "total")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]string{
		{Text(`Verma, "Asha"`), "4500.00"},
		{Text("=HYPERLINK(1)"), "-4500.00"},
		{Text("आशा"), ""},
	} {
		if err := f.Row(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "\uFEFFname,total\r\n\"Verma, \"\"Asha\"\"\",4500.00\r\n'=HYPERLINK(1),-4500.00\r\nआशा,\r\n"
	if b.String() != want {
		t.Errorf("file is\n%q\nwant\n%q", b.String(), want)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":             "",
		"Asha":         "Asha",
		"=1+1":         "'=1+1",
		"+91 98450":    "'+91 98450",
		"-5":           "'-5",
		"@SUM(A1)":     "'@SUM(A1)",
		"\tx":          "'\tx",
		"\rx":          "'\rx",
		"\uFF1D1":      "'\uFF1D1",
		"a=1":          "a=1",
		"'quoted":      "'quoted",
		"P/26-27/0042": "P/26-27/0042",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) is %q, want %q", in, got, want)
		}
	}
}

// Whatever text a person typed, the file reads back cell by cell and no cell
// begins like a formula.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "=1", "a,b", "\"", "line\nbreak", "@x", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		out, _ := NewCSV(&b, "h", "i")
		if err := errors.Join(out.Row(Text(s), "0"), out.Flush()); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\uFEFF"))).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != 2 || rows[1][1] != "0" {
			t.Fatalf("%q reads back as %q, %v", s, rows, err)
		}
		if cell := rows[1][0]; cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			t.Errorf("%q is written as %q, which a spreadsheet runs", s, cell)
		}
	})
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestCSVSaysThatTheReaderIsGone(t *testing.T) {
	if _, err := NewCSV(brokenWriter{}, "h"); err == nil {
		t.Error("a file that cannot be written was started")
	}
}
