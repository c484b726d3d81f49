package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
	"raseed/web"
	"raseed/web/webtest"
)

func TestLogin(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	login := srv.AddUser(t, webtest.Own, fees.RoleCashier)
	t.Run("page", func(t *testing.T) {
		res := srv.Anyone(t).Get("/login?next=/collect/1001")
		if res.Status != http.StatusOK || res.Input("next") != "/collect/1001" {
			t.Errorf("status %d, next %q", res.Status, res.Input("next"))
		}
		if len(res.Header.Values("Set-Cookie")) > 0 {
			t.Error("looking at the login page begins a session")
		}
	})
	t.Run("right", func(t *testing.T) {
		for _, c := range []struct{ next, want string }{
			{"", "/"},
			{"/collect/1001?x=1", "/collect/1001?x=1"},
			{"//evil.example/", "/"},
			{`/\evil.example`, "/"},
			{"https://evil.example/", "/"},
			{"/\t/evil.example", "/"},
			{"/receipts/01JD0000000000000000000000/print?format=a4", "/receipts/01JD0000000000000000000000/print?format=a4"},
			{"/payments", "/collect"}, // the address of a form is no page
			{"/receipts/01JD0000000000000000000000/reverse", "/receipts/01JD0000000000000000000000"},
			{"/billing/preview?period=x", "/billing"},
			{"/billing/runs", "/billing"},
			{"/settings/close", "/settings"},
			{"/no/such/page", "/"},
			{"/collect/", "/collect"},
			{"/logout", "/"},
			{"/healthz", "/"},
			{"/setup/token", "/"},
		} {
			client := srv.Anyone(t)
			res := client.Post("/login", url.Values{"login": {" " + strings.ToUpper(login)}, "password": {webtest.Password}, "next": {c.next}})
			if res.Status != http.StatusSeeOther || res.Location() != c.want {
				t.Errorf("next %q: status %d to %q, want 303 to %q", c.next, res.Status, res.Location(), c.want)
			}
			if got := client.Get("/login").Location(); got != "/" {
				t.Errorf("the login page sends one who is logged in to %q, want /", got)
			}
		}
	})
	t.Run("htmx", func(t *testing.T) {
		res := srv.Anyone(t).HTMX().Post("/login", url.Values{"login": {login}, "password": {webtest.Password}, "next": {"/collect"}})
		if res.Status != http.StatusOK || res.Header.Get("HX-Redirect") != "/collect" {
			t.Errorf("status %d, HX-Redirect %q", res.Status, res.Header.Get("HX-Redirect"))
		}
	})
	t.Run("wrong", func(t *testing.T) {
		var said []string
		for _, form := range []url.Values{
			{"login": {login}, "password": {"not the password"}},
			{"login": {"nobody"}, "password": {webtest.Password}},
			{"login": {"n<b>o"}, "password": {webtest.Password}},
			{"login": {"as\xffha"}, "password": {webtest.Password}},
		} {
			client := srv.Anyone(t)
			form.Set("next", "/collect")
			res := client.Post("/login", form)
			if res.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s: status %d, want 422", form.Get("login"), res.Status)
			}
			if res.Input("login") != strings.ToValidUTF8(form.Get("login"), "\uFFFD") || res.Input("next") != "/collect" {
				t.Errorf("%s: what was typed is not kept", form.Get("login"))
			}
			if strings.Contains(res.Body, form.Get("password")) || strings.Contains(res.Body, "<b>") {
				t.Errorf("%s: the page repeats the password or unescaped text", form.Get("login"))
			}
			if len(client.Cookies()) > 0 {
				t.Errorf("%s: a session was begun", form.Get("login"))
			}
			said = append(said, res.Alert())
		}
		if said[0] != said[1] || said[1] != said[2] {
			t.Errorf("the answers tell logins that exist from those that do not: %q", said)
		}
	})
}

