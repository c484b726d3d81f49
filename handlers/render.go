package handlers

import (
	"bytes"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"raseed/views"
	"raseed/views/ui"
)

// Render writes a component. It is rendered whole before the first byte is
// sent, so that an error midway never leaves half a page.
func Render(c echo.Context, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(c.Request().Context(), &b); err != nil {
		return err
	}
	return c.HTMLBlob(status, b.Bytes())
}

// renderPart writes a part of a page: alone where htmx asks for it, in the
// frame of the visitor's page otherwise.
func renderPart(c echo.Context, status int, title string, part templ.Component) error {
	if IsHTMX(c) {
		return Render(c, status, part)
	}
	return Render(c, status, views.Framed(FrameOf(c, title), part))
}

// RenderAlert answers htmx with a notice at the top of the page (#alerts) and
// leaves the rest as it is, whatever part was asked for.
func RenderAlert(c echo.Context, status int, a ui.AlertView) error {
	h := c.Response().Header()
	h.Set("HX-Retarget", "#alerts")
	h.Set("HX-Reswap", "innerHTML")
	h.Set("HX-Reselect", ".alert")
	return Render(c, status, ui.Alert(a))
}

// IsHTMX says whether htmx asks for a part of a page. A history restore wants
// the whole page.
func IsHTMX(c echo.Context) bool {
	h := c.Request().Header
	return h.Get("HX-Request") == "true" && h.Get("HX-History-Restore-Request") != "true"
}

// SeeOther sends the browser on, in htmx's own way where htmx asked.
func SeeOther(c echo.Context, url string) error {
	if IsHTMX(c) {
		c.Response().Header().Set("HX-Redirect", url)
		return c.NoContent(http.StatusOK)
	}
	return c.Redirect(http.StatusSeeOther, url)
}
