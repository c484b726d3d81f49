package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// HoldKeep keeps the student of a counter's page while it is open.
type HoldKeep struct {
	Ledger interface {
		HoldKeeper
		StudentReader
	}
}

// Post renews the hold of the page, or tells a page that waits that the student
// is free; 204 where nothing has changed.
func (h HoldKeep) Post(c echo.Context) error {
	st, err := h.student(c)
	if err != nil {
		return err
	}
	return keepHolds(c, h.Ledger, []fees.Student{st}, views.CollectHref(st.AdmissionNo))
}

// Release gives the student back.
func (h HoldKeep) Release(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	student, err := h.student(c)
	if err != nil {
		return err
	}
	releaseHolds(c.Request().Context(), c, h.Ledger, []string{student.AdmissionNo}, form.Value("hold"))
	return c.NoContent(http.StatusNoContent)
}

func (h HoldKeep) student(c echo.Context) (fees.Student, error) {
	number, wrong := fees.NormalAdmissionNo(c.Param("student"))
	if wrong != nil {
		return fees.Student{}, fees.Errorf(fees.NotFound, "There is no student with this admission number.")
	}
	return h.Ledger.Student(c.Request().Context(), VisitorOf(c).Institute.Code, number)
}

// keepHolds answers a page at page that asks after the students it holds, or
// waits for. Whatever fails is left to the next time it asks.
func keepHolds(c echo.Context, ledger HoldKeeper, students []fees.Student, page string) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	if !IsHTMX(c) {
		return SeeOther(c, page)
	}
	v, ctx, token := VisitorOf(c), c.Request().Context(), form.Value("hold")
	if !fees.ValidID(token) {
		return awaitHolds(ctx, c, ledger, students, page, form.Value("since"), form.Value("until"))
	}
	for _, st := range students {
		held, err := ledger.RenewHold(ctx, v.Institute.Code, st.AdmissionNo, v.Actor(), token)
		switch {
		case fees.CodeOf(err) == fees.Conflict:
			return Render(c, http.StatusOK, views.HoldPart(views.HoldLost(v.Institute, page, held, v.User.Login)))
		case err != nil:
			c.Set(causeKey, err)
		}
	}
	return c.NoContent(http.StatusNoContent)
}

// awaitHolds tells a page that waits when there is something new.
func awaitHolds(ctx context.Context, c echo.Context, ledger HoldKeeper, students []fees.Student, page, since, until string) error {
	v := VisitorOf(c)
	for _, st := range students {
		other, ok, err := ledger.LiveHold(ctx, v.Institute.Code, st.AdmissionNo)
		ok = ok && other.Holder != v.User.Login
		switch {
		case err != nil:
			c.Set(causeKey, err)
			return c.NoContent(http.StatusNoContent)
		case ok && views.SameHold(other, since, until):
			return c.NoContent(http.StatusNoContent)
		case ok:
			return Render(c, http.StatusOK, views.HoldPart(views.HoldOfOther(v.Institute, page, st.Name, other)))
		}
	}
	return Render(c, http.StatusOK, views.HoldPart(views.HoldFree(page)))
}
