package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// LateFeeAssessor charges late fees.
type LateFeeAssessor interface {
	PreviewLateFees(ctx context.Context, institute string, asOf fees.Date) (fees.LatePreview, error)
	AssessLateFees(ctx context.Context, institute string, asOf fees.Date) (fees.LateTally, error)
}

// LateFees is the page on which late fees are charged by hand.
type LateFees struct {
	Ledger LateFeeAssessor
}

// Get shows what would be charged as of a day, today unless the query says
// another.
func (h LateFees) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	day := asOf(form)
	if refusal := form.refuses("Nothing was charged.", nil); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	preview, err := h.Ledger.PreviewLateFees(c.Request().Context(), VisitorOf(c).Institute.Code, day)
	if err != nil {
		return h.refuse(c, form, err)
	}
	return h.show(c, http.StatusOK, views.LateFeesOf(VisitorOf(c).Institute, form, preview))
}

// Post charges them and leads back to the page of the same day, which then has
// nothing more to charge.
func (h LateFees) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	day := asOf(form)
	if refusal := form.refuses("Nothing was charged.", nil); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.AssessLateFees(ctx, VisitorOf(c).Institute.Code, day); err != nil {
		return h.refuse(c, form, err)
	}
	return SeeOther(c, views.LateFeesHref(day))
}

func asOf(form *Form) fees.Date { return fees.Date(strings.TrimSpace(form.Value("as_of"))) }

func (h LateFees) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	view := views.LateFeesOf(VisitorOf(c).Institute, form, fees.LatePreview{Rules: 1})
	view.Alert = &ui.AlertView{Kind: "error", Title: refusal.Message}
	return h.show(c, StatusOf(refusal.Code), view)
}

func (h LateFees) show(c echo.Context, status int, view views.LateFees) error {
	return renderPart(c, status, "Late fees", views.LateFeesPart(view))
}
