package handlers

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// lapse is what became of a form whose hold is no longer its page's.
type lapse struct {
	raced bool          // the hold ran out, and others collect, or have since the form was opened
	own   *views.Notice // the same person collects, or has collected, from another page: ask before it is paid twice
}

// LapseReader tells what became of a form's hold.
type LapseReader interface {
	HoldKeeper
	StudentRows(ctx context.Context, institute, student string) ([]fees.Row, error)
}

// lapsed looks at the hold of the form orderID, that token names. A form without
// one, as scripts send it, never had a hold that could run out. What cannot be
// read now stands in nobody's way.
func lapsed(ctx context.Context, c echo.Context, ledger LapseReader, students []string, orderID, token string) lapse {
	var l lapse
	if !fees.ValidID(token) {
		return l
	}
	v := VisitorOf(c)
	for _, typed := range students {
		number, wrong := fees.NormalAdmissionNo(typed)
		if wrong != nil {
			continue
		}
		held, ok, err := ledger.LiveHold(ctx, v.Institute.Code, number)
		switch {
		case err != nil:
			c.Set(causeKey, err)
			continue
		case ok && (held.Token == token || held.Form == orderID): // a page loaded anew has the same form
			continue
		case ok && held.Holder == v.User.Login:
			l.own = views.OtherPageOpen(v.Institute, held)
			return l
		}
		l.raced = l.raced || ok // they may record at this very moment
		rows, err := ledger.StudentRows(ctx, v.Institute.Code, number)
		if err != nil {
			c.Set(causeKey, err)
			l.raced = true
			continue
		}
		begun := time.UnixMilli(fees.MintedAt(orderID))
		for _, r := range rows {
			switch {
			case r.RecordedAt.Before(begun) || r.ShortID() == orderID || r.Family == orderID:
			case r.Kind == fees.KindPayment && r.Cashier == v.User.Login && r.ReversedBy == "":
				l.own = views.OtherPagePaid(v.Institute, r)
				return l
			default:
				l.raced = true
			}
		}
	}
	return l
}
