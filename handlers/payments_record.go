package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// Recorder records payments.
type Recorder interface {
	RecordPayment(ctx context.Context, institute string, o fees.PaymentOrder) (fees.Row, error)
}

// PaymentsRecord records what was handed over at the counter.
type PaymentsRecord struct {
	Ledger interface {
		Recorder
		PayerReader
		HoldKeeper
		ShiftReader
	}
	NewID func() string // ULIDs: a form that came without one is given one
}

// Post records the payment and leads to its receipt; the same form again leads
// to the same receipt. A refusal shows the form again with what was typed,
// under the same payment_id, so that it can be sent again without harm.
func (h PaymentsRecord) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	p := readPayment(form, v)
	if form.Err() != nil {
		// What could be read is checked as well, so that everything that is
		// wrong is told at once.
		p.refuse(p.order.Check(v.Institute, v.Today))
		return h.refuse(c, p, form.Err())
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, other := heldByOther(ctx, c, h.Ledger, []string{p.text.Student}, p.text.Hold); other != nil {
		// A form that was recorded is answered with its receipt, whoever has the
		// student since.
		if _, err := h.Ledger.Row(ctx, v.Institute.Code, p.order.ID); fees.CodeOf(err) == fees.NotFound {
			return h.wait(c, p, *other)
		}
	}
	lapse := lapsed(ctx, c, h.Ledger, []string{p.text.Student}, p.order.ID, p.text.Hold)
	if lapse.own != nil {
		if _, err := h.Ledger.Row(ctx, v.Institute.Code, p.order.ID); fees.CodeOf(err) == fees.NotFound {
			return h.askOwn(c, p, lapse.own)
		}
	}
	p.order.Raced = lapse.raced
	row, err := h.Ledger.RecordPayment(ctx, v.Institute.Code, p.order)
	if err == nil {
		releaseHolds(ctx, c, h.Ledger, []string{row.Student}, p.text.Hold)
		return SeeOther(c, views.ReceiptHref(row.ShortID()))
	}
	refusal := refusalIn(c, err)
	if fees.CodeOf(err) == fees.NotFound {
		refusal = fees.Errorf(fees.Invalid, "There is no student with this admission number here")
		refusal.Fields = map[string]string{"student": refusal.Message}
	}
	if refusal == nil {
		return err
	}
	return h.refuse(c, p, refusal)
}

// wait shows the form as it was typed while somebody else collects from the
// student: nothing was recorded.
func (h PaymentsRecord) wait(c echo.Context, p *paymentForm, other fees.Hold) error {
	v := VisitorOf(c)
	at, err := readPayer(c.Request().Context(), h.Ledger, v, p.text.Student)
	if err != nil {
		return err
	}
	page, till := at.page(c, v), views.TillOf(v.Institute, at.dues, &at.student, p.text)
	hold := views.HoldInTheWay(v.Institute, views.CollectHref(at.student.AdmissionNo), at.student.Name, other)
	page.Hold, page.Till = &hold, &till
	return Render(c, StatusOf(fees.Conflict), views.CollectPage(page))
}

// askOwn shows the form as it was typed, with what is due now and the hold taken
// back, when the same person collects from another page: pressed again it is
// another payment.
func (h PaymentsRecord) askOwn(c echo.Context, p *paymentForm, notice *views.Notice) error {
	v := VisitorOf(c)
	at, err := readPayer(c.Request().Context(), h.Ledger, v, p.text.Student)
	if err != nil {
		return err
	}
	hold := takeHolds(c, h.Ledger, []fees.Student{at.student}, views.CollectHref(at.student.AdmissionNo), h.NewID(), p.text.ID, true)
	p.text.Hold = hold.Token
	page, till := at.page(c, v), views.TillOf(v.Institute, at.dues, &at.student, p.text)
	page.Notice, page.Hold, page.Till = notice, &hold, &till
	return Render(c, StatusOf(fees.Conflict), views.CollectPage(page))
}

// refuse shows the form as it was typed. That must work while the store does
// not: then htmx leaves the form where it is, and on a page of its own it does
// without the student and what they owe.
func (h PaymentsRecord) refuse(c echo.Context, p *paymentForm, why *fees.Error) error {
	v, ctx := VisitorOf(c), c.Request().Context()
	notice := noticeOf(why)
	if IsHTMX(c) && StatusOf(why.Code) == http.StatusServiceUnavailable {
		return RenderAlert(c, http.StatusServiceUnavailable, notice.Alert)
	}
	page := views.Collect{Frame: counterFrame(c, "Collect")}
	var known *fees.Student
	at, unread := readPayer(ctx, h.Ledger, v, p.text.Student)
	if unread == nil {
		page = at.page(c, v)
		known = &at.student
	}
	page.Notice = notice
	page.Shift = readStrip(ctx, h.Ledger, v)
	_, moved := why.Fields["shift"]
	if why.Code == fees.Conflict && !moved {
		if row, err := h.Ledger.Row(ctx, v.Institute.Code, p.order.ID); err == nil {
			page.Notice.Links = recordedLinks(row)
		}
		return Render(c, StatusOf(why.Code), views.CollectPage(page))
	}
	if why.Code == fees.Invalid {
		p.refuse(why)
	}
	if moved {
		p.text.Shift = page.Shift.OpenID()
	}
	if p.text.ID == "" {
		p.text.ID = h.NewID()
	}
	till := views.TillOf(v.Institute, at.dues, known, p.text)
	if unread != nil && fees.CodeOf(unread) != fees.NotFound {
		till = views.TillUnread(v.Institute, p.text)
	}
	if moved || StatusOf(why.Code) == http.StatusServiceUnavailable {
		till.SendAgain()
	}
	page.Till = &till
	if known != nil && fees.ValidID(p.text.Hold) {
		hold := views.HoldKept(v.Institute, views.CollectHref(known.AdmissionNo), p.text.Hold, time.Time{})
		page.Hold = &hold
	}
	return Render(c, StatusOf(why.Code), views.CollectPage(page))
}

// noticeOf says what became of the payment; nil where the form itself says it.
func noticeOf(why *fees.Error) *views.Notice {
	alert := ui.AlertView{Kind: "warning", Text: why.Message}
	switch why.Code {
	case fees.Conflict:
		alert.Kind, alert.Title = "error", "Nothing was changed"
		if _, moved := why.Fields["shift"]; moved {
			alert.Kind, alert.Title = "warning", "Not recorded yet: another till"
		}
	case fees.Unconfirmed:
		alert.Title = "Not confirmed"
		alert.Text = "No answer came from the ledger. Press Record payment again: it cannot be charged twice."
	case fees.Unavailable:
		alert.Title = "Not recorded yet"
	default:
		return nil
	}
	return &views.Notice{Alert: alert}
}
