package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// HeadWriter adds, renames and orders fee heads.
type HeadWriter interface {
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	AddHead(ctx context.Context, institute, name string, refundable bool, by fees.Actor) error
	SaveHeads(ctx context.Context, institute string, list []fees.Head, version string, by fees.Actor) error
}

// PlanHeads are the fee heads.
type PlanHeads struct {
	Ledger HeadWriter
}

// headsSent is the form that was refused, and why.
type headsSent struct {
	saving, adding  *Form
	saved, notAdded *ui.AlertView
}

// Get shows the heads.
func (h PlanHeads) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	saved := savedAlert(form, "The heads are saved")
	return h.show(c, http.StatusOK, headsSent{saved: saved})
}

func (h PlanHeads) show(c echo.Context, status int, sent headsSent) error {
	all, err := h.Ledger.Heads(c.Request().Context(), VisitorOf(c).Institute.Code)
	if err != nil {
		return err
	}
	list, version := views.HeadsTyped(all), fees.HeadsVersion(all)
	if sent.saving != nil {
		list, version = typedHeads(sent.saving), sent.saving.Value("version")
	} else {
		sent.saving = typedForm(url.Values{})
	}
	if sent.adding == nil {
		sent.adding = typedForm(url.Values{})
	}
	view := views.PlanHeadsOf(list, version, sent.saving, sent.adding)
	view.Nav = views.PlanNavOf(views.TabHeads, "", nil)
	view.Saved, view.Alert = sent.saved, sent.notAdded
	return renderPart(c, status, "Fee heads", views.PlanHeadsPart(view))
}

// typedHeads is the list as it was sent, as far as its parts fit together.
func typedHeads(form *Form) []views.HeadTyped {
	codes, names, orders, back := form.Values("code"), form.Values("head_name"), form.Values("order"), form.Values("refundable")
	list := make([]views.HeadTyped, min(len(codes), len(names), len(orders)))
	for i := range list {
		list[i] = views.HeadTyped{Code: codes[i], Name: names[i], Order: orders[i], Refundable: slices.Contains(back, codes[i])}
	}
	return list
}

// Save renames and orders the heads.
func (h PlanHeads) Save(c echo.Context) error {
	form, err := readForm(c, maxTableValues)
	if err != nil {
		return err
	}
	var list []fees.Head
	for i, typed := range typedHeads(form) {
		order, err := strconv.ParseInt(strings.TrimSpace(typed.Order), 10, 16)
		if err != nil {
			form.Fail(views.FieldKey("order", i), "Enter a number")
		}
		list = append(list, fees.Head{Code: typed.Code, Name: typed.Name, Order: order, Refundable: typed.Refundable})
	}
	version := form.Value("version")
	return h.answer(c, form, func(ctx context.Context, v Visitor) error {
		return h.Ledger.SaveHeads(ctx, v.Institute.Code, list, version, v.Actor())
	}, func(alert *ui.AlertView) headsSent { return headsSent{saving: form, saved: alert} })
}

// Add adds a head.
func (h PlanHeads) Add(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	name, refundable := form.Value("name"), form.Value("refundable") != ""
	return h.answer(c, form, func(ctx context.Context, v Visitor) error {
		return h.Ledger.AddHead(ctx, v.Institute.Code, name, refundable, v.Actor())
	}, func(alert *ui.AlertView) headsSent { return headsSent{adding: form, notAdded: alert} })
}

func (h PlanHeads) answer(c echo.Context, form *Form, write func(context.Context, Visitor) error, refused func(*ui.AlertView) headsSent) error {
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := write(ctx, VisitorOf(c))
		if err == nil {
			return SeeOther(c, savedAt("/plan/heads"))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	return h.show(c, StatusOf(refusal.Code), refused(&ui.AlertView{Kind: "error", Title: refusal.Message}))
}
