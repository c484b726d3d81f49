package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// sixDues bills five more months, each of four heads, so that everybody owes
// for six periods.
func sixDues(t *testing.T, s *webtest.Server) {
	t.Helper()
	var plan strings.Builder
	plan.WriteString("fy,period,due_date,class,category,head,amount\n")
	for month := 7; month <= 11; month++ {
		for i, head := range []string{"TUITION", "TRANSPORT", "LAB", "LIBRARY"} {
			fmt.Fprintf(&plan, "2026-27,2026-27/M%d,2026-%02d-10,*,*,%s,%d.00\n", month, month, head, 100*(i+1))
		}
	}
	if report, err := s.Store.ImportPlan(t.Context(), webtest.Own, strings.NewReader(plan.String()), false, fees.Actor{Login: "meera"}); err != nil || len(report.Problems) > 0 {
		t.Fatal(report, err)
	}
	for month := 7; month <= 11; month++ {
		run, err := s.Store.StartRun(t.Context(), webtest.Own, fees.RunOrder{
			ID: s.Store.NewID(), Period: fmt.Sprintf("2026-27/M%d", month), By: fees.Actor{Login: "test", Role: fees.RoleAdmin},
		})
		if err == nil {
			_, err = s.Store.ExecuteRun(t.Context(), webtest.Own, fees.After(run.ID))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unscrolled fails the test where the page, or its card, is higher than the
// window.
func (p *tab) unscrolled(what string) {
	p.t.Helper()
	p.settle()
	for _, problem := range asked[[]string](p, "downwards", []string{".till"}) {
		p.t.Errorf("%s: %s", what, problem)
	}
}

// A student with six dues, and a payment split in two, are seen whole on the
// screen that most offices have; on a phone nothing is wider than it.
func TestCounterFits(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	for _, total := range []fees.Amount{100, 100, 100} {
		record(t, s, "1001", total)
	}
	sixDues(t, s)
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.visit("/collect/1001")
	if got := len(p.texts(".due-lines .bill")); got != 6 {
		t.Fatalf("%d bills are due, want 6", got)
	}
	p.sees(".due-lines", "Library 400.00")
	p.unscrolled("six dues")
	p.shoot("six-dues")
	p.inspect("six dues")

	p.fill("Amount (₹)", "2000")
	p.keys("+")
	p.focused("tender_amount.1")
	if got := p.value(`[id="tender_amount.1"]`); got != "7997.00" {
		t.Errorf("the second way of paying has %q, want what is left", got)
	}
	p.sees("#till-says", "₹9,997.00 in all. Settles everything that is due.")
	if p.has(`[id="tender_amount.2"]`) {
		t.Error("a third way of paying is shown before it is asked for")
	}
	for _, mode := range []string{"upi", "card", "cheque"} {
		p.choose(`[id="tender_mode.1"]`, mode)
		p.unscrolled("split in cash and " + mode)
	}
	p.choose(`[id="tender_date.1"]`, "2026-12-15")
	p.sees(".post-dated .later", "Post-dated: in the cheques in hand until 15 Dec 2026")
	p.unscrolled("split in cash and a post-dated cheque")
	p.shoot("split")
	p.inspect("a payment split in two")

	p.keys("+") // in a date
	p.focused("tender_date.1")
	p.click("Add another way of paying")
	p.focused("tender_amount.2")
	p.fill(`[id="tender_amount.2"]`, "5")
	p.click("#payment .split .tender:nth-of-type(2) .take-back")
	p.gone(`[id="tender_amount.2"]`)
	p.focused("tender_amount.0")
}
