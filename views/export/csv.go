// Package export writes lists for other programs.
package export

import (
	"encoding/csv"
	"io"
	"strings"
)

// CSV writes a list as RFC 4180 wants it (comma, CRLF, doubled quotes), in
// UTF-8 with the byte order mark without which spreadsheets guess another
// encoding.
type CSV struct {
	out *csv.Writer
}

// NewCSV starts a file on w with its header row.
func NewCSV(w io.Writer, header ...string) (*CSV, error) {
	if _, err := io.WriteString(w, "\uFEFF"); err != nil {
		return nil, err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return &CSV{out: out}, out.Write(header)
}

// Row writes one row. Cells that people typed go through Text first.
func (f *CSV) Row(cells ...string) error { return f.out.Write(cells) }

// Flush hands on what is buffered and reports the first error so far.
func (f *CSV) Flush() error {
	f.out.Flush()
	return f.out.Error()
}

// Text is a text cell that no spreadsheet takes for a formula: what begins
// like one, full-width signs included, gets a leading apostrophe (OWASP, "CSV
// Injection").
func Text(s string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"} {
		if strings.HasPrefix(s, start) {
			return "'" + s
		}
	}
	return s
}
