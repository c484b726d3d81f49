package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web"
	"raseed/web/webtest"
)

// foreignPath fills a route's parameter with something of the other school.
func foreignPath(t *testing.T, srv *webtest.Server, path string) string {
	t.Helper()
	param := "2001"
	switch {
	case strings.HasPrefix(path, "/receipts/"):
		param = foreignReceipt(t, srv)
	case strings.HasPrefix(path, "/tills/"):
		shift, err := srv.Store.OpenShift(context.Background(), webtest.Foreign, fees.ShiftOrder{ID: srv.Store.NewID(), By: fees.Actor{Login: srv.Store.NewID(), Name: "Test"}})
		if err != nil {
			t.Fatalf("open a till of the other school: %v", err)
		}
		param = shift.ShortID()
	case strings.HasPrefix(path, "/billing/runs/"):
		runs, err := srv.Store.Runs(context.Background(), webtest.Foreign, 1)
		if err != nil || len(runs) == 0 {
			t.Fatalf("no run of the other school: %v", err)
		}
		param = fees.After(runs[0].ID)
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, ":") {
			segments[i] = param
		}
	}
	return strings.Join(segments, "/")
}

func foreignReceipt(t *testing.T, srv *webtest.Server) string {
	t.Helper()
	row, err := srv.Store.RecordPayment(context.Background(), webtest.Foreign, fees.PaymentOrder{
		ID: srv.Store.NewID(), Student: "2001", Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: 100_00}},
		By: fees.Actor{Login: "test", Name: "Test", Role: fees.RoleCashier},
	})
	if err != nil {
		t.Fatalf("record a payment of the other school: %v", err)
	}
	return row.ShortID()
}

func send(c *webtest.Client, r web.Route, path string) webtest.Response {
	if r.Method == http.MethodPost {
		return c.Post(path, url.Values{})
	}
	return c.Get(path)
}

func may(r fees.Role, a web.Access) bool {
	return a == web.Public || a == web.LoggedIn || r.May(fees.Permission(a))
}

// Every route × everybody, with ids of another institute wherever a path takes
// one: nobody gets in who may not, and nothing of another school shows.
func TestEveryRoute(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	stranger := srv.Anyone(t)
	clients := map[fees.Role]*webtest.Client{}
	for _, role := range fees.Roles() {
		clients[role] = srv.As(t, role)
	}
	seen := map[string]bool{}
	for _, r := range srv.Routes() {
		path := foreignPath(t, srv, r.Path)
		name := r.Method + " " + r.Path
		if seen[name] {
			t.Errorf("%s is in the table twice", name)
		}
		seen[name] = true
		t.Run(name+" logged out", func(t *testing.T) {
			res := send(stranger, r, path)
			if r.Access == web.Public {
				if res.Status >= 500 {
					t.Errorf("status %d on a public page: %s", res.Status, res.Alert())
				}
				return
			}
			if res.Status != http.StatusSeeOther || !strings.HasPrefix(res.Location(), "/login") {
				t.Errorf("status %d to %q, want 303 to the login page", res.Status, res.Location())
			}
			if strings.TrimSpace(res.Body) != "" {
				t.Errorf("a body is sent to who is not logged in: %.200s", res.Body)
			}
		})
		for _, role := range fees.Roles() {
			if r.Path == "/logout" {
				continue // ends the session that the others need; see TestLogout
			}
			t.Run(name+" "+string(role), func(t *testing.T) {
				res := send(clients[role], r, path)
				switch {
				case !may(role, r.Access):
					if res.Status != http.StatusForbidden {
						t.Errorf("status %d, want 403: %s has no permission %s", res.Status, role, r.Access)
					}
					if !strings.Contains(res.Alert(), "not open to the role") {
						t.Errorf("the page does not say why: %q", res.Alert())
					}
				case res.Status == http.StatusForbidden || res.Status >= 500:
					t.Errorf("status %d, though %s may: %s", res.Status, role, res.Alert())
				case strings.HasPrefix(res.Location(), "/login"):
					t.Errorf("sent to the login page, though logged in")
				case strings.Contains(r.Path, ":") && res.Status < 400:
					t.Errorf("status %d for something of another institute, want 404", res.Status)
				}
				if strings.Contains(res.Body, "Foreign") || strings.Contains(res.Body, "Quartz") {
					t.Errorf("the page shows another institute")
				}
			})
		}
	}
}

