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

// ChargePlacer places one-off charges.
type ChargePlacer interface {
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	Classes(ctx context.Context, institute string) ([]string, error)
	Charges(ctx context.Context, institute string, limit int64) ([]fees.Charge, error)
	PreviewCharge(ctx context.Context, institute string, o fees.ChargeOrder) (fees.ChargePreview, error)
	PlaceCharge(ctx context.Context, institute string, o fees.ChargeOrder) (fees.Charge, error)
}

// Charges places one-off charges.
type Charges struct {
	Ledger ChargePlacer
	NewID  func() string // ULIDs
}

const recentCharges = 20

// Get shows the form and what was placed before. The query may name a student.
func (h Charges) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, form, nil)
}

// Preview shows whom a charge would be for, and what it comes to. It writes
// nothing. The charge's id is minted here, so that the form that places it can
// be sent twice and charges once.
func (h Charges) Preview(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	order := readCharge(form, VisitorOf(c))
	if refusal := form.refuses("Nothing was charged.", nil); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	inst := VisitorOf(c).Institute
	preview, err := h.Ledger.PreviewCharge(c.Request().Context(), inst.Code, order)
	if err != nil {
		return h.refuse(c, form, err)
	}
	view := views.ChargePreviewOf(inst, preview, h.NewID())
	return renderPart(c, http.StatusOK, "One-off charge", views.ChargePreviewPart(view))
}

// Post places the charge and leads to the list with it on top; the same
// charge_id again leads there too.
func (h Charges) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	order := readCharge(form, VisitorOf(c))
	if refusal := form.refuses("Nothing was charged.", nil); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.PlaceCharge(ctx, VisitorOf(c).Institute.Code, order); err != nil {
		return h.refuse(c, form, err)
	}
	return SeeOther(c, views.ChargesHref(""))
}

// readCharge parses what can be parsed and notes the rest as problems of the
// form.
func readCharge(form *Form, v Visitor) fees.ChargeOrder {
	order := fees.ChargeOrder{
		ID: form.Value("charge_id"), Title: form.Value("title"), Head: form.Value("head"),
		DueDate: fees.Date(strings.TrimSpace(form.Value("due_date"))),
		Class:   form.Value("class"), Student: form.Value("student"), By: v.Actor(),
	}
	var wrong *fees.Error
	if order.Amount, wrong = v.Institute.Money().Parse(form.Value("amount")); wrong != nil {
		form.Fail("amount", wrong.Message)
		order.Amount = 1 // so that the check finds what else is wrong
		form.FailAll(order.Check(v.Institute.ClosedTo))
	}
	return order
}

// refuse shows the form again and why; other errors have pages of their own.
func (h Charges) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	if unshown := h.show(c, StatusOf(refusal.Code), form, &ui.AlertView{Kind: "error", Title: refusal.Message}); unshown != nil {
		return err // which says what became of the charge
	}
	return nil
}

func (h Charges) show(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	ctx, inst := c.Request().Context(), VisitorOf(c).Institute
	heads, err := h.Ledger.Heads(ctx, inst.Code)
	if err != nil {
		return err
	}
	classes, err := h.Ledger.Classes(ctx, inst.Code)
	if err != nil {
		return err
	}
	placed, err := h.Ledger.Charges(ctx, inst.Code, recentCharges)
	if err != nil {
		return err
	}
	view := views.ChargesOf(inst, form, heads, classes, placed)
	view.Alert = alert
	return renderPart(c, status, "One-off charges", views.ChargesPart(view))
}
