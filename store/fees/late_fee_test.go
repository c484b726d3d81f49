package fees_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestLateFee(t *testing.T) {
	flat := fees.LateRule{Kind: fees.LateFlat, Amount: 50}
	day := fees.LateRule{Kind: fees.LateDay, Amount: 10}
	week := fees.LateRule{Kind: fees.LateWeek, Amount: 25}
	slabs := fees.LateRule{Kind: fees.LateSlabs, Slabs: []fees.LateSlab{{0, 50}, {10, 100}, {30, 500}}}
	later := fees.LateRule{Kind: fees.LateSlabs, Slabs: []fees.LateSlab{{5, 50}}}
	with := func(r fees.LateRule, change func(*fees.LateRule)) fees.LateRule {
		change(&r)
		return r
	}
	grace := func(r fees.LateRule) fees.LateRule {
		return with(r, func(r *fees.LateRule) { r.GraceDays = 5 })
	}
	half := func(r fees.LateRule) fees.LateRule {
		return with(r, func(r *fees.LateRule) { r.StopAtHalf = true })
	}
	type credits = []fees.Credit
	for _, tc := range []struct {
		name    string
		rule    fees.LateRule
		net     fees.Amount
		credits credits
		asOf    fees.Date
		want    fees.Amount
	}{ // due on 2026-04-10
		{"flat, not due", flat, 1001, nil, "2026-04-09", 0},
		{"flat, on the day", flat, 1001, nil, "2026-04-10", 0},
		{"flat, a day late", flat, 1001, nil, "2026-04-11", 50},
		{"flat, a year late", flat, 1001, nil, "2027-04-11", 50},
		{"day, a day late", day, 1001, nil, "2026-04-11", 10},
		{"day, to the month's end", day, 1001, nil, "2026-04-30", 200},
		{"day, over 29 February", day, 1001, nil, "2028-04-10", 7310},
		{"week, the first", week, 1001, nil, "2026-04-11", 25},
		{"week, its last day", week, 1001, nil, "2026-04-17", 25},
		{"week, the second", week, 1001, nil, "2026-04-18", 50},
		{"slab, the first", slabs, 1001, nil, "2026-04-11", 50},
		{"slab, its last day", slabs, 1001, nil, "2026-04-20", 50},
		{"slab, the second", slabs, 1001, nil, "2026-04-21", 100},
		{"slab, the last", slabs, 1001, nil, "2026-05-11", 500},
		{"slab, none reached", later, 1001, nil, "2026-04-15", 0},
		{"slab, reached", later, 1001, nil, "2026-04-16", 50},
		{"grace, its last day", grace(day), 1001, nil, "2026-04-15", 0},
		{"grace stays free", grace(day), 1001, nil, "2026-04-16", 10},
		{"grace, flat", grace(flat), 1001, nil, "2026-04-16", 50},
		{"grace, paid within", grace(flat), 1001, credits{{"2026-04-15", 1001}}, "2026-05-15", 0},
		{"cap", with(day, func(r *fees.LateRule) { r.Cap = 45 }), 1001, nil, "2026-05-10", 45},
		{"cap, not reached", with(day, func(r *fees.LateRule) { r.Cap = 45 }), 1001, nil, "2026-04-14", 40},
		{"cap, slabs", with(slabs, func(r *fees.LateRule) { r.Cap = 60 }), 1001, nil, "2026-05-10", 60},
		{"paid in time", day, 1001, credits{{"2026-04-10", 1001}}, "2026-06-10", 0},
		{"paid before", flat, 1001, credits{{"2026-01-10", 1001}}, "2026-06-10", 0},
		{"paid on the third late day", day, 1001, credits{{"2026-04-13", 1001}}, "2026-06-10", 30},
		{"paid on the third late day, the day before", day, 1001, credits{{"2026-04-13", 1001}}, "2026-04-12", 20},
		{"paid too late", flat, 1001, credits{{"2026-04-13", 1001}}, "2026-06-10", 50},
		{"one unit short", day, 1001, credits{{"2026-04-01", 1000}}, "2026-04-20", 100},
		{"in parts", day, 1001, credits{{"2026-04-15", 1}, {"2026-04-12", 500}, {"2026-04-14", 500}}, "2026-06-10", 50},
		{"more than the bill", day, 1001, credits{{"2026-04-12", 5000}}, "2026-06-10", 20},
		{"half is not whole", day, 1001, credits{{"2026-04-12", 501}}, "2026-04-20", 100},
		{"half stops", half(day), 1001, credits{{"2026-04-12", 501}}, "2026-04-20", 20},
		{"less than half", half(day), 1001, credits{{"2026-04-12", 500}}, "2026-04-20", 100},
		{"half in time", half(flat), 1000, credits{{"2026-04-10", 500}}, "2026-04-20", 0},
		{"paid in time and taken back", day, 1001, credits{{"2026-04-09", 1001}, {"2026-05-01", -1001}}, "2026-05-03", 30},
		{"the day before it is taken back", day, 1001, credits{{"2026-04-09", 1001}, {"2026-05-01", -1001}}, "2026-04-30", 0},
		{"taken back within grace", grace(day), 1001, credits{{"2026-04-09", 1001}, {"2026-04-12", -1001}}, "2026-04-16", 10},
		{"taken back on the last free day", day, 1001, credits{{"2026-04-09", 1001}, {"2026-04-10", -1001}}, "2026-04-12", 20},
		{"flat, taken back", flat, 1001, credits{{"2026-04-09", 1001}, {"2026-05-01", -1001}}, "2026-05-01", 50},
		{"paid late, taken back, paid again", day, 1001, credits{{"2026-04-12", 1001}, {"2026-05-01", -1001}, {"2026-05-04", 1001}}, "2026-06-10", 60},
		{"taken back on the day it was paid", day, 1001, credits{{"2026-04-12", 1001}, {"2026-04-12", -1001}}, "2026-04-14", 40},
		{"taken back and paid on one day", day, 1001, credits{{"2026-04-01", 1001}, {"2026-04-12", -1001}, {"2026-04-12", 1001}}, "2026-04-14", 0},
		{"to the half and above", half(day), 1000, credits{{"2026-04-01", 1000}, {"2026-04-15", -500}}, "2026-05-14", 0},
		{"below the half", half(day), 1000, credits{{"2026-04-01", 1000}, {"2026-04-15", -501}}, "2026-04-16", 20},
		{"a bill of nothing", flat, 0, nil, "2026-05-10", 0},
		{"a credit", flat, -5, nil, "2026-05-10", 0},
		{"no date asked", flat, 1001, nil, "", 0},
		{"no rule", fees.LateRule{}, 1001, nil, "2026-05-10", 0},
		{"below zero", fees.LateRule{Kind: fees.LateDay, Amount: -5, GraceDays: -3}, 1001, nil, "2026-05-10", 0},
		{"no date of a credit", day, 1001, credits{{"", 1002}, {"2026-04-1x", -1}}, "2026-05-10", 0},
		{"never more than a charge may be", fees.LateRule{Kind: fees.LateDay, Amount: math.MaxInt64}, 1001, nil, "9999-12-31", fees.MaxAmount},
	} {
		given := slices.Clone(tc.credits)
		if got := fees.LateFee(tc.rule, "2026-04-10", tc.net, tc.credits, tc.asOf); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
		if !reflect.DeepEqual(given, tc.credits) {
			t.Errorf("%s: the credits given became %+v", tc.name, tc.credits)
		}
	}
	if got := fees.LateFee(flat, "", 1001, nil, "2026-04-10"); got != 0 {
		t.Errorf("without a due date: %d", got)
	}
	if got := fees.LateFee(day, "2028-02-29", 1001, nil, "2028-03-02"); got != 20 {
		t.Errorf("due on 29 February: %d, want 20", got)
	}
}

