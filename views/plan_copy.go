package views

import (
	"strconv"

	"raseed/store/fees"
	"raseed/views/ui"
)

// PlanCopy copies a year's plan to a later one.
type PlanCopy struct {
	Nav              PlanNav
	Alert            *ui.AlertView
	From, To, Change ui.FieldView
	Preview          *PlanCopyPreview
}

// PlanCopyPreview is what a copy would write, with the form that writes it.
type PlanCopyPreview struct {
	From, To, Change, Version string // as the form posts them
	Title, Kept               string
	Nothing                   bool
	Symbol                    string
	Periods                   []PlanPeriod
	Rows                      []PlanCopyRow
	Hidden                    string // how many rows are not shown, in words
}

// PlanCopyRow is a new row.
type PlanCopyRow struct{ Period, Scope, Head, Amount string }

// shownCopies is how many rows a preview lists.
const shownCopies = 200

// PlanCopyOf is the page with the form as typed.
func PlanCopyOf(t Typed) PlanCopy {
	field := func(name, label, hint string) ui.FieldView {
		return ui.FieldView{Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), Required: true, Autocomplete: "off"}
	}
	v := PlanCopy{
		From: field("from_fy", "From the year", ""), To: field("to_fy", "To the year", ""),
		Change: field("change", "Change in percent", "10 for ten percent more, -5 for less, 0 for the same; rounded half up"),
	}
	v.Change.ID = "copy_change"
	return v
}

// PlanCopyPreviewOf is what the order would copy.
func PlanCopyPreviewOf(inst fees.Institute, o fees.CopyOrder, heads []fees.Head, copied fees.PlanCopy) *PlanCopyPreview {
	money := inst.Money()
	v := &PlanCopyPreview{
		From: o.From, To: o.To, Change: o.Change.String(), Version: copied.Version(), Symbol: Symbol(money),
		Title:   Plural(int64(len(copied.Rows)), "row") + " and " + Plural(int64(len(copied.Periods)), "period") + " for " + o.To,
		Kept:    Plural(copied.Kept, "row") + " of " + o.To + " stay as they are",
		Nothing: len(copied.Rows)+len(copied.Periods) == 0,
	}
	switch copied.Kept {
	case 0:
		v.Kept = "No row of " + o.To + " is there yet"
	case 1:
		v.Kept = "1 row of " + o.To + " stays as it is"
	}
	names := map[string]string{}
	for _, h := range heads {
		names[h.Code] = h.Name
	}
	for _, p := range copied.Periods {
		v.Periods = append(v.Periods, PlanPeriod{Code: p.Code, Due: Day(p.DueDate)})
	}
	for _, r := range copied.Rows[:min(len(copied.Rows), shownCopies)] {
		v.Rows = append(v.Rows, PlanCopyRow{Period: r.Period, Scope: Scopes(r.Class, r.Category), Head: headLabel(names, r.Head), Amount: money.Format(r.Amount)})
	}
	if more := len(copied.Rows) - len(v.Rows); more > 0 {
		v.Hidden = "and " + strconv.Itoa(more) + " more"
	}
	return v
}
