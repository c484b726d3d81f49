package browsertest

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe/axe.min.js
var axe string

// runAxe is every rule of axe, and those of WCAG 2.2 AA that it leaves off.
const runAxe = `axe.run(document, {
  resultTypes: ["violations"], preload: false, rules: {"target-size": {enabled: true}},
}).then((found) => found.violations.map((v) =>
  (v.impact ?? "minor") + ": " + v.id + ", " + v.help + ": " +
  v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " (" + n.failureSummary.replace(/\s+/g, " ") + ")").join("; ")))`

// view is one way to look at a page.
type view struct {
	scheme        string
	width, height int64
	axe           bool
}

// views are from a desk to the smallest phone, by day and by night; the odd
// widths are where the layout is about to change. What axe reads of the ones
// that it leaves out it has read in the others.
func views() []view {
	return []view{
		{"light", 1366, 768, true},
		{"dark", 1250, 700, false},
		{"light", 1110, 700, false},
		{"light", 800, 700, false},
		{"dark", 650, 700, false},
		{"light", 375, 667, false},
		{"dark", 320, 568, true},
	}
}

// inspect looks at the page as it is now in every view: nothing may make it
// scroll sideways or be squeezed, and axe may find nothing.
func (p *tab) inspect(name string) {
	p.t.Helper()
	p.settle()
	for _, v := range views() {
		p.scheme(v.scheme)
		p.resize(v.width, v.height)
		p.settle()
		for _, problem := range p.judge(v) {
			p.t.Errorf("%s, %s, %d px: %s", name, v.scheme, v.width, problem)
		}
	}
	p.scheme("light")
	p.resize(1366, 768)
	for _, problem := range p.take() {
		p.t.Errorf("%s: the browser reports: %s", name, problem)
	}
}

// judge is what is wrong with the page as it is shown now.
func (p *tab) judge(v view) []string {
	p.t.Helper()
	problems := append(asked[[]string](p, "sideways", v.width), asked[[]string](p, "squeezed")...)
	if !v.axe {
		return problems
	}
	var found []string
	p.do("run axe", func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		there, err := chromedp.Evaluate[bool](`"axe" in window`)(ctx, t)
		if err != nil {
			return none, err
		}
		if !there {
			if _, err := chromedp.Evaluate[chromedp.Void](axe)(ctx, t); err != nil {
				return none, fmt.Errorf("load: %w", err)
			}
		}
		found, err = chromedp.Evaluate[[]string](runAxe, chromedp.EvalAwaitPromise)(ctx, t)
		return none, err
	})
	for _, f := range found {
		problems = append(problems, "axe: "+strings.TrimSpace(f))
	}
	return problems
}
