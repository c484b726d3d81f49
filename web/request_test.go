package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web"
	"raseed/web/webtest"
)

func newRequest(t *testing.T, srv *webtest.Server, method, path string, body io.Reader, header map[string]string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, srv.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	return req
}

func TestCrossOrigin(t *testing.T) {
	public, err := web.ParseConfig(":80", "https://fees.example.org", nil)
	if err != nil {
		t.Fatal(err)
	}
	srv := webtest.Start(t, webtest.Options{Config: public})
	login := srv.AddUser(t, webtest.Own, fees.RoleCashier)
	host := strings.TrimPrefix(srv.URL, "http://")
	cases := []struct {
		name   string
		header map[string]string
		ok     bool
	}{
		{"own page", map[string]string{"Sec-Fetch-Site": "same-origin"}, true},
		{"command line that says so", map[string]string{"Sec-Fetch-Site": "none"}, true},
		{"older browser, own page", map[string]string{"Origin": "http://" + host}, true},
		{"public origin behind a proxy that changes the host", map[string]string{"Origin": "https://fees.example.org"}, true},
		{"neither header", nil, false},
		{"another site", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		{"another site with our origin forged", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "http://" + host}, false},
		{"a neighbour on the same domain", map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		{"older browser, another site", map[string]string{"Origin": "https://evil.example"}, false},
		{"sandboxed frame", map[string]string{"Origin": "null"}, false},
		{"another port", map[string]string{"Origin": "http://127.0.0.1:1"}, false},
		{"nonsense", map[string]string{"Sec-Fetch-Site": "yes please"}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			form := url.Values{"login": {login}, "password": {webtest.Password}}
			res := srv.Anyone(t).Do(newRequest(t, srv, http.MethodPost, "/login", strings.NewReader(form.Encode()), c.header))
			if c.ok {
				if res.Status != http.StatusSeeOther {
					t.Errorf("status %d, want 303: %s", res.Status, res.Alert())
				}
				return
			}
			if res.Status != http.StatusForbidden || !strings.Contains(res.Alert(), "another site") {
				t.Errorf("status %d, %q; want 403 in words", res.Status, res.Alert())
			}
			if len(res.Header.Values("Set-Cookie")) > 0 {
				t.Error("a session was begun all the same")
			}
		})
	}
	t.Run("no host for an opaque origin to be equal to", func(t *testing.T) {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "POST /login HTTP/1.0\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n")
		if answer, _ := io.ReadAll(conn); !strings.HasPrefix(string(answer), "HTTP/1.0 403") {
			t.Errorf("answer is %.30q, want 403", answer)
		}
	})
	t.Run("reading is open to links from anywhere", func(t *testing.T) {
		if res := srv.Anyone(t).Do(newRequest(t, srv, http.MethodGet, "/login", nil, map[string]string{"Sec-Fetch-Site": "cross-site"})); res.Status != http.StatusOK {
			t.Errorf("status %d, want 200", res.Status)
		}
	})
}

func TestBodyLimit(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	srv.AddUser(t, webtest.Own, fees.RoleCashier)
	boundary := "xxxxboundaryxxxx"
	part := "--" + boundary + "\r\nContent-Disposition: form-data; name=\"login\"\r\n\r\n"
	cases := []struct {
		name   string
		body   func() io.Reader
		kind   string
		status int
	}{
		{"10 MB announced", func() io.Reader { return strings.NewReader("login=" + strings.Repeat("a", 10<<20)) }, "application/x-www-form-urlencoded", 413},
		{"10 MB in chunks", func() io.Reader { return io.LimitReader(endless('a'), 10<<20) }, "application/x-www-form-urlencoded", 413},
		{"10 MB multipart in chunks", func() io.Reader {
			return io.MultiReader(strings.NewReader(part), io.LimitReader(endless('a'), 10<<20), strings.NewReader("\r\n--"+boundary+"--\r\n"))
		}, "multipart/form-data; boundary=" + boundary, 413},
		{"just below", func() io.Reader {
			return strings.NewReader("x=" + strings.Repeat("a", 3000) + "&login=nobody&password=x")
		}, "application/x-www-form-urlencoded", 422},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := srv.Anyone(t).Do(newRequest(t, srv, http.MethodPost, "/login", c.body(), map[string]string{"Content-Type": c.kind, "Sec-Fetch-Site": "same-origin"}))
			if res.Status != c.status {
				t.Fatalf("status %d, want %d: %s", res.Status, c.status, res.Alert())
			}
			if c.status == 413 && !strings.Contains(res.Alert(), "larger than any form") {
				t.Errorf("the page does not say what is wrong: %q", res.Alert())
			}
		})
	}
}

