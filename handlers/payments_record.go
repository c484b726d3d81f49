package handlers

import (
	"context"
	"net/http"

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
	row, err := h.Ledger.RecordPayment(ctx, v.Institute.Code, p.order)
	if err == nil {
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
	if why.Code == fees.Conflict {
		if row, err := h.Ledger.Row(ctx, v.Institute.Code, p.order.ID); err == nil {
			page.Notice.Links = recordedLinks(row)
		}
		return Render(c, StatusOf(why.Code), views.CollectPage(page))
	}
	if why.Code == fees.Invalid {
		p.refuse(why)
	}
	if p.text.ID == "" {
		p.text.ID = h.NewID()
	}
	till := views.TillOf(v.Institute, at.dues, known, p.text)
	if unread != nil && fees.CodeOf(unread) != fees.NotFound {
		till = views.TillUnread(v.Institute, p.text)
	}
	if StatusOf(why.Code) == http.StatusServiceUnavailable {
		till.SendAgain()
	}
	page.Till = &till
	return Render(c, StatusOf(why.Code), views.CollectPage(page))
}

// noticeOf says what became of the payment; nil where the form itself says it.
func noticeOf(why *fees.Error) *views.Notice {
	alert := ui.AlertView{Kind: "warning", Text: why.Message}
	switch why.Code {
	case fees.Conflict:
		alert.Kind, alert.Title = "error", "Nothing was changed"
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
