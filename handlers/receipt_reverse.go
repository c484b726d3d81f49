package handlers

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// Reverser takes payments back.
type Reverser interface {
	RowReader
	ReversePayment(ctx context.Context, institute string, o fees.ReversalOrder) (fees.Row, error)
}

// ReceiptReverse takes a payment back.
type ReceiptReverse struct {
	Ledger Reverser
}

// Post reverses and leads back to the receipt; a second time it leads there as
// well. A refusal shows the form again with what was typed.
func (h ReceiptReverse) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	v, id := VisitorOf(c), c.Param("id")
	row, err := h.Ledger.Row(ctx, v.Institute.Code, id)
	if err != nil {
		return err
	}
	order := fees.ReversalOrder{ID: id, Reason: form.Value("reason"), By: v.Actor()}
	if typed := strings.TrimSpace(form.Value("charge")); typed != "" {
		charge, wrong := v.Institute.Money().Parse(typed)
		if wrong != nil {
			form.Fail("charge", wrong.Message)
		}
		order.Charge = charge
	}
	// Checked here as well, so that reason and charge are told at once.
	form.FailAll(order.Check())
	if refusal := form.Err(); refusal != nil {
		return h.refuse(c, form, row, refusal)
	}
	if _, err = h.Ledger.ReversePayment(ctx, v.Institute.Code, order); err != nil {
		if refusal := refusalIn(c, err); refusal != nil && refusal.Code != fees.Conflict {
			form.FailAll(refusal)
			return h.refuse(c, form, row, refusal)
		}
		return err
	}
	return SeeOther(c, views.ReceiptHref(id))
}

func (h ReceiptReverse) refuse(c echo.Context, form *Form, row fees.Row, why *fees.Error) error {
	view := views.ReverseOf(VisitorOf(c).Institute, row)
	view.Open = true
	view.Reason, view.ReasonError = form.Value("reason"), form.Problem("reason")
	view.Charge, view.ChargeError = form.Value("charge"), form.Problem("charge")
	title := "Reverse " + views.NumberOr(row.NumberText)
	part := views.ReverseRefused(title, view, views.ReceiptHref(row.ShortID()), ui.AlertView{Kind: "error", Title: why.Message})
	return renderPart(c, StatusOf(why.Code), title, part)
}
