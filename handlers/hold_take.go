package handlers

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// HoldKeeper keeps students for the counter that collects from them.
type HoldKeeper interface {
	TakeHold(ctx context.Context, institute, student string, by fees.Actor, token, form string) (fees.Hold, error)
	RenewHold(ctx context.Context, institute, student string, by fees.Actor, token string) (fees.Hold, error)
	ReleaseHold(ctx context.Context, institute, student, token string) error
	LiveHold(ctx context.Context, institute, student string) (h fees.Hold, ok bool, err error)
}

// takeHolds holds all of the students for the page at page that token names, and
// the form on it. Of
// a student whom somebody else has it says so, and then holds none. A page that
// comes back is no second page.
//
// A store that cannot be asked stands in nobody's way: the page then collects as
// if it had the hold.
func takeHolds(c echo.Context, ledger HoldKeeper, students []fees.Student, page, token, form string, back bool) views.Hold {
	v, ctx := VisitorOf(c), c.Request().Context()
	kept := views.HoldKept(v.Institute, page, token, time.Time{})
	for n, st := range students {
		held, err := ledger.TakeHold(ctx, v.Institute.Code, st.AdmissionNo, v.Actor(), token, form)
		switch {
		case fees.CodeOf(err) == fees.Conflict:
			releaseHolds(ctx, c, ledger, numbersOf(students[:n]), token)
			return views.HoldOfOther(v.Institute, page, st.Name, held)
		case err != nil:
			c.Set(causeKey, err)
		case !held.TakenFrom.IsZero() && !back:
			kept = views.HoldKept(v.Institute, page, token, held.TakenFrom)
		}
	}
	return kept
}

// ownPage says whether a page is opened from one that has, or had, its students:
// from a form that was shown before, or by a link of theirs.
func ownPage(query *Form) bool {
	return query.Value("payment_id") != "" || fees.ValidID(query.Value("hold"))
}

// releaseHolds gives students back, as far as that can be done: what is not
// given back runs out.
func releaseHolds(ctx context.Context, c echo.Context, ledger HoldKeeper, students []string, token string) {
	if !fees.ValidID(token) {
		return
	}
	for _, student := range students {
		if err := ledger.ReleaseHold(ctx, VisitorOf(c).Institute.Code, student, token); err != nil {
			c.Set(causeKey, err)
		}
	}
}

// heldByOther is the student, of those given, from whom somebody else collects
// while the form that was sent never held them; nil where there is none. A form
// that did has money in hand, which is recorded whoever was faster.
func heldByOther(ctx context.Context, c echo.Context, ledger HoldKeeper, students []string, token string) (student string, other *fees.Hold) {
	if fees.ValidID(token) {
		return "", nil
	}
	v := VisitorOf(c)
	for _, typed := range students {
		number, wrong := fees.NormalAdmissionNo(typed)
		if wrong != nil {
			continue
		}
		held, ok, err := ledger.LiveHold(ctx, v.Institute.Code, number)
		if err != nil {
			c.Set(causeKey, err)
		}
		if ok && held.Holder != v.User.Login {
			return number, &held
		}
	}
	return "", nil
}

// numbersOf are the admission numbers of students.
func numbersOf(students []fees.Student) []string {
	numbers := make([]string, len(students))
	for i, st := range students {
		numbers[i] = st.AdmissionNo
	}
	return numbers
}
