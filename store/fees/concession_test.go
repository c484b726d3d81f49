package fees_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
)

func TestCheckGrant(t *testing.T) {
	periods := []fees.Period{{Code: "2026-27/T1", DueDate: "2026-04-10"}, {Code: "2026-27/T2", DueDate: "2026-08-10"}}
	const long = "0123456789"
	for _, tc := range []struct {
		name   string
		head   string
		grant  fees.Grant
		want   fees.Grant
		fields string // that are wrong, with a space between
	}{
		{"percent", "LAB", fees.Grant{Kind: " Percent", Percent: 1, Amount: 5, Reason: " a  b ", Approver: "c\nd", From: "2026-27/t1 ", To: "2026-27/T1"},
			fees.Grant{Kind: "percent", Percent: 1, Reason: "a b", Approver: "c d", From: "2026-27/T1", To: "2026-27/T1"}, ""},
		{"amount", "LAB", fees.Grant{Kind: "AMOUNT", Percent: 1, Amount: fees.MaxAmount, From: "2026-27/T1", To: "2026-27/T2"},
			fees.Grant{Kind: "amount", Amount: fees.MaxAmount, From: "2026-27/T1", To: "2026-27/T2"}, ""},
		{"free place", "*", fees.Grant{Kind: "percent", Percent: fees.MaxPercent}, fees.Grant{Kind: "percent", Percent: fees.MaxPercent}, ""},
		{"no kind", "LAB", fees.Grant{Percent: 1}, fees.Grant{}, "kind"},
		{"another kind", "LAB", fees.Grant{Kind: "half", Percent: 1}, fees.Grant{}, "kind"},
		{"no percent", "LAB", fees.Grant{Kind: "percent", Amount: 1}, fees.Grant{}, "value"},
		{"above 100", "LAB", fees.Grant{Kind: "percent", Percent: fees.MaxPercent + 1}, fees.Grant{}, "value"},
		{"no amount", "LAB", fees.Grant{Kind: "amount", Percent: 1}, fees.Grant{}, "value"},
		{"below zero", "LAB", fees.Grant{Kind: "amount", Amount: -1}, fees.Grant{}, "value"},
		{"too much", "LAB", fees.Grant{Kind: "amount", Amount: fees.MaxAmount + 1}, fees.Grant{}, "value"},
		{"an amount off every head", "*", fees.Grant{Kind: "amount", Amount: 1}, fees.Grant{}, "kind"},
		{"long", "LAB", fees.Grant{Kind: "percent", Percent: 1, Reason: strings.Repeat(long, 21), Approver: strings.Repeat(long, 21)}, fees.Grant{}, "approver reason"},
		{"no such period", "LAB", fees.Grant{Kind: "percent", Percent: 1, From: "T1", To: "2026-27/T3"}, fees.Grant{}, "from to"},
		{"ends before it begins", "LAB", fees.Grant{Kind: "percent", Percent: 1, From: "2026-27/T2", To: "2026-27/T1"}, fees.Grant{}, "to"},
	} {
		got, err := fees.CheckGrant(tc.grant, tc.head, periods)
		if fields := wrongFields(err); fields != tc.fields || err == nil && got != tc.want {
			t.Errorf("%s: %+v, %v; want %+v, and %q wrong", tc.name, got, err, tc.want, tc.fields)
		}
	}
}

// Who entered it and when is no part of what a grant says.
func TestGrantCompare(t *testing.T) {
	g := fees.Grant{Kind: fees.ConcessionPercent, Percent: 2, Reason: "b", Approver: "b", From: "b", To: "b"}
	same := g
	same.By, same.At = "asha", time.Unix(0, 0)
	if g.Compare(same) != 0 {
		t.Errorf("%+v and %+v differ", g, same)
	}
	for _, less := range []func(*fees.Grant){
		func(h *fees.Grant) { h.Percent = 1 },
		func(h *fees.Grant) { h.Amount = -1 },
		func(h *fees.Grant) { h.Reason = "a" },
		func(h *fees.Grant) { h.Approver = "a" },
		func(h *fees.Grant) { h.From = "a" },
		func(h *fees.Grant) { h.To = "a" },
	} {
		h := g
		less(&h)
		if h.Compare(g) >= 0 || g.Compare(h) <= 0 {
			t.Errorf("%+v is not before %+v", h, g)
		}
	}
	amount := fees.Grant{Kind: fees.ConcessionAmount}
	if g.Compare(amount) >= 0 {
		t.Error("a percentage is not before an amount")
	}
}

// wrongFields are the fields of err in order, with a space between.
func wrongFields(err *fees.Error) string {
	if err == nil {
		return ""
	}
	return strings.Join(sortedKeys(err.Fields), " ")
}

func TestPlanRowKey(t *testing.T) {
	row := fees.PlanRow{Institute: "DPS", Period: "2026-27/T1", Class: "Nursery", Category: "RTE", Head: "LAB"}
	if got := row.Key(); got != "DPS:2026-27/T1:nursery:rte:LAB" {
		t.Errorf("the key of %+v is %q", row, got)
	}
}

func TestSplitYear(t *testing.T) {
	for _, tc := range []struct {
		year fees.Amount
		n    int
		want []fees.Amount
	}{
		{1000, 3, []fees.Amount{334, 333, 333}},
		{1001, 3, []fees.Amount{334, 334, 333}},
		{-5, 2, []fees.Amount{-3, -2}},
		{2, 3, []fees.Amount{1, 1, 0}},
		{7, 1, []fees.Amount{7}},
		{7, 0, nil},
		{7, -1, nil},
	} {
		if got := fees.SplitYear(tc.year, tc.n); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%d in %d periods: %v, want %v", tc.year, tc.n, got, tc.want)
		}
	}
	for year := fees.Amount(0); year < 500; year++ {
		for n := 1; n <= 12; n++ {
			var sum fees.Amount
			parts := fees.SplitYear(year, n)
			for i, part := range parts {
				sum += part
				if part > parts[0] || part < parts[0]-1 || i > 0 && part > parts[i-1] {
					t.Fatalf("%d in %d periods is %v", year, n, parts)
				}
			}
			if sum != year {
				t.Fatalf("%d in %d periods sums to %d", year, n, sum)
			}
		}
	}
}