func TestLoginThrottle(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	login := srv.AddUser(t, webtest.Own, fees.RoleCashier)
	var mu sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			res := srv.Anyone(t).Post("/login", url.Values{"login": {login}, "password": {"guess guess"}})
			mu.Lock()
			defer mu.Unlock()
			statuses[res.Status]++
		})
	}
	all.Wait()
	if statuses[422] != 5 || statuses[429] != 7 {
		t.Fatalf("of 12 guesses at once the answers are %v, want 5 × 422 and 7 × 429", statuses)
	}
	right := url.Values{"login": {login}, "password": {webtest.Password}}
	res := srv.Anyone(t).Post("/login", right)
	if res.Status != http.StatusTooManyRequests || !strings.Contains(res.Alert(), "minutes") || res.Input("login") != login {
		t.Errorf("the right password while throttled: status %d, %q; want 429 that says how long", res.Status, res.Alert())
	}
	srv.Clock.Advance(16 * time.Minute)
	if res := srv.Anyone(t).Post("/login", right); res.Status != http.StatusSeeOther {
		t.Errorf("after the wait: status %d, want 303", res.Status)
	}
}

func TestSessionCookie(t *testing.T) {
	tls, err := web.ParseConfig(":80", "https://fees.example.org", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]web.Config{"raseed": {}, "__Host-raseed": tls} {
		t.Run(name, func(t *testing.T) {
			srv := webtest.Start(t, webtest.Options{Config: cfg})
			login := srv.AddUser(t, webtest.Own, fees.RoleCashier)
			res := srv.Anyone(t).Post("/login", url.Values{"login": {login}, "password": {webtest.Password}})
			cookies := res.Header.Values("Set-Cookie")
			if len(cookies) != 1 {
				t.Fatalf("cookies are %q, want one", cookies)
			}
			c, err := http.ParseSetCookie(cookies[0])
			if err != nil {
				t.Fatal(err)
			}
			if c.Name != name || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.Secure != cfg.Secure() || !c.Expires.IsZero() {
				t.Errorf("cookie is %s", cookies[0])
			}
			if hsts := res.Header.Get("Strict-Transport-Security") != ""; hsts != cfg.Secure() {
				t.Errorf("HSTS is sent: %t, want %t", hsts, cfg.Secure())
			}
		})
	}
}

func loggedIn(c *webtest.Client) bool { return c.Get("/").Location() != "/login" }

func TestSessionExpires(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	t.Run("idle", func(t *testing.T) {
		c := srv.As(t, fees.RoleCashier)
		srv.Clock.Advance(59 * time.Minute)
		if !loggedIn(c) {
			t.Fatal("logged out after 59 minutes without a request")
		}
		srv.Clock.Advance(59 * time.Minute)
		if !loggedIn(c) {
			t.Fatal("a request does not prolong the session")
		}
		srv.Clock.Advance(61 * time.Minute)
		res := c.Get("/collect/A%2F12-B?x=1")
		if res.Status != http.StatusSeeOther || res.Location() != "/login?next="+url.QueryEscape("/collect/A%2F12-B?x=1") {
			t.Fatalf("after an hour: status %d to %q, want the login page that comes back", res.Status, res.Location())
		}
		next := c.Get(res.Location()).Input("next")
		res = c.Post("/login", url.Values{"login": {webtest.LoginOf(webtest.Own, fees.RoleCashier)}, "password": {webtest.Password}, "next": {next}})
		if res.Location() != "/collect/A%2F12-B?x=1" {
			t.Errorf("after logging in again: to %q, want back to the page", res.Location())
		}
	})
	t.Run("absolute", func(t *testing.T) {
		c := srv.As(t, fees.RoleCashier)
		for range 12*60/50 + 1 {
			if !loggedIn(c) {
				t.Fatal("logged out before 12 hours")
			}
			srv.Clock.Advance(50 * time.Minute)
		}
		if loggedIn(c) {
			t.Error("logged in after more than 12 hours")
		}
	})
	t.Run("form", func(t *testing.T) {
		c := srv.As(t, fees.RoleCashier)
		srv.Clock.Advance(2 * time.Hour)
		c.Header.Set("Referer", srv.URL+"/collect/1001")
		if got := c.Post("/payments", url.Values{}).Location(); got != "/login?next=%2Fcollect%2F1001" {
			t.Errorf("a form leads to %q, want the login page that comes back to the form", got)
		}
		id := "DPS:01JD0000000000000000000000"
		for _, tt := range []struct {
			action, page string
			form         url.Values
			want         string
		}{
			// A refused form's page has the address that it was sent to.
			{"/payments", "/payments", nil, "/collect"},
			{"/payments", "/payments", url.Values{"student": {"a/12-b"}, "payment_id": {id}}, "/collect/A%2F12-B?payment_id=" + url.QueryEscape(id)},
			{"/payments", "/payments", url.Values{"student": {"//evil"}}, "/collect"},
			{"/payments", "/collect/1001?payment_id=" + id, url.Values{"student": {"1002"}}, "/collect/1001?payment_id=" + id},
			{"/billing/preview", "/billing/preview", nil, "/billing"},
			{"/billing/runs", "/billing/preview", nil, "/billing"},
			{"/settings/close", "/settings/close", nil, "/settings"},
			{"/users", "/users", nil, "/users"},
			{"/students", "/students/1001/edit", nil, "/students/1001/edit"},
			{"/receipts/01JD0000000000000000000000/reverse", "/receipts/01JD0000000000000000000000/reverse", nil, "/receipts/01JD0000000000000000000000"},
		} {
			c.Header.Set("Referer", srv.URL+tt.page)
			if got, want := c.Post(tt.action, tt.form).Location(), "/login?next="+url.QueryEscape(tt.want); got != want {
				t.Errorf("the form %s on %s leads to %q, want %q", tt.action, tt.page, got, want)
			}
		}
		c.Header.Set("Referer", "http://evil.example/collect")
		if got := c.Post("/payments", url.Values{}).Location(); got != "/login" {
			t.Errorf("a form from elsewhere leads to %q, want /login", got)
		}
		h := c.HTMX()
		h.Header.Set("HX-Current-URL", srv.URL+"/collect?q=asha")
		h.Header.Set("X-Raseed-Page-Of", "asha")
		res := h.Get("/collect?q=ash")
		if res.Status != http.StatusUnauthorized || res.Header.Get("HX-Retarget") != "#over" || res.Header.Get("HX-Redirect") != "" {
			t.Errorf("a part of a page: status %d, headers %v, want a login over the page", res.Status, res.Header)
		}
		for field, want := range map[string]string{"login": "asha", "over": "asha", "next": "/collect?q=asha"} {
			if got := res.Doc().Find("#login-over input[name="+field+"]").AttrOr("value", ""); got != want {
				t.Errorf("the login over the page has %s %q, want %q", field, got, want)
			}
		}
	})
}

