package handlers

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// Commit writes the file that was checked. It is checked once more, whole,
// before the first row is written, and the same file again changes nothing.
func (h Imports) Commit(c echo.Context) error {
	view, err := importsAt(c)
	if err != nil {
		return err
	}
	if err := readUpload(c); err != nil {
		return err
	}
	sent, digest := c.Request().PostFormValue("content"), c.Request().PostFormValue("digest")
	view.Name = fileName(c.Request().PostFormValue("name"))
	content, err := base64.StdEncoding.DecodeString(sent)
	if sum := sha256.Sum256(content); err != nil || len(content) == 0 || len(content) > MaxImport || digest != hex.EncodeToString(sum[:]) {
		return h.refuse(c, view, fees.Errorf(fees.Invalid, "What came back is not the file that was checked. Nothing was imported; choose the file again."))
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	report, err := h.importFile(ctx, view.Kind, VisitorOf(c), content, false)
	if err != nil {
		if refusal := refusalIn(c, err); refusal != nil && refusal.Code != fees.Invalid { // the same again is harmless and wanted
			view.Report = views.ImportReportOf(report)
			view.Report.Content, view.Report.Digest, view.Report.Button = sent, digest, "Import again"
		}
		return h.refuse(c, view, err)
	}
	view.Report = views.ImportReportOf(report)
	status := http.StatusOK
	view.Alert = &ui.AlertView{Kind: "success", Title: "The file is imported"}
	if len(report.Problems) > 0 {
		status = StatusOf(fees.Conflict)
		view.Alert = &ui.AlertView{Kind: "error", Title: "Nothing was imported", Text: "Something changed since the check, and the file does not fit any more."}
	}
	return h.show(c, status, view)
}