// endless is a stream of one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestUnreadableRequests(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	cashier := srv.As(t, fees.RoleCashier)
	cases := []struct {
		name, method, path, kind, body string
		want                           []int
	}{
		{"query that is not UTF-8", "GET", "/login?next=%ff", "", "", []int{400}},
		{"query with a broken escape", "GET", "/login?next=%zz", "", "", []int{400}},
		{"query with a semicolon", "GET", "/login?a=1;b=2", "", "", []int{400}},
		{"query with a NUL", "GET", "/login?next=%00", "", "", []int{400}},
		{"path that is not UTF-8", "GET", "/collect/%ff", "", "", []int{400}},
		{"path with a NUL", "GET", "/collect/%00", "", "", []int{400}},
		{"path with an encoded slash", "GET", "/collect/no%2Fsuch", "", "", []int{404}},
		{"very long query", "GET", "/login?next=/" + strings.Repeat("a", 30_000), "", "", []int{200}},
		{"form with a broken escape", "POST", "/login", "application/x-www-form-urlencoded", "login=%zz", []int{400}},
		{"form that is not UTF-8", "POST", "/login", "application/x-www-form-urlencoded", "login=%ff&password=x", []int{400, 422}},
		{"JSON", "POST", "/login", "application/json", `{"login":"a"}`, []int{415}},
		{"no content type", "POST", "/login", "", "login=a", []int{415}},
		{"multipart without boundary", "POST", "/login", "multipart/form-data", "xx", []int{400}},
		{"multipart garbage", "POST", "/login", "multipart/form-data; boundary=b", "garbage", []int{400}},
		{"a field twice", "POST", "/login", "application/x-www-form-urlencoded", "login=a&login=b&password=x", []int{422}},
		{"nothing", "POST", "/login", "application/x-www-form-urlencoded", "", []int{422}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			req := newRequest(t, srv, c.method, "/", strings.NewReader(c.body), map[string]string{"Sec-Fetch-Site": "same-origin"})
			if c.kind == "" {
				req.Header.Del("Content-Type")
			} else {
				req.Header.Set("Content-Type", c.kind)
			}
			path, query, _ := strings.Cut(c.path, "?")
			req.URL.Opaque = "//" + req.URL.Host + path // as it is, not as net/url would write it
			req.URL.RawQuery = query
			client := srv.Anyone(t)
			if strings.HasPrefix(c.path, "/collect") {
				client = cashier
			}
			res := client.Do(req)
			for _, want := range c.want {
				if res.Status == want {
					if want >= 400 && res.Alert() == "" {
						t.Error("the page does not say what is wrong")
					}
					return
				}
			}
			t.Errorf("status %d, want %v: %s", res.Status, c.want, res.Alert())
		})
	}
}

// panicking is a database that panics on reads of one collection.
type panicking struct {
	docdb.DB
	coll string
}

func (p panicking) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	if coll == p.coll {
		panic("secret: the database is on fire")
	}
	return p.DB.FindOne(ctx, coll, filter, opts, out)
}

// syncBuffer is a log that several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestPanicIsAnInternalError(t *testing.T) {
	var log syncBuffer
	srv := webtest.Start(t, webtest.Options{
		Log:  slog.New(slog.NewTextHandler(&log, nil)),
		Wrap: func(db docdb.DB) docdb.DB { return panicking{db, "users"} },
	})
	srv.AddUser(t, webtest.Own, fees.RoleCashier)
	c := srv.Anyone(t)
	for _, htmx := range []bool{false, true} {
		client := c
		if htmx {
			client = c.HTMX()
		}
		res := client.Post("/login", url.Values{"login": {"asha"}, "password": {"a secret password"}})
		if res.Status != http.StatusInternalServerError {
			t.Fatalf("status %d, want 500", res.Status)
		}
		if strings.Contains(res.Body, "secret") || strings.Contains(res.Body, "goroutine") {
			t.Errorf("the page tells internals: %s", res.Body)
		}
		id := res.Header.Get("X-Request-Id")
		if !htmx && !strings.Contains(res.Body, id) {
			t.Errorf("the page does not show its request id %s", id)
		}
		if !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "on fire") {
			t.Errorf("the log does not have the panic under id %s", id)
		}
		if htmx && (res.Header.Get("HX-Retarget") != "#alerts" || strings.Contains(res.Body, "<html")) {
			t.Errorf("htmx gets a whole page rather than an alert: %.200s", res.Body)
		}
	}
	if c.Get("/healthz").Status != http.StatusOK {
		t.Error("the server does not go on after a panic")
	}
}

