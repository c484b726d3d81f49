package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// StatementReader reads everything about one student.
type StatementReader interface {
	StudentReader
	Bills(ctx context.Context, institute, student string) ([]fees.Bill, error)
	StudentRows(ctx context.Context, institute, student string) ([]fees.Row, error)
}

// StudentReader finds a student by admission number.
type StudentReader interface {
	Student(ctx context.Context, institute, admissionNo string) (fees.Student, error)
}

// StudentShow is a student's statement.
type StudentShow struct {
	Ledger interface {
		StatementReader
		StudentCheques
	}
}

// StudentCheques reads the cheques of a student.
type StudentCheques interface {
	StudentCheques(ctx context.Context, institute, student string) ([]fees.Cheque, error)
}

// Get shows what was billed and received, with the balance after each.
func (h StudentShow) Get(c echo.Context) error {
	ctx, v := c.Request().Context(), VisitorOf(c)
	s, err := studentAt(c, h.Ledger)
	if err != nil {
		return err
	}
	bills, err := h.Ledger.Bills(ctx, v.Institute.Code, s.AdmissionNo)
	if err != nil {
		return err
	}
	rows, err := h.Ledger.StudentRows(ctx, v.Institute.Code, s.AdmissionNo)
	if err != nil {
		return err
	}
	view := views.StudentOf(v.Institute, s, bills, rows)
	view.Frame = FrameOf(c, s.Name)
	view.Empty = ui.EmptyView{Title: "Nothing billed yet", Hint: "A billing run adds what this student owes."}
	cheques, err := h.Ledger.StudentCheques(ctx, v.Institute.Code, s.AdmissionNo)
	if err != nil {
		return err
	}
	view.Cheques = views.ChequesBriefOf(v.Institute, v.Today, cheques, v.User.Role.May(fees.PermRegister))
	if v.User.Role.May(fees.PermCollect) {
		view.CollectHref = views.CollectHref(s.AdmissionNo)
		if fees.DuesOf(bills, rows).Advance > 0 {
			view.RefundHref = views.RefundAdvanceHref(s.AdmissionNo)
		}
	}
	if v.User.Role.May(fees.PermStudentsEdit) {
		view.EditHref = views.StudentHref(s.AdmissionNo) + "/edit"
	}
	if v.User.Role.May(fees.PermRegister) {
		view.GrantsHref = views.ConcessionsHref(s.AdmissionNo)
	}
	if v.User.Role.May(fees.PermBill) {
		view.ChargeHref = views.ChargesHref(s.AdmissionNo)
	}
	if v.User.Role.May(fees.PermWaive) {
		view.OfferCorrections(v.Institute, s, bills, rows)
	}
	return Render(c, http.StatusOK, views.StudentPage(view))
}

// studentAt is the student whom the address names, within the visitor's
// institute.
func studentAt(c echo.Context, ledger StudentReader) (fees.Student, error) {
	return ledger.Student(c.Request().Context(), VisitorOf(c).Institute.Code, c.Param("student"))
}
