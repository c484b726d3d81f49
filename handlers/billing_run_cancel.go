package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// RunCanceller ends billing runs.
type RunCanceller interface {
	CancelRun(ctx context.Context, institute, id string, by fees.Actor) (fees.Run, error)
}

// BillingRunCancel ends a run that is waiting or going; what it billed stays.
type BillingRunCancel struct {
	Ledger RunCanceller
}

// Post cancels the run and shows it. A run that is over by then is shown as it
// ended: the button was on a page that did not know yet.
func (h BillingRunCancel) Post(c echo.Context) error {
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	v := VisitorOf(c)
	run, err := h.Ledger.CancelRun(ctx, v.Institute.Code, c.Param("id"), v.Actor())
	if err != nil && fees.CodeOf(err) != fees.Conflict {
		return err
	}
	return SeeOther(c, "/billing/runs/"+fees.After(run.ID))
}
