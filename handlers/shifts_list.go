package handlers

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/print"
	"raseed/views/ui"
)

// shiftsPage is how many tills a page of the list has.
const shiftsPage = 50

// List shows the tills of the institute: those that are open, and all, the
// newest first; with a cashier in the query only theirs.
func (h Tills) List(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v, ctx := VisitorOf(c), c.Request().Context()
	cashier, after := strings.TrimSpace(query.Value("cashier")), query.Value("after")
	if refusal := query.Err(); refusal != nil {
		return refusal
	}
	view := views.Tills{Symbol: views.Symbol(v.Institute.Money()), Of: cashier}
	row := func(s fees.Shift) (views.ShiftRow, error) {
		var cash fees.Amount
		if s.State != fees.ShiftClosed {
			var err error
			if cash, err = h.Ledger.ShiftCash(ctx, v.Institute.Code, s.ShortID()); err != nil {
				return views.ShiftRow{}, err
			}
		}
		return views.ShiftRowOf(v.Institute, s, cash), nil
	}
	if cashier == "" && after == "" {
		open, err := h.Ledger.OpenShifts(ctx, v.Institute.Code)
		if err != nil {
			return err
		}
		for _, s := range open {
			r, err := row(s)
			if err != nil {
				return err
			}
			view.Open = append(view.Open, r)
		}
	}
	page, err := h.Ledger.Shifts(ctx, v.Institute.Code, cashier, after, shiftsPage)
	if err != nil {
		return err
	}
	for _, s := range page.Items {
		r, err := row(s)
		if err != nil {
			return err
		}
		view.Rows = append(view.Rows, r)
	}
	href := func(key string) string {
		values := url.Values{}
		for name, value := range map[string]string{"cashier": cashier, "after": key} {
			if value != "" {
				values.Set(name, value)
			}
		}
		return "/tills?" + values.Encode()
	}
	if page.Next != "" {
		view.Pager.Next = href(page.Next)
	}
	if after != "" {
		view.Pager.First = href("")
	}
	return renderPart(c, http.StatusOK, "Tills", views.TillsPart(view))
}

// Show shows one till: one's own, or for those who may see them all, any.
func (h Tills) Show(c echo.Context) error { return h.showOne(c, http.StatusOK, nil, nil) }

// Print is the handover slip of a till that is closed; Conflict before that.
func (h Tills) Print(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	format := print.A5
	if asked := query.Value("format"); asked != "" {
		format = print.Format(asked)
	}
	if query.Err() != nil || format != print.A5 && format != print.Thermal {
		return fees.Errorf(fees.Invalid, "A handover slip is printed as a5 or thermal.")
	}
	shift, err := h.visible(c)
	if err != nil {
		return err
	}
	if shift.State != fees.ShiftClosed {
		return fees.Errorf(fees.Conflict, "This till is not closed yet. Its slip is printed once it is.")
	}
	cheques, err := h.Ledger.ShiftCheques(c.Request().Context(), shift)
	if err != nil {
		return err
	}
	elsewhere, err := h.Ledger.ShiftElsewhere(c.Request().Context(), shift)
	if err != nil {
		return err
	}
	return Render(c, http.StatusOK, print.SlipPage(views.SlipOf(VisitorOf(c).Institute, shift, cheques, elsewhere), format, views.ShiftHref(shift.ShortID())))
}

// visible is the till of the address, if the visitor may see it; NotFound.
func (h Tills) visible(c echo.Context) (fees.Shift, error) {
	v := VisitorOf(c)
	shift, err := h.Ledger.Shift(c.Request().Context(), v.Institute.Code, c.Param("id"))
	if err == nil && shift.Cashier != v.User.Login && !v.User.Role.May(fees.PermTills) {
		err = fees.Errorf(fees.NotFound, "There is no such till.")
	}
	return shift, err
}

func (h Tills) showOne(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	v := VisitorOf(c)
	shift, err := h.visible(c)
	if err != nil {
		return err
	}
	sums, err := h.Ledger.ShiftSums(c.Request().Context(), shift)
	if err != nil {
		return err
	}
	elsewhere, err := h.Ledger.ShiftElsewhere(c.Request().Context(), shift)
	if err != nil {
		return err
	}
	view := views.OneTill{Alert: alert, Shift: views.ShiftOf(v.Institute, shift, sums, elsewhere), Back: views.Link{Href: "/till", Text: "Your till"}}
	own := shift.Cashier == v.User.Login
	if v.User.Role.May(fees.PermTills) && !own {
		view.Back = views.Link{Href: "/tills", Text: "All tills"}
	}
	if form == nil {
		form = typedForm(url.Values{})
	}
	if shift.State != fees.ShiftClosed && v.User.Role.May(fees.PermTillsClose) && !own {
		view.Close = views.CloseTillOf(v.Institute, shift, shift.Expected(sums.Cash), false, form)
	}
	return renderPart(c, status, "Till of "+shift.CashierName, views.OneTillPart(view))
}

// refuseOne shows a till again and why it was not closed.
func (h Tills) refuseOne(c echo.Context, err error, form *Form) error {
	why := refusalIn(c, err)
	if why == nil {
		return err
	}
	form.FailAll(why)
	if unshown := h.showOne(c, StatusOf(why.Code), form, &ui.AlertView{Kind: "error", Title: why.Message}); unshown != nil {
		return err
	}
	return nil
}