func TestLogHasNothingPersonal(t *testing.T) {
	var log syncBuffer
	srv := webtest.Start(t, webtest.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	c := srv.As(t, fees.RoleCashier)
	req := newRequest(t, srv, http.MethodGet, "/collect?q=Verma", nil, map[string]string{"X-Request-Id": "forged-by-client"})
	if res := c.Do(req); res.Header.Get("X-Request-Id") == "forged-by-client" {
		t.Error("the client's request id is believed")
	}
	c.Get("/collect/1001")
	c.Get("/setup/0123456789")
	srv.Stop()
	text := log.String()
	for _, secret := range []string{"Verma", "1001", "q=", "0123456789", "forged", webtest.Password, webtest.LoginOf(webtest.Own, fees.RoleCashier), "127.0.0.1"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log tells %q:\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "route=/collect/:student") || !regexp.MustCompile(`status=\d+`).MatchString(text) {
		t.Errorf("the log lacks the route or the status:\n%s", text)
	}
}

// A store that is not set up yet is no fault.
func TestLogBeforeSetup(t *testing.T) {
	var log syncBuffer
	srv := webtest.Start(t, webtest.Options{Empty: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, path := range []string{"/", "/login", "/collect/1001", "/setup/guess"} {
		if res := srv.Anyone(t).Get(path); res.Status != http.StatusServiceUnavailable {
			t.Errorf("%s: status %d, want 503", path, res.Status)
		}
	}
	srv.Stop()
	if text := log.String(); strings.Contains(text, "level=ERROR") || strings.Count(text, "status=503") != 4 {
		t.Errorf("the log is\n%s", text)
	}
}

func TestStoreAway(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB { return away{db} }})
	srv.AddUser(t, webtest.Own, fees.RoleCashier)
	c := srv.Anyone(t)
	res := c.Post("/login", url.Values{"login": {"asha"}, "password": {"whatever it is"}})
	if res.Status != http.StatusServiceUnavailable || strings.Contains(res.Body, "docdb") {
		t.Errorf("login: status %d, %q; want 503 in words", res.Status, res.Alert())
	}
	if res := c.Get("/readyz"); res.Status != http.StatusServiceUnavailable {
		t.Errorf("readyz: status %d, want 503", res.Status)
	}
	if res := c.Get("/healthz"); res.Status != http.StatusOK || res.Body != "ok\n" {
		t.Errorf("healthz: status %d, want 200: the process is well", res.Status)
	}
}

// away is a database whose users and attempts cannot be reached.
type away struct{ docdb.DB }

func (a away) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	if coll == "attempts" {
		return fmt.Errorf("dial: %w", docdb.ErrUnavailable)
	}
	return a.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
}

func (a away) Ping(context.Context) error { return docdb.ErrUnavailable }

// blind is a database whose sessions, once it is told, cannot be read.
type blind struct {
	docdb.DB
	closed *atomic.Bool
}

func (b blind) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	if coll == "sessions" && b.closed.Load() {
		return fmt.Errorf("dial: %w", docdb.ErrUnavailable)
	}
	return b.DB.FindOne(ctx, coll, filter, opts, out)
}

func TestSessionsAway(t *testing.T) {
	closed := new(atomic.Bool)
	srv := webtest.Start(t, webtest.Options{Wrap: func(db docdb.DB) docdb.DB { return blind{db, closed} }})
	c := srv.As(t, fees.RoleCashier)
	closed.Store(true)
	res := c.Get("/collect")
	if res.Status != http.StatusServiceUnavailable || strings.Contains(res.Body, "Verma") {
		t.Errorf("status %d, want 503 and nothing of the school: nobody is known", res.Status)
	}
	if len(c.Cookies()) == 0 {
		t.Error("the cookie is taken away, though the session may be sound")
	}
	if res := c.Get("/login"); res.Status != http.StatusOK {
		t.Errorf("the login page: status %d, want 200", res.Status)
	}
	closed.Store(false)
	if res := c.Get("/collect"); res.Status != http.StatusOK {
		t.Errorf("afterwards: status %d, want 200: the session goes on", res.Status)
	}
}
