package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views/ui"
)

// BookCloser closes an institute's books.
type BookCloser interface {
	CloseBooks(ctx context.Context, code string, to fees.Date) error
}

// SettingsClose closes the books up to a day, for good.
type SettingsClose struct {
	Ledger BookCloser
}

// Post closes the books and leads back to the settings.
func (h SettingsClose) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	to := formDate(form, "to")
	if to == "" {
		form.Fail("to", "Choose the last day to close")
	}
	if form.Value("sure") == "" {
		form.Fail("sure", "Tick this first: it cannot be undone")
	}
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := h.Ledger.CloseBooks(ctx, VisitorOf(c).Institute.Code, to)
		if err == nil {
			return SeeOther(c, savedAt("/settings"))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	return showSettings(c, StatusOf(refusal.Code), settingsSent{closing: form, notClosed: &ui.AlertView{Kind: "error", Title: refusal.Message}})
}