// Day by day, for random histories: it agrees with counting the days one by
// one, never falls, never exceeds the cap, and no order of the credits
// matters.
func TestLateFeeProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const due = fees.Date("2028-02-20")
	for range 300 {
		rule := fees.LateRule{
			Kind:   []fees.LateKind{fees.LateFlat, fees.LateDay, fees.LateWeek, fees.LateSlabs}[random.IntN(4)],
			Amount: fees.Amount(1 + random.IntN(20)), GraceDays: random.Int64N(4), StopAtHalf: random.IntN(2) == 0,
			Slabs: []fees.LateSlab{{random.Int64N(3), 5}, {3 + random.Int64N(9), 20}},
		}
		if random.IntN(2) == 0 {
			rule.Cap = fees.Amount(20 + random.IntN(100))
		}
		net := fees.Amount(1 + random.IntN(9))
		var credits []fees.Credit
		for range random.IntN(5) {
			credits = append(credits, fees.Credit{Date: due.AddDays(random.IntN(30) - 3), Amount: fees.Amount(random.IntN(15) - 5)})
		}
		last := fees.Amount(0)
		for after := -5; after < 40; after++ {
			asOf := due.AddDays(after)
			got := fees.LateFee(rule, due, net, credits, asOf)
			if want := lateFeeByDays(rule, due, net, credits, after); got != want {
				t.Fatalf("%+v of %d with %+v on %s: %d, want %d", rule, net, credits, asOf, got, want)
			}
			if got < last || got < 0 || rule.Cap > 0 && got > rule.Cap {
				t.Fatalf("%+v of %d with %+v on %s: %d, after %d the day before", rule, net, credits, asOf, got, last)
			}
			last = got
			random.Shuffle(len(credits), func(i, j int) { credits[i], credits[j] = credits[j], credits[i] })
			if again := fees.LateFee(rule, due, net, credits, asOf); again != got {
				t.Fatalf("%+v with %+v in another order: %d, not %d", rule, credits, again, got)
			}
		}
	}
}

