package web

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/store/fees"
)

// requireAccess lets a request pass that has what the route asks: nobody in
// particular, somebody, or somebody whose role may.
func (s *Server) requireAccess(a Access) (echo.MiddlewareFunc, error) {
	allowed := func(handlers.Visitor) bool { return true }
	if a != Public && a != LoggedIn {
		p := fees.Permission(a)
		if !slices.ContainsFunc(fees.Roles(), func(r fees.Role) bool { return r.May(p) }) {
			return nil, fmt.Errorf("access %q is no permission of any role", a)
		}
		allowed = func(v handlers.Visitor) bool { return v.User.Role.May(p) }
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			v := handlers.VisitorOf(c)
			switch {
			case a == Public:
				return next(c)
			case v.User.Login == "":
				return handlers.SeeOther(c, loginPage(backTo(c)))
			case !allowed(v):
				return fees.Errorf(fees.Forbidden, "This is not open to the role %s. Ask an administrator if you need it.", v.User.Role.Title())
			}
			return next(c)
		}
	}, nil
}

// loginPage is the login page that leads to next. Everybody is led to the start
// page anyway.
func loginPage(next string) string {
	if next == "/" {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(next)
}

// backTo is the page to return to after a login: the one that was asked for,
// or, where a form or a part of a page was, the page that it is on.
func backTo(c echo.Context) string {
	req := c.Request()
	page := req.URL.RequestURI()
	switch {
	case req.Header.Get("HX-Request") == "true":
		page = pageOf(req.Header.Get("HX-Current-URL"), req.Host)
	case !isSafe(req.Method):
		page = pageOf(req.Referer(), req.Host)
	}
	return handlers.LocalPath(page)
}

// pageOf is the path and query of a URL on this host, "" for any other.
func pageOf(text, host string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host != host {
		return ""
	}
	return u.RequestURI()
}
