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
	if got := tally(preview); got != [4]string{"1", "3", "0", "1"} {
		t.Errorf("the preview says created, unchanged, updated, skipped %q, want 1 3 0 1", got)
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
	for _, reprice := range [][]string{{"maybe"}, {"yes", "yes"}} {
		res := c.Post("/billing/runs", url.Values{"period": {t1}, "reprice": reprice})
		if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Alert(), "reprice") {
			t.Errorf("reprice %q: status %d, %q; want 422 that names it", reprice, res.Status, res.Alert())
		}
	}
	if res := c.Post("/billing/preview", url.Values{"period": {" " + strings.ToLower(t1)}}); strings.TrimSpace(res.Doc().Find("h1").Text()) != "Bill "+t1 || res.Input("period") != t1 {
		t.Errorf("a period in small letters is previewed as %q, %q", res.Doc().Find("h1").Text(), res.Input("period"))
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

// What re-pricing would do is said before, it is done only where it is chosen,
// and a bill with money on it gets a bill for the difference.
func TestBillingReprices(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	c := s.As(t, fees.RoleAdmin)
	owed, err := s.Store.Bills(ctx, webtest.Own, "1001")
	if err != nil || len(owed) == 0 {
		t.Fatal(owed, err)
	}
	_, err = s.Store.RecordPayment(ctx, webtest.Own, fees.PaymentOrder{
		ID: s.Store.NewID(), Student: "1001", Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: 100}}, By: fees.Actor{Login: "asha", Role: fees.RoleCashier},
	})
	if err != nil {
		t.Fatal(err)
	}
	dearer := "fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T1,2026-06-10,*,*,SPORTS,100\n"
	if report, err := s.Store.ImportPlan(ctx, webtest.Own, strings.NewReader(dearer), false, fees.Actor{}); err != nil || len(report.Problems) > 0 {
		t.Fatal(report, err)
	}

	preview := c.Post("/billing/preview", url.Values{"period": {t1}})
	if got := cells(preview, "table.changes tbody tr:first-child"); !strings.Contains(got, "1001 |") || !strings.Contains(got, "+100.00 | bill for the difference") {
		t.Errorf("the changes are %q", got)
	}
	box := preview.Doc().Find(`input[name="reprice"]`)
	if _, checked := box.Attr("checked"); box.Length() != 1 || checked || !strings.Contains(preview.Body, "1 bill has money on it") || !strings.Contains(preview.Body, "Receipts never change") {
		t.Errorf("the choice is offered %d times, checked %v: %s", box.Length(), checked, preview.Body)
	}
	if got := cells(preview, "table.heads tfoot tr"); !strings.HasPrefix(got, "Total | 0.00 | 16,500.00 | 300.00 | 16,800.00") {
		t.Errorf("the money per head comes to %q", got)
	}
	plain := c.Post("/billing/runs", url.Values{"period": {t1}})
	if got := finished(t, c, plain.Location()); tally(got) != [4]string{"0", "0", "0", "1"} || !strings.Contains(got.Body, "left as they are") {
		t.Errorf("without the choice: %q", tally(got))
	}
	form := url.Values{"period": {t1}, "reprice": {"yes"}, "run_id": {s.Store.NewID()}}
	done := finished(t, c, c.Post("/billing/runs", form).Location())
	if got := tally(done); got != [4]string{"0", "0", "3", "1"} || !strings.Contains(done.Alert(), "3 re-priced") || !strings.Contains(done.Body, "2 revised, 1 difference bill, +300.00") {
		t.Errorf("re-priced: %q, %q", got, done.Alert())
	}
	form.Del("reprice")
	if res := c.Post("/billing/runs", form); res.Status != http.StatusConflict {
		t.Errorf("the same run with the other choice: status %d, want 409", res.Status)
	}
	again := finished(t, c, c.Post("/billing/runs", url.Values{"period": {t1}, "reprice": {"yes"}}).Location())
	if got := tally(again); got != [4]string{"0", "3", "0", "1"} {
		t.Errorf("the second time: %q", got)
	}
	after, err := s.Store.Bills(ctx, webtest.Own, "1001")
	if err != nil || len(after) != len(owed)+1 || after[0].Body == "" {
		t.Errorf("the student has %+v (%v), want a difference bill more", after, err)
	}
	if got := cells(c.Get("/billing"), "table.periods tbody tr"); !strings.HasSuffix(got, "16,800.00") {
		t.Errorf("the period is shown as %q", got)
	}
}

func TestBillingCancels(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	admin := s.As(t, fees.RoleAdmin)
	id := s.Store.NewID()
	// Nobody is at it, so that it cannot be over before it is cancelled.
	if _, err := s.Store.StartRun(ctx, webtest.Own, fees.RunOrder{ID: id, Period: t1}); err != nil {
		t.Fatal(err)
	}
	path := "/billing/runs/" + id
	if going := admin.Get(path); going.Doc().Find(`form[action="`+path+`/cancel"]`).Length() != 1 || !strings.Contains(going.Body, `http-equiv="refresh"`) {
		t.Errorf("a run that waits cannot be cancelled, or needs a script: %s", going.Body)
	}
	if res := admin.Post("/billing/runs", url.Values{"period": {t1}}); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "already going") {
		t.Errorf("a second run meanwhile: status %d, %q", res.Status, res.Alert())
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		if res := s.As(t, role).Post(path+"/cancel", nil); res.Status != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", role, res.Status)
		}
	}
	for range 2 {
		if res := admin.Post(path+"/cancel", nil); res.Status != http.StatusSeeOther || res.Location() != path {
			t.Fatalf("cancel: status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	over := admin.Get(path)
	if !strings.Contains(over.Alert(), "Cancelled by") || over.Doc().Find(`form[action="/billing/preview"] input[name="period"]`).AttrOr("value", "") != t1 || over.Doc().Find("#run[hx-trigger]").Length() != 0 {
		t.Errorf("a cancelled run shows %q: %s", over.Alert(), over.Body)
	}
	if res := admin.Post("/billing/runs/"+s.Store.NewID()+"/cancel", nil); res.Status != http.StatusNotFound {
		t.Errorf("no run: status %d, want 404", res.Status)
	}
	next := finished(t, admin, admin.Post("/billing/runs", url.Values{"period": {t1}}).Location())
	if got := tally(next); got != [4]string{"0", "3", "0", "1"} {
		t.Errorf("the next run: %q", got)
	}
	if res := admin.Post(path+"/cancel", nil); res.Status != http.StatusSeeOther {
		t.Errorf("cancelled long ago: status %d", res.Status)
	}
}
