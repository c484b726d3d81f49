package handlers

import (
	"context"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// BillCorrector cancels bills and waives late fees.
type BillCorrector interface {
	StatementReader
	WaiveLateFee(ctx context.Context, institute string, o fees.WaiverOrder) (fees.Bill, error)
	CancelBill(ctx context.Context, institute string, o fees.CancelOrder) (fees.Bill, error)
	CancelAfterLeaving(ctx context.Context, institute string, o fees.LeavingOrder) ([]fees.Bill, error)
}

// BillCorrect takes something off what a student was billed. Each form leads
// back to the student's page; a refusal shows the form again with what was
// typed.
type BillCorrect struct {
	Ledger BillCorrector
}

// Waive waives a late fee, or a part of it.
func (h BillCorrect) Waive(c echo.Context) error {
	return h.correct(c, func(ctx context.Context, form *Form, s fees.Student) error {
		v := VisitorOf(c)
		o := fees.WaiverOrder{Student: s.AdmissionNo, Bill: form.Value("bill"), Reason: form.Value("reason"), By: v.Actor()}
		var err error
		if o.Revision, err = strconv.ParseInt(form.Value("revision"), 10, 64); err != nil {
			return fees.Errorf(fees.Conflict, "This form is damaged. Open the student again.")
		}
		var wrong *fees.Error
		if o.Amount, wrong = v.Institute.Money().Parse(form.Value("amount")); wrong != nil {
			form.Fail("amount", wrong.Message)
			o.Amount = 1 // so that the reason is told as well
		}
		if refusal := form.refuses("Nothing was waived.", o.Check()); refusal != nil {
			return refusal
		}
		_, err = h.Ledger.WaiveLateFee(ctx, v.Institute.Code, o)
		return err
	}, func(form *Form, _ fees.Student, bills []fees.Bill, rows []fees.Row) (views.BillForm, bool) {
		b, found := findBill(bills, form.Value("bill"))
		paid := fees.PaidOn(rows)[b.Period]
		return views.WaiveFormOf(VisitorOf(c).Institute, form, b, paid), found && b.IsLateFee() && b.Net > max(paid, 0)
	})
}

// Cancel cancels a bill on which nothing was paid.
func (h BillCorrect) Cancel(c echo.Context) error {
	return h.correct(c, func(ctx context.Context, form *Form, s fees.Student) error {
		v := VisitorOf(c)
		o := fees.CancelOrder{Student: s.AdmissionNo, Bill: form.Value("bill"), Reason: form.Value("reason"), By: v.Actor()}
		if refusal := form.refuses("The bill was not cancelled.", o.Check()); refusal != nil {
			return refusal
		}
		_, err := h.Ledger.CancelBill(ctx, v.Institute.Code, o)
		return err
	}, func(form *Form, _ fees.Student, bills []fees.Bill, _ []fees.Row) (views.BillForm, bool) {
		b, found := findBill(bills, form.Value("bill"))
		return views.CancelFormOf(VisitorOf(c).Institute, form, b), found && b.Uncancellable() == ""
	})
}

// Leave cancels the unpaid bills after a student's last day.
func (h BillCorrect) Leave(c echo.Context) error {
	return h.correct(c, func(ctx context.Context, form *Form, s fees.Student) error {
		v := VisitorOf(c)
		if s.Status != fees.StudentLeft {
			return fees.Errorf(fees.Conflict, "%s has not left. Say so first, under Edit student.", s.Name)
		}
		o := fees.LeavingOrder{
			Student: s.AdmissionNo, Last: fees.Date(strings.TrimSpace(form.Value("last"))), Reason: form.Value("reason"), By: v.Actor(),
		}
		if refusal := form.refuses("No bill was cancelled.", o.Check()); refusal != nil {
			return refusal
		}
		_, err := h.Ledger.CancelAfterLeaving(ctx, v.Institute.Code, o)
		return err
	}, func(form *Form, s fees.Student, _ []fees.Bill, _ []fees.Row) (views.BillForm, bool) {
		s.LeftOn = "" // what is typed counts, and it is not known how many bills that makes
		return views.LeaveFormOf(VisitorOf(c).Institute, form, s, 0, 0), s.Status == fees.StudentLeft
	})
}

// correct does what a form says about the student of the address. formAgain is
// the form as it is shown where that is refused, if it can be.
func (h BillCorrect) correct(c echo.Context,
	do func(ctx context.Context, form *Form, s fees.Student) error,
	formAgain func(form *Form, s fees.Student, bills []fees.Bill, rows []fees.Row) (views.BillForm, bool),
) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	s, err := studentAt(c, h.Ledger)
	if err != nil {
		return err
	}
	err = do(ctx, form, s)
	if err == nil {
		return SeeOther(c, views.StudentHref(s.AdmissionNo))
	}
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	bills, unread := h.Ledger.Bills(ctx, VisitorOf(c).Institute.Code, s.AdmissionNo)
	rows, unreadToo := h.Ledger.StudentRows(ctx, VisitorOf(c).Institute.Code, s.AdmissionNo)
	if unread != nil || unreadToo != nil {
		return err // which says what became of it
	}
	view, ok := formAgain(form, s, bills, rows)
	if view.Open = true; !ok {
		view = views.BillForm{Button: view.Button}
	}
	part := views.BillFormRefused(view, views.StudentHref(s.AdmissionNo), ui.AlertView{Kind: "error", Title: refusal.Message})
	return renderPart(c, StatusOf(refusal.Code), view.Button, part)
}

// findBill is the bill of that period.
func findBill(bills []fees.Bill, period string) (fees.Bill, bool) {
	for _, b := range bills {
		if b.Period == period {
			return b, true
		}
	}
	return fees.Bill{}, false
}
