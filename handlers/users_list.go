package handlers

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// UsersReader lists who logs in to an institute.
type UsersReader interface {
	Users(ctx context.Context, institute string) ([]fees.User, error)
}

// UsersList shows who logs in, with the form that adds one.
type UsersList struct {
	Ledger UsersReader
}

// Get shows the list and the empty form.
func (h UsersList) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	view, err := h.view(c, typedForm(url.Values{}))
	if err != nil {
		return err
	}
	view.Notice = savedAlert(query, "Saved")
	return renderPart(c, http.StatusOK, "Users", views.UsersPart(view))
}

func (h UsersList) show(c echo.Context, status int, form *Form, alert *ui.AlertView) error {
	view, err := h.view(c, form)
	if err != nil {
		return err
	}
	view.Alert = alert
	return renderPart(c, status, "Users", views.UsersPart(view))
}

func (h UsersList) view(c echo.Context, form *Form) (views.Users, error) {
	v := VisitorOf(c)
	people, err := h.Ledger.Users(c.Request().Context(), v.Institute.Code)
	if err != nil {
		return views.Users{}, err
	}
	return views.UsersOf(v.Institute, v.User.Login, people, form), nil
}
