package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// Previewer says what a billing run would do.
type Previewer interface {
	BillingReader
	PreviewRun(ctx context.Context, institute, period, class string) (fees.RunPreview, error)
}

// BillingPreview shows what a billing run would do, and offers to start it.
type BillingPreview struct {
	Ledger Previewer
	NewID  func() string // ULIDs
}

// Post writes nothing. The run's id is minted here, so that the form that
// starts it can be sent twice and starts one.
func (h BillingPreview) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	again := BillingShow{Ledger: h.Ledger}
	inst := VisitorOf(c).Institute
	period, class := runScope(form)
	if refusal := form.Err(); refusal != nil {
		return again.refuse(c, form, refusal)
	}
	preview, err := h.Ledger.PreviewRun(c.Request().Context(), inst.Code, period, class)
	if err != nil {
		return again.refuse(c, form, err)
	}
	view := views.BillingPreviewOf(inst, preview, h.NewID())
	return renderPart(c, http.StatusOK, "Bill "+view.Period, views.BillingPreviewPart(view))
}

// runScope reads which period and class are meant; an empty class is every
// one.
func runScope(form *Form) (period, class string) {
	period = strings.TrimSpace(form.Value("period"))
	if period == "" {
		form.Fail("period", "Choose a period")
	}
	return period, strings.TrimSpace(form.Value("class"))
}
