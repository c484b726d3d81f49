package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// Verifier tells whether a code on paper is one of ours.
type Verifier interface {
	Verify(ctx context.Context, code, from string) (fees.Institute, fees.Row, *fees.Row, error)
}

// VerifyShow is the public page that the code on a receipt leads to.
type VerifyShow struct {
	Ledger Verifier
}

// Get says what was issued under the code and what became of it; NotFound for a
// code that is none of ours, Throttled for too many of these.
func (h VerifyShow) Get(c echo.Context) error {
	inst, row, reversal, err := h.Ledger.Verify(c.Request().Context(), c.Param("code"), c.RealIP())
	if err != nil {
		return err
	}
	page := views.VerifiedOf(inst, row, reversal)
	page.Frame = views.Frame{Title: "Receipt " + page.Number, Public: true}
	return Render(c, http.StatusOK, views.VerifiedPage(page))
}
