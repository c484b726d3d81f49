package handlers

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// Close closes the visitor's own till and leads to what was closed; the same
// form again leads there too.
func (h Tills) Close(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	order := readClose(form, VisitorOf(c), form.Value("shift"))
	shift, err := h.close(c, form, order, true)
	if err == nil {
		return SeeOther(c, views.ShiftHref(shift.ShortID()))
	}
	sent := ownSent{close: form}
	if shift.State == fees.ShiftClosed {
		sent.link = &views.Link{Href: views.ShiftHref(shift.ShortID()), Text: "See what it was closed with"}
	}
	return h.refuseOwn(c, err, sent)
}

// CloseOther closes the till of somebody who did not, and leads to it.
func (h Tills) CloseOther(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order := readClose(form, v, c.Param("id"))
	order.Reason = form.Value("reason")
	shift, err := h.close(c, form, order, false)
	if err != nil {
		return h.refuseOne(c, err, form)
	}
	return SeeOther(c, views.ShiftHref(shift.ShortID()))
}

// close closes a till: the visitor's own, or any.
func (h Tills) close(c echo.Context, form *Form, order fees.CloseOrder, own bool) (fees.Shift, error) {
	if refusal := form.Err(); refusal != nil {
		return fees.Shift{}, refusal
	}
	v := VisitorOf(c)
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if own {
		shift, err := h.Ledger.Shift(ctx, v.Institute.Code, order.Shift)
		if err == nil && shift.Cashier != v.User.Login {
			err = fees.Errorf(fees.NotFound, "There is no such till.")
		}
		if err != nil {
			return shift, err
		}
	}
	return h.Ledger.CloseShift(ctx, v.Institute.Code, order)
}

// readClose parses the count of a till. What is left empty is none.
func readClose(form *Form, v Visitor, shift string) fees.CloseOrder {
	order := fees.CloseOrder{Shift: shift, Note: form.Value("note"), Other: optionalAmount(form, v, "other"), By: v.Actor()}
	for _, piece := range v.Institute.Money().Pieces() {
		field := fees.CountField(piece.ID)
		typed := strings.TrimSpace(form.Value(field))
		if typed == "" {
			continue
		}
		n, err := strconv.ParseInt(typed, 10, 64)
		if err != nil || strings.Trim(typed, "0123456789") != "" {
			form.Fail(field, "Enter how many there are, in digits")
		}
		order.Pieces = append(order.Pieces, fees.Counted{Piece: piece.ID, Count: n})
	}
	return order
}
