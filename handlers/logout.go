package handlers

import "github.com/labstack/echo/v4"

// Logout ends the session.
type Logout struct {
	Ledger   ShiftReader
	Sessions Sessions
}

// Post ends the session, whether there is one or not, and shows the login
// page. Who leaves a till open is reminded there.
func (h Logout) Post(c echo.Context) error {
	open := false
	if v := VisitorOf(c); v.User.Login != "" {
		// A till that cannot be read keeps nobody here.
		_, open, _ = h.Ledger.ShiftOf(c.Request().Context(), v.Institute.Code, v.User.Login)
	}
	if err := h.Sessions.End(c); err != nil {
		return err
	}
	if open {
		return SeeOther(c, "/login?till=open")
	}
	return SeeOther(c, "/login")
}
