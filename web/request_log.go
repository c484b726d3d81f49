package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
)

// logRequest writes one line per request. It names the route's pattern, never
// the path or the query, which hold names and numbers of people. The error is
// answered here, so that the line has the status that was sent; one that is
// http.ErrAbortHandler breaks the connection off instead.
func (s *Server) logRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.Now()
		err := next(c)
		if err != nil {
			c.Error(err)
		} else {
			err = handlers.CauseOf(c) // the handler has answered it by itself
		}
		res := c.Response()
		attrs := []slog.Attr{
			slog.String("id", requestID(c)),
			slog.String("method", method(c.Request().Method)),
			slog.String("route", c.Path()),
			slog.Int("status", res.Status),
			slog.Int64("bytes", res.Size),
			slog.Duration("took", s.Now().Sub(start)),
		}
		if v := handlers.VisitorOf(c); v.User.Login != "" {
			attrs = append(attrs, slog.String("institute", v.Institute.Code), slog.String("role", string(v.User.Role)))
		}
		level, aborted := slog.LevelInfo, errors.Is(err, http.ErrAbortHandler)
		switch {
		case aborted:
			level = slog.LevelWarn
		case errors.Is(err, handlers.ErrNotSetUp):
			// As it is meant to be, and told once at start.
		case res.Status >= http.StatusInternalServerError:
			level = slog.LevelError
		case strings.HasPrefix(c.Path(), "/static/"), c.Path() == "/healthz", c.Path() == "/readyz":
			level = slog.LevelDebug
		}
		if aborted || err != nil && res.Status >= http.StatusInternalServerError {
			attrs = append(attrs, slog.Any("error", err))
		}
		// The request's context may have ended with the browser.
		s.Log.LogAttrs(context.WithoutCancel(c.Request().Context()), level, "request", attrs...)
		if aborted {
			panic(http.ErrAbortHandler) // breaks the connection
		}
		return nil
	}
}

// method keeps what a client invented out of the log.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return m
	}
	return "other"
}
