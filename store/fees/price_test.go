package fees_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"raseed/store/fees"
)

func TestPrice(t *testing.T) {
	heads := map[string]fees.Head{
		"TUITION": {Code: "TUITION", Name: "Tuition", Order: 1},
		"LAB":     {Code: "LAB", Name: "Laboratory", Order: 2},
		"BUS":     {Code: "BUS", Name: "Bus", Order: 2},
	}
	plan := func(class, category, head string, amount fees.Amount) fees.PlanRow {
		return fees.PlanRow{Class: class, Category: category, Head: head, Amount: amount}
	}
	percent := func(head string, p fees.Percent) fees.Concession {
		return fees.Concession{Head: head, Grants: []fees.Grant{{Kind: fees.ConcessionPercent, Percent: p}}}
	}
	amount := func(head string, a fees.Amount) fees.Concession {
		return fees.Concession{Head: head, Grants: []fees.Grant{{Kind: fees.ConcessionAmount, Amount: a}}}
	}
	line := func(head, name string, gross, less fees.Amount) fees.BillLine {
		l := fees.BillLine{Head: head, HeadName: name, Gross: gross, Concession: less, Net: gross - less}
		if less > 0 {
			l.Reasons = []fees.Conceded{{Amount: less}}
		}
		return l
	}
	type lines = []fees.BillLine
	general := fees.Student{Class: "5", Category: "general"}
	for _, tc := range []struct {
		name        string
		student     fees.Student
		plan        []fees.PlanRow
		concessions []fees.Concession
		want        lines
	}{
		{"no plan", general, nil, nil, lines{}},
		{"nothing matches", general, []fees.PlanRow{plan("6", "*", "LAB", 1), plan("*", "staff", "LAB", 1), plan("6", "general", "LAB", 1)}, nil, lines{}},
		{"any", general, []fees.PlanRow{plan("*", "*", "LAB", 100)}, nil, lines{line("LAB", "Laboratory", 100, 0)}},
		{"category over any", general, []fees.PlanRow{plan("*", "*", "LAB", 100), plan("*", "general", "LAB", 200)}, nil,
			lines{line("LAB", "Laboratory", 200, 0)}},
		{"class over category", general, []fees.PlanRow{plan("5", "*", "LAB", 300), plan("*", "general", "LAB", 200)}, nil,
			lines{line("LAB", "Laboratory", 300, 0)}},
		{"both over class", general, []fees.PlanRow{plan("5", "*", "LAB", 300), plan("5", "general", "LAB", 400), plan("*", "*", "LAB", 100)}, nil,
			lines{line("LAB", "Laboratory", 400, 0)}},
		{"the first of two alike", general, []fees.PlanRow{plan("5", "*", "LAB", 300), plan("5", "*", "LAB", 400)}, nil,
			lines{line("LAB", "Laboratory", 300, 0)}},
		{"per head", general, []fees.PlanRow{plan("5", "general", "LAB", 400), plan("*", "*", "TUITION", 100)}, nil,
			lines{line("TUITION", "Tuition", 100, 0), line("LAB", "Laboratory", 400, 0)}},
		{"order of heads, then code, then unknown", general,
			[]fees.PlanRow{plan("*", "*", "ZOO", 1), plan("*", "*", "LAB", 2), plan("*", "*", "ART", 3), plan("*", "*", "BUS", 4), plan("*", "*", "TUITION", 5)}, nil,
			lines{line("TUITION", "Tuition", 5, 0), line("BUS", "Bus", 4, 0), line("LAB", "Laboratory", 2, 0), line("ART", "ART", 3, 0), line("ZOO", "ZOO", 1, 0)}},
		{"a head that costs nothing", general, []fees.PlanRow{plan("*", "*", "LAB", 100), plan("5", "*", "LAB", 0)}, nil, lines{}},
		{"percent, half up", general, []fees.PlanRow{plan("*", "*", "LAB", 101)}, []fees.Concession{percent("LAB", 50_0000)},
			lines{line("LAB", "Laboratory", 101, 51)}},
		{"percent of the sample", general, []fees.PlanRow{plan("*", "*", "TUITION", 18000_00)}, []fees.Concession{percent("TUITION", 16_8300)},
			lines{line("TUITION", "Tuition", 18000_00, 3029_40)}},
		{"amount", general, []fees.PlanRow{plan("*", "*", "TUITION", 18000_00)}, []fees.Concession{amount("LAB", 1), amount("TUITION", 2500_50)},
			lines{line("TUITION", "Tuition", 18000_00, 2500_50)}},
		{"conceded to zero", general, []fees.PlanRow{plan("*", "*", "LAB", 100)}, []fees.Concession{percent("LAB", 100_0000)},
			lines{line("LAB", "Laboratory", 100, 100)}},
		{"never below zero", general, []fees.PlanRow{plan("*", "*", "LAB", 100)}, []fees.Concession{amount("LAB", 2500)},
			lines{line("LAB", "Laboratory", 100, 100)}},
		{"never above the charge", general, []fees.PlanRow{plan("*", "*", "LAB", 100)}, []fees.Concession{amount("LAB", -2500)},
			lines{line("LAB", "Laboratory", 100, 0)}},
		{"of every head", general, []fees.PlanRow{plan("*", "*", "TUITION", 300), plan("*", "*", "LAB", 101)}, []fees.Concession{percent("*", 100_0000)},
			lines{line("TUITION", "Tuition", 300, 300), line("LAB", "Laboratory", 101, 101)}},
		{"capitals", fees.Student{Class: "nursery", Category: "general"}, []fees.PlanRow{plan("*", "*", "LAB", 1), plan("Nursery", "GENERAL", "LAB", 2), plan("Nursery A", "*", "LAB", 3)}, nil,
			lines{line("LAB", "Laboratory", 2, 0)}},
		{"a class called like any", fees.Student{Class: "*", Category: "*"}, []fees.PlanRow{plan("5", "*", "LAB", 1), plan("*", "*", "LAB", 2)}, nil,
			lines{line("LAB", "Laboratory", 2, 0)}},
	} {
		got := (&fees.Tariff{Plan: tc.plan, Heads: heads}).Price(tc.student, 1, tc.concessions)
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
		var net fees.Amount
		for _, l := range tc.want {
			net += l.Net
		}
		if fees.NetOf(got) != net {
			t.Errorf("%s: the net is %d, want %d", tc.name, fees.NetOf(got), net)
		}
	}
}

