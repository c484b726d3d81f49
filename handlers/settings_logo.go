package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views/ui"
)

// LogoWriter changes the picture at the head of an institute's receipts.
type LogoWriter interface {
	SetLogo(ctx context.Context, code string, file []byte, by fees.Actor) error
	RemoveLogo(ctx context.Context, code string) error
}

// SettingsLogo changes the logo of receipts from now on.
type SettingsLogo struct {
	Ledger LogoWriter
}

// Post takes a picture and leads back to the settings.
func (h SettingsLogo) Post(c echo.Context) error {
	picture, err := sentPicture(c)
	if err == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		v := VisitorOf(c)
		err = h.Ledger.SetLogo(ctx, v.Institute.Code, picture, v.Actor())
	}
	if err == nil {
		return SeeOther(c, savedAt("/settings"))
	}
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	return showSettings(c, StatusOf(refusal.Code), settingsSent{logo: refusal.Fields["logo"], notPictured: &ui.AlertView{Kind: "error", Title: refusal.Message}})
}

// Remove takes the logo away and leads back to the settings.
func (h SettingsLogo) Remove(c echo.Context) error {
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if err := h.Ledger.RemoveLogo(ctx, VisitorOf(c).Institute.Code); err != nil {
		return err
	}
	return SeeOther(c, savedAt("/settings"))
}

// sentPicture is the file in the field logo, Invalid with Fields logo where none
// was chosen; no more of it is read than tells that it is too large.
func sentPicture(c echo.Context) ([]byte, error) {
	if err := readUpload(c); err != nil {
		return nil, err
	}
	file, _, err := c.Request().FormFile("logo")
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		const why = "Choose a picture"
		return nil, &fees.Error{Code: fees.Invalid, Message: "The logo was not changed. " + why + ".", Fields: map[string]string{"logo": why}}
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, fees.MaxLogo+1))
}
