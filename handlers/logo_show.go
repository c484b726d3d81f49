package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// LogoShow is the picture at the head of an institute's receipts.
type LogoShow struct {
	Ledger LogoReader
}

// Get sends the picture of this hash. It never changes, so the browser keeps it.
func (h LogoShow) Get(c echo.Context) error {
	logo, err := h.Ledger.Logo(c.Request().Context(), VisitorOf(c).Institute.Code, c.Param("hash"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	return c.Blob(http.StatusOK, logo.Type, logo.Data)
}
