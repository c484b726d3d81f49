package web

import (
	"crypto/rand"

	"github.com/labstack/echo/v4"
)

// tagRequest gives the request an id of our own, which ties what a person sees
// to the log. A client's own X-Request-Id is not believed.
func tagRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderXRequestID, rand.Text()[:12])
		return next(c)
	}
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }
