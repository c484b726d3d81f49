package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
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
	return h.show(c, http.StatusOK, views.LoginView{Next: next, TillOpen: c.QueryParam("till") == "open"})
}

// LoginOver asks whoever's session ran out to log in again over the page that
// an htmx request came from. Nothing else of the page changes.
func LoginOver(c echo.Context, next string) error {
	login, wrong := fees.NormalLogin(c.Request().Header.Get(views.PageOf))
	if wrong != nil {
		login = ""
	}
	return loginOver(c, http.StatusUnauthorized, views.LoginView{Login: login, Over: login, Next: next})
}

func loginOver(c echo.Context, status int, l views.LoginView) error {
	h := c.Response().Header()
	h.Set("HX-Retarget", "#over")
	h.Set("HX-Reswap", "innerHTML")
	h.Set("HX-Reselect", "#login-over")
	h.Set("HX-Push-Url", "false")
	return Render(c, status, views.LoginOver(l))
}

// Post logs in and goes on to next. A refusal shows the form again with the
// login kept and the password gone. One who logs in over their own page stays
// there (LoginOver).
func (h Login) Post(c echo.Context) error {
	f, err := ReadForm(c)
	if err != nil {
		return err
	}
	login, password, next, over := f.Value("login"), f.Value("password"), h.PageAt(f.Value("next")), f.Value("over")
	if bad := f.Err(); bad != nil {
		return h.show(c, StatusOf(bad.Code), views.LoginView{Login: login, Next: next, Over: over, Problem: "This is no login and password. Type them again."})
	}
	u, err := h.Store.Authenticate(c.Request().Context(), login, password, c.RealIP())
	var refused *fees.Error
	if errors.As(err, &refused) && StatusOf(refused.Code) < http.StatusInternalServerError {
		return h.show(c, StatusOf(refused.Code), views.LoginView{Login: login, Next: next, Over: over, Problem: refused.Message})
	}
	if err != nil {
		return err
	}
	if err := h.Sessions.Begin(c, u); err != nil {
		return err
	}
	if over == u.Login && IsHTMX(c) {
		c.Response().Header().Set("HX-Trigger-After-Settle", "raseed:back")
		return RenderAlert(c, http.StatusOK, ui.AlertView{Kind: "success", Title: "You are logged in again", Text: "What you typed is still here. Nothing of it was sent yet."})
	}
	return SeeOther(c, next)
}

func (h Login) show(c echo.Context, status int, l views.LoginView) error {
	if IsHTMX(c) {
		return loginOver(c, status, l)
	}
	if l.Next == "/" {
		l.Next = "" // nothing to come back to
	}
	return Render(c, status, views.Login(FrameOf(c, "Log in"), l))
}
