package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

func render(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestFieldTellsWhatIsWrong(t *testing.T) {
	doc := render(t, Field(FieldView{ID: "a.1", Name: "a", Label: "Amount", Value: `"><b>`, Hint: "in rupees", Error: "too many", Required: true}))
	input := doc.Find("input")
	for attr, want := range map[string]string{
		"id": "a.1", "name": "a", "type": "text", "value": `"><b>`, "aria-invalid": "true", "aria-describedby": "a.1-hint a.1-error", "required": "",
	} {
		if got, ok := input.Attr(attr); !ok || got != want {
			t.Errorf("%s is %q (there: %v), want %q", attr, got, ok, want)
		}
	}
	if doc.Find(`label[for="a.1"]`).Text() != "Amount" || doc.Find(`[id="a.1-error"]`).Text() != "too many" || doc.Find("b").Length() != 0 {
		t.Error("label or reason are not tied to the field, or its value is markup")
	}
}

func TestFieldPlain(t *testing.T) {
	doc := render(t, Field(FieldView{Name: "q", Label: "Search", Type: "search"}))
	input := doc.Find(`input#q[type=search]`)
	for _, attr := range []string{"aria-invalid", "aria-describedby", "required", "autofocus", "inputmode", "autocomplete"} {
		if _, ok := input.Attr(attr); ok || input.Length() != 1 {
			t.Errorf("a plain field has %s", attr)
		}
	}
	if doc.Find("p, .bad").Length() != 0 {
		t.Error("a plain field says something is wrong")
	}
}

func TestSelect(t *testing.T) {
	doc := render(t, Select(SelectView{Name: "m", Label: "Mode", Value: "upi", Error: "no", Options: []Option{{"cash", "Cash"}, {"upi", "UPI"}}}))
	if chosen := doc.Find("option[selected]"); chosen.Length() != 1 || chosen.Text() != "UPI" {
		t.Errorf("chosen is %q", chosen.Text())
	}
	if doc.Find(`select[aria-describedby="m-error"][aria-invalid=true]`).Length() != 1 {
		t.Error("the reason is not tied to the choice")
	}
}

func TestAlert(t *testing.T) {
	for kind, role := range map[string]string{"error": "alert", "warning": "alert", "success": "status", "info": "status"} {
		doc := render(t, Alert(AlertView{Kind: kind, Title: "T", Text: "x"}))
		if doc.Find(`.alert.`+kind+`[role=`+role+`][data-testid=alert] svg[aria-hidden=true] path`).Length() == 0 {
			t.Errorf("%s: no alert of role %s with a picture", kind, role)
		}
	}
}

func TestPagerAndStatus(t *testing.T) {
	if doc := render(t, Pager(PagerView{})); doc.Find("*").Filter("nav, a").Length() != 0 {
		t.Error("a list of one page has a pager")
	}
	if doc := render(t, Pager(PagerView{Next: "/x?after=a&b=c"})); doc.Find("a[rel=next]").AttrOr("href", "") != "/x?after=a&b=c" || doc.Find("a").Length() != 1 {
		t.Error("the next page is not linked alone")
	}
	if doc := render(t, Status(StatusView{Kind: "error", Word: "Reversed"})); doc.Find(".pill.error").Text() != "Reversed" {
		t.Error("a status does not say its word")
	}
	if doc := render(t, Button(ButtonView{Label: "Go", Kind: "primary"})); doc.Find("button[type=submit].primary").Text() != "Go" {
		t.Error("a button does not send its form")
	}
	if doc := render(t, Icon("no such")); doc.Find("svg").Children().Length() != 0 {
		t.Error("an unknown picture draws something")
	}
}
