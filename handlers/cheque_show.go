package handlers

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// ChequeShow is one cheque.
type ChequeShow struct {
	Ledger ChequeMover
}

// Get shows where the cheque is, how it came there and what may be done with it.
func (h ChequeShow) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, query, nil)
}

// Bounce notes that the bank returned the cheque, with all that this brings, and
// leads back to it; a second time it leads there as well.
func (h ChequeShow) Bounce(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order := fees.BounceOrder{
		Cheque: c.Param("id"), Reason: form.Value("reason"), Day: fees.Date(strings.TrimSpace(form.Value("day"))), By: v.Actor(),
	}
	if typed := strings.TrimSpace(form.Value("charge")); typed != "" {
		charge, wrong := v.Institute.Money().Parse(typed)
		if wrong != nil {
			form.Fail("charge", wrong.Message)
		}
		order.Charge = charge
	}
	if refusal := form.Err(); refusal != nil {
		form.FailAll(order.Check(v.Today))
		return h.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.BounceCheque(ctx, v.Institute.Code, order); err != nil {
		return h.refuse(c, form, err)
	}
	return SeeOther(c, views.ChequeHref(order.Cheque))
}

// Slip shows a deposit slip.
func (h ChequeShow) Slip(c echo.Context) error {
	v := VisitorOf(c)
	all, err := h.Ledger.DepositedCheques(c.Request().Context(), v.Institute.Code, c.Param("id"))
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fees.Errorf(fees.NotFound, "There is no such deposit slip.")
	}
	slip := views.DepositSlipOf(v.Institute, v.Today, all)
	return renderPart(c, http.StatusOK, "Deposit slip "+slip.Number, views.DepositSlipPart(slip))
}

func (h ChequeShow) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	if unshown := h.show(c, StatusOf(refusal.Code), form, &ui.AlertView{Kind: "error", Title: refusal.Message}); unshown != nil {
		return err // which says what became of the cheque
	}
	return nil
}

func (h ChequeShow) show(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	v := VisitorOf(c)
	cheque, err := h.Ledger.Cheque(c.Request().Context(), v.Institute.Code, c.Param("id"))
	if err != nil {
		return err
	}
	view := views.ChequePageOf(v.Institute, v.Today, form, cheque, v.User.Role.May(fees.PermCheques), v.User.Role.May(fees.PermCollect))
	view.Alert = alert
	if view.Bounce != nil {
		view.Bounce.Open = alert != nil
	}
	return renderPart(c, status, cheque.Name(), views.ChequePart(view))
}
