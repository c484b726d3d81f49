package handlers

import "github.com/labstack/echo/v4"

// Logout ends the session.
type Logout struct{ Sessions Sessions }

// Post ends the session, whether there is one or not, and shows the login
// page.
func (h Logout) Post(c echo.Context) error {
	if err := h.Sessions.End(c); err != nil {
		return err
	}
	return SeeOther(c, "/login")
}
