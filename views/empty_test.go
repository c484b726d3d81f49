package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"raseed/store/fees"
)

// Where there is nothing yet, the page leads to what makes something.
func TestEmptyPagesLeadOn(t *testing.T) {
	for name, tt := range map[string]struct {
		page templ.Component
		to   string
	}{
		"billing":   {BillingPart(BillingOf(rupees(), nothingTyped{}, nil, nil, nil, nil)), "/plan"},
		"charges":   {ChargesPart(ChargesOf(rupees(), nothingTyped{}, nil, nil, nil)), "/plan/heads"},
		"late fees": {LateFeesPart(LateFeesOf(rupees(), nothingTyped{}, fees.LatePreview{AsOf: "2026-06-01"})), "/plan/rules"},
	} {
		var b strings.Builder
		if err := tt.page.Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		links := doc.Find(".empty a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
		if !slices.Contains(links, tt.to) {
			t.Errorf("%s: nothing there leads to %s, only %q", name, tt.to, links)
		}
	}
}
