package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/views"
)

// FamilyHold keeps the children of a family's page while it is open.
type FamilyHold struct {
	Ledger interface {
		HoldKeeper
		FamilyReader
	}
}

// Post is HoldKeep.Post for all children of a family.
func (h FamilyHold) Post(c echo.Context) error {
	family, err := h.Ledger.FamilyOf(c.Request().Context(), VisitorOf(c).Institute.Code, c.Param("student"))
	if err != nil {
		return err
	}
	return keepHolds(c, h.Ledger, family.Children, views.FamilyHref(c.Param("student")))
}

// Release gives all children of a family back.
func (h FamilyHold) Release(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	family, err := h.Ledger.FamilyOf(ctx, VisitorOf(c).Institute.Code, c.Param("student"))
	if err != nil {
		return err
	}
	releaseHolds(ctx, c, h.Ledger, numbersOf(family.Children), form.Value("hold"))
	return c.NoContent(http.StatusNoContent)
}
