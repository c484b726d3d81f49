package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// HomeShow sends everybody to the page where their work is.
func HomeShow(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, homeOf(VisitorOf(c).User.Role))
}

func homeOf(r fees.Role) string {
	switch {
	case r == fees.RoleAdmin:
		return "/billing"
	case r.May(fees.PermRegister):
		return "/receipts"
	}
	return "/collect"
}