// Two on one head: percentages first, of the whole charge and rounded once
// together, then amounts; the rules of siblings join in.
func TestPriceGrants(t *testing.T) {
	percent := func(p fees.Percent, reason string) fees.Grant {
		return fees.Grant{Kind: fees.ConcessionPercent, Percent: p, Reason: reason, Approver: "Trust"}
	}
	amount := func(a fees.Amount, reason string) fees.Grant {
		return fees.Grant{Kind: fees.ConcessionAmount, Amount: a, Reason: reason}
	}
	on := func(head string, grants ...fees.Grant) fees.Concession {
		return fees.Concession{Head: head, Grants: grants}
	}
	siblings := []fees.SiblingRule{
		{Rank: 1, Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 90_0000}, // the first child has none
		{Rank: 2, Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 10_0000},
		{Rank: 3, Head: "TUITION", Kind: fees.ConcessionAmount, Amount: 30},
		{Rank: 2, Head: "BUS", Kind: fees.ConcessionPercent, Percent: 50_0000},
		{Rank: 4, Head: "*", Kind: fees.ConcessionPercent, Percent: 5_0000},
	}
	type reasons = []fees.Conceded
	for _, tc := range []struct {
		name        string
		charge      fees.Amount
		rank        int64
		concessions []fees.Concession
		want        reasons
	}{
		{"an amount beside a percentage, of what is left", 101, 1, []fees.Concession{on("TUITION", amount(20, "b"), percent(50_0000, "a"))},
			reasons{{"a", "Trust", 51}, {"b", "", 20}}},
		{"two percentages are rounded together", 101, 1, []fees.Concession{on("TUITION", percent(25_0000, "b"), percent(25_0000, "a"))},
			reasons{{"a", "Trust", 26}, {"b", "Trust", 25}}},
		{"two amounts of more than the charge", 100, 1, []fees.Concession{on("TUITION", amount(80, "b"), amount(70, "a"))},
			reasons{{"a", "", 70}, {"b", "", 30}}},
		{"percentages of more than 100", 100, 1, []fees.Concession{on("TUITION", percent(75_0000, "a"), percent(50_0000, "b")), on("*", percent(100_0000, "c"), amount(10, "d"))},
			reasons{{"b", "Trust", 23}, {"a", "Trust", 33}, {"c", "Trust", 44}}},
		{"on this head and on every head", 200, 1, []fees.Concession{on("*", percent(10_0000, "a")), on("LAB", percent(90_0000, "")), on("TUITION", amount(5, "b"))},
			reasons{{"a", "Trust", 20}, {"b", "", 5}}},
		{"a part that comes to nothing", 3, 1, []fees.Concession{on("TUITION", percent(1_0000, "a"), amount(1, "b"), amount(-9, "c"), percent(-90_0000, "d"))},
			reasons{{"b", "", 1}}},
		{"second child", 200, 2, nil, reasons{{"Sibling (child 2)", "", 20}}},
		{"third child", 200, 3, []fees.Concession{on("TUITION", percent(50_0000, "a"))}, reasons{{"a", "Trust", 100}, {"Sibling (child 3)", "", 30}}},
		{"seventh child", 200, 7, nil, reasons{{"Sibling (child 7)", "", 10}, {"Sibling (child 7)", "", 30}}},
	} {
		tariff := fees.Tariff{Plan: []fees.PlanRow{{Class: "*", Category: "*", Head: "TUITION", Amount: tc.charge}}, Siblings: siblings}
		lines := tariff.Price(fees.Student{}, tc.rank, tc.concessions)
		if len(lines) != 1 || !reflect.DeepEqual(lines[0].Reasons, tc.want) {
			t.Errorf("%s: %+v, want reasons %+v", tc.name, lines, tc.want)
		}
	}
}

