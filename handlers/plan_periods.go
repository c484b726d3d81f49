package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// PeriodWriter adds periods, moves their due dates and removes unused ones.
type PeriodWriter interface {
	Periods(ctx context.Context, institute string) ([]fees.Period, error)
	PlanRows(ctx context.Context, institute, fy string) ([]fees.PlanRow, error)
	BillTotals(ctx context.Context, institute string) ([]fees.BillTotal, error)
	AddPeriod(ctx context.Context, institute, fy, name string, due fees.Date, by fees.Actor) error
	MoveDueDate(ctx context.Context, institute, code string, read, due fees.Date, by fees.Actor) error
	RemovePeriod(ctx context.Context, institute, code string, by fees.Actor) error
}

// PlanPeriods are the periods of a year.
type PlanPeriods struct {
	Ledger PeriodWriter
}

// Get shows the periods of the year fy.
func (h PlanPeriods) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	saved := savedAlert(form, "The periods are saved")
	return h.show(c, http.StatusOK, form, periodsSent{moved: saved})
}

// periodsSent is the form that was refused, and why.
type periodsSent struct {
	adding, moving  *Form
	notAdded, moved *ui.AlertView
}

func (h PlanPeriods) show(c echo.Context, status int, at *Form, sent periodsSent) error {
	ctx, v := c.Request().Context(), VisitorOf(c)
	fy, err := planYear(v, at)
	if err != nil {
		return err
	}
	periods, err := h.Ledger.Periods(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	rows, err := h.Ledger.PlanRows(ctx, v.Institute.Code, fy)
	if err != nil {
		return err
	}
	totals, err := h.Ledger.BillTotals(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	bills := map[string]int64{}
	for _, t := range totals {
		bills[t.Period] = t.Count
	}
	for _, form := range []**Form{&sent.adding, &sent.moving} {
		if *form == nil {
			*form = typedForm(url.Values{})
		}
	}
	years := views.PlanYears(v.Institute, v.Today, periods)
	own := slices.DeleteFunc(periods, func(p fees.Period) bool { return p.FY != fy })
	view := views.PlanPeriodsOf(fy, own, rows, bills, sent.adding, sent.moving)
	view.Nav = views.PlanNavOf(views.TabPeriods, fy, years)
	view.Alert, view.Moved = sent.notAdded, sent.moved
	return renderPart(c, status, "Periods", views.PlanPeriodsPart(view))
}

// Add adds a period.
func (h PlanPeriods) Add(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	fy, name, due := form.Value("fy"), form.Value("name"), fees.Date(form.Value("due_date"))
	return h.answer(c, form, func(ctx context.Context, v Visitor) error {
		return h.Ledger.AddPeriod(ctx, v.Institute.Code, fy, name, due, v.Actor())
	}, func(alert *ui.AlertView) periodsSent { return periodsSent{adding: form, notAdded: alert} })
}

// Move gives a period another due date. The field was is the one that the form
// showed.
func (h PlanPeriods) Move(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	period, was, due := form.Value("period"), fees.Date(form.Value("was")), fees.Date(form.Value("due_date"))
	return h.answer(c, form, func(ctx context.Context, v Visitor) error {
		return h.Ledger.MoveDueDate(ctx, v.Institute.Code, period, was, due, v.Actor())
	}, func(alert *ui.AlertView) periodsSent { return periodsSent{moving: form, moved: alert} })
}

// Remove takes away a period that nothing follows from.
func (h PlanPeriods) Remove(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	period := form.Value("period")
	return h.answer(c, form, func(ctx context.Context, v Visitor) error {
		return h.Ledger.RemovePeriod(ctx, v.Institute.Code, period, v.Actor())
	}, func(alert *ui.AlertView) periodsSent { return periodsSent{moving: form, moved: alert} })
}

func (h PlanPeriods) answer(c echo.Context, form *Form, write func(context.Context, Visitor) error, refused func(*ui.AlertView) periodsSent) error {
	v := VisitorOf(c)
	fy, err := planYear(v, form)
	if err != nil {
		return err
	}
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := write(ctx, v)
		if err == nil {
			return SeeOther(c, savedAt(views.PlanHref(views.TabPeriods, fy)))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	return h.show(c, StatusOf(refusal.Code), form, refused(&ui.AlertView{Kind: "error", Title: refusal.Message}))
}
