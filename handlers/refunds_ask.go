package handlers

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// RefundAsker asks for refunds.
type RefundAsker interface {
	RefundOffer(ctx context.Context, institute, student, payment string) (fees.RefundOffer, error)
	AskRefund(ctx context.Context, institute string, o fees.RefundOrder) (fees.Refund, error)
}

// RefundsAsk is the form that asks for a refund.
type RefundsAsk struct {
	Ledger RefundAsker
	NewID  func() string // ULIDs
}

// Get shows what there is to give back from a receipt, or of a student's
// advance, as the query says.
func (h RefundsAsk) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, query, nil)
}

// Post asks for the refund and leads to it; the same form again leads there too.
func (h RefundsAsk) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order, at := readRefund(form, v)
	if form.Err() != nil {
		h.note(form, order.Check(v.Institute), at)
		return h.refuse(c, form, form.Err())
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	r, err := h.Ledger.AskRefund(ctx, v.Institute.Code, order)
	if err != nil {
		if refusal := refusalIn(c, err); refusal != nil {
			h.note(form, refusal, at)
		}
		return h.refuse(c, form, err)
	}
	return SeeOther(c, views.RefundHref(r.ShortID()))
}

// readRefund parses what can be parsed and notes the rest as problems of the
// form. at is the row of the form that each part came from.
func readRefund(form *Form, v Visitor) (o fees.RefundOrder, at []int) {
	o = fees.RefundOrder{
		ID: form.Value("refund_id"), Student: strings.TrimSpace(form.Value("student")), Payment: strings.TrimSpace(form.Value("receipt")),
		Mode: fees.Mode(strings.TrimSpace(form.Value("mode"))), Ref: form.Value("ref"), Reason: form.Value("reason"), By: v.Actor(),
	}
	heads, amounts := form.Values("head"), form.Values("amount")
	if len(heads) != len(amounts) {
		form.Fail("refund_id", "The form was sent with rows that do not match. Begin again from the receipt or the student.")
		return o, nil
	}
	for n, typed := range amounts {
		if strings.TrimSpace(typed) == "" {
			continue
		}
		amount, wrong := v.Institute.Money().Parse(typed)
		if wrong != nil {
			form.Fail(views.FieldKey("amount", n), wrong.Message)
			amount = 1 // so that the check finds what else is wrong
		}
		o.Parts, at = append(o.Parts, fees.RefundPart{Head: heads[n], Amount: amount}), append(at, n)
	}
	return o, at
}

// note notes the fields of a refusal at the rows of the form.
func (h RefundsAsk) note(form *Form, refusal *fees.Error, at []int) {
	if refusal == nil {
		return
	}
	for key, reason := range refusal.Fields {
		name, number, _ := strings.Cut(key, ".")
		if n, err := strconv.Atoi(number); err == nil && n < len(at) {
			key = views.FieldKey(name, at[n])
		}
		form.Fail(key, reason)
	}
}

func (h RefundsAsk) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	if unshown := h.show(c, StatusOf(refusal.Code), form, &ui.AlertView{Kind: "error", Title: refusal.Message}); unshown != nil {
		return err // which says what became of the refund
	}
	return nil
}

func (h RefundsAsk) show(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	v := VisitorOf(c)
	student, receipt := strings.TrimSpace(form.Value("student")), strings.TrimSpace(form.Value("receipt"))
	if student == "" && receipt == "" {
		return fees.Errorf(fees.Invalid, "A refund begins on a receipt's page, or for an advance on the student's.")
	}
	offer, err := h.Ledger.RefundOffer(c.Request().Context(), v.Institute.Code, student, receipt)
	if err != nil {
		return err
	}
	id := form.Value("refund_id")
	if !fees.ValidID(id) {
		id = h.NewID()
	}
	typed := map[string]string{}
	if heads, amounts := form.Values("head"), form.Values("amount"); len(heads) == len(amounts) {
		for n, head := range heads {
			typed[head] = amounts[n]
		}
	}
	view := views.RefundFormOf(v.Institute, form, offer, id, typed)
	view.Alert = alert
	return renderPart(c, status, "Refund to "+offer.Student.Name, views.RefundFormPart(view))
}
