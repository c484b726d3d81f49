package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// PlanSplit divides a year's amount over periods.
type PlanSplit struct {
	Alert           *ui.AlertView // why it was not
	Open            bool
	FY              string
	Head            ui.SelectView
	Class, Category ui.FieldView
	Amount          ui.FieldView
	Periods         []PlanCheck
	PeriodsWhy      string // what is wrong with them
}

// PlanCheck is a box to tick.
type PlanCheck struct {
	ID, Value, Label string
	Checked          bool
}

// PlanSplitOf is the form with what was typed; chosen are the ticked periods.
func PlanSplitOf(t Typed, fy string, heads []fees.Head, periods []fees.Period, chosen func(period string) bool) PlanSplit {
	field := func(name, label, hint string) ui.FieldView {
		return ui.FieldView{ID: "split_" + name, Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), Required: true, Autocomplete: "off"}
	}
	v := PlanSplit{
		FY:   fy,
		Head: selectOf(t, "head", "Head", headOptions(ui.Option{Label: "Choose a head"}, heads)), Class: field("class", "Class", "* for any"),
		Category: field("category", "Category", "* for any"), Amount: field("amount", "Amount of the year", ""),
		PeriodsWhy: t.Problem("periods"),
	}
	v.Head.ID, v.Head.Required = "split_head", true
	v.Amount.InputMode = "decimal"
	for _, p := range periods {
		v.Periods = append(v.Periods, PlanCheck{ID: "split-" + p.Code, Value: p.Code, Label: p.Code, Checked: chosen(p.Code)})
	}
	return v
}

// headOptions are the heads to choose from, behind the first option.
func headOptions(first ui.Option, heads []fees.Head) []ui.Option {
	options := []ui.Option{first}
	for _, h := range heads {
		options = append(options, ui.Option{Value: h.Code, Label: h.Name})
	}
	return options
}
