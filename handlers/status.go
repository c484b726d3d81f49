package handlers

import (
	"net/http"

	"raseed/store/fees"
)

// StatusOf is the HTTP status of an error's code; 500 for one without a code.
// It is the only place where codes become statuses.
func StatusOf(code fees.Code) int {
	switch code {
	case fees.Invalid:
		return http.StatusUnprocessableEntity
	case fees.NotFound:
		return http.StatusNotFound
	case fees.Conflict:
		return http.StatusConflict
	case fees.Forbidden:
		return http.StatusForbidden
	case fees.Throttled:
		return http.StatusTooManyRequests
	case fees.Unavailable, fees.Unconfirmed:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
