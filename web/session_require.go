package web

import (
	"fmt"
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
			case v.User.Login == "" && handlers.IsHTMX(c):
				return handlers.LoginOver(c, s.backTo(c))
			case v.User.Login == "":
				return handlers.SeeOther(c, loginPage(s.backTo(c)))
			case !allowed(v):
				return fees.Errorf(fees.Forbidden, "This is not open to the role %s. Ask an administrator if you need it.", v.User.Role.Title())
			}
			return next(c)
		}
	}, nil
}
