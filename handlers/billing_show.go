package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// BillingReader reads what can be billed and what was.
type BillingReader interface {
	Periods(ctx context.Context, institute string) ([]fees.Period, error)
	Classes(ctx context.Context, institute string) ([]string, error)
	BillTotals(ctx context.Context, institute string) ([]fees.BillTotal, error)
	Runs(ctx context.Context, institute string, limit int64) ([]fees.Run, error)
}

// BillingShow is where a billing run begins.
type BillingShow struct {
	Ledger BillingReader
}

const recentRuns = 10

// Get offers the periods and classes, and shows what was billed before.
func (h BillingShow) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, form, nil)
}

// show renders the page with a choice as typed and, where it was refused, why.
func (h BillingShow) show(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	ctx, inst := c.Request().Context(), VisitorOf(c).Institute
	periods, err := h.Ledger.Periods(ctx, inst.Code)
	if err != nil {
		return err
	}
	classes, err := h.Ledger.Classes(ctx, inst.Code)
	if err != nil {
		return err
	}
	totals, err := h.Ledger.BillTotals(ctx, inst.Code)
	if err != nil {
		return err
	}
	runs, err := h.Ledger.Runs(ctx, inst.Code, recentRuns)
	if err != nil {
		return err
	}
	view := views.BillingOf(inst, form, periods, classes, totals, runs)
	view.Alert = alert
	return renderPart(c, status, "Billing", views.BillingPart(view))
}

// refuse shows the choice again and why it cannot be billed; other errors have
// pages of their own.
func (h BillingShow) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	if unshown := h.show(c, StatusOf(refusal.Code), form, &ui.AlertView{Kind: "error", Title: refusal.Message}); unshown != nil {
		return err // which says what became of the run
	}
	return nil
}
