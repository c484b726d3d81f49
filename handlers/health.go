package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"
)

// Healthz says that the process answers.
func Healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// Pinger is a store that can say whether it can be reached.
type Pinger interface {
	Ping(ctx context.Context) error
}

// Readyz says whether requests can be served: the store answers. Its indexes
// were made before the server began to listen.
type Readyz struct{ Store Pinger }

// Get answers 200, or 503 when the store cannot be reached, to programs.
func (h Readyz) Get(c echo.Context) error {
	if err := h.Store.Ping(c.Request().Context()); err != nil {
		return c.String(http.StatusServiceUnavailable, "the store cannot be reached\n")
	}
	return c.String(http.StatusOK, "ready\n")
}
