package handlers

import (
	"slices"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// PlanSplit divides what a head costs in a year among periods.
type PlanSplit struct {
	Ledger PlanWriter
}

// Post splits the amount and leads to the plan of the first of the periods.
func (h PlanSplit) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	o := fees.YearSplit{
		FY: form.Value("fy"), Class: form.Value("class"), Category: form.Value("category"), Head: form.Value("head"),
		Periods: slices.Clone(form.Values("periods")),
	}
	amount, wrong := v.Institute.Money().Parse(form.Value("amount"))
	if wrong != nil {
		form.Fail("amount", wrong.Message)
	}
	o.Amount = amount
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := h.Ledger.SplitYear(ctx, v.Institute.Code, o, v.Actor())
		if err == nil {
			return SeeOther(c, savedAt(views.PlanPeriodHref(form.Values("periods")[0])))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	sent := planSent{splitting: form, notSplit: &ui.AlertView{Kind: "error", Title: refusal.Message}}
	return PlanShow{Ledger: h.Ledger}.show(c, StatusOf(refusal.Code), form, sent)
}
