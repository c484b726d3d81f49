package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/views/ui"
)

// ReceiptsWriter changes what an institute's receipts end with, and the UPI
// address that payers are shown.
type ReceiptsWriter interface {
	UpdateReceipts(ctx context.Context, code, footer, upi string) error
}

// SettingsReceipts changes what receipts carry besides the name, from now on.
type SettingsReceipts struct {
	Ledger ReceiptsWriter
}

// Post saves the last line and the UPI address and leads back to the settings.
func (h SettingsReceipts) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	form.Require("footer", "upi")
	footer, upi := form.Value("footer"), form.Value("upi")
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := h.Ledger.UpdateReceipts(ctx, VisitorOf(c).Institute.Code, footer, upi)
		if err == nil {
			return SeeOther(c, savedAt("/settings"))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	return showSettings(c, StatusOf(refusal.Code), settingsSent{receipts: form, notSet: &ui.AlertView{Kind: "error", Title: refusal.Message}})
}
