package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// adjusted has a student pay 700.00 in advance and be charged 300.00, and is
// the page of the adjustment.
func adjusted(t *testing.T, s *webtest.Server, institute string) (paid fees.Row, href string) {
	t.Helper()
	const student = "A/12-B" // owes 6,000.00
	paid = pay(t, s, institute, student, cash(6_700_00))
	charge, err := s.Store.PlaceCharge(context.Background(), institute, fees.ChargeOrder{
		ID: s.Store.NewID(), Title: "Trip", Head: "TUITION", Amount: 300_00, DueDate: "2026-12-10", Student: student, By: fees.Actor{Login: "mira", Name: "Mira"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return paid, "/receipts/" + url.PathEscape(student+":"+charge.Period()+":advance")
}

func TestAdjustment(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	paid, href := adjusted(t, s, webtest.Own)
	adjusted(t, s, webtest.Foreign)
	for _, role := range fees.Roles() {
		res := s.As(t, role).Get(href)
		if res.Status != http.StatusOK || res.ByTestID("receipt-number") != "AD/26-27/00001" || res.ByTestID("receipt-status") != "Adjustment" || res.ByTestID("receipt-total") != "0.00" {
			t.Errorf("%s: status %d, %q, %q, %q", role, res.Status, res.ByTestID("receipt-number"), res.ByTestID("receipt-status"), res.ByTestID("receipt-total"))
		}
		for _, want := range []string{"-300.00", "Trip", "No money was received: credit was moved", "Advance applied when Trip was billed", "Mira"} {
			if !strings.Contains(res.Body, want) {
				t.Errorf("%s: the page lacks %q", role, want)
			}
		}
		if strings.Contains(res.Body, "kept as an advance") || strings.Contains(res.Body, "Received by") || res.Doc().Find("details.reverse").Length() != 0 {
			t.Errorf("%s: the page speaks of money, or offers to reverse it", role)
		}
		if paper := s.As(t, role).Get(href + "/print"); paper.Status != http.StatusOK || !strings.Contains(paper.Body, "Adjustment voucher") || strings.Contains(paper.Body, "Received by") {
			t.Errorf("%s: the paper is no voucher: status %d", role, paper.Status)
		}
	}
	c := s.As(t, fees.RoleAccountant)
	if res := c.Post(href+"/reverse", url.Values{"reason": {"wrong"}}); res.Status != http.StatusConflict {
		t.Errorf("an adjustment was taken back: status %d", res.Status)
	}
	if res := c.Get("/students/" + url.PathEscape("A/12-B")); !strings.Contains(res.Body, "300.00 from Advance to Tuition Trip") || res.ByTestID("student-balance") != "-400.00" {
		t.Errorf("the statement does not say what was moved, or its balance is %s", res.ByTestID("student-balance"))
	}
	if foreign := s.AsOf(t, webtest.Foreign, fees.RoleAccountant).Get(href); foreign.Status != http.StatusNotFound {
		t.Errorf("another institute sees it: status %d", foreign.Status)
	}
	back := c.Post("/receipts/"+paid.ShortID()+"/reverse", url.Values{"reason": {"bounced"}})
	if back.Status != http.StatusSeeOther {
		t.Fatalf("reverse: status %d: %s", back.Status, back.Alert())
	}
	given := c.Get("/receipts/" + paid.ShortID() + ":reversal:advance")
	if link := given.Doc().Find("#receipt .linked a"); given.ByTestID("receipt-number") != "AD/26-27/00002" || link.AttrOr("href", "") != "/receipts/"+paid.ShortID()+":reversal" {
		t.Errorf("the advance given back is %q, leading to %q", given.ByTestID("receipt-number"), link.AttrOr("href", ""))
	}
}

// The register shows adjustments as rows without money, and sums of money do
// not know them.
func TestAdjustmentInTheRegister(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	paid, href := adjusted(t, s, webtest.Own)
	c := s.As(t, fees.RoleAccountant)
	for query, want := range map[string][]string{
		"":                                {"AD/26-27/00001", paid.NumberText},
		"?status=adjustment":              {"AD/26-27/00001"},
		"?status=issued":                  {paid.NumberText},
		"?head=ADVANCE":                   {paid.NumberText},
		"?head=TUITION":                   {paid.NumberText},
		"?head=ADVANCE&status=adjustment": {"AD/26-27/00001"},
		"?mode=cash":                      {paid.NumberText},
	} {
		res := c.Get("/receipts" + query)
		got := column(res.Doc(), "c-number")
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%q shows %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]string{"": "6,700.00", "?head=ADVANCE": "700.00", "?head=TUITION": "4,500.00"} {
		if res := c.Get("/receipts" + query); res.ByTestID("register-total") != want {
			t.Errorf("%q comes to %q, want %s", query, res.ByTestID("register-total"), want)
		}
	}
	if res := c.Get("/receipts"); res.Doc().Find(`tbody a[href="`+href+`"]`).Length() != 1 {
		t.Errorf("the register does not lead to %s", href)
	}
	if csv := c.Get("/receipts.csv?status=adjustment"); !strings.Contains(csv.Body, "AD/26-27/00001,2026-11-30") || !strings.Contains(csv.Body, ",0.00,adjustment,,Mira") {
		t.Errorf("the file says %q", csv.Body)
	}
	// Its key is a place in the register like any other.
	at := "/receipts?after=" + url.QueryEscape("2026-11-30~"+strings.TrimPrefix(must(url.PathUnescape(href)), "/receipts/"))
	if res := c.Get(at); res.Status != http.StatusOK || !slices.Equal(column(res.Doc(), "c-number"), []string{paid.NumberText}) {
		t.Errorf("after the adjustment comes %q (status %d)", column(res.Doc(), "c-number"), res.Status)
	}
}

func must(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}
