package webtest

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
)

// Password is every test user's.
const Password = "correct horse battery"

// Client is one person's browser: it keeps cookies, sends forms as from the
// page itself, and follows no redirect.
type Client struct {
	t    testing.TB
	srv  *Server
	http *http.Client
	// Header is added to every request, replacing what is there; a nil value
	// removes it.
	Header http.Header
}

// Anyone is a browser that nobody has logged in with.
func (s *Server) Anyone(t testing.TB) *Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{t: t, srv: s, Header: http.Header{}, http: &http.Client{
		Transport:     transport,
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// As is the browser of a user of this role in the Own institute, logged in.
func (s *Server) As(t testing.TB, r fees.Role) *Client { return s.AsOf(t, Own, r) }

// AsOf is As for an institute. The login is LoginOf(institute, role).
func (s *Server) AsOf(t testing.TB, institute string, r fees.Role) *Client {
	t.Helper()
	login := s.AddUser(t, institute, r)
	c := s.Anyone(t)
	if res := c.Post("/login", url.Values{"login": {login}, "password": {Password}}); res.Status != http.StatusSeeOther {
		t.Fatalf("log in as %s: status %d: %s", login, res.Status, res.Alert())
	}
	return c
}

// AddUser makes sure that the user of AsOf exists and returns the login.
func (s *Server) AddUser(t testing.TB, institute string, r fees.Role) string {
	t.Helper()
	login := LoginOf(institute, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.users[login] {
		if _, err := s.Store.AddUser(context.Background(), institute, login, "The "+r.Title(), r, Password); err != nil {
			t.Fatalf("add user %s: %v", login, err)
		}
		s.users[login] = true
	}
	return login
}

// LoginOf is the login of a test user: cashier.dps.
func LoginOf(institute string, r fees.Role) string {
	return string(r) + "." + strings.ToLower(institute)
}

// Get asks for a page.
func (c *Client) Get(path string) Response {
	c.t.Helper()
	return c.Do(c.request(http.MethodGet, path, nil))
}

// Post sends a form.
func (c *Client) Post(path string, form url.Values) Response {
	c.t.Helper()
	req := c.request(http.MethodPost, path, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(req)
}

// HTMX is the same browser asking for parts of pages, as htmx does.
func (c *Client) HTMX() *Client {
	h := c.Header.Clone()
	h.Set("HX-Request", "true")
	return &Client{t: c.t, srv: c.srv, http: c.http, Header: h}
}

func (c *Client) request(method, path string, body io.Reader) *http.Request {
	c.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, c.srv.URL+path, body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return req
}

// Do sends any request.
func (c *Client) Do(req *http.Request) Response {
	c.t.Helper()
	for name, values := range c.Header {
		req.Header[name] = values
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatalf("%s %s: %v", req.Method, req.URL.Path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatalf("%s %s: read the answer: %v", req.Method, req.URL.Path, err)
	}
	return Response{t: c.t, Status: res.StatusCode, Header: res.Header, Body: string(body)}
}

// Cookies are what the browser keeps for the server.
func (c *Client) Cookies() []*http.Cookie {
	u, err := url.Parse(c.srv.URL)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.http.Jar.Cookies(u)
}

// Response is an answer, read to its end.
type Response struct {
	t      testing.TB
	Status int
	Header http.Header
	Body   string
}

// Location is where the answer sends the browser.
func (r Response) Location() string { return r.Header.Get("Location") }

// Doc is the answer as a document.
func (r Response) Doc() *goquery.Document {
	r.t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(r.Body))
	if err != nil {
		r.t.Fatalf("parse the page: %v", err)
	}
	return doc
}

// ByTestID is the text of the element with this data-testid, its white space
// collapsed; "" when there is none.
func (r Response) ByTestID(id string) string {
	r.t.Helper()
	return strings.Join(strings.Fields(r.Doc().Find(`[data-testid="`+id+`"]`).First().Text()), " ")
}

// Alert is what the page says went wrong or well.
func (r Response) Alert() string { return r.ByTestID("alert") }

// Input is the value of the first field of this name.
func (r Response) Input(name string) string {
	r.t.Helper()
	v, _ := r.Doc().Find(`[name="` + name + `"]`).First().Attr("value")
	return v
}
