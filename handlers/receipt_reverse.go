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
	ReceiptCheques
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
		if refusal := refusalIn(c, err); refusal != nil {
			form.FailAll(refusal)
			return h.refuse(c, form, row, refusal)
		}
		return err
	}
	return SeeOther(c, views.ReceiptHref(id))
}

// refuse says why nothing was reversed, and shows the form again as it was typed;
// where no other form would be taken it leads back to the receipt.
func (h ReceiptReverse) refuse(c echo.Context, form *Form, row fees.Row, why *fees.Error) error {
	v := VisitorOf(c)
	var view *views.Reverse
	if why.Code != fees.Conflict {
		cheques, err := h.Ledger.RowCheques(c.Request().Context(), v.Institute.Code, row.ShortID())
		if err != nil { // the form is kept all the same
			cheques = nil
		}
		again := views.ReverseOf(v.Institute, row, cheques)
		again.Open = true
		again.Reason, again.ReasonError = form.Value("reason"), form.Problem("reason")
		again.Charge, again.ChargeError = form.Value("charge"), form.Problem("charge")
		view = &again
	}
	title := "Reverse " + views.NumberOr(row.NumberText)
	part := views.ReverseRefused(title, view, views.ReceiptHref(row.ShortID()), ui.AlertView{Kind: "error", Title: why.Message})
	return renderPart(c, StatusOf(why.Code), title, part)
}
