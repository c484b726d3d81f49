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
		return fees.Concession{Head: head, Kind: fees.ConcessionPercent, Percent: p}
	}
	amount := func(head string, a fees.Amount) fees.Concession {
		return fees.Concession{Head: head, Kind: fees.ConcessionAmount, Amount: a}
	}
	line := func(head, name string, gross, less fees.Amount) fees.BillLine {
		return fees.BillLine{Head: head, HeadName: name, Gross: gross, Concession: less, Net: gross - less}
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
		{"the first of two", general, []fees.PlanRow{plan("*", "*", "LAB", 100)}, []fees.Concession{percent("LAB", 10_0000), amount("LAB", 50)},
			lines{line("LAB", "Laboratory", 100, 10)}},
		{"capitals", fees.Student{Class: "nursery", Category: "general"}, []fees.PlanRow{plan("*", "*", "LAB", 1), plan("Nursery", "GENERAL", "LAB", 2), plan("Nursery A", "*", "LAB", 3)}, nil,
			lines{line("LAB", "Laboratory", 2, 0)}},
		{"a class called like any", fees.Student{Class: "*", Category: "*"}, []fees.PlanRow{plan("5", "*", "LAB", 1), plan("*", "*", "LAB", 2)}, nil,
			lines{line("LAB", "Laboratory", 2, 0)}},
	} {
		got := fees.Price(tc.student, tc.plan, tc.concessions, heads)
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

// The order of the plan's rows changes nothing, and every line adds up.
func TestPriceProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 11))
	for range 500 {
		var plan []fees.PlanRow
		for _, class := range []string{"*", "4", "5"} {
			for _, category := range []string{"*", "general", "staff"} {
				for _, head := range []string{"TUITION", "LAB", "BUS"} {
					if random.IntN(2) == 0 {
						plan = append(plan, fees.PlanRow{Class: class, Category: category, Head: head, Amount: fees.Amount(random.IntN(5000))})
					}
				}
			}
		}
		concessions := []fees.Concession{
			{Head: "LAB", Kind: fees.ConcessionPercent, Percent: fees.Percent(random.Int64N(int64(fees.MaxPercent) + 1))},
			{Head: "BUS", Kind: fees.ConcessionAmount, Amount: fees.Amount(random.IntN(5000))},
		}
		student := fees.Student{Class: []string{"4", "5", "6"}[random.IntN(3)], Category: []string{"general", "staff", "rte"}[random.IntN(3)]}
		lines := fees.Price(student, plan, concessions, nil)
		for _, l := range lines {
			if l.Gross <= 0 || l.Concession < 0 || l.Net < 0 || l.Gross-l.Concession != l.Net || l.HeadName != l.Head {
				t.Fatalf("%+v for %+v by %+v", l, student, plan)
			}
		}
		random.Shuffle(len(plan), func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
		if again := fees.Price(student, plan, concessions, nil); !reflect.DeepEqual(lines, again) {
			t.Fatalf("in another order the plan gives %+v, not %+v", again, lines)
		}
	}
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
	concessions := []fees.Concession{{Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 12_5000}}
	b.ReportAllocs()
	for b.Loop() {
		if len(fees.Price(student, plan, concessions, heads)) != 5 {
			b.Fatal("not five heads")
		}
	}
}