// From and to are counted in the order of due dates, then codes, both included.
func TestPriceInForce(t *testing.T) {
	periods := []fees.Period{{Code: "Z", DueDate: "2026-04-10"}, {Code: "B", DueDate: "2026-08-10"}, {Code: "A", DueDate: "2026-12-10"}, {Code: "C", DueDate: "2026-12-10"}}
	for _, tc := range []struct{ from, to, in string }{
		{"", "", "ZBAC"},
		{"B", "", "BAC"},
		{"", "B", "ZB"},
		{"B", "A", "BA"},
		{"C", "C", "C"},
		{"A", "B", ""},
		{"X", "", ""},
		{"", "X", ""},
	} {
		got := ""
		for _, p := range periods {
			tariff := fees.Tariff{Period: p, Periods: periods, Plan: []fees.PlanRow{{Class: "*", Category: "*", Head: "LAB", Amount: 100}}}
			grant := fees.Grant{Kind: fees.ConcessionAmount, Amount: 1, From: tc.from, To: tc.to}
			if tariff.Price(fees.Student{}, 1, []fees.Concession{{Head: "LAB", Grants: []fees.Grant{grant}}})[0].Net == 99 {
				got += p.Code
			}
		}
		if got != tc.in {
			t.Errorf("from %q to %q is in force in %q, want %q", tc.from, tc.to, got, tc.in)
		}
	}
}

