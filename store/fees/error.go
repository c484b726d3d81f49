package fees

import (
	"errors"
	"fmt"
)

// Code classifies an Error; the web layer maps it to a status in one place.
type Code string

// The codes.
const (
	Invalid     Code = "invalid"     // the input is wrong; Fields say where (422)
	NotFound    Code = "not_found"   // there is no such thing in this institute (404)
	Conflict    Code = "conflict"    // the same id with other content, or a state that forbids it (409)
	Forbidden   Code = "forbidden"   // this role may not do that (403)
	Throttled   Code = "throttled"   // too many tries; Message says how long to wait (429)
	Unavailable Code = "unavailable" // the store could not be reached; nothing was written (503)
	Unconfirmed Code = "unconfirmed" // the outcome is unknown; the same form sent again cannot double it (503)
)

// Error is a refusal in the person's own words. Message is shown as it is, so
// it never carries internals. Fields maps a form field to what is wrong with
// it; the n-th (from 0) of a repeated field is "tender_amount.1".
type Error struct {
	Code    Code
	Message string
	Fields  map[string]string
	Asked   []string // references of which Fields only asks: a form that is sent with them as ref_again is taken
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Errorf makes an Error of the given code.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// CodeOf is the code of the Error in err's chain, or "" when there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
