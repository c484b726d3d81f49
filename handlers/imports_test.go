package handlers_test

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// upload sends a form with a file, or with fields only.
func upload(t *testing.T, c *webtest.Client, s *webtest.Server, path, file string, values url.Values) webtest.Response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name := range values {
		if err := form.WriteField(name, values.Get(name)); err != nil {
			t.Fatal(err)
		}
	}
	if values == nil {
		part, err := form.CreateFormFile("file", "list.csv")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write([]byte(file))
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.URL+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(req)
}

func TestImports(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	for kind, tt := range map[string]struct{ file, created string }{
		"students":    {"admission_no,name,class,category\r\nN1,New One,3,GEN\r\nN2,\"New\nTwo\",3,GEN\r\n", "2"},
		"plan":        {"fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T2,2026-10-10,*,*,TUITION,10\n", "1"},
		"concessions": {"admission_no,head,kind,value\n1001,TUITION,percent,50\n", "1"},
	} {
		page := c.Get("/imports/" + kind)
		if page.Status != http.StatusOK || page.Doc().Find(`form[enctype="multipart/form-data"] input[type="file"]`).Length() != 1 {
			t.Fatalf("%s: status %d", kind, page.Status)
		}
		check := upload(t, c, s, "/imports/"+kind, tt.file, nil)
		if check.Status != http.StatusOK || check.ByTestID("import-created") != tt.created || !strings.Contains(check.Alert(), "Nothing is written yet") {
			t.Fatalf("%s: status %d, %q, %s new", kind, check.Status, check.Alert(), check.ByTestID("import-created"))
		}
		if part := upload(t, c.HTMX(), s, "/imports/"+kind, tt.file, nil); part.Status != http.StatusOK || strings.Contains(part.Body, "<html") {
			t.Errorf("%s: htmx is answered with status %d and a whole page", kind, part.Status)
		}
		form := fields(check, "/imports/"+kind+"/commit")
		for _, created := range []string{tt.created, "0"} { // a double click
			res := upload(t, c, s, "/imports/"+kind+"/commit", "", form)
			if res.Status != http.StatusOK || res.ByTestID("import-created") != created || !strings.Contains(res.Alert(), "imported") {
				t.Errorf("%s: status %d, %q, %s new; want %s", kind, res.Status, res.Alert(), res.ByTestID("import-created"), created)
			}
			next, _ := res.Doc().Find(`[data-testid="alert"] a`).Attr("href")
			if seen := c.Get(next); next == "" || seen.Status != http.StatusOK {
				t.Errorf("%s: what was imported is to be seen at %q: status %d", kind, next, seen.Status)
			}
		}
		if kind == "concessions" {
			own, err := s.Store.ConcessionsOf(context.Background(), webtest.Own, "1001")
			if err != nil || len(own) != 1 || own[0].Grants[0].By != webtest.LoginOf(webtest.Own, fees.RoleAdmin) {
				t.Errorf("%+v, %v; want who imported it", own, err)
			}
		}
		form.Set("content", form.Get("content")[:8])
		if res := upload(t, c, s, "/imports/"+kind+"/commit", "", form); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "not the file") {
			t.Errorf("%s: another content: status %d, %q", kind, res.Status, res.Alert())
		}
		if again := upload(t, c, s, "/imports/"+kind, tt.file, nil); !strings.Contains(again.Alert(), "Nothing to import") {
			t.Errorf("%s: the same file again says %q", kind, again.Alert())
		}
	}
}

func TestImportsRefuse(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	before := planOf(t, s, webtest.Own)
	bad := upload(t, c, s, "/imports/plan", "fy,period,due_date,class,category,head,amount\n"+
		"2026-27,2026-27/T2,2026-10-10,*,*,TUITION,10\n2026-27,2026-27/T2,2026-10-10,*,*,ADVANCE,x\n", nil)
	if bad.Status != http.StatusUnprocessableEntity || !strings.Contains(cells(bad, "table.problems tbody"), "3 | head | ADVANCE") || bad.Input("content") != "" {
		t.Errorf("status %d, %q: %s", bad.Status, bad.Alert(), cells(bad, "table.problems tbody"))
	}
	if res := upload(t, c, s, "/imports/students", "admission_no,name,class,category\n", nil); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "no row") {
		t.Errorf("a header only: status %d, %q", res.Status, res.Alert())
	}
	for name, file := range map[string]string{"empty": "", "a workbook": "PK\x03\x04x", "not UTF-8": "admission_no,name\n1,\xff\n"} {
		if res := upload(t, c, s, "/imports/students", file, nil); res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Input("content") != "" {
			t.Errorf("%s: status %d, %q", name, res.Status, res.Alert())
		}
	}
	for _, path := range []string{"/imports/students", "/imports/students/commit"} {
		if res := c.Post(path, url.Values{}); res.Status != http.StatusUnprocessableEntity || res.Alert() == "" {
			t.Errorf("%s without a file: status %d, %q", path, res.Status, res.Alert())
		}
		if res := s.As(t, fees.RoleAccountant).Post(path, url.Values{}); res.Status != http.StatusForbidden {
			t.Errorf("%s: an accountant gets status %d, want 403", path, res.Status)
		}
	}
	if res := upload(t, c, s, "/imports/plan", strings.Repeat("x", 9<<20), nil); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "8 MB") {
		t.Errorf("9 MB: status %d, %q", res.Status, res.Alert())
	}
	if res := upload(t, c, s, "/imports/plan", strings.Repeat("x", 12<<20), nil); res.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("12 MB: status %d, want 413", res.Status)
	}
	if res := upload(t, c, s, "/plan/heads/new", "x", nil); res.Status != http.StatusUnsupportedMediaType {
		t.Errorf("a file where none belongs: status %d, want 415", res.Status)
	}
	for _, path := range []string{"/imports/x", "/imports/bills"} {
		if res := c.Get(path); res.Status != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, res.Status)
		}
	}
	if planOf(t, s, webtest.Own) != before {
		t.Error("what was refused changed the plan")
	}
}
