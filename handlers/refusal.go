package handlers

import (
	"errors"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// refusalIn is the refusal in err's chain that a form shows by itself, with
// what was typed kept: the input is wrong, collides with what is there, or
// could not be confirmed. It is nil for every other error, which has a page of
// its own. What is behind the refusal is kept for the log, see CauseOf.
func refusalIn(c echo.Context, err error) *fees.Error {
	var refusal *fees.Error
	if !errors.As(err, &refusal) {
		return nil
	}
	switch refusal.Code {
	case fees.Invalid, fees.Conflict, fees.Unavailable, fees.Unconfirmed:
		c.Set(causeKey, err)
		return refusal
	}
	return nil
}

const causeKey = "raseed.cause"

// CauseOf is the whole error of which a handler has shown the refusal by
// itself, nil when it has shown none. It is for the log only.
func CauseOf(c echo.Context) error {
	err, _ := c.Get(causeKey).(error)
	return err
}
