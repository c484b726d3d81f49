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
	for _, problem := range asked[[]string](p, "downwards", []string{".till", ".till .fields"}) {
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

	// "+" first: what nobody typed shrinks to the rest, in whatever order.
	if err := s.Store.UpdateReceipts(t.Context(), webtest.Own, "", "delta@bank"); err != nil {
		t.Fatal(err)
	}
	p.visit(p.address())
	first := func(want string) {
		t.Helper()
		if got := p.value(`[id="tender_amount.0"]`); got != want {
			t.Errorf("the first way of paying has %q, want %q", got, want)
		}
	}
	p.keys("+")
	p.fill(`[id="tender_amount.1"]`, "4000")
	p.choose(`[id="tender_mode.1"]`, "cheque")
	first("5997.00")
	p.click("Add another way of paying")
	p.fill(`[id="tender_amount.2"]`, "7000")
	p.choose(`[id="tender_mode.2"]`, "dd")
	first("0.00")
	p.fill(`[id="tender_amount.2"]`, "2000")
	first("3997.00")
	if !asked[bool](p, "shown", ".record") {
		t.Error("with three ways of paying Record has to be looked for")
	}
	p.shoot("split-in-three")

	p.visit(p.address())
	if p.has(".upi") {
		t.Error("there is a UPI code though cash is paid")
	}
	p.choose("Paid by", "upi")
	p.fill("Amount (₹)", "1,200")
	p.sees(".upi", "₹1,200 to Delta Public School delta@bank")
	if got := asked[string](p, "attribute", ".upi img", "src"); !strings.HasSuffix(got, "&amount=1%2C200") {
		t.Errorf("the code is %q", got)
	}
	p.unscrolled("paid by UPI")
	p.shoot("upi")
	p.inspect("a UPI code")
}
