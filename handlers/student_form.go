package handlers

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// StudentForm shows the form that adds or edits a student.
type StudentForm struct {
	Ledger StudentReader
}

// New shows the empty form.
func (h StudentForm) New(c echo.Context) error {
	return h.show(c, typedForm(url.Values{"status": {string(fees.StudentActive)}}))
}

// Edit shows the form of a student.
func (h StudentForm) Edit(c echo.Context) error {
	s, err := studentAt(c, h.Ledger)
	if err != nil {
		return err
	}
	return h.show(c, typedForm(url.Values{
		"version":         {strconv.FormatInt(s.UpdatedAt.UnixMilli(), 10)},
		"admission_no":    {s.AdmissionNo},
		"name":            {s.Name},
		"class":           {s.Class},
		"section":         {s.Section},
		"category":        {s.Category},
		"family":          {s.Family},
		"guardian":        {s.Guardian},
		"phone":           {s.Phone},
		"email":           {s.Email},
		"status":          {string(s.Status)},
		"left_on":         {string(s.LeftOn)},
		"opening_balance": {VisitorOf(c).Institute.Money().Plain(s.OpeningBalance)},
	}))
}

func (h StudentForm) show(c echo.Context, form *Form) error {
	view := views.StudentFormOf(form)
	return renderPart(c, http.StatusOK, view.Title, views.StudentFormPart(view))
}

// typedForm is a form as if these values had been typed into it.
func typedForm(values url.Values) *Form {
	return &Form{values: values, problems: map[string]string{}}
}
