package handlers_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
)

// What is offered to be sent again stays here, and holds no password.
func TestAgainStaysHere(t *testing.T) {
	for _, tt := range []struct {
		method, target, body string
		again                bool
	}{
		{"GET", "/receipts?mode=cash", "", true},
		{"GET", "//evil.example/receipts", "", false},
		{"POST", "/payments", "student=1024&remark=x", true},
		{"POST", "//evil.example/payments", "student=1024", false},
		{"POST", "/login", "login=asha&password=secret", false},
		{"DELETE", "/payments", "", false},
	} {
		r := httptest.NewRequest(tt.method, "http://school.example"+tt.target, strings.NewReader(tt.body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got := handlers.AgainOf(echo.New().NewContext(r, httptest.NewRecorder()))
		if (got != nil) != tt.again || got != nil && got.Href != tt.target {
			t.Errorf("%s %s: %+v, want it offered: %v", tt.method, tt.target, got, tt.again)
		}
	}
}
