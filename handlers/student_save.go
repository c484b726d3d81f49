package handlers

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// StudentWriter adds and changes students.
type StudentWriter interface {
	SaveStudent(ctx context.Context, institute string, s fees.Student, by fees.Actor) (fees.Student, error)
}

// StudentSave adds a student or changes one.
type StudentSave struct {
	Ledger StudentWriter
}

// Post saves the form and leads to the student's statement. The field version
// says which state of the student was edited: without it the form adds one. An
// admission number that is taken, and what somebody else saved meanwhile, is
// refused rather than overwritten.
func (h StudentSave) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	version, damaged := formVersion(form)
	if damaged != nil {
		return h.refuse(c, form, damaged)
	}
	s := fees.Student{
		AdmissionNo: form.Value("admission_no"),
		Name:        form.Value("name"),
		Class:       form.Value("class"),
		Section:     form.Value("section"),
		Category:    form.Value("category"),
		Family:      form.Value("family"),
		Guardian:    form.Value("guardian"),
		Phone:       form.Value("phone"),
		Email:       form.Value("email"),
		Status:      fees.StudentStatus(form.Value("status")),
		LeftOn:      fees.Date(form.Value("left_on")),
		UpdatedAt:   version,
	}
	if typed := strings.TrimSpace(form.Value("opening_balance")); typed != "" {
		opening, wrong := v.Institute.Money().ParseSigned(typed)
		if wrong != nil {
			form.Fail("opening_balance", wrong.Message)
		}
		s.OpeningBalance = opening
	}
	if refusal := form.Err(); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	saved, err := h.Ledger.SaveStudent(ctx, v.Institute.Code, s, v.Actor())
	if refusal := refusalIn(c, err); refusal != nil {
		form.FailAll(refusal)
		return h.refuse(c, form, refusal)
	}
	if err != nil {
		return err
	}
	return SeeOther(c, views.StudentHref(saved.AdmissionNo))
}

// formVersion reads which state of a student was edited; the zero time for a
// new student.
func formVersion(form *Form) (time.Time, *fees.Error) {
	typed := form.Value("version")
	if typed == "" {
		return time.Time{}, nil
	}
	ms, err := strconv.ParseInt(typed, 10, 64)
	if err != nil {
		return time.Time{}, fees.Errorf(fees.Invalid, "This form is damaged. Open the student again.")
	}
	return time.UnixMilli(ms), nil
}

func (h StudentSave) refuse(c echo.Context, form *Form, why *fees.Error) error {
	view := views.StudentFormOf(form)
	view.Alert = &ui.AlertView{Kind: "error", Title: why.Message}
	return renderPart(c, StatusOf(why.Code), view.Title, views.StudentFormPart(view))
}
