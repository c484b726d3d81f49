package views

import (
	"github.com/a-h/templ"

	"raseed/store/fees"
	"raseed/views/ui"
)

// StudentForm adds a student or edits one.
type StudentForm struct {
	Title   string
	Version string // the state of the student that is edited, "" for a new one
	Alert   *ui.AlertView
	Fields  []ui.FieldView
	Status  ui.SelectView
	LeftOn  ui.FieldView
	Back    string // where Cancel leads
}

// StudentFormOf is the form with what is typed in it. The admission number of
// a student who is there already is shown and cannot be typed over.
func StudentFormOf(t Typed) StudentForm {
	field := func(name, label, hint string) ui.FieldView {
		return ui.FieldView{Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), Autocomplete: "off"}
	}
	number := field("admission_no", "Admission number", "Letters, digits, - / . and _")
	number.Required = true
	name := field("name", "Name", "")
	name.Required = true
	class := field("class", "Class", "As in the fee plan")
	class.Required = true
	category := field("category", "Category", "As in the fee plan")
	category.Required = true
	phone := field("phone", "Phone", "")
	phone.Type = "tel"
	email := field("email", "E-mail", "")
	email.Type = "email"
	opening := field("opening_balance", "Opening balance", "Owed when the books were opened; with a minus, in credit")
	opening.InputMode = "decimal"
	form := StudentForm{Title: "Add student", Version: t.Value("version"), Back: "/students"}
	if form.Version == "" {
		number.Autofocus = true
	} else {
		form.Title, form.Back = "Edit student "+number.Value, StudentHref(number.Value)
		number.Hint, number.Attrs = "Receipts carry it, so it stays", templ.Attributes{"readonly": true}
		name.Autofocus = true
		opening.Hint = "Stays as it is once it was taken over"
	}
	form.Fields = []ui.FieldView{
		number, name, class, field("section", "Section", ""), category,
		field("guardian", "Guardian", ""), field("family", "Family", "One code for all siblings"), phone, email, opening,
	}
	form.Status = selectOf(t, "status", "Status", []ui.Option{
		{Value: string(fees.StudentActive), Label: "Active"},
		{Value: string(fees.StudentLeft), Label: "Left: not billed any more"},
	})
	form.LeftOn = field("left_on", "Last day", "Only of one who left")
	form.LeftOn.Type = "date"
	return form
}
