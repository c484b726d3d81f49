package handlers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// MaxImport bounds a file that is imported over the web, in bytes: 60,000
// students.
const MaxImport = 8 << 20

// Importer takes over CSV files.
type Importer interface {
	ImportStudents(ctx context.Context, institute string, file io.Reader, dry bool, by fees.Actor) (fees.ImportReport, error)
	ImportPlan(ctx context.Context, institute string, file io.Reader, dry bool, by fees.Actor) (fees.ImportReport, error)
	ImportConcessions(ctx context.Context, institute string, file io.Reader, dry bool, by fees.Actor) (fees.ImportReport, error)
}

// Imports checks files and imports them. What was checked travels in the page
// and comes back with the second form, so that it is what is written, whichever
// process answers.
type Imports struct {
	Ledger Importer
}

// importFile imports the kind of file that the address names.
func (h Imports) importFile(ctx context.Context, kind string, v Visitor, content []byte, dry bool) (fees.ImportReport, error) {
	file, institute, by := bytes.NewReader(content), v.Institute.Code, v.Actor()
	switch kind {
	case "students":
		return h.Ledger.ImportStudents(ctx, institute, file, dry, by)
	case "plan":
		return h.Ledger.ImportPlan(ctx, institute, file, dry, by)
	}
	return h.Ledger.ImportConcessions(ctx, institute, file, dry, by)
}

// importsAt is the page of the kind of file that the address names.
func importsAt(c echo.Context) (views.Imports, error) {
	view, known := views.ImportsOf(c.Param("kind"))
	if !known {
		return view, fees.Errorf(fees.NotFound, "There is nothing of that name to import.")
	}
	return view, nil
}

// Get shows the form that takes a file.
func (h Imports) Get(c echo.Context) error {
	view, err := importsAt(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, view)
}

func (h Imports) show(c echo.Context, status int, view views.Imports) error {
	return renderPart(c, status, view.Title, views.ImportsPart(view))
}

// Check says what the file would change or what is wrong with it, and writes
// nothing.
func (h Imports) Check(c echo.Context) error {
	view, err := importsAt(c)
	if err != nil {
		return err
	}
	content, name, err := uploaded(c)
	if err != nil {
		return h.refuse(c, view, err)
	}
	view.Name = name
	report, err := h.importFile(c.Request().Context(), view.Kind, VisitorOf(c), content, true)
	if err != nil {
		return h.refuse(c, view, err)
	}
	view.Report = views.ImportReportOf(report)
	if len(report.Problems) > 0 {
		view.Alert = &ui.AlertView{Kind: "error", Title: "Nothing can be imported", Text: fmt.Sprintf("Correct the file at %s and check it again.", views.Plural(int64(len(report.Problems)), "place"))}
		return h.show(c, StatusOf(fees.Invalid), view)
	}
	view.Alert = &ui.AlertView{Kind: "info", Title: "The file is sound", Text: "Nothing is written yet."}
	if report.Rows == 0 {
		view.Report = nil
		view.Alert = &ui.AlertView{Kind: "error", Title: "Nothing to import", Text: "The file names the columns, but there is no row below."}
		return h.show(c, StatusOf(fees.Invalid), view)
	}
	if report.Created+report.Updated == 0 {
		view.Alert = &ui.AlertView{Kind: "info", Title: "Nothing to import", Text: "Everything in the file is there just so."}
		view.Report.Button = "Import anyway"
	}
	sum := sha256.Sum256(content)
	view.Report.Content, view.Report.Digest = base64.StdEncoding.EncodeToString(content), hex.EncodeToString(sum[:])
	return h.show(c, http.StatusOK, view)
}

// refuse shows the form and why the file was not taken.
func (h Imports) refuse(c echo.Context, view views.Imports, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	view.Alert, view.File = &ui.AlertView{Kind: "error", Title: refusal.Message}, refusal.Fields["file"]
	return h.show(c, StatusOf(refusal.Code), view)
}

// uploaded is the one file of the form.
func uploaded(c echo.Context) (content []byte, name string, err error) {
	if err := readUpload(c); err != nil {
		return nil, "", err
	}
	choose := &fees.Error{Code: fees.Invalid, Message: "Choose a CSV file.", Fields: map[string]string{"file": "Choose a CSV file"}}
	if c.Request().MultipartForm == nil || len(c.Request().MultipartForm.File["file"]) != 1 {
		return nil, "", choose
	}
	header := c.Request().MultipartForm.File["file"][0]
	if header.Size > MaxImport {
		return nil, "", errUploadSize
	}
	file, err := header.Open()
	if err != nil {
		return nil, "", fmt.Errorf("open upload: %w", err)
	}
	defer file.Close()
	if content, err = io.ReadAll(file); err != nil {
		return nil, "", fmt.Errorf("read upload: %w", err)
	}
	return content, fileName(header.Filename), nil
}

// errUploadSize is what is said of a file that is too large.
var errUploadSize = &fees.Error{
	Code: fees.Invalid, Message: fmt.Sprintf("The file is larger than %d MB. Split it, or import it with the command.", MaxImport>>20),
	Fields: map[string]string{"file": fmt.Sprintf("At most %d MB", MaxImport>>20)},
}

// fileName is a file's name as it may be shown.
func fileName(name string) string {
	if clean, bad := fees.CleanText(name, 120); bad == nil && clean != "" {
		return clean
	}
	return "The file"
}

// readUpload reads a body that may carry a file, within the limit that the
// server sets.
func readUpload(c echo.Context) error {
	err := c.Request().ParseMultipartForm(MaxImport)
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return echo.NewHTTPError(http.StatusRequestEntityTooLarge, "What was sent is too large.").SetInternal(err)
	}
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return echo.NewHTTPError(http.StatusBadRequest, "What was sent is not a well-formed form.").SetInternal(err)
	}
	return nil
}