// A login over a page stays there for whose page it is, and leads anybody else
// to a page of their own.
func TestLoginOverThePage(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	asha, meera := srv.AddUser(t, webtest.Own, fees.RoleCashier), srv.AddUser(t, webtest.Own, fees.RoleAdmin)
	c := srv.Anyone(t).HTMX()
	over := func(login, password string) webtest.Response {
		return c.Post("/login", url.Values{"login": {login}, "password": {password}, "next": {"/collect/1001"}, "over": {asha}})
	}
	res := over(asha, "wrong")
	if res.Status != http.StatusUnprocessableEntity || res.Header.Get("HX-Retarget") != "#over" || res.Doc().Find("#login-over .alert").Length() != 1 || strings.Contains(res.Body, "wrong\"") {
		t.Errorf("a wrong password: status %d, headers %v: %s", res.Status, res.Header, res.Body)
	}
	res = over(asha, webtest.Password)
	if res.Status != http.StatusOK || res.Header.Get("HX-Redirect") != "" || res.Header.Get("HX-Trigger-After-Settle") != "raseed:back" || !strings.Contains(res.Alert(), "logged in again") {
		t.Errorf("their own page: status %d, headers %v: %s", res.Status, res.Header, res.Body)
	}
	if res := c.Get("/collect?q=asha"); res.Status != http.StatusOK {
		t.Errorf("after the login: status %d", res.Status)
	}
	res = over(meera, webtest.Password)
	if res.Status != http.StatusOK || res.Header.Get("HX-Redirect") != "/collect/1001" {
		t.Errorf("somebody else's page: status %d, HX-Redirect %q", res.Status, res.Header.Get("HX-Redirect"))
	}
	if res := srv.Anyone(t).Post("/login", url.Values{"login": {asha}, "password": {webtest.Password}, "over": {asha}}); res.Status != http.StatusSeeOther {
		t.Errorf("a plain form with over: status %d", res.Status)
	}
}

