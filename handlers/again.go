package handlers

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/views"
)

// AgainOf is the request as it can be sent again once the ledger answers: the
// page, or the form with all that was typed. A form with a password is nil, it
// is not written into a page; so is what cannot be read as a form.
func AgainOf(c echo.Context) *views.Again {
	r := c.Request()
	again := &views.Again{Href: r.URL.RequestURI()}
	if strings.HasPrefix(again.Href, "//") { // a browser takes it for another host
		return nil
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return again
	case http.MethodPost:
		again.Post = true
	default:
		return nil
	}
	form, read := c.Get(formKey).(*Form) // a body can be read only once
	if !read {
		var err error
		if form, err = ReadForm(c); err != nil {
			return nil
		}
	}
	if form.values.Has("password") {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(form.values)) {
		for _, value := range form.values[name] {
			again.Sent = append(again.Sent, views.SentField{Name: name, Value: value})
		}
	}
	return again
}
