package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// StudentConcessionsReader reads a student's concessions.
type StudentConcessionsReader interface {
	StudentReader
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	Periods(ctx context.Context, institute string) ([]fees.Period, error)
	ConcessionsOf(ctx context.Context, institute, student string) ([]fees.Concession, error)
	ConcessionFindings(ctx context.Context, inst fees.Institute, student fees.Student, fy string, own []fees.Concession) ([]fees.PlanFinding, error)
}

// ConcessionShow are the concessions of a student.
type ConcessionShow struct {
	Ledger StudentConcessionsReader
}

// Get shows them, with the form of a new one, or of the grant that head and at
// name.
func (h ConcessionShow) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	return h.show(c, http.StatusOK, nil, form, savedAlert(form, "The concession is saved"))
}

// show renders the page; typed is the form that was refused, nil for none.
func (h ConcessionShow) show(c echo.Context, status int, typed, at *Form, alert *ui.AlertView) error {
	ctx, v := c.Request().Context(), VisitorOf(c)
	student, err := studentAt(c, h.Ledger)
	if err != nil {
		return err
	}
	heads, err := h.Ledger.Heads(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	periods, err := h.Ledger.Periods(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	own, err := h.Ledger.ConcessionsOf(ctx, v.Institute.Code, student.AdmissionNo)
	if err != nil {
		return err
	}
	found, err := h.Ledger.ConcessionFindings(ctx, v.Institute, student, v.Institute.FY(v.Today), own)
	if err != nil {
		return err
	}
	if typed == nil {
		typed = typedForm(grantTyped(v.Institute.Money(), own, at.Value("head"), at.Value("at")))
	}
	view := views.StudentConcessionsOf(v.Institute, student, own, heads, periods, typed)
	view.Findings, view.Alert = views.FindingsOf(found), alert
	view.May = v.User.Role.May(fees.PermSettings)
	return renderPart(c, status, "Concessions", views.StudentConcessionsPart(view))
}

// grantTyped is the grant that head and at name as if it had been typed; that
// of a new one where there is none.
func grantTyped(money fees.Currency, own []fees.Concession, head, at string) url.Values {
	i, err := strconv.Atoi(at)
	on := slices.IndexFunc(own, func(c fees.Concession) bool { return c.Head == head })
	if err != nil || on < 0 || i < 0 || i >= len(own[on].Grants) {
		return url.Values{}
	}
	g := own[on].Grants[i]
	value := g.Percent.String()
	if g.Kind == fees.ConcessionAmount {
		value = money.Plain(g.Amount)
	}
	return url.Values{
		"at": {at}, "version": {strconv.FormatInt(own[on].Version, 10)}, "head": {head}, "kind": {string(g.Kind)}, "value": {value},
		"from": {g.From}, "to": {g.To}, "reason": {g.Reason}, "approver": {g.Approver},
	}
}
