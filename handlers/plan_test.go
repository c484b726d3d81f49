package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// fields are what a form on the page would send as it stands.
func fields(res webtest.Response, action string) url.Values {
	values := url.Values{}
	res.Doc().Find(`form[action="` + action + `"]`).First().Find("input, select, textarea").Each(func(_ int, f *goquery.Selection) {
		name, value := f.AttrOr("name", ""), f.AttrOr("value", "")
		_, checked := f.Attr("checked")
		switch {
		case name == "" || f.AttrOr("type", "") == "checkbox" && !checked:
			return
		case goquery.NodeName(f) == "select":
			value = f.Find("option[selected]").AttrOr("value", "")
		}
		values.Add(name, value)
	})
	return values
}

func planOf(t *testing.T, s *webtest.Server, institute string) string {
	t.Helper()
	rows, err := s.Store.PlanRows(context.Background(), institute, "2026-27")
	if err != nil {
		t.Fatal(err)
	}
	return fees.PlanVersion(rows)
}

func TestPlanPage(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	foreign := planOf(t, s, webtest.Foreign)
	page := c.Get("/plan")
	if page.Status != http.StatusOK || !strings.Contains(page.Alert(), "has bills") {
		t.Fatalf("status %d, %q; want a warning that T1 has bills", page.Status, page.Alert())
	}
	if page.Doc().Find(`.rail a[href="/plan"][aria-current="page"]`).Length() != 1 {
		t.Error("the rail does not lead to the plan")
	}
	form := fields(page, "/plan")
	if got := form["amount"]; len(got) != 6 || got[0] != "4500.00" || got[3] != "" || got[2] != "6000.00" {
		t.Fatalf("the amounts are %q", got)
	}
	form["amount"] = []string{"4600", "500", "6000", "", "1,000.00", "0"}
	form["class"][2], form["category"][2] = "Nursery", "*"
	for range 2 {
		res := c.Post("/plan", form)
		if res.Status != http.StatusSeeOther || !strings.HasPrefix(res.Location(), "/plan?period=") {
			t.Fatalf("status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	after := c.Get("/plan?period=" + url.QueryEscape(t1) + "&saved=1")
	if got := fields(after, "/plan"); got["amount"][0] != "4600.00" || got["class"][1] != "Nursery" || got["amount"][3] != "0.00" || !strings.Contains(after.Alert(), "saved") {
		t.Errorf("then it shows %v", got)
	}
	form["amount"][0] = "4700"
	if res := c.Post("/plan", form); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "Somebody else") || fields(res, "/plan")["amount"][0] != "4700" {
		t.Errorf("an old form: status %d, %q, amount %q; want a conflict with what was typed", res.Status, res.Alert(), fields(res, "/plan")["amount"])
	}
	if planOf(t, s, webtest.Foreign) != foreign {
		t.Error("the other institute's plan changed")
	}
	for _, role := range []fees.Role{fees.RoleCashier, fees.RoleAccountant, fees.RoleAuditor} {
		o := s.As(t, role)
		for _, path := range []string{"/plan", "/plan/periods", "/plan/heads", "/plan/rules", "/plan/copy", "/imports/plan"} {
			if res := o.Get(path); res.Status != http.StatusForbidden {
				t.Errorf("%s, %s: status %d, want 403", role, path, res.Status)
			}
		}
		if res := o.Post("/plan", form); res.Status != http.StatusForbidden {
			t.Errorf("%s saves: status %d, want 403", role, res.Status)
		}
	}
}

// TestPlanRowAway: a row of empty amounts is taken away, and the same form again
// finds it gone.
func TestPlanRowAway(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	form := fields(c.Get("/plan"), "/plan")
	last := len(form["class"]) - 1
	form["class"][last], form["category"][last], form["amount"][len(form["amount"])-1] = "9", "*", "5"
	if res := c.Post("/plan", form); res.Status != http.StatusSeeOther {
		t.Fatalf("add a row: status %d: %s", res.Status, res.Alert())
	}
	form = fields(c.Get("/plan"), "/plan")
	for i, class := range form["class"] {
		if class == "9" { // nobody is in it
			clear(form["amount"][i*len(form["head"]) : (i+1)*len(form["head"])])
		}
	}
	for range 2 {
		if res := c.Post("/plan", form); res.Status != http.StatusSeeOther {
			t.Errorf("status %d: %s", res.Status, res.Alert())
		}
	}
	if left := fields(c.Get("/plan"), "/plan"); len(left["class"]) != last+1 {
		t.Errorf("left are the classes %q", left["class"])
	}
}

func TestPlanRefuses(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	before := planOf(t, s, webtest.Own)
	for _, tt := range []struct {
		name, field string
		status      int
		change      func(url.Values)
	}{
		{"no amount", "amount.0", 422, func(f url.Values) { f["amount"][0] = "12.345" }},
		{"negative", "amount.1", 422, func(f url.Values) { f["amount"][1] = "-5" }},
		{"used row away", "amount.0", 422, func(f url.Values) { f["amount"][0] = "" }},
		{"row without class", "class.2", 422, func(f url.Values) { f["amount"][4] = "5" }},
		{"row twice", "class.2", 422, func(f url.Values) { f["class"][2], f["category"][2], f["amount"][4] = "2", "*", "5" }},
		{"row without amount", "class.2", 422, func(f url.Values) { f["class"][2], f["category"][2] = "3", "*" }},
		{"unknown head", "", 422, func(f url.Values) { f["head"][1] = "GOLF" }},
		{"lost table", "", 422, func(f url.Values) {
			for _, name := range []string{"head", "class", "category", "amount"} {
				f.Del(name)
			}
		}},
		{"lost columns", "", 422, func(f url.Values) { f.Del("head"); f.Del("amount") }},
		{"two versions", "", 422, func(f url.Values) { f.Add("version", "x") }},
		{"lost cell", "", 422, func(f url.Values) { f["amount"] = f["amount"][:5] }},
		{"unknown period", "", 404, func(f url.Values) { f.Set("period", "2026-27/T9") }},
	} {
		form := fields(c.Get("/plan"), "/plan")
		tt.change(form)
		res := c.Post("/plan", form)
		if res.Status != tt.status || res.Alert() == "" {
			t.Errorf("%s: status %d, %q; want %d", tt.name, res.Status, res.Alert(), tt.status)
		}
		if tt.field != "" && res.Doc().Find(`[id="`+tt.field+`-error"]`).Text() == "" {
			t.Errorf("%s: the field %s does not say what is wrong", tt.name, tt.field)
		}
	}
	if planOf(t, s, webtest.Own) != before {
		t.Error("what was refused changed the plan")
	}
	for _, path := range []string{"/plan?period=x", "/plan?fy=2026", "/plan/rules?fy=x", "/plan/copy?fy=x"} {
		if res := c.Get(path); res.Status != 404 && res.Status != 422 {
			t.Errorf("%s: status %d", path, res.Status)
		}
	}
}

func TestPlanSplit(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	if res := c.Post("/plan/periods", url.Values{"fy": {"2026-27"}, "name": {"t2"}, "due_date": {"2026-10-10"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("add a period: status %d: %s", res.Status, res.Alert())
	}
	form := fields(c.Get("/plan"), "/plan/split")
	if len(form["periods"]) != 2 {
		t.Fatalf("the form is %v", form)
	}
	form.Set("head", "TRANSPORT")
	form.Set("amount", "1000.01")
	for range 2 {
		if res := c.Post("/plan/split", form); res.Status != http.StatusSeeOther {
			t.Fatalf("split: status %d: %s", res.Status, res.Alert())
		}
	}
	rows, err := s.Store.PlanRows(context.Background(), webtest.Own, "2026-27")
	var got []fees.Amount
	for _, r := range rows {
		if r.Head == "TRANSPORT" {
			got = append(got, r.Amount)
		}
	}
	if err != nil || len(got) != 2 || got[0] != 500_01 || got[1] != 500_00 {
		t.Errorf("split into %v, %v", got, err)
	}
	form.Del("periods")
	form.Set("amount", "x")
	res := c.Post("/plan/split", form)
	if res.Status != http.StatusUnprocessableEntity || res.Doc().Find("#split_amount-error").Text() == "" || res.Doc().Find("details[open]").Length() != 1 {
		t.Errorf("a bad amount: status %d, %q", res.Status, res.Alert())
	}
	form.Set("amount", "5")
	empty := url.Values{"fy": {"2027-28"}, "head": {"TUITION"}, "class": {"*"}, "category": {"*"}, "amount": {"5"}, "periods": {"2027-28/T1"}}
	if res := c.Post("/plan/split", empty); res.Status != 422 || !strings.Contains(res.Alert(), "Choose periods of 2027-28") {
		t.Errorf("split in a year without periods: status %d, %q", res.Status, res.Alert())
	}
	if res := c.Post("/plan/split", form); res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "Choose periods") {
		t.Errorf("no period: status %d, %q", res.Status, res.Alert())
	}
}

func TestPlanPeriodsAndHeads(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	page := c.Get("/plan/periods")
	if page.Status != http.StatusOK || !strings.Contains(page.Body, "the date stays") {
		t.Fatalf("status %d: %s", page.Status, page.Alert())
	}
	if res := c.Post("/plan/periods/due", url.Values{"fy": {"2026-27"}, "period": {t1}, "was": {"2026-06-10"}, "due_date": {"2026-06-11"}}); res.Status != 422 || !strings.Contains(res.Alert(), "billed") {
		t.Errorf("move a billed period: status %d, %q", res.Status, res.Alert())
	}
	add := url.Values{"fy": {"2027-28"}, "name": {"T1"}, "due_date": {"2027-06-10"}}
	for range 2 {
		if res := c.Post("/plan/periods", add); res.Status != http.StatusSeeOther || !strings.Contains(res.Location(), "fy=2027-28") {
			t.Fatalf("add: status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
	}
	move := fields(c.Get("/plan/periods?fy=2027-28"), "/plan/periods/due")
	move.Set("due_date", "2027-06-20")
	for range 2 {
		if res := c.Post("/plan/periods/due", move); res.Status != http.StatusSeeOther {
			t.Errorf("move: status %d, %q", res.Status, res.Alert())
		}
	}
	for range 2 {
		if res := c.Post("/plan/periods/remove", url.Values{"fy": {"2027-28"}, "period": {"2027-28/T1"}}); res.Status != http.StatusSeeOther {
			t.Errorf("remove: status %d, %q", res.Status, res.Alert())
		}
	}
	if res := c.Post("/plan/periods/remove", url.Values{"fy": {"2026-27"}, "period": {t1}}); res.Status != 422 || !strings.Contains(res.Alert(), "has bills") {
		t.Errorf("remove a billed period: status %d, %q", res.Status, res.Alert())
	}
	// Which of two was meant cannot be known.
	for path, form := range map[string]url.Values{
		"/plan/periods":     {"fy": {"2026-27"}, "name": {"T8", "T9"}, "due_date": {"2026-10-10"}},
		"/plan/periods/due": {"fy": {"2026-27"}, "period": {t1}, "was": {"2026-06-10"}, "due_date": {"2026-06-10", "2026-06-11"}},
		"/plan/heads/new":   {"name": {"Bus", "Van"}},
		"/plan/heads":       {"version": {"a", "b"}},
	} {
		if res := c.Post(path, form); res.Status != 422 || res.Alert() == "" {
			t.Errorf("%s with a field twice: status %d, %q; want it refused", path, res.Status, res.Alert())
		}
	}
	for field, form := range map[string]url.Values{
		"name":    {"fy": {"2027-28"}, "name": {"T:1"}, "due_date": {"2027-06-10"}},
		"due_new": {"fy": {"2027-28"}, "name": {"T2"}, "due_date": {"soon"}},
	} {
		if res := c.Post("/plan/periods", form); res.Status != 422 || res.Doc().Find("#"+field+"-error").Text() == "" || res.Input("name") != form.Get("name") {
			t.Errorf("%s: status %d, %q", field, res.Status, res.Alert())
		}
	}

	form := fields(c.Get("/plan/heads"), "/plan/heads")
	if len(form["code"]) != 2 || form["code"][0] != "TUITION" {
		t.Fatalf("heads are %v", form)
	}
	form["order"], form["head_name"][0] = []string{"2", "1"}, "School fee"
	form.Set("refundable", "TRANSPORT")
	for range 2 {
		if res := c.Post("/plan/heads", form); res.Status != http.StatusSeeOther {
			t.Fatalf("heads: status %d: %s", res.Status, res.Alert())
		}
	}
	heads, err := s.Store.Heads(context.Background(), webtest.Own)
	if err != nil || heads[0].Code != "TRANSPORT" || !heads[0].Refundable || heads[1].Name != "School fee" {
		t.Errorf("heads are %+v, %v", heads, err)
	}
	for field, value := range map[string]string{"order": "x", "head_name": ""} {
		bad := fields(c.Get("/plan/heads"), "/plan/heads")
		bad[field][1] = value
		if res := c.Post("/plan/heads", bad); res.Status != 422 || res.Doc().Find(`[id="`+field+`.1-error"]`).Text() == "" {
			t.Errorf("%s: status %d, %q", field, res.Status, res.Alert())
		}
	}
	if res := c.Post("/plan/heads/new", url.Values{"name": {"Advance"}}); res.Status != 422 || res.Doc().Find("#name-error").Text() == "" {
		t.Errorf("a head of the program's: status %d, %q", res.Status, res.Alert())
	}
	if res := c.Post("/plan/heads/new", url.Values{"name": {"Lab fee"}, "refundable": {"yes"}}); res.Status != http.StatusSeeOther {
		t.Errorf("a head: status %d, %q", res.Status, res.Alert())
	}
}

func TestPlanRules(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	form := fields(c.Get("/plan/rules"), "/plan/rules")
	old := fields(c.Get("/plan/rules"), "/plan/rules")
	form["sibling_rank"][1], form["sibling_value"][1], form["sibling_head"][1] = "2", "12.5", "TUITION"
	form.Set("late_kind", "slabs")
	form["late_slab_days"][0], form["late_slab_amount"][0] = "0", "50"
	form.Set("late_grace", "10")
	for range 2 {
		if res := c.Post("/plan/rules", form); res.Status != http.StatusSeeOther {
			t.Fatalf("status %d: %s", res.Status, res.Alert())
		}
	}
	rules, err := s.Store.Rules(context.Background(), webtest.Own, "2026-27")
	if err != nil || len(rules.Siblings) != 1 || rules.Siblings[0].Percent != 12_5000 || rules.Late.Slabs[0].Amount != 50_00 || rules.Late.GraceDays != 10 || rules.Version != 1 {
		t.Fatalf("saved %+v, %v", rules, err)
	}
	if res := c.Post("/plan/rules", old); res.Status != http.StatusConflict || !strings.Contains(res.Alert(), "Somebody else") {
		t.Errorf("an old form: status %d, %q", res.Status, res.Alert())
	}
	for field, change := range map[string]func(url.Values){
		"sibling_value.0":    func(f url.Values) { f["sibling_value"][0] = "101" },
		"sibling_rank.1":     func(f url.Values) { f["sibling_rank"][1], f["sibling_value"][1] = "one", "5" },
		"sibling_kind.0":     func(f url.Values) { f["sibling_head"][0], f["sibling_kind"][0] = "*", "amount" },
		"late_slab_amount.1": func(f url.Values) { f["late_slab_days"][1], f["late_slab_amount"][1] = "10", "50" },
		"late_cap":           func(f url.Values) { f.Set("late_cap", "1") },
		"late_grace":         func(f url.Values) { f.Set("late_grace", "many") },
		"late_amount":        func(f url.Values) { f.Set("late_kind", "day") },
	} {
		bad := fields(c.Get("/plan/rules"), "/plan/rules")
		change(bad)
		res := c.Post("/plan/rules", bad)
		if res.Status != http.StatusUnprocessableEntity || res.Doc().Find(`[id="`+field+`-error"]`).Text() == "" {
			t.Errorf("%s: status %d, %q; want the reason at the field", field, res.Status, res.Alert())
		}
	}
}

func TestPlanCopyPage(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	form := fields(c.Get("/plan/copy"), "/plan/copy/preview")
	if form.Get("to_fy") != "2027-28" {
		t.Fatalf("the form offers %v", form)
	}
	form.Set("change", "-10")
	preview := c.Post("/plan/copy/preview", form)
	if preview.Status != http.StatusOK || !strings.Contains(cells(preview, "table.copied tbody"), "any class, any category | Tuition | 4,050.00") {
		t.Fatalf("preview: status %d, %q, %s", preview.Status, preview.Alert(), cells(preview, "table.copied tbody"))
	}
	commit := fields(preview, "/plan/copy")
	for _, says := range []string{"saved", "stays as it is"} {
		res := c.Post("/plan/copy", commit)
		if res.Status != http.StatusSeeOther || !strings.Contains(res.Location(), "fy=2027-28") {
			t.Fatalf("copy: status %d to %q: %s", res.Status, res.Location(), res.Alert())
		}
		if got := c.Get(res.Location()).Alert(); !strings.Contains(got, says) {
			t.Errorf("then the plan says %q, want %q", got, says)
		}
	}
	if again := c.Post("/plan/copy/preview", form); !strings.Contains(again.Alert(), "Nothing to copy") || !strings.Contains(again.Alert(), "3 rows") {
		t.Errorf("the same again says %q", again.Alert())
	}
	for field, value := range map[string]string{"copy_change": "a tenth", "to_fy": "2026-27", "from_fy": "2020-21"} {
		bad := url.Values{"from_fy": {"2026-27"}, "to_fy": {"2028-29"}, "change": {"5"}}
		bad.Set(strings.TrimPrefix(field, "copy_"), value)
		if res := c.Post("/plan/copy/preview", bad); res.Status != 422 || res.Doc().Find("#"+field+"-error").Text() == "" {
			t.Errorf("%s: status %d, %q", field, res.Status, res.Alert())
		}
	}
	stale := url.Values{"from_fy": {"2026-27"}, "to_fy": {"2028-29"}, "change": {"5"}, "version": {"old"}}
	if res := c.Post("/plan/copy", stale); res.Status != http.StatusConflict || res.Doc().Find("table.copied").Length() != 1 {
		t.Errorf("what nobody previewed: status %d, %q; want its preview", res.Status, res.Alert())
	}
}
