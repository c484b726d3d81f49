package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// Everybody has a home and a rail, and every place in it opens.
func TestFrame(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	for role, want := range map[fees.Role]struct {
		home, search string
		places       []string
	}{
		fees.RoleCashier:    {"/collect", "", []string{"/collect", "/receipts", "/till", "/refunds", "/students"}},
		fees.RoleAccountant: {"/receipts", "/collect", []string{"/collect", "/receipts", "/till", "/cheques", "/refunds", "/students", "/reports/series"}},
		fees.RoleAdmin:      {"/billing", "/collect", []string{"/collect", "/receipts", "/till", "/cheques", "/refunds", "/students", "/billing", "/plan", "/reports/series", "/users", "/settings"}},
		fees.RoleAuditor:    {"/receipts", "/students", []string{"/receipts", "/till", "/cheques", "/refunds", "/students", "/reports/series"}},
	} {
		finds := "Find a student or receipt"
		if role == fees.RoleAuditor { // /students finds no receipts
			finds = "Find a student"
		}
		t.Run(string(role), func(t *testing.T) {
			c := s.As(t, role)
			if res := c.Get("/"); res.Status != http.StatusSeeOther || res.Location() != want.home {
				t.Fatalf("home: status %d to %q, want %q", res.Status, res.Location(), want.home)
			}
			doc := c.Get(want.home).Doc()
			if lang := doc.Find("html").AttrOr("lang", ""); lang != "en-IN" {
				t.Errorf("the page is in %q; an Indian school's dates are to be written as in India", lang)
			}
			places := doc.Find("nav.rail a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
			if !slices.Equal(places, want.places) {
				t.Errorf("the rail leads to %q, want %q", places, want.places)
			}
			if current := doc.Find("nav.rail a[aria-current=page]").AttrOr("href", ""); current != want.home {
				t.Errorf("the rail marks %q, want %q", current, want.home)
			}
			if search := doc.Find("form.global-search").AttrOr("action", ""); search != want.search {
				t.Errorf("the search asks %q, want %q", search, want.search)
			}
			if audit := doc.Find(`nav.rail a[href="/reports/series"]`); audit.Length() > 0 && text(0, audit) != "Audit" {
				t.Errorf("the audit is called %q", text(0, audit))
			}
			if want.search != "" {
				if says, label := doc.Find("#global-q").AttrOr("placeholder", ""), doc.Find(`label[for="global-q"]`).Text(); says != finds || label != finds {
					t.Errorf("the search says %q, %q, want %q", says, label, finds)
				}
				if res := c.Get(want.search + "?q=1001&go=1"); res.Status != http.StatusOK && res.Location() != "/collect/1001" {
					t.Errorf("the search answers %d to %q", res.Status, res.Location())
				}
			}
			if top := text(0, doc.Find("header.top")); !strings.Contains(top, "Delta Public School") || !strings.Contains(top, "FY 2026-27") || !strings.Contains(top, role.Title()) {
				t.Errorf("the top bar says %q", top)
			}
			for _, place := range places {
				if res := c.Get(place); res.Status != http.StatusOK {
					t.Errorf("%s: status %d", place, res.Status)
				}
			}
		})
	}
}

// Whatever a page asks for is there, is kept for ever, and is allowed by the
// content security policy: nothing inline, nothing from elsewhere.
func TestPagesAndTheirFiles(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", cash(450000))
	c := s.As(t, fees.RoleAdmin)
	files := map[string]bool{}
	for _, page := range []string{"/collect", "/collect/1001", "/collect?q=verma", "/receipts/" + row.ShortID(), "/receipts/" + row.ShortID() + "/print"} {
		doc := c.Get(page).Doc()
		doc.Find("script[src], img[src]").Each(func(_ int, el *goquery.Selection) { files[el.AttrOr("src", "")] = true })
		doc.Find("link[href]").Each(func(_ int, el *goquery.Selection) { files[el.AttrOr("href", "")] = true })
		if n := doc.Find("script:not([src]), style, [style]").Length(); n != 0 {
			t.Errorf("%s: %d inline scripts or styles", page, n)
		}
		doc.Find("*").Each(func(_ int, el *goquery.Selection) {
			for _, a := range el.Nodes[0].Attr {
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") {
					t.Errorf("%s: an inline handler %s=%q", page, a.Key, a.Val)
				}
			}
		})
		seen := map[string]bool{}
		doc.Find("[id]").Each(func(_ int, el *goquery.Selection) {
			id := el.AttrOr("id", "")
			if seen[id] {
				t.Errorf("%s: two elements have the id %q", page, id)
			}
			seen[id] = true
		})
		doc.Find("input:not([type=hidden]), select").Each(func(_ int, el *goquery.Selection) {
			if doc.Find(`label[for="`+el.AttrOr("id", "")+`"]`).Length() != 1 {
				t.Errorf("%s: %s %s has no label", page, goquery.NodeName(el), el.AttrOr("name", ""))
			}
		})
	}
	if len(files) < 10 {
		t.Fatalf("the pages ask for %v only", files)
	}
	for file := range files {
		res := s.Anyone(t).Get(file)
		if res.Status != http.StatusOK || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") || res.Header.Get("Content-Type") == "" {
			t.Errorf("%s: status %d, %q, %q", file, res.Status, res.Header.Get("Cache-Control"), res.Header.Get("Content-Type"))
		}
	}
}
