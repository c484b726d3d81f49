package handlers

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// shiftsBefore is how many earlier tills the own page shows.
const shiftsBefore = 10

// ownSent is what was sent from the page of the own till, by the form it came
// from; the other forms are empty.
type ownSent struct {
	open, drop, close views.Typed
	alert             *ui.AlertView
	link              *views.Link
}

// Own shows the visitor's till: what went through it, or the form that opens
// one. Who collects nothing sees everybody's.
func (h Tills) Own(c echo.Context) error {
	if !VisitorOf(c).User.Role.May(fees.PermCollect) {
		return h.List(c)
	}
	return h.showOwn(c, http.StatusOK, ownSent{})
}

func (h Tills) showOwn(c echo.Context, status int, sent ownSent) error {
	v, ctx := VisitorOf(c), c.Request().Context()
	typed := func(t views.Typed) views.Typed {
		if t == nil {
			return typedForm(url.Values{})
		}
		return t
	}
	view := views.OwnTill{Alert: sent.alert, Link: sent.link, All: v.User.Role.May(fees.PermTills)}
	shift, open, err := h.Ledger.ShiftOf(ctx, v.Institute.Code, v.User.Login)
	if err != nil {
		return err
	}
	if open {
		sums, err := h.Ledger.ShiftSums(ctx, shift)
		if err != nil {
			return err
		}
		elsewhere, err := h.Ledger.ShiftElsewhere(ctx, shift)
		if err != nil {
			return err
		}
		shown := views.ShiftOf(v.Institute, shift, sums, elsewhere)
		view.Shift = &shown
		if shift.State == fees.ShiftOpen {
			view.Drop = views.DropTillOf(v.Institute, shift, h.NewID(), typed(sent.drop))
			if form, ok := sent.drop.(*Form); ok && fees.ValidID(form.Value("drop_id")) {
				view.Drop.ID = form.Value("drop_id")
			}
		}
		view.Close = views.CloseTillOf(v.Institute, shift, shift.Expected(sums.Cash), true, typed(sent.close))
	} else {
		id := h.NewID()
		if form, ok := sent.open.(*Form); ok && fees.ValidID(form.Value("shift")) {
			id = form.Value("shift")
		}
		view.Open = views.OpenTillOf(v.Institute, id, typed(sent.open))
	}
	before, err := h.Ledger.Shifts(ctx, v.Institute.Code, v.User.Login, "", shiftsBefore)
	if err != nil {
		return err
	}
	for _, s := range before.Items {
		if s.State == fees.ShiftClosed {
			view.Rows = append(view.Rows, views.ShiftRowOf(v.Institute, s, 0))
		}
	}
	return renderPart(c, status, "Your till", views.OwnTillPart(view))
}

// refuseOwn shows the own till again and why; other errors have pages of their
// own. While the store cannot be read it is the error that says what became of
// what was sent.
func (h Tills) refuseOwn(c echo.Context, err error, sent ownSent) error {
	why := refusalIn(c, err)
	if why == nil {
		return err
	}
	for _, t := range []views.Typed{sent.open, sent.drop, sent.close} {
		if form, ok := t.(*Form); ok {
			form.FailAll(why)
		}
	}
	sent.alert = &ui.AlertView{Kind: "error", Title: why.Message}
	if unshown := h.showOwn(c, StatusOf(why.Code), sent); unshown != nil {
		return err
	}
	return nil
}
