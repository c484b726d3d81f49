package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

func setupForm() url.Values {
	return url.Values{
		"code": {"gvs"}, "name": {"Green Valley School"}, "currency": {"INR"}, "fy_start": {"4"}, "tz": {"Asia/Kolkata"},
		"address": {"1 Lake Road\r\nPune"}, "user_name": {"Asha Rao"}, "login": {"asha"}, "password": {"a long password"},
	}
}

func TestFirstRun(t *testing.T) {
	srv := webtest.Start(t, webtest.Options{Empty: true})
	ctx := context.Background()
	link := srv.SetupPath(ctx)
	if len(link) < len("/setup/")+43 {
		t.Fatalf("the link %q is guessable", link)
	}
	c := srv.Anyone(t)

	t.Run("nothing else answers", func(t *testing.T) {
		for _, r := range srv.Routes() {
			path := strings.NewReplacer(":token", "guess", ":student", "1", ":id", "1").Replace(r.Path)
			res := send(c, r, path)
			if r.Path == "/healthz" || r.Path == "/readyz" {
				if res.Status != http.StatusOK {
					t.Errorf("%s: status %d, want 200", path, res.Status)
				}
				continue
			}
			if res.Status != http.StatusServiceUnavailable || !strings.Contains(res.Alert(), "not set up yet") {
				t.Errorf("%s %s: status %d, %q; want 503, not set up yet", r.Method, path, res.Status, res.Alert())
			}
			if strings.Contains(res.Body, link) {
				t.Errorf("%s tells the link", path)
			}
		}
	})
	t.Run("the page", func(t *testing.T) {
		res := c.Get(link)
		if res.Status != http.StatusOK || res.Input("tz") != "Asia/Kolkata" || res.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("status %d, tz %q, Referrer-Policy %q", res.Status, res.Input("tz"), res.Header.Get("Referrer-Policy"))
		}
	})
	t.Run("mistakes", func(t *testing.T) {
		for name, wrong := range map[string]struct{ field, value string }{
			"code":     {"code", "1-X"},
			"name":     {"name", " "},
			"address":  {"address", strings.Repeat("a", 201)},
			"currency": {"currency", "rupees"},
			"month":    {"fy_start", "13"},
			"no month": {"fy_start", ""},
			"zone":     {"tz", "Kolkata"},
			"no zone":  {"tz", ""},
			"user":     {"user_name", ""},
			"login":    {"login", "a b"},
			"password": {"password", "short"},
		} {
			form := setupForm()
			form.Set(wrong.field, wrong.value)
			res := c.Post(link, form)
			if res.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s: status %d, want 422", name, res.Status)
			}
			if res.Doc().Find("#"+wrong.field+"-error").Text() == "" {
				t.Errorf("%s: nothing is said at the field %s", name, wrong.field)
			}
			if wrong.field != "login" && res.Input("login") != "asha" {
				t.Errorf("%s: what was typed is not kept", name)
			}
			if strings.Contains(res.Body, "a long password") {
				t.Errorf("%s: the page repeats the password", name)
			}
		}
		if all, err := srv.Store.Institutes(ctx); err != nil || len(all) > 0 {
			t.Errorf("a refused form left %v, %v", all, err)
		}
	})
	t.Run("everything wrong is said at once", func(t *testing.T) {
		form := setupForm()
		for _, field := range []string{"code", "name", "user_name", "login", "password"} {
			form.Set(field, "")
		}
		if n := c.Post(link, form).Doc().Find(".problem").Length(); n != 5 {
			t.Errorf("%d problems are shown, want 5", n)
		}
	})
	t.Run("twice at once", func(t *testing.T) {
		var mu sync.Mutex
		statuses := map[int]int{}
		var winner *webtest.Client
		var all sync.WaitGroup
		for _, login := range []string{"asha", "ravi", "zoya"} {
			all.Go(func() {
				client := srv.Anyone(t)
				form := setupForm()
				form.Set("login", login)
				form.Set("code", login)
				res := client.Post(link, form)
				mu.Lock()
				defer mu.Unlock()
				statuses[res.Status]++
				if res.Status == http.StatusSeeOther {
					winner = client
				}
			})
		}
		all.Wait()
		if statuses[http.StatusSeeOther] != 1 || statuses[http.StatusNotFound] != 2 {
			t.Fatalf("answers are %v, want one 303 and two 404", statuses)
		}
		insts, err := srv.Store.Institutes(ctx)
		if err != nil || len(insts) != 1 {
			t.Fatalf("institutes are %v, %v; want one", insts, err)
		}
		if insts[0].Name != "Green Valley School" || insts[0].Address != "1 Lake Road, Pune" || insts[0].FYStart != 4 || insts[0].ClosedTo != "2026-03-31" {
			t.Errorf("the institute is %+v", insts[0])
		}
		if home := winner.Get("/").Location(); home != "/billing" {
			t.Errorf("the first admin is sent to %q, want /billing", home)
		}
		for page, where := range map[string]string{"/students": "/imports/students", "/billing": "/plan"} {
			if body := winner.Get(page).Body; !strings.Contains(body, `href="`+where+`"`) {
				t.Errorf("the empty %s does not lead to %s, where it is filled", page, where)
			}
		}
	})
	t.Run("afterwards", func(t *testing.T) {
		if srv.SetupPath(ctx) != "" {
			t.Error("there is still a link")
		}
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			res := c.Get(link)
			if method == http.MethodPost {
				res = c.Post(link, setupForm())
			}
			if res.Status != http.StatusNotFound {
				t.Errorf("%s of the used link: status %d, want 404", method, res.Status)
			}
		}
		if res := c.Get("/login"); res.Status != http.StatusOK {
			t.Errorf("login page: status %d, want 200", res.Status)
		}
	})
}

// A founding that was killed after the institute is taken up again, and one
// by command, beside the server, opens it.
func TestFirstRunResumes(t *testing.T) {
	ctx := context.Background()
	srv := webtest.Start(t, webtest.Options{Empty: true})
	if _, err := srv.Store.AddInstitute(ctx, fees.Institute{Code: "GVS", Name: "Green Valley School"}); err != nil {
		t.Fatal(err)
	}
	c := srv.Anyone(t)
	if got := c.Get("/login").Status; got != http.StatusServiceUnavailable {
		t.Errorf("without a user: status %d, want 503", got)
	}
	if res := c.Post(srv.SetupPath(ctx), setupForm()); res.Status != http.StatusSeeOther {
		t.Errorf("status %d, %q; want 303", res.Status, res.Alert())
	}

	srv = webtest.Start(t, webtest.Options{Empty: true})
	if _, err := srv.Store.AddInstitute(ctx, fees.Institute{Code: "GVS", Name: "Green Valley School"}); err != nil {
		t.Fatal(err)
	}
	if _, err := srv.Store.AddUser(ctx, "GVS", "asha", "Asha", fees.RoleAdmin, webtest.Password); err != nil {
		t.Fatal(err)
	}
	if got := srv.Anyone(t).Get("/login").Status; got != http.StatusOK {
		t.Errorf("set up by command: status %d, want 200", got)
	}
}