// Whatever the order of rows, grants and rules, the bill is the same; every
// line adds up, what grants take sums to the concession, the lines sum to the
// bill, and the concession is what plain arithmetic makes it.
func TestPriceProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 11))
	heads := []string{"TUITION", "LAB", "BUS"}
	grant := func() fees.Grant {
		g := fees.Grant{Reason: string(rune('a' + random.IntN(3))), Kind: fees.ConcessionPercent, Percent: fees.Percent(random.Int64N(40_0000))}
		if random.IntN(2) == 0 {
			g.Kind, g.Percent, g.Amount = fees.ConcessionAmount, 0, fees.Amount(random.IntN(2000))
		}
		return g
	}
	for range 2000 {
		var tariff fees.Tariff
		for _, class := range []string{"*", "4", "5"} {
			for _, category := range []string{"*", "general", "staff"} {
				for _, head := range heads {
					if random.IntN(2) == 0 {
						tariff.Plan = append(tariff.Plan, fees.PlanRow{Class: class, Category: category, Head: head, Amount: fees.Amount(random.IntN(5000))})
					}
				}
			}
		}
		for range random.IntN(4) {
			g := grant()
			tariff.Siblings = append(tariff.Siblings, fees.SiblingRule{Rank: 2 + random.Int64N(3), Head: append(heads, "*")[random.IntN(4)], Kind: g.Kind, Percent: g.Percent, Amount: g.Amount})
		}
		var concessions []fees.Concession
		for _, head := range append(heads, "*") {
			c := fees.Concession{Head: head}
			for range random.IntN(4) {
				c.Grants = append(c.Grants, grant())
			}
			concessions = append(concessions, c)
		}
		rank := random.Int64N(6)
		student := fees.Student{Class: []string{"4", "5", "6"}[random.IntN(3)], Category: []string{"general", "staff", "rte"}[random.IntN(3)]}
		lines := tariff.Price(student, rank, concessions)
		var sum fees.Amount
		for _, l := range lines {
			sum += l.Net
			var parts fees.Amount
			for _, r := range l.Reasons {
				if r.Amount <= 0 {
					t.Fatalf("a part of nothing in %+v", l)
				}
				parts += r.Amount
			}
			if l.Gross <= 0 || l.Concession < 0 || l.Net < 0 || l.Gross-l.Concession != l.Net || l.HeadName != l.Head || parts != l.Concession {
				t.Fatalf("%+v for %+v by %+v", l, student, tariff)
			}
			if want := concededPlainly(l, rank, tariff.Siblings, concessions); l.Concession != want {
				t.Fatalf("%+v: the concession is %d, want %d of %+v and %+v", l, l.Concession, want, concessions, tariff.Siblings)
			}
		}
		if sum != fees.NetOf(lines) {
			t.Fatalf("the lines come to %d, the bill to %d", sum, fees.NetOf(lines))
		}
		random.Shuffle(len(tariff.Plan), func(i, j int) { tariff.Plan[i], tariff.Plan[j] = tariff.Plan[j], tariff.Plan[i] })
		random.Shuffle(len(tariff.Siblings), func(i, j int) {
			tariff.Siblings[i], tariff.Siblings[j] = tariff.Siblings[j], tariff.Siblings[i]
		})
		random.Shuffle(len(concessions), func(i, j int) { concessions[i], concessions[j] = concessions[j], concessions[i] })
		for _, c := range concessions {
			random.Shuffle(len(c.Grants), func(i, j int) { c.Grants[i], c.Grants[j] = c.Grants[j], c.Grants[i] })
		}
		if again := tariff.Price(student, rank, concessions); !reflect.DeepEqual(lines, again) {
			t.Fatalf("in another order it gives\n%+v, not\n%+v", again, lines)
		}
	}
}

// concededPlainly is the concession of a line by the rule as people say it,
// worked out in another way: percentages in ten-thousandths, halves up.
func concededPlainly(l fees.BillLine, rank int64, rules []fees.SiblingRule, concessions []fees.Concession) fees.Amount {
	percent, amount := int64(0), int64(0)
	add := func(kind fees.ConcessionKind, p fees.Percent, a fees.Amount) {
		if kind == fees.ConcessionPercent {
			percent += int64(p)
		} else {
			amount += int64(a)
		}
	}
	for _, c := range concessions {
		if c.Head == l.Head || c.Head == "*" {
			for _, g := range c.Grants {
				add(g.Kind, g.Percent, g.Amount)
			}
		}
	}
	for _, head := range []string{l.Head, "*"} {
		for reached := rank; reached >= 2; reached-- {
			any := false
			for _, r := range rules {
				if r.Head == head && r.Rank == reached {
					any = true
					add(r.Kind, r.Percent, r.Amount)
				}
			}
			if any {
				break
			}
		}
	}
	if percent > 1_000_000 {
		percent = 1_000_000
	}
	off := (2*int64(l.Gross)*percent+1_000_000)/2_000_000 + amount
	return fees.Amount(min(off, int64(l.Gross)))
}

func BenchmarkPrice(b *testing.B) {
	heads := map[string]fees.Head{}
	var plan []fees.PlanRow
	for h, head := range []string{"TUITION", "LAB", "ANNUAL", "ACTIVITY", "BUS"} {
		heads[head] = fees.Head{Code: head, Name: head, Order: int64(h)}
		for class := range 14 {
			plan = append(plan, fees.PlanRow{Class: fmt.Sprint(class), Category: "general", Head: head, Amount: 100_00},
				fees.PlanRow{Class: fmt.Sprint(class), Category: "staff", Head: head, Amount: 50_00})
		}
	}
	student := fees.Student{Class: "7", Category: "general"}
	concessions := []fees.Concession{{Head: "TUITION", Grants: []fees.Grant{{Kind: fees.ConcessionPercent, Percent: 12_5000}}}}
	tariff := fees.Tariff{Plan: plan, Heads: heads}
	b.ReportAllocs()
	for b.Loop() {
		if len(tariff.Price(student, 1, concessions)) != 5 {
			b.Fatal("not five heads")
		}
	}
}
