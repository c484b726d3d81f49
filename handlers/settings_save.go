package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/views/ui"
)

// InstituteWriter changes an institute's name and address.
type InstituteWriter interface {
	UpdateInstitute(ctx context.Context, code, name, address string) error
}

// SettingsSave changes what stands at the head of receipts from now on.
type SettingsSave struct {
	Ledger InstituteWriter
}

// Post saves the name and the address and leads back to the settings.
func (h SettingsSave) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	form.Require("name", "address")
	name, address := form.Value("name"), form.Value("address")
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := h.Ledger.UpdateInstitute(ctx, VisitorOf(c).Institute.Code, name, address)
		if err == nil {
			return SeeOther(c, savedAt("/settings"))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	return showSettings(c, StatusOf(refusal.Code), settingsSent{naming: form, notNamed: &ui.AlertView{Kind: "error", Title: refusal.Message}})
}
