package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// PayerReader is what the counter reads of one student.
type PayerReader interface {
	StudentReader
	RowReader
	Bills(ctx context.Context, institute, student string) ([]fees.Bill, error)
	StudentRows(ctx context.Context, institute, student string) ([]fees.Row, error)
}

// payer is a student at the counter.
type payer struct {
	student fees.Student
	dues    fees.Dues
	rows    []fees.Row
}

// readPayer is the institute's student of an admission number as typed;
// NotFound.
func readPayer(ctx context.Context, ledger PayerReader, v Visitor, typed string) (payer, error) {
	number, wrong := fees.NormalAdmissionNo(typed)
	if wrong != nil {
		return payer{}, fees.Errorf(fees.NotFound, "There is no student with this admission number.")
	}
	var p payer
	var err error
	if p.student, err = ledger.Student(ctx, v.Institute.Code, number); err != nil {
		return payer{}, err
	}
	billed, err := ledger.Bills(ctx, v.Institute.Code, number)
	if err != nil {
		return payer{}, err
	}
	if p.rows, err = ledger.StudentRows(ctx, v.Institute.Code, number); err != nil {
		return payer{}, err
	}
	p.dues = fees.DuesOf(billed, p.rows)
	return p, nil
}

// page is the counter with p on it; the till is still to be put there.
func (p payer) page(c echo.Context, v Visitor) views.Collect {
	page := views.Collect{Frame: counterFrame(c, "Collect from "+p.student.Name)}
	shown := views.PayerOf(v.Institute, v.Today, p.student, p.dues, p.rows)
	page.Student = &shown
	return page
}

// freshText is the form before anything is typed: all that is due, in cash.
func (p payer) freshText(inst fees.Institute, id string) views.PaymentText {
	tender := views.TenderText{Mode: string(fees.ModeCash)}
	if p.dues.Due > 0 {
		tender.Amount = inst.Money().Plain(p.dues.Due)
	}
	return views.PaymentText{ID: id, Student: p.student.AdmissionNo, Tenders: []views.TenderText{tender}}
}

// counterFrame leaves the top bar's search out: the counter has its own.
func counterFrame(c echo.Context, title string) views.Frame {
	f := FrameOf(c, title)
	f.Search = ""
	return f
}
