package store

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"raseed/store/fees"
)

// The limits of a CSV file that is imported.
const (
	csvBytes     = 64 << 20
	csvRows      = 200_000
	csvCellBytes = 10_000
)

// sheet is a CSV file with a header, read whole.
type sheet struct {
	columns  map[string]int // by name, where in a row
	rows     []sheetRow     // the sound ones
	read     int64          // rows, the others too
	unknown  []string
	problems []fees.ImportProblem
}

// sheetRow is one data row. Line is where it begins, as an editor counts.
type sheetRow struct {
	line  int64
	cells []string
	sheet *sheet
}

// has says whether the file has the column.
func (f *sheet) has(column string) bool { _, there := f.columns[column]; return there }

// cell is the text in a column, "" in one that the file lacks.
func (r sheetRow) cell(column string) string {
	if i, there := r.sheet.columns[column]; there {
		return r.cells[i]
	}
	return ""
}

// text is cell with every run of white space one space.
func (r sheetRow) text(column string) string {
	return strings.Join(strings.Fields(r.cell(column)), " ")
}

// wrong notes a problem of the row.
func (r sheetRow) wrong(column, reason string) {
	r.sheet.problems = append(r.sheet.problems, fees.ImportProblem{Line: r.line, Column: column, Reason: reason})
}

// readSheet reads a CSV file: UTF-8 with or without a byte order mark, columns
// in any order, the required ones all there. What is wrong with single rows is
// among the sheet's problems and the row is left out; a file that cannot be
// read at all is Invalid.
func readSheet(file io.Reader, required, optional []string) (*sheet, error) {
	text, err := csvText(file)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1 // counted here, to go on after a ragged row
	r.TrimLeadingSpace = true
	f := &sheet{columns: map[string]int{}}
	header, err := r.Read()
	if err != nil {
		return nil, fees.Errorf(fees.Invalid, "The first line is not a header of column names.")
	}
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		return nil, fees.Errorf(fees.Invalid, "The columns are not separated by commas. Save the file as CSV (comma separated).")
	}
	f.readHeader(header, required, optional)
	if len(f.problems) > 0 {
		return f, nil
	}
	return f, f.readRows(r, len(header))
}

// csvText is the file as UTF-8 text with line feeds.
func csvText(file io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(file, csvBytes+1))
	if err != nil {
		return nil, fees.Errorf(fees.Invalid, "The file could not be read to its end. Nothing was imported; try again.")
	}
	head := text[:min(len(text), 4)]
	switch {
	case len(text) > csvBytes:
		return nil, fees.Errorf(fees.Invalid, "The file is larger than %d MB. Split it.", csvBytes>>20)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, fees.Errorf(fees.Invalid, "This is an Excel workbook. Save it as “CSV UTF-8” and import that.")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), len(head) > 1 && (head[0] == 0) != (head[1] == 0):
		return nil, fees.Errorf(fees.Invalid, "The file is UTF-16. Save it as “CSV UTF-8” and import that.")
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !bytes.ContainsRune(text, '\n') {
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n")) // from an old Mac
	}
	if line := lineNotUTF8(text); line > 0 {
		return nil, fees.Errorf(fees.Invalid, "Line %d is not UTF-8 (it may be Latin-1). Save the file as “CSV UTF-8” and import that.", line)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, fees.Errorf(fees.Invalid, "The file is empty.")
	}
	return text, nil
}

// lineNotUTF8 is the first line that is not UTF-8, 0 when all are.
func lineNotUTF8(text []byte) int {
	if utf8.Valid(text) {
		return 0
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if !utf8.Valid(line) {
			break
		}
	}
	return n
}

func (f *sheet) readHeader(header, required, optional []string) {
	wrong := func(column, reason string) {
		f.problems = append(f.problems, fees.ImportProblem{Line: 1, Column: column, Reason: reason})
	}
	for i, cell := range header {
		name := columnName(cell)
		switch {
		case !slices.Contains(required, name) && !slices.Contains(optional, name):
			if name == "" {
				cell = fmt.Sprintf("column %d, without a name", i+1)
			}
			f.unknown = append(f.unknown, strings.Join(strings.Fields(cell), " "))
		case f.has(name):
			wrong(name, "The column is there twice")
		default:
			f.columns[name] = i
		}
	}
	for _, name := range required {
		if !f.has(name) {
			wrong(name, "The column is missing")
		}
	}
}

// columnName is a header cell as columns are named: "Admission No." is
// admission_no.
func columnName(cell string) string {
	words := strings.FieldsFunc(strings.ToLower(cell), func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '.' || r == '\u00a0' })
	return strings.Join(words, "_")
}

func (f *sheet) readRows(r *csv.Reader, width int) error {
	for {
		cells, err := r.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			row := sheetRow{line: int64(bad.StartLine), sheet: f}
			row.wrong("", quoteProblem(bad))
			f.read++
			continue
		case err != nil:
			return fmt.Errorf("read csv: %w", err)
		}
		line, _ := r.FieldPos(0)
		row := sheetRow{line: int64(line), cells: cells, sheet: f}
		if isBlank(cells) {
			continue // left at the end by a spreadsheet
		}
		if f.read == csvRows {
			return fees.Errorf(fees.Invalid, "The file has more than %d rows. Split it.", csvRows)
		}
		f.read++
		if len(cells) != width {
			row.wrong("", fmt.Sprintf("The row has %d columns and the header has %d", len(cells), width))
			continue
		}
		if f.cellsFit(row) {
			f.rows = append(f.rows, row)
		}
	}
}

func quoteProblem(bad *csv.ParseError) string {
	if errors.Is(bad.Err, csv.ErrBareQuote) {
		return `A quotation mark is in a field that does not begin with one; write the field as "…" and the mark as ""`
	}
	if bad.Line > bad.StartLine {
		return fmt.Sprintf("The field that begins with a quotation mark is not closed up to line %d", bad.Line)
	}
	return `The quotation marks do not match; write a mark within a field as ""`
}

func isBlank(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// cellsFit checks what no column may have.
func (f *sheet) cellsFit(row sheetRow) bool {
	fit := true
	for name, i := range f.columns {
		if len(row.cells[i]) > csvCellBytes {
			row.wrong(name, fmt.Sprintf("The field is longer than %d bytes", csvCellBytes))
			fit = false
		}
		if strings.ContainsRune(row.cells[i], 0) {
			row.wrong(name, "The field has a NUL character")
			fit = false
		}
	}
	return fit
}

// report is what is known once every row was checked: with problems, nothing
// is written.
func (f *sheet) report(dry bool) fees.ImportReport {
	slices.SortStableFunc(f.problems, func(a, b fees.ImportProblem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(f.columns[a.Column], f.columns[b.Column]))
	})
	return fees.ImportReport{Rows: f.read, Unknown: f.unknown, Problems: f.problems, Dry: dry}
}
