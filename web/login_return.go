package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/store/fees"
	"raseed/views"
)

// loginPage is the login page that leads to next. Everybody is led to the start
// page anyway.
func loginPage(next string) string {
	if next == "/" {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(next)
}

// backTo is the page to return to after a login: the one that was asked for,
// or, where a form or a part of a page was, the page that it is on.
func (s *Server) backTo(c echo.Context) string {
	req := c.Request()
	page := req.URL.RequestURI()
	switch {
	case req.Header.Get("HX-Request") == "true":
		page = pathOn(req.Host, req.Header.Get("HX-Current-URL"))
	case !isSafe(req.Method):
		page = pathOn(req.Host, req.Referer())
	}
	// A payment that was refused once is a page without an address of its own:
	// only the form says whose counter it is.
	switch page {
	case "/payments":
		page = counterOf(c, views.CollectHref)
	case "/payments/family":
		page = counterOf(c, views.FamilyHref)
	}
	return s.pageAt(page)
}

// pathOn is the path and query of a URL on this host, "" for any other.
func pathOn(host, text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host != host {
		return ""
	}
	return u.RequestURI()
}

// counterOf is where the payment that was sent is entered, at being the page of
// a student. It keeps the payment's id, by which the counter knows whether it has
// been recorded.
func counterOf(c echo.Context, at func(admissionNo string) string) string {
	form, err := handlers.ReadForm(c)
	if err != nil {
		return "/collect"
	}
	student, wrong := fees.NormalAdmissionNo(form.Value("student"))
	if wrong != nil {
		return "/collect"
	}
	return at(student) + "?payment_id=" + url.QueryEscape(form.Value("payment_id"))
}

// pageAt is where a browser that asks for next may be sent after a login: next
// itself when it is a page of ours, else the nearest page above it, since the
// address of a form takes nothing but the form (/receipts/01J…/reverse leads to
// the receipt). The start page is above everything.
func (s *Server) pageAt(next string) string {
	next = localPath(next)
	path, _, _ := strings.Cut(next, "?")
	if s.isPage(path) {
		return next
	}
	if path == "/payments" || path == "/payments/family" {
		return "/collect"
	}
	for path = above(path); path != "/"; path = above(path) {
		if s.isPage(path) {
			return path
		}
	}
	return "/"
}

func above(path string) string { return path[:max(1, strings.LastIndexByte(path, '/'))] }

// isPage says whether path, encoded as in an address, is a page behind the
// login.
func (s *Server) isPage(path string) bool {
	c := s.echo.NewContext(nil, nil)
	s.echo.Router().Find(http.MethodGet, path, c)
	return s.pages[c.Path()] && !strings.HasSuffix(path, "/") // which "/collect/*" matches
}
