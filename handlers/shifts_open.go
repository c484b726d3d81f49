package handlers

import (
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// Open opens a till for the visitor and leads to it; the same form again leads
// there too.
func (h Tills) Open(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order := fees.ShiftOrder{ID: form.Value("shift"), By: v.Actor(), Float: optionalAmount(form, v, "float")}
	if refusal := form.Err(); refusal != nil {
		return h.refuseOwn(c, refusal, ownSent{open: form})
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.OpenShift(ctx, v.Institute.Code, order); err != nil {
		return h.refuseOwn(c, err, ownSent{open: form})
	}
	return SeeOther(c, "/till")
}

// Drop takes cash from the visitor's till to the safe and leads back to it.
func (h Tills) Drop(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order := fees.DropOrder{ID: form.Value("drop_id"), Shift: form.Value("shift"), Note: form.Value("note"), By: v.Actor()}
	amount, wrong := v.Institute.Money().Parse(form.Value("amount"))
	if wrong != nil {
		form.Fail("amount", wrong.Message)
	}
	if order.Amount = amount; form.Err() != nil {
		return h.refuseOwn(c, form.Err(), ownSent{drop: form})
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.DropToSafe(ctx, v.Institute.Code, order); err != nil {
		return h.refuseOwn(c, err, ownSent{drop: form})
	}
	return SeeOther(c, "/till")
}

// optionalAmount is an amount that may be left empty, which is none.
func optionalAmount(form *Form, v Visitor, field string) fees.Amount {
	typed := form.Value(field)
	if strings.TrimSpace(typed) == "" {
		return 0
	}
	amount, wrong := v.Institute.Money().Parse(typed)
	if wrong != nil {
		form.Fail(field, wrong.Message)
	}
	return amount
}
