package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// PlanCopier copies plans.
type PlanCopier interface {
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	PreviewCopy(ctx context.Context, institute string, o fees.CopyOrder) (fees.PlanCopy, error)
	CopyPlan(ctx context.Context, institute string, o fees.CopyOrder, by fees.Actor) (fees.PlanCopy, error)
}

// PlanCopy copies a year's plan to a later one.
type PlanCopy struct {
	Ledger PlanCopier
}

// Get shows the empty form.
func (h PlanCopy) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	fy, err := planYear(v, form)
	if err != nil {
		return err
	}
	// The year after, as PlanYears has it for a day within fy.
	_, last, _ := fees.FYRange(fy, v.Institute.FYStart)
	return h.show(c, http.StatusOK, typedForm(url.Values{"from_fy": {fy}, "to_fy": {v.Institute.FY(last.AddDays(1))}, "change": {"0"}}), nil, nil)
}

func (h PlanCopy) show(c echo.Context, status int, form *Form, preview *views.PlanCopyPreview, alert *ui.AlertView) error {
	view := views.PlanCopyOf(form)
	view.Nav = views.PlanNavOf(views.TabCopy, form.Value("from_fy"), nil)
	view.Preview, view.Alert = preview, alert
	return renderPart(c, status, "Copy a year's plan", views.PlanCopyPart(view))
}

// Preview shows what a copy would write.
func (h PlanCopy) Preview(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	o := copyOrder(form)
	if refusal := form.Err(); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	return h.preview(c, http.StatusOK, form, o, nil)
}

func (h PlanCopy) preview(c echo.Context, status int, form *Form, o fees.CopyOrder, alert *ui.AlertView) error {
	ctx, inst := c.Request().Context(), VisitorOf(c).Institute
	copied, err := h.Ledger.PreviewCopy(ctx, inst.Code, o)
	if err != nil {
		return h.refuse(c, form, err)
	}
	heads, err := h.Ledger.Heads(ctx, inst.Code)
	if err != nil {
		return err
	}
	return h.show(c, status, form, views.PlanCopyPreviewOf(inst, o, heads, copied), alert)
}

// Post copies what was previewed, and leads to the new year's plan. The same
// form again copies nothing more; where the plan is another one by now, its
// preview comes first.
func (h PlanCopy) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	o := copyOrder(form)
	o.Version = form.Value("version")
	if refusal := form.Err(); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	v := VisitorOf(c)
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	copied, err := h.Ledger.CopyPlan(ctx, v.Institute.Code, o, v.Actor())
	if fees.CodeOf(err) == fees.Conflict {
		refusal := refusalIn(c, err)
		return h.preview(c, StatusOf(refusal.Code), form, o, &ui.AlertView{Kind: "warning", Title: refusal.Message})
	}
	if err != nil {
		return h.refuse(c, form, err)
	}
	href := views.PlanHref(views.TabPlan, o.To)
	if len(copied.Rows)+len(copied.Periods) == 0 { // which may be the work of somebody else, with another percentage
		return SeeOther(c, href+"&kept=1")
	}
	return SeeOther(c, savedAt(href))
}

func (h PlanCopy) refuse(c echo.Context, form *Form, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	return h.show(c, StatusOf(refusal.Code), form, nil, &ui.AlertView{Kind: "error", Title: refusal.Message})
}

func copyOrder(form *Form) fees.CopyOrder {
	o := fees.CopyOrder{From: strings.TrimSpace(form.Value("from_fy")), To: strings.TrimSpace(form.Value("to_fy"))}
	typed := strings.TrimSpace(form.Value("change"))
	digits, less := strings.CutPrefix(typed, "-")
	if !less {
		digits = strings.TrimPrefix(typed, "+")
	}
	change, wrong := fees.ParsePercent(digits)
	if wrong != nil {
		form.Fail("change", wrong.Message)
	}
	if o.Change = change; less {
		o.Change = -change
	}
	return o
}
