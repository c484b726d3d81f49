package handlers

import (
	"testing"

	"raseed/store/fees"
)

func TestStatusOf(t *testing.T) {
	for code, want := range map[fees.Code]int{
		fees.Invalid:     422,
		fees.NotFound:    404,
		fees.Conflict:    409,
		fees.Forbidden:   403,
		fees.Throttled:   429,
		fees.Unavailable: 503,
		fees.Unconfirmed: 503,
		"":               500,
		"unheard of":     500,
	} {
		if got := StatusOf(code); got != want {
			t.Errorf("StatusOf(%q) = %d, want %d", code, got, want)
		}
	}
}
