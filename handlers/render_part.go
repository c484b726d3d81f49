package handlers

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"raseed/views"
)

// RenderPart writes a part of a page: alone where htmx asks for it, in the
// frame of the visitor's page otherwise.
func RenderPart(c echo.Context, status int, title string, part templ.Component) error {
	if IsHTMX(c) {
		return Render(c, status, part)
	}
	return Render(c, status, views.Framed(FrameOf(c, title), part))
}
