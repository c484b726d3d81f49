package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// Auditor checks the ledger's promises.
type Auditor interface {
	Audit(ctx context.Context, institute string) (fees.AuditReport, error)
}

// AuditPage shows each series of numbers and whether it is whole.
type AuditPage struct {
	Ledger Auditor
}

// Get reads the institute's whole ledger.
func (h AuditPage) Get(c echo.Context) error {
	inst := VisitorOf(c).Institute
	report, err := h.Ledger.Audit(c.Request().Context(), inst.Code)
	if err != nil {
		return err
	}
	view := views.AuditOf(inst, report)
	view.Frame = FrameOf(c, "Audit")
	return Render(c, http.StatusOK, views.AuditPage(view))
}
