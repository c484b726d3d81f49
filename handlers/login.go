package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// Authenticator checks a password. Unknown, disabled and wrong look the same;
// too many tries are fees.Throttled.
type Authenticator interface {
	Authenticate(ctx context.Context, login, password, from string) (fees.User, error)
}

// Sessions begins and ends the session of a request. Both write the cookie, so
// they come before the response.
type Sessions interface {
	Begin(c echo.Context, u fees.User) error
	End(c echo.Context) error
}

// Login is the login page.
type Login struct {
	Store    Authenticator
	Sessions Sessions
	PageAt   func(next string) string // where to go on: next, if it is a page of ours
}

// Get shows the form; one who is logged in goes on at once.
func (h Login) Get(c echo.Context) error {
	next := h.PageAt(c.QueryParam("next"))
	if VisitorOf(c).User.Login != "" {
		return SeeOther(c, next)
	}
	return h.show(c, http.StatusOK, views.LoginView{Next: next})
}

// Post logs in and goes on to next. A refusal shows the form again with the
// login kept and the password gone.
func (h Login) Post(c echo.Context) error {
	f, err := ReadForm(c)
	if err != nil {
		return err
	}
	login, password, next := f.Value("login"), f.Value("password"), h.PageAt(f.Value("next"))
	if bad := f.Err(); bad != nil {
		return h.show(c, StatusOf(bad.Code), views.LoginView{Login: login, Next: next, Problem: "This is no login and password. Type them again."})
	}
	u, err := h.Store.Authenticate(c.Request().Context(), login, password, c.RealIP())
	var refused *fees.Error
	if errors.As(err, &refused) && StatusOf(refused.Code) < http.StatusInternalServerError {
		return h.show(c, StatusOf(refused.Code), views.LoginView{Login: login, Next: next, Problem: refused.Message})
	}
	if err != nil {
		return err
	}
	if err := h.Sessions.Begin(c, u); err != nil {
		return err
	}
	return SeeOther(c, next)
}

func (h Login) show(c echo.Context, status int, l views.LoginView) error {
	if l.Next == "/" {
		l.Next = "" // nothing to come back to
	}
	return Render(c, status, views.Login(FrameOf(c, "Log in"), l))
}
