package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web/webtest"
)

const t1 = "2026-27/T1"

// finished asks for a run's page as htmx does until it no longer asks for
// itself.
func finished(t *testing.T, c *webtest.Client, path string) webtest.Response {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		res := c.HTMX().Get(path)
		if res.Status != http.StatusOK || res.Doc().Find("#run").Length() != 1 || strings.Contains(res.Body, "<html") {
			t.Fatalf("%s: status %d: %s", path, res.Status, res.Body)
		}
		if res.Doc().Find("#run[hx-trigger]").Length() == 0 {
			return res
		}
	}
	t.Fatalf("%s: the run does not end", path)
	return webtest.Response{}
}

// cells are the texts of table rows, cell by cell.
func cells(res webtest.Response, rows string) string {
	return strings.Join(res.Doc().Find(rows).Find("th, td").Map(func(_ int, cell *goquery.Selection) string {
		return strings.TrimSpace(cell.Text())
	}), " | ")
}

func tally(res webtest.Response) [4]string {
	return [4]string{res.ByTestID("run-created"), res.ByTestID("run-unchanged"), res.ByTestID("run-updated"), res.ByTestID("run-skipped")}
}

func TestBilling(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	c := s.As(t, fees.RoleAdmin)
	if _, err := s.Store.SaveStudent(ctx, webtest.Own, fees.Student{AdmissionNo: "B/7", Name: "Nia Rao", Class: "2", Category: "gen"}, fees.Actor{}); err != nil {
		t.Fatal(err)
	}

	page := c.Get("/billing")
	if page.Status != http.StatusOK || page.Doc().Find(`select[name="period"] option[value="`+t1+`"]`).Length() != 1 {
		t.Fatalf("status %d: %s", page.Status, page.Alert())
	}
	if got := cells(page, "table.periods tbody tr"); got != t1+" | 10 Jun 2026 | 3 | 16,500.00" {
		t.Errorf("the period is shown as %q", got)
	}

	preview := c.Post("/billing/preview", url.Values{"period": {t1}, "class": {""}})
	if preview.Status != http.StatusOK || !strings.Contains(preview.Body, "Create 1 bill<") {
		t.Fatalf("preview: status %d: %s", preview.Status, preview.Alert())
	}
	if got := cells(preview, "table.heads tr"); !strings.Contains(got, "Tuition | 6,000.00") || !strings.Contains(got, "Total | 6,500.00") {
		t.Errorf("the money per head is %q", got)
	}
	if bills, err := s.Store.Bills(ctx, webtest.Own, "B/7"); err != nil || len(bills) != 0 {
		t.Fatalf("a preview billed %v (%v)", bills, err)
	}

	form := url.Values{"run_id": {preview.Input("run_id")}, "period": {preview.Input("period")}, "class": {preview.Input("class")}}
	start := c.Post("/billing/runs", form)
	if start.Status != http.StatusSeeOther || start.Location() != "/billing/runs/"+form.Get("run_id") {
		t.Fatalf("start: status %d to %q: %s", start.Status, start.Location(), start.Alert())
	}
	if got := tally(finished(t, c, start.Location())); got != [4]string{"1", "3", "0", "1"} {
		t.Errorf("created, unchanged, updated, skipped are %q, want 1 3 0 1", got)
	}
	if again := c.Post("/billing/runs", form); again.Status != http.StatusSeeOther || again.Location() != start.Location() {
		t.Errorf("the same form again: status %d to %q, want the same run", again.Status, again.Location())
	}

	// The boring second time, from a script that names no run.
	second := c.Post("/billing/runs", url.Values{"period": {t1}})
	if second.Status != http.StatusSeeOther || second.Location() == start.Location() {
		t.Fatalf("second run: status %d to %q: %s", second.Status, second.Location(), second.Alert())
	}
	done := finished(t, c, second.Location())
	if got := tally(done); got != [4]string{"0", "4", "0", "1"} {
		t.Errorf("created, unchanged, updated, skipped are %q, want 0 4 0 1", got)
	}
	if !strings.Contains(done.Alert(), "0 new, 4 unchanged") {
		t.Errorf("the second run says %q", done.Alert())
	}
	if whole := c.Get(second.Location()); !strings.Contains(whole.Body, "<html") || tally(whole) != tally(done) {
		t.Error("the whole page does not show what the part shows")
	}
	if got := c.Post("/billing/preview", url.Values{"period": {t1}, "class": {"2"}}); !strings.Contains(got.Alert(), "0 new") {
		t.Errorf("a preview of nothing says %q", got.Alert())
	}
	if got := c.Get("/billing").Doc().Find("table.runs tbody tr").Length(); got < 2 {
		t.Errorf("%d recent runs are shown", got)
	}
}

func TestBillingRefuses(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	for _, path := range []string{"/billing/preview", "/billing/runs"} {
		for _, tt := range []struct {
			name string
			form url.Values
			says string
		}{
			{"no period", url.Values{}, ""},
			{"unknown period", url.Values{"period": {"2026-27/T9"}}, "T1"},
			{"unknown class", url.Values{"period": {t1}, "class": {"99"}}, ""},
			{"two periods", url.Values{"period": {t1, t1}}, ""},
		} {
			res := c.Post(path, tt.form)
			if res.Status != http.StatusUnprocessableEntity || res.Alert() == "" || !strings.Contains(res.Body, tt.says) {
				t.Errorf("%s, %s: status %d, %q; want 422 with %q", path, tt.name, res.Status, res.Alert(), tt.says)
			}
			if res.Doc().Find(`form[action="/billing/preview"]`).Length() != 1 {
				t.Errorf("%s, %s: the form is not shown again", path, tt.name)
			}
		}
	}
	for _, id := range []string{"x", "QPS:" + s.Store.NewID(), strings.Repeat("Z", 26)} {
		res := c.Post("/billing/runs", url.Values{"period": {t1}, "run_id": {id}})
		if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "damaged") {
			t.Errorf("run_id %q: status %d, %q, want 422", id, res.Status, res.Alert())
		}
	}
	foreign, err := s.Store.Runs(context.Background(), webtest.Foreign, 1)
	if err != nil || len(foreign) != 1 {
		t.Fatal(foreign, err)
	}
	for _, id := range []string{fees.After(foreign[0].ID), foreign[0].ID, "x"} {
		if res := c.Get("/billing/runs/" + url.PathEscape(id)); res.Status != http.StatusNotFound {
			t.Errorf("run %s: status %d, want 404", id, res.Status)
		}
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post("/billing/runs", url.Values{"period": {t1}}); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	if runs, err := s.Store.Runs(context.Background(), webtest.Own, 10); err != nil || len(runs) != 1 {
		t.Errorf("refused forms left %d runs (%v), want the one of the furnishing", len(runs), err)
	}
}
