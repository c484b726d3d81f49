package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// RefundReader reads refunds.
type RefundReader interface {
	Refund(ctx context.Context, institute, id string) (fees.Refund, error)
	Refunds(ctx context.Context, institute string, state fees.RefundState, after string, limit int64) (fees.Page[fees.Refund], error)
}

// RefundsList is the list of refunds.
type RefundsList struct {
	Ledger RefundReader
}

const refundsPage = 50

// Get shows a page of the refunds of a state, those that are asked for unless
// the query says another.
func (h RefundsList) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	state := fees.RefundState(strings.TrimSpace(query.Value("state")))
	if state == "" {
		state = fees.RefundRequested
	}
	if state.Title() == "" {
		return fees.Errorf(fees.Invalid, "There is no such state of a refund. Open the refunds again.")
	}
	v, after := VisitorOf(c), query.Value("after")
	page, err := h.Ledger.Refunds(c.Request().Context(), v.Institute.Code, state, after, refundsPage)
	if err != nil {
		return err
	}
	view := views.RefundsOf(v.Institute, state, page.Items)
	list := "/refunds?state=" + string(state)
	if after != "" {
		view.Pager.First = list
	}
	if page.Next != "" {
		view.Pager.Next = list + "&after=" + page.Next
	}
	return renderPart(c, http.StatusOK, "Refunds", views.RefundsPart(view))
}

// RefundDecider approves refunds and refuses them.
type RefundDecider interface {
	RefundReader
	DecideRefund(ctx context.Context, institute string, d fees.RefundDecision) (fees.Refund, error)
}

// RefundShow is one refund, and the decision on it.
type RefundShow struct {
	Ledger RefundDecider
}

// Get shows a refund.
func (h RefundShow) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, query, nil)
}

// Approve approves a refund, writes its voucher and leads back to it; a second
// time it leads there as well.
func (h RefundShow) Approve(c echo.Context) error { return h.decide(c, true) }

// Refuse refuses a refund and leads back to it.
func (h RefundShow) Refuse(c echo.Context) error { return h.decide(c, false) }

func (h RefundShow) decide(c echo.Context, approve bool) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	decision := fees.RefundDecision{ID: c.Param("id"), Approve: approve, Why: form.Value("why"), By: v.Actor()}
	if refusal := form.Err(); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.DecideRefund(ctx, v.Institute.Code, decision); err != nil {
		return h.refuse(c, form, err)
	}
	return SeeOther(c, views.RefundHref(decision.ID))
}

func (h RefundShow) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	if unshown := h.show(c, StatusOf(refusal.Code), form, &ui.AlertView{Kind: "error", Title: refusal.Message}); unshown != nil {
		return err // which says what became of the refund
	}
	return nil
}

func (h RefundShow) show(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	v := VisitorOf(c)
	r, err := h.Ledger.Refund(c.Request().Context(), v.Institute.Code, c.Param("id"))
	if err != nil {
		return err
	}
	view := views.RefundOf(v.Institute, form, r, v.Actor())
	view.Alert = alert
	return renderPart(c, status, "Refund to "+r.StudentName, views.RefundPart(view))
}
