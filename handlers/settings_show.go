package handlers

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"raseed/views"
	"raseed/views/ui"
)

// SettingsShow shows the institute and the form that closes its books.
func SettingsShow(c echo.Context) error {
	return showSettings(c, http.StatusOK, typedForm(url.Values{}), nil)
}

func showSettings(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	v := VisitorOf(c)
	view := views.SettingsOf(v.Institute, v.Today, form)
	view.Alert = alert
	return renderPart(c, status, "Settings", views.SettingsPart(view))
}
