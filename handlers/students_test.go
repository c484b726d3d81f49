package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

func TestStudentsList(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	res := c.Get("/students")
	if res.Status != http.StatusOK {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if got := column(res.Doc(), "c-number"); !slices.Equal(got, []string{"1001", "1002", "1004", "A/12-B"}) {
		t.Errorf("students are %q", got)
	}
	if got := column(res.Doc(), "c-total"); !slices.Equal(got, []string{"5,000.00", "6,500.00", "0.00", "6,000.00"}) {
		t.Errorf("balances are %q", got)
	}
	if got := column(res.Doc(), "c-name"); got[2] != "Old Boy Left" {
		t.Errorf("who left is shown as %q", got[2])
	}
	if strings.Contains(res.Body, "Foreign") || strings.Contains(res.Body, "/students/new") {
		t.Error("the list shows the other institute's students, or offers a cashier to add one")
	}
	for q, want := range map[string][]string{
		"asha":       {"1001"},
		"verma":      {"1001", "1002"},
		"9810000002": {"A/12-B"},
		"a/12":       {"A/12-B"},
		"nobody":     nil,
	} {
		part := c.HTMX().Get("/students?q=" + url.QueryEscape(q))
		if got := column(part.Doc(), "c-number"); part.Status != http.StatusOK || !slices.Equal(got, want) {
			t.Errorf("%s: status %d, found %q, want %q", q, part.Status, got, want)
		}
		if strings.Contains(part.Body, "<html") || part.Doc().Find("#students").Length() != 1 {
			t.Errorf("%s: htmx was sent something else than the part it asked for", q)
		}
		if len(want) == 0 && !strings.Contains(part.Body, "Nobody found") {
			t.Errorf("%s: an empty result does not say so", q)
		}
	}
	if res := s.As(t, fees.RoleAdmin).Get("/students?q=verma"); res.Doc().Find("#students-q").AttrOr("value", "") != "verma" || !strings.Contains(res.Body, "/students/new") {
		t.Error("the search is not kept, or an admin is not offered to add a student")
	}
	if res := c.Get("/students?after=" + url.QueryEscape("$#")); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "not a page of this list") {
		t.Errorf("a tampered cursor: status %d, %q", res.Status, res.Alert())
	}
}

func TestStudentsPages(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	list := "admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n"
	for i := range 60 {
		list += fmt.Sprintf("B%03d,Pupil %d,3,A,GEN,,,,,active,\n", i, i)
	}
	if report, err := s.Store.ImportStudents(context.Background(), webtest.Own, strings.NewReader(list), false, fees.Actor{}); err != nil || len(report.Problems) > 0 {
		t.Fatal(report.Problems, err)
	}
	c := s.As(t, fees.RoleAuditor)
	seen := map[string]int{}
	for path, pages := "/students?q=pupil", 1; path != ""; pages++ {
		res := c.Get(path)
		for _, no := range column(res.Doc(), "c-number") {
			seen[no]++
		}
		path, _ = res.Doc().Find(`a[rel="next"]`).Attr("href")
		if pages == 2 && path != "" {
			t.Fatalf("the second page of 60 leads on to %s", path)
		}
	}
	if len(seen) != 60 || seen["B000"] != 1 || seen["B059"] != 1 {
		t.Errorf("two pages show %d students, want each of 60 once", len(seen))
	}
}

func TestStudentShow(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "A/12-B", cash(250000))
	res := s.As(t, fees.RoleCashier).Get("/students/A%2F12-B")
	if res.Status != http.StatusOK {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	if got := res.ByTestID("student-balance"); got != "3,500.00" {
		t.Errorf("balance is %q, want 3,500.00", got)
	}
	doc := res.Doc()
	if got := column(doc, "c-total"); !slices.Equal(got, []string{"1,000.00", "6,000.00", "3,500.00"}) {
		t.Errorf("the balance runs %q", got)
	}
	if doc.Find(`a[href="/receipts/`+row.ShortID()+`"]`).Length() != 1 || doc.Find(`a[href="/collect/A%2F12-B"]`).Length() != 1 {
		t.Error("the statement leads neither to its receipt nor to the counter")
	}
	if doc.Find(`a[href="/students/A%2F12-B/edit"]`).Length() != 0 {
		t.Error("a cashier is offered to edit the student")
	}
	if res := s.As(t, fees.RoleAuditor).Get("/students/A%2F12-B"); res.Status != http.StatusOK || strings.Contains(res.Body, "/collect/") {
		t.Errorf("auditor: status %d; who only looks is not led to the counter", res.Status)
	}
	admin := s.As(t, fees.RoleAdmin)
	for _, path := range []string{"/students/2001", "/students/QPS:2001", "/students/%2E%2E%2F", "/students/nobody"} {
		res := admin.Get(path)
		if res.Status != http.StatusNotFound || strings.Contains(res.Body, "Only Foreign") {
			t.Errorf("%s: status %d, want 404 and nothing of the other institute", path, res.Status)
		}
	}
}

