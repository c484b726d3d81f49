package views

import (
	"slices"

	"raseed/store/fees"
	"raseed/views/ui"
)

// PlanPeriods are the periods of a year, with the form that adds one.
type PlanPeriods struct {
	Nav       PlanNav
	FY        string
	Moved     *ui.AlertView // what became of a due date
	Alert     *ui.AlertView // why none was added
	Rows      []PlanPeriod
	Name, Due ui.FieldView
}

// PlanPeriod is a period. The due date of one that has bills stays.
type PlanPeriod struct {
	Code, Due, Was, Bills, Href string
	Billed                      bool
	Unused                      bool // it can be removed
	Field                       ui.FieldView
}

// PlanPeriodsOf is the page with the form as typed; moving is the form of a due
// date that was refused, which names its period.
func PlanPeriodsOf(fy string, own []fees.Period, rows []fees.PlanRow, bills map[string]int64, adding, moving Typed) PlanPeriods {
	v := PlanPeriods{
		FY:   fy,
		Name: ui.FieldView{Name: "name", Label: "Name, like T1 or APR", Value: adding.Value("name"), Error: adding.Problem("name"), Required: true, Autocomplete: "off"},
		Due:  ui.FieldView{ID: "due_new", Name: "due_date", Label: "Due date", Type: "date", Value: adding.Value("due_date"), Error: adding.Problem("due_date"), Required: true, Autocomplete: "off"},
	}
	for _, p := range own {
		row := PlanPeriod{Code: p.Code, Due: Day(p.DueDate), Was: string(p.DueDate), Href: PlanPeriodHref(p.Code), Bills: Count(bills[p.Code]), Billed: bills[p.Code] > 0}
		row.Unused = !row.Billed && !slices.ContainsFunc(rows, func(r fees.PlanRow) bool { return r.Period == p.Code })
		row.Field = ui.FieldView{ID: "due-" + p.Code, Name: "due_date", Label: "Due date of " + p.Code, Type: "date", Value: row.Was}
		if moving.Value("period") == p.Code {
			row.Field.Value, row.Field.Error = moving.Value("due_date"), moving.Problem("due_date")
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}