func TestSessionEndsWithTheUser(t *testing.T) {
	var db docdb.DB
	srv := webtest.Start(t, webtest.Options{Wrap: func(d docdb.DB) docdb.DB { db = d; return d }})
	change := func(login string, update bson.D) {
		t.Helper()
		if _, err := db.UpdateOne(context.Background(), "users", bson.D{{Key: "_id", Value: login}}, bson.D{{Key: "$set", Value: update}}, docdb.Update{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("role", func(t *testing.T) {
		c := srv.As(t, fees.RoleCashier)
		login, before := webtest.LoginOf(webtest.Own, fees.RoleCashier), c.Cookies()[0].Value
		if got := c.Get("/billing").Status; got != http.StatusForbidden {
			t.Fatalf("a cashier at /billing: status %d, want 403", got)
		}
		change(login, bson.D{{Key: "role", Value: "admin"}})
		if got := c.Get("/billing").Status; got != http.StatusOK {
			t.Errorf("made an admin: status %d, want 200 at once", got)
		}
		if c.Cookies()[0].Value == before {
			t.Error("the token is not renewed when the role changes")
		}
		old := srv.Anyone(t)
		old.Header.Set("Cookie", "raseed="+before)
		if loggedIn(old) {
			t.Error("the old token still works after it was renewed")
		}
		change(login, bson.D{{Key: "role", Value: "cashier"}})
		if got := c.Get("/billing").Status; got != http.StatusForbidden {
			t.Errorf("made a cashier again: status %d, want 403 at once", got)
		}
	})
	for name, update := range map[string]bson.D{
		"disabled":        {{Key: "disabled", Value: true}},
		"new password":    {{Key: "password", Value: "another hash"}},
		"other institute": {{Key: "institute", Value: webtest.Foreign}},
	} {
		t.Run(name, func(t *testing.T) {
			role := fees.RoleAuditor
			c := srv.As(t, role)
			login := webtest.LoginOf(webtest.Own, role)
			u, err := srv.Store.User(context.Background(), login)
			if err != nil {
				t.Fatal(err)
			}
			if !loggedIn(c) {
				t.Fatal("not logged in to begin with")
			}
			change(login, update)
			if loggedIn(c) {
				t.Error("the session goes on")
			}
			change(login, bson.D{{Key: "disabled", Value: false}, {Key: "password", Value: u.Password}, {Key: "institute", Value: webtest.Own}})
			if loggedIn(c) {
				t.Error("the session comes back")
			}
		})
	}
}

func TestLogout(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	c := srv.As(t, fees.RoleCashier)
	token := c.Cookies()[0].Value
	res := c.Post("/logout", nil)
	if res.Status != http.StatusSeeOther || res.Location() != "/login" {
		t.Errorf("status %d to %q, want 303 to /login", res.Status, res.Location())
	}
	if len(c.Cookies()) > 0 {
		t.Error("the browser keeps the cookie")
	}
	thief := srv.Anyone(t)
	thief.Header.Set("Cookie", "raseed="+token)
	if loggedIn(thief) {
		t.Error("the token works after logging out")
	}
	if res := c.Post("/logout", nil); res.Status != http.StatusSeeOther {
		t.Errorf("logging out twice: status %d, want 303", res.Status)
	}
}

func TestLoginReplacesTheToken(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{})
	c := srv.As(t, fees.RoleCashier)
	before := c.Cookies()[0].Value
	srv.AddUser(t, webtest.Foreign, fees.RoleAdmin)
	res := c.Post("/login", url.Values{"login": {webtest.LoginOf(webtest.Foreign, fees.RoleAdmin)}, "password": {webtest.Password}})
	if res.Status != http.StatusSeeOther || c.Cookies()[0].Value == before {
		t.Fatalf("status %d; the token must be new after a login", res.Status)
	}
	old := srv.Anyone(t)
	old.Header.Set("Cookie", "raseed="+before)
	if loggedIn(old) {
		t.Error("the token of before the login still works")
	}
	planted := srv.Anyone(t)
	planted.Header.Set("Cookie", "raseed="+strings.Repeat("A", 43))
	res = planted.Post("/login", url.Values{"login": {webtest.LoginOf(webtest.Own, fees.RoleCashier)}, "password": {webtest.Password}})
	if cookie := res.Header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "raseed=") || strings.Contains(cookie, "AAAA") {
		t.Errorf("a planted token is taken over: %q", cookie)
	}
}
