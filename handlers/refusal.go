package handlers

import (
	"errors"

	"raseed/store/fees"
)

// RefusalIn is the refusal in err's chain that a form shows by itself, with
// what was typed kept: the input is wrong, collides with what is there, or
// could not be confirmed. It is nil for every other error, which has a page of
// its own.
func RefusalIn(err error) *fees.Error {
	var refusal *fees.Error
	if !errors.As(err, &refusal) {
		return nil
	}
	switch refusal.Code {
	case fees.Invalid, fees.Conflict, fees.Unavailable, fees.Unconfirmed:
		return refusal
	}
	return nil
}
