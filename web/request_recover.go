package web

import (
	"fmt"
	"runtime/debug"

	"github.com/labstack/echo/v4"
)

// recoverPanic turns a panic into an internal error, with its stack in the
// log and nothing of it on screen.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			s.Log.Error("panic", "id", requestID(c), "route", c.Path(), "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", v)
		}()
		return next(c)
	}
}
