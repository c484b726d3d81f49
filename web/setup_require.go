package web

import (
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
)

// requireSetup answers every page of an empty store with "not set up yet",
// but for the first-run page itself and the probes.
func (s *Server) requireSetup(path string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if strings.HasPrefix(path, "/setup/") || path == "/healthz" || path == "/readyz" {
			return next
		}
		return func(c echo.Context) error {
			pending, err := s.firstRun.Pending(c.Request().Context())
			if err != nil {
				return err
			}
			if pending {
				return handlers.ErrNotSetUp
			}
			return next(c)
		}
	}
}