// No response lacks the headers that keep a browser on our side, an error's
// and a redirect's included.
func TestEveryRouteHasSecureHeaders(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	admin, stranger := srv.As(t, fees.RoleAdmin), srv.Anyone(t)
	routes := append(srv.Routes(), web.Route{Method: http.MethodGet, Path: "/no/such/page"}, web.Route{Method: http.MethodPost, Path: "/healthz"})
	for _, r := range routes {
		for who, c := range map[string]*webtest.Client{"admin": admin, "logged out": stranger} {
			if r.Path == "/logout" && who == "admin" {
				continue
			}
			t.Run(r.Method+" "+r.Path+" "+who, func(t *testing.T) {
				h := send(c, r, foreignPath(t, srv, r.Path)).Header
				csp := h.Get("Content-Security-Policy")
				for _, directive := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
					if !strings.Contains(csp, directive) {
						t.Errorf("the content policy lacks %s: %q", directive, csp)
					}
				}
				if strings.Contains(csp, "unsafe") {
					t.Errorf("the content policy allows something unsafe: %q", csp)
				}
				for name, want := range map[string]string{
					"X-Content-Type-Options":       "nosniff",
					"Cross-Origin-Opener-Policy":   "same-origin",
					"Cross-Origin-Resource-Policy": "same-origin",
					"Cache-Control":                "no-store",
				} {
					if got := h.Values(name); len(got) != 1 || got[0] != want {
						t.Errorf("%s is %q, want %q once", name, got, want)
					}
				}
				if got := h.Get("Referrer-Policy"); got != "same-origin" && got != "no-referrer" {
					t.Errorf("Referrer-Policy is %q", got)
				}
				if h.Get("Permissions-Policy") == "" || h.Get("X-Request-Id") == "" {
					t.Errorf("no Permissions-Policy or no request id: %v", h)
				}
				if h.Get("Strict-Transport-Security") != "" {
					t.Error("HSTS without TLS would lock people out")
				}
			})
		}
	}
}

func TestUnknownPathAndMethod(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	srv.AddUser(t, webtest.Own, fees.RoleCashier)
	c := srv.Anyone(t)
	for _, path := range []string{"/no/such/page", "/login/", "/.env", "/static/../go.mod", "/static/none.css", "/setup/guess"} {
		res := c.Get(path)
		if res.Status != http.StatusNotFound {
			t.Errorf("GET %s: status %d, want 404", path, res.Status)
		}
	}
	if res := c.Post("/healthz", nil); res.Status != http.StatusMethodNotAllowed || res.Header.Get("Allow") == "" {
		t.Errorf("POST /healthz: status %d, Allow %q, want 405 with the methods that are allowed", res.Status, res.Header.Get("Allow"))
	}
	if res := c.Get("/logout"); res.Status != http.StatusMethodNotAllowed {
		t.Errorf("GET /logout: status %d, want 405: a link must not log out", res.Status)
	}
}

// A parameter reaches the handler as it was meant, whichever way it is written.
func TestParametersAreDecoded(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	c := srv.As(t, fees.RoleAdmin)
	for _, path := range []string{"/collect/A%2F12-B", "/collect/A%2f12%2DB", "/collect/%41/12-B", "/students/A%2F12-B", "/students/A%2F12-B/edit"} {
		res := c.Get(path)
		if res.Status != http.StatusOK || !strings.Contains(res.Body, "Zoya Khan") {
			t.Errorf("GET %s: status %d, want the page of student A/12-B: %s", path, res.Status, res.Alert())
		}
	}
	for _, path := range []string{"/collect/A%252F12-B", "/students/100%25"} {
		if res := c.Get(path); res.Status != http.StatusNotFound {
			t.Errorf("GET %s: status %d, want 404: a parameter is decoded once", path, res.Status)
		}
	}
}
