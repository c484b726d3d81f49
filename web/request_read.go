package web

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// readAddress decodes the path's parameters and checks that path and query can
// be read, so that no handler meets half an address. Echo leaves a parameter
// encoded exactly when the path was routed by its encoded form.
func readAddress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		values := c.ParamValues()
		for i, v := range values {
			if u.RawPath != "" {
				var err error
				if v, err = url.PathUnescape(v); err != nil {
					return errAddress
				}
			}
			if !readable(v) {
				return errAddress
			}
			values[i] = v
		}
		c.SetParamValues(values...)
		query, err := url.ParseQuery(u.RawQuery)
		if err != nil {
			return errAddress
		}
		for name, vs := range query {
			for _, v := range append(vs, name) {
				if !readable(v) {
					return errAddress
				}
			}
		}
		return next(c)
	}
}

var errAddress = echo.NewHTTPError(http.StatusBadRequest, "This address cannot be read: part of it is not text.")

func readable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