// lateFeeByDays goes through the days after due one by one.
func lateFeeByDays(rule fees.LateRule, due fees.Date, net fees.Amount, credits []fees.Credit, after int) fees.Amount {
	settledBy := func(d fees.Date) bool {
		var paid fees.Amount
		for _, c := range credits {
			if c.Date <= d {
				paid += c.Amount
			}
		}
		return paid >= net || rule.StopAtHalf && 2*paid >= net
	}
	late := int64(0)
	for n := int(rule.GraceDays) + 1; n <= after; n++ {
		if !settledBy(due.AddDays(n-1)) || !settledBy(due.AddDays(n)) {
			late++
		}
	}
	fee := fees.Amount(0)
	switch {
	case late == 0:
	case rule.Kind == fees.LateFlat:
		fee = rule.Amount
	case rule.Kind == fees.LateDay:
		fee = rule.Amount * fees.Amount(late)
	case rule.Kind == fees.LateWeek:
		for begun := int64(1); begun <= late; begun += 7 {
			fee += rule.Amount
		}
	default:
		for _, s := range rule.Slabs {
			if late > s.AfterDays {
				fee = s.Amount
			}
		}
	}
	if rule.Cap > 0 && fee > rule.Cap {
		return rule.Cap
	}
	return fee
}

func TestCheckLateRule(t *testing.T) {
	const top = fees.MaxAmount
	for _, tc := range []struct {
		rule, want fees.LateRule
		fields     string
	}{
		{fees.LateRule{Kind: " Flat", Amount: 5, Slabs: []fees.LateSlab{{0, 0}}}, fees.LateRule{Head: "LATE_FEE", Kind: "flat", Amount: 5}, ""},
		{fees.LateRule{Head: "FINE", Kind: "day", Amount: 5, Cap: 5, GraceDays: 365, StopAtHalf: true},
			fees.LateRule{Head: "FINE", Kind: "day", Amount: 5, Cap: 5, GraceDays: 365, StopAtHalf: true}, ""},
		{fees.LateRule{Kind: "WEEK", Amount: top, Cap: top}, fees.LateRule{Head: "LATE_FEE", Kind: "week", Amount: top, Cap: top}, ""},
		{fees.LateRule{Kind: "slabs", Amount: 9, Cap: 7, Slabs: []fees.LateSlab{{0, 5}, {10, 9}}},
			fees.LateRule{Head: "LATE_FEE", Kind: "slabs", Cap: 7, Slabs: []fees.LateSlab{{0, 5}, {10, 9}}}, ""},
		{fees.LateRule{}, fees.LateRule{}, "late_kind"},
		{fees.LateRule{Kind: "month", Amount: 5}, fees.LateRule{}, "late_kind"},
		{fees.LateRule{Kind: "flat"}, fees.LateRule{}, "late_amount"},
		{fees.LateRule{Kind: "day", Amount: -1}, fees.LateRule{}, "late_amount"},
		{fees.LateRule{Kind: "day", Amount: top + 1}, fees.LateRule{}, "late_amount"},
		{fees.LateRule{Kind: "day", Amount: 5, GraceDays: -1, Cap: -1}, fees.LateRule{}, "late_cap late_grace"},
		{fees.LateRule{Kind: "day", Amount: 5, GraceDays: 366, Cap: top + 1}, fees.LateRule{}, "late_cap late_grace"},
		{fees.LateRule{Kind: "day", Amount: 5, Cap: 4}, fees.LateRule{}, "late_cap"},
		{fees.LateRule{Kind: "slabs", Cap: 4, Slabs: []fees.LateSlab{{0, 5}}}, fees.LateRule{}, "late_cap"},
		{fees.LateRule{Kind: "slabs", Amount: 5}, fees.LateRule{}, "late_slab"},
		{fees.LateRule{Kind: "slabs", Slabs: []fees.LateSlab{
			{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {10, 11}, {11, 12}, {12, 13},
		}}, fees.LateRule{}, "late_slab"},
		{fees.LateRule{Kind: "slabs", Slabs: []fees.LateSlab{{-1, 5}, {366, 9}}}, fees.LateRule{}, "late_slab_days.0 late_slab_days.1"},
		{fees.LateRule{Kind: "slabs", Slabs: []fees.LateSlab{{5, 5}, {5, 5}}}, fees.LateRule{}, "late_slab_amount.1 late_slab_days.1"},
		{fees.LateRule{Kind: "slabs", Slabs: []fees.LateSlab{{5, 0}, {6, top + 1}}}, fees.LateRule{}, "late_slab_amount.0 late_slab_amount.1"},
	} {
		got, err := fees.CheckLateRule(tc.rule)
		if wrongFields(err) != tc.fields || err == nil && !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%+v: %+v, %v; want %+v, and %q wrong", tc.rule, got, err, tc.want, tc.fields)
		}
		if err != nil && (strings.Contains(err.Message, "_") || strings.Contains(err.Message, "%!")) {
			t.Errorf("%+v: the message is not for people: %s", tc.rule, err.Message)
		}
	}
}

func BenchmarkLateFee(b *testing.B) {
	rule := fees.LateRule{Kind: fees.LateDay, Amount: 10, GraceDays: 5, Cap: 1000}
	credits := []fees.Credit{{"2026-05-20", 300}, {"2026-04-20", 300}, {"2026-06-01", -300}}
	b.ReportAllocs()
	for b.Loop() {
		if fees.LateFee(rule, "2026-04-10", 1000, credits, "2026-07-10") == 0 {
			b.Fatal("no fee")
		}
	}
}
