package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

func TestProblemOf(t *testing.T) {
	const internal = "dial tcp 10.0.0.5:27017"
	for _, c := range []struct {
		name   string
		err    error
		status int
		says   string
	}{
		{"invalid", fees.Errorf(fees.Invalid, "The date is in the future."), 422, "The date is in the future."},
		{"wrapped", fmt.Errorf("record payment: %w: %s", fees.Errorf(fees.Unavailable, "Nothing was written."), internal), 503, "Nothing was written."},
		{"unconfirmed", fees.Errorf(fees.Unconfirmed, "Press again."), 503, "Press again."},
		{"too large", fmt.Errorf("read form: %w", &http.MaxBytesError{Limit: 1}), 413, "larger than any form"},
		{"too large, in echo's words", echo.NewHTTPError(413, "x").SetInternal(&http.MaxBytesError{Limit: 1}), 413, "larger than any form"},
		{"no route", echo.ErrNotFound, 404, "no such page"},
		{"no method", echo.ErrMethodNotAllowed, 405, "does not answer"},
		{"our own words", echo.NewHTTPError(415, "Forms only."), 415, "Forms only."},
		{"other status", echo.NewHTTPError(418), 418, "refused"},
		{"out of time", fmt.Errorf("read: %w", context.DeadlineExceeded), 503, "too long"},
		{"gone", fmt.Errorf("read: %w", context.Canceled), statusGone, "stopped waiting"},
		{"anything else", errors.New(internal), 500, "fault of Raseed"},
		{"a code nobody knows", fees.Errorf("odd", "Odd."), 500, "Odd."},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, view := problemOf(c.err)
			if status != c.status || !strings.Contains(view.Text, c.says) || view.Title == "" {
				t.Errorf("%d, %+v; want %d that says %q", status, view, c.status, c.says)
			}
			if strings.Contains(view.Title+view.Text, internal) {
				t.Errorf("the page tells internals: %+v", view)
			}
		})
	}
}

// A route is public because it says so, never because it says nothing.
func TestAccessIsSaid(t *testing.T) {
	for _, a := range []Access{"", "Public", "colect"} {
		if _, err := new(Server).requireAccess(a); err == nil {
			t.Errorf("access %q is taken", a)
		}
	}
	for _, a := range []Access{Public, LoggedIn, can(fees.PermCollect), can(fees.PermUsers)} {
		if _, err := new(Server).requireAccess(a); err != nil {
			t.Errorf("access %q: %v", a, err)
		}
	}
}
