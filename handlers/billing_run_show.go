package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// RunReader finds billing runs.
type RunReader interface {
	Run(ctx context.Context, institute, id string) (fees.Run, error)
}

// BillingRunShow is a billing run's progress and result.
type BillingRunShow struct {
	Ledger RunReader
	Now    func() time.Time
}

// Get shows the run as it stands. htmx gets the part that asks for itself
// again until the run is over.
func (h BillingRunShow) Get(c echo.Context) error {
	inst := VisitorOf(c).Institute
	run, err := h.Ledger.Run(c.Request().Context(), inst.Code, c.Param("id"))
	if err != nil {
		return err
	}
	view := views.RunOf(inst, run, h.Now())
	if IsHTMX(c) {
		return Render(c, http.StatusOK, views.RunPart(view))
	}
	return Render(c, http.StatusOK, views.RunPage(FrameOf(c, "Billing run "+run.Period), view))
}
