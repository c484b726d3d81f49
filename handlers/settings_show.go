package handlers

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"raseed/views"
	"raseed/views/ui"
)

// settingsSent is the form of the settings that was refused, and why; the
// other is shown as it is at first.
type settingsSent struct {
	naming, receipts, closing   *Form
	notNamed, notSet, notClosed *ui.AlertView
	notPictured                 *ui.AlertView
	logo                        string // what is wrong with the picture
	saved                       *ui.AlertView
}

// SettingsShow shows the institute and the forms that change it and close its
// books.
func SettingsShow(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return showSettings(c, http.StatusOK, settingsSent{saved: savedAlert(query, "Saved")})
}

func showSettings(c echo.Context, status int, sent settingsSent) error {
	v := VisitorOf(c)
	if sent.naming == nil {
		sent.naming = typedForm(url.Values{"name": {v.Institute.Name}, "address": {v.Institute.Address}})
	}
	if sent.receipts == nil {
		sent.receipts = typedForm(url.Values{"footer": {v.Institute.Footer}, "upi": {v.Institute.UPI}})
	}
	if sent.closing == nil {
		sent.closing = typedForm(url.Values{})
	}
	view := views.SettingsOf(v.Institute, v.Today, sent.naming, sent.receipts, sent.closing)
	view.NotNamed, view.NotSet, view.NotClosed = sent.notNamed, sent.notSet, sent.notClosed
	view.NotPictured, view.LogoWhy = sent.notPictured, sent.logo
	view.Saved = sent.saved
	return renderPart(c, status, "Settings", views.SettingsPart(view))
}
