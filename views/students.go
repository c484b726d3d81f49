package views

import (
	"github.com/a-h/templ"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Students is the list of students, or of those that a search found.
type Students struct {
	Frame  Frame
	Search ui.FieldView
	Add    bool // the visitor may add one
	Import bool // and import a list
	Grants bool // and see concessions
	Symbol string
	Rows   []StudentsRow
	Pager  ui.PagerView
	Empty  ui.EmptyView
}

// StudentsRow is one student of the list. Balance is what is owed; a credit
// has its word.
type StudentsRow struct {
	Href, AdmissionNo, Name string
	Class, Guardian, Phone  string
	Balance                 string
	Credit                  bool
	Status                  *ui.StatusView // only when not active
}

// StudentsRowOf is a student as the list shows them, with what they owe.
func StudentsRowOf(inst fees.Institute, s fees.Student, balance fees.Amount) StudentsRow {
	row := StudentsRow{
		Href:        StudentHref(s.AdmissionNo),
		AdmissionNo: s.AdmissionNo,
		Name:        s.Name,
		Class:       ClassOf(s.Class, s.Section),
		Guardian:    s.Guardian,
		Phone:       s.Phone,
		Balance:     inst.Money().Format(abs(balance)),
		Credit:      balance < 0,
	}
	if s.Status == fees.StudentLeft {
		row.Status = &ui.StatusView{Kind: "neutral", Word: "Left"}
	}
	return row
}

func abs(a fees.Amount) fees.Amount {
	if a < 0 {
		return -a
	}
	return a
}

// StudentsSearch is the search above the list. With htmx it answers while
// people type.
func StudentsSearch(q string) ui.FieldView {
	return ui.FieldView{
		ID: "students-q", Name: "q", Label: "Find by admission number, name, phone, guardian or family", Type: "search", Value: q, Autocomplete: "off",
		Attrs: templ.Attributes{
			"hx-get":         "/students",
			"hx-trigger":     "input changed delay:200ms, search",
			"hx-target":      "#students",
			"hx-swap":        "outerHTML",
			"hx-replace-url": "true",
			"hx-sync":        "this:replace",
		},
	}
}