func TestStudentSave(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	c := s.As(t, fees.RoleAdmin)
	if res := c.Get("/students/new"); res.Status != http.StatusOK || res.Input("version") != "" {
		t.Fatalf("the empty form: status %d, version %q", res.Status, res.Input("version"))
	}
	form := url.Values{"admission_no": {" b/7 "}, "name": {"Nia  Rao"}, "class": {"3"}, "category": {"gen"}, "status": {"active"}, "opening_balance": {"-1,250.50"}}
	if res := c.Post("/students", form); res.Status != http.StatusSeeOther || res.Location() != "/students/B%2F7" {
		t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
	}
	saved, err := s.Store.Student(ctx, webtest.Own, "B/7")
	if err != nil || saved.Name != "Nia Rao" || saved.OpeningBalance != -125050 {
		t.Fatalf("saved %+v, %v", saved, err)
	}
	if got := c.Get("/students/B%2F7").ByTestID("student-balance"); got != "-1,250.50" {
		t.Errorf("balance is %q: the opening balance is not billed", got)
	}

	// The number is taken: nothing is overwritten.
	form.Set("name", "Somebody Else")
	res := c.Post("/students", form)
	if res.Status != http.StatusConflict || res.Doc().Find("#admission_no-error").Text() == "" || res.Input("name") != "Somebody Else" {
		t.Errorf("a taken number: status %d, %q, name kept as %q", res.Status, res.Alert(), res.Input("name"))
	}

	// Two admins edit; the second is told.
	edit := c.Get("/students/B%2F7/edit")
	if edit.Status != http.StatusOK || edit.Input("opening_balance") != "-1250.50" || edit.Doc().Find("#admission_no[readonly]").Length() != 1 {
		t.Fatalf("the edit form: status %d, opening balance %q", edit.Status, edit.Input("opening_balance"))
	}
	form.Set("version", edit.Input("version"))
	form.Set("name", "Nia Rao Singh")
	if res := c.Post("/students", form); res.Status != http.StatusSeeOther {
		t.Fatalf("edit: status %d: %s", res.Status, res.Alert())
	}
	form.Set("name", "Nia Late")
	if res := c.Post("/students", form); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "meanwhile") || res.Input("name") != "Nia Late" {
		t.Errorf("an edit of what somebody else changed: status %d, %q", res.Status, res.Alert())
	}
	if saved, err = s.Store.Student(ctx, webtest.Own, "B/7"); err != nil || saved.Name != "Nia Rao Singh" {
		t.Errorf("saved %+v, %v", saved, err)
	}
}

func TestStudentSaveRefuses(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	good := url.Values{"admission_no": {"7"}, "name": {"Nia Rao"}, "class": {"3"}, "category": {"gen"}, "status": {"active"}}
	for _, tt := range []struct{ field, value string }{
		{"admission_no", ""},
		{"admission_no", "7:8"},
		{"admission_no", "../7"},
		{"name", " "},
		{"name", strings.Repeat("x", 121)},
		{"class", ""},
		{"class", "*"},
		{"category", ""},
		{"status", "asleep"},
		{"email", "no address"},
		{"opening_balance", "1e3"},
		{"opening_balance", "12,34"},
		{"opening_balance", "100.001"},
	} {
		form := url.Values{}
		for name, values := range good {
			form[name] = slices.Clone(values)
		}
		form.Set(tt.field, tt.value)
		res := c.Post("/students", form)
		if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || res.Doc().Find("#"+tt.field+"-error").Text() == "" {
			t.Errorf("%s=%q: status %d, alert %q, field says %q; want 422 at the field", tt.field, tt.value, res.Status, res.Alert(), res.Doc().Find("#"+tt.field+"-error").Text())
		}
		if tt.field != "status" && res.Input(tt.field) != tt.value {
			t.Errorf("%s=%q is shown again as %q", tt.field, tt.value, res.Input(tt.field))
		}
	}
	good.Set("version", "yesterday")
	if res := c.Post("/students", good); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "damaged") {
		t.Errorf("a damaged version: status %d, %q", res.Status, res.Alert())
	}
	good.Del("version")
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post("/students", good); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	if _, err := s.Store.Student(context.Background(), webtest.Own, "7"); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("a refused form added the student (%v)", err)
	}
}
