package handlers

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// PlanReader reads a fee plan.
type PlanReader interface {
	Periods(ctx context.Context, institute string) ([]fees.Period, error)
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	Classes(ctx context.Context, institute string) ([]string, error)
	PlanRows(ctx context.Context, institute, fy string) ([]fees.PlanRow, error)
	PeriodBilled(ctx context.Context, institute, period string) (bool, error)
}

// PlanShow is the plan of a period as a table.
type PlanShow struct {
	Ledger PlanReader
}

// planSent is a form of the page that was refused, and why; the other is shown
// as it is at first.
type planSent struct {
	saving             *Form
	splitting          *Form
	notSaved, notSplit *ui.AlertView
}

// Get shows the plan of the period, of a period of the year fy, or of the next
// that is due. The field add names a head to add a column for.
func (h PlanShow) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	saved := savedAlert(form, "The plan is saved")
	if form.Value("kept") != "" {
		saved = &ui.AlertView{Kind: "info", Title: "Nothing was left to copy", Text: "This plan was there and stays as it is."}
	}
	return h.show(c, http.StatusOK, form, planSent{notSaved: saved})
}

func (h PlanShow) show(c echo.Context, status int, at *Form, sent planSent) error {
	ctx, v := c.Request().Context(), VisitorOf(c)
	periods, err := h.Ledger.Periods(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	heads, err := h.Ledger.Heads(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	fy, period, err := planPlace(v, at, periods)
	if err != nil {
		return err
	}
	view := views.Plan{
		Nav:    views.PlanNavOf(views.TabPlan, fy, views.PlanYears(v.Institute, v.Today, periods)),
		Alert:  sent.notSaved,
		Period: period.Code, Due: views.Day(period.DueDate), Symbol: views.Symbol(v.Institute.Money()),
	}
	own := slices.DeleteFunc(periods, func(p fees.Period) bool { return p.FY != fy })
	for _, p := range own {
		view.Periods = append(view.Periods, views.NavItem{Href: views.PlanPeriodHref(p.Code), Label: p.Code, Current: p.Code == period.Code})
	}
	if period.Code == "" || len(heads) == 0 {
		view.Alert = cmp.Or(sent.notSaved, sent.notSplit)
		view.Empty = &ui.EmptyView{Title: "There is no plan of " + fy + " yet", Hint: "A plan has periods with due dates, and heads that are charged. Add both, or import them with a file."}
		return renderPart(c, status, "Fee plan", views.PlanPart(view))
	}
	if err := h.fill(c, &view, own, heads, at, sent); err != nil {
		return err
	}
	return renderPart(c, status, "Fee plan", views.PlanPart(view))
}

// fill adds the table, what is odd about it, and the form that splits an
// amount.
func (h PlanShow) fill(c echo.Context, view *views.Plan, own []fees.Period, heads []fees.Head, at *Form, sent planSent) error {
	ctx, inst := c.Request().Context(), VisitorOf(c).Institute
	fy := own[0].FY
	rows, err := h.Ledger.PlanRows(ctx, inst.Code, fy)
	if err != nil {
		return err
	}
	classes, err := h.Ledger.Classes(ctx, inst.Code)
	if err != nil {
		return err
	}
	if view.Billed, err = h.Ledger.PeriodBilled(ctx, inst.Code, view.Period); err != nil {
		return err
	}
	view.Found(fees.CheckPlan(rows, own, classes))
	if sent.saving != nil {
		view.Table(typedGrid(sent.saving), heads, sent.saving)
	} else {
		columns := views.PlanColumns(heads, rows, at.Value("add"))
		of := slices.DeleteFunc(rows, func(r fees.PlanRow) bool { return r.Period != view.Period })
		view.Table(views.GridOf(inst.Money(), columns, view.Period, of), heads, typedForm(url.Values{}))
	}
	split, chosen := sent.splitting, func(string) bool { return true }
	if split != nil {
		chosen = func(code string) bool { return slices.Contains(split.Values("periods"), code) }
	} else {
		split = typedForm(url.Values{"class": {fees.Any}, "category": {fees.Any}})
	}
	view.Split = views.PlanSplitOf(split, fy, heads, own, chosen)
	view.Split.Alert, view.Split.Open = sent.notSplit, sent.notSplit != nil
	return nil
}

// planPlace is the year and period that the address names, the period zero
// where the year has none. Without a name it is the period that is due next, or
// the year's last.
func planPlace(v Visitor, at *Form, periods []fees.Period) (fy string, period fees.Period, err error) {
	if code := at.Value("period"); code != "" {
		i := slices.IndexFunc(periods, func(p fees.Period) bool { return p.Code == code })
		if i < 0 {
			return "", period, fees.Errorf(fees.NotFound, "There is no period %.40s.", code)
		}
		return periods[i].FY, periods[i], nil
	}
	if fy, err = planYear(v, at); err != nil {
		return "", period, err
	}
	for _, p := range periods {
		if p.FY != fy {
			continue
		}
		if period = p; p.DueDate >= v.Today {
			break
		}
	}
	return fy, period, nil
}

// planYear is the year that a form or address names, this year without.
func planYear(v Visitor, at *Form) (string, error) {
	fy := at.Value("fy")
	if fy == "" {
		return v.Institute.FY(v.Today), nil
	}
	if _, _, bad := fees.FYRange(fy, v.Institute.FYStart); bad != nil {
		return "", fees.Errorf(fees.Invalid, "%s.", bad.Message)
	}
	return fy, nil
}

// savedAt is the address of a page that says that it was saved.
func savedAt(href string) string {
	if strings.Contains(href, "?") {
		return href + "&saved=1"
	}
	return href + "?saved=1"
}

// savedAlert is what such a page says, nil on any other.
func savedAlert(at *Form, says string) *ui.AlertView {
	if at.Value("saved") == "" {
		return nil
	}
	return &ui.AlertView{Kind: "success", Title: says}
}
