package fees_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
)

// planned makes a row of DPS from "2026-27/T1 5 general LAB".
func planned(text string, amount fees.Amount, due fees.Date) fees.PlanRow {
	part := strings.Fields(text)
	fy, _, _ := strings.Cut(part[0], "/")
	r := fees.PlanRow{Institute: "DPS", FY: fy, Period: part[0], Class: part[1], Category: part[2], Head: part[3], Amount: amount, DueDate: due}
	r.ID = r.Key()
	return r
}

func period(code string, due fees.Date) fees.Period {
	fy, _, _ := strings.Cut(code, "/")
	return fees.Period{ID: "DPS:" + code, Institute: "DPS", Code: code, FY: fy, DueDate: due}
}

func messages(found []fees.PlanFinding) string {
	var all []string
	for _, f := range found {
		m := f.Message
		if f.Warning {
			m = "warning: " + m
		}
		all = append(all, m)
	}
	return strings.Join(all, "\n")
}

func TestCheckPlan(t *testing.T) {
	rows := func(texts ...string) (all []fees.PlanRow) {
		for _, text := range texts {
			all = append(all, planned(text, 100, "2026-04-10"))
		}
		return all
	}
	two := []fees.Period{period("2026-27/T2", "2026-08-10"), period("2026-27/T1", "2026-04-10")}
	for _, tc := range []struct {
		name    string
		rows    []fees.PlanRow
		periods []fees.Period
		classes []string
		want    []string
	}{
		{"sound", rows("2026-27/T1 5 * LAB", "2026-27/T2 * rte LAB", "2026-27/T1 5 rte LAB"), two, []string{"5"}, nil},
		{"no periods", nil, nil, []string{"5"}, nil},
		{"nothing planned", nil, two, []string{"5"}, []string{"2026-27 has no plan: nobody gets a bill"}},
		{"twice", rows("2026-27/T1 Nursery * LAB", "2026-27/T2 * * LAB", "2026-27/T1 nursery * LAB", "2026-27/T1 NURSERY * LAB", "2026-27/T2 * rte LAB", "2026-27/T2 * RTE LAB"), two, nil, []string{
			"LAB in 2026-27/T1 for class nursery, any category is there more than once",
			"LAB in 2026-27/T2 for any class, category RTE is there more than once"}},
		{"a period without rows", rows("2026-27/T1 * * LAB"), two, []string{"5"}, []string{"2026-27/T2 has no rows: nobody gets a bill"}},
		{"classes without rows", rows("2026-27/T1 5 * LAB", "2026-27/T1 6 * LAB", "2026-27/T2 kg * LAB", "2026-27/T2 6 * LAB"), two, []string{"5", "6", "7", "KG"}, []string{
			"No row of 2026-27/T2 is for class 5: it gets no bill",
			"No row of 2026-27 is for class 7: it gets no bill",
			"No row of 2026-27/T1 is for class KG: it gets no bill"}},
		{"a class that nobody is in", rows("2026-27/T1 * * LAB", "2026-27/T1 Nursrey * LAB", "2026-27/T1 nursrey rte LAB", "2026-27/T2 5 * LAB", "2026-27/T2 * * LAB"), two, []string{"5", "Nursery"}, []string{
			"warning: No student is in class nursrey, which 2026-27 has rows for"}},
		{"heads now and then", rows("2026-27/T1 * * LAB", "2026-27/T1 * * BUS", "2026-27/T2 * * LAB", "2026-27/T2 * * ANNUAL"), two, nil, []string{
			"warning: ANNUAL is charged in 2026-27/T2, but not in 2026-27/T1",
			"warning: BUS is charged in 2026-27/T1, but not in 2026-27/T2"}},
		{"no such period", rows("2026-27/T1 * * LAB", "2026-27/T3 * * LAB", "2026-27/T3 * * BUS", "2026-27/T2 * * LAB"), two, nil,
			[]string{"2 rows are of 2026-27/T3, which is no period"}},
		{"year by year", rows("2026-27/T1 5 * LAB", "2026-27/T2 5 * LAB", "2025-26/T1 6 * LAB"), append(two, period("2025-26/T1", "2025-04-10")), []string{"5", "6"}, []string{
			"No row of 2025-26 is for class 5: it gets no bill",
			"No row of 2026-27 is for class 6: it gets no bill"}},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			if got := messages(fees.CheckPlan(tc.rows, tc.periods, tc.classes)); !strings.EqualFold(got, strings.Join(tc.want, "\n")) {
				t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, strings.Join(tc.want, "\n"))
			}
			random.Shuffle(len(tc.rows), func(i, j int) { tc.rows[i], tc.rows[j] = tc.rows[j], tc.rows[i] })
		}
	}
	got := fees.CheckPlan(rows("2026-27/T1 5 * LAB", "2026-27/T1 5 * LAB"), two[1:], nil)
	want := []fees.PlanFinding{{FY: "2026-27", Period: "2026-27/T1", Class: "5", Category: "*", Head: "LAB", Message: "LAB in 2026-27/T1 for class 5, any category is there more than once"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestCheckConcessions(t *testing.T) {
	periods := []fees.Period{period("2026-27/T2", "2026-08-10"), period("2026-27/T1", "2026-04-10")}
	percent := func(p fees.Percent, from string) fees.Grant {
		return fees.Grant{Kind: fees.ConcessionPercent, Percent: p, From: from}
	}
	on := func(student, head string, grants ...fees.Grant) fees.Concession {
		return fees.Concession{Student: student, Head: head, Grants: grants}
	}
	found := fees.CheckConcessions([]fees.Concession{
		on("10", "TUITION", percent(60_0000, ""), percent(50_0000, "2026-27/T2")),
		on("9", "LAB", percent(50_0000, "2026-27/T9"), fees.Grant{Kind: fees.ConcessionAmount, Amount: 1000}),
		on("9", "BUS", percent(100_0000, "")),
		on("11", "TUITION", percent(1, "")),
		on("11", "*", percent(100_0000, "2026-27/T2")),
	}, periods)
	const want = `9 on LAB: The concession has mistakes. There is no period "2026-27/T9".
warning: 10 on TUITION: the percentages in force in 2026-27/T2 come to 110; 100 is taken off
warning: 11 on TUITION: the percentages in force in 2026-27/T2 come to 100.0001; 100 is taken off`
	if got := messages(found); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	if f := found[1]; f.Student != "10" || f.Head != "TUITION" || f.Period != "2026-27/T2" || f.FY != "2026-27" {
		t.Errorf("the finding is of %+v", f)
	}
}

func TestCopyPlan(t *testing.T) {
	periods := []fees.Period{
		period("2027-28/T2", "2028-02-29"), period("2027-28/T1", "2027-04-10"), period("2026-27/T1", "2026-04-10"),
		period("2028-29/T1", "2028-05-01"),
	}
	rows := []fees.PlanRow{
		planned("2026-27/T1 * * OLD", 1, "2026-04-10"),
		planned("2027-28/T1 5 * LAB", 101, "2027-04-10"),
		planned("2027-28/T1 Nursery rte LAB", 0, "2027-04-10"),
		planned("2027-28/T2 5 * LAB", 1_000_050, "2028-02-29"),
		planned("2027-28/T1 6 * LAB", 300, "2027-04-10"),
		planned("2027-28/T2 5 * LAB", 5, "2028-02-29"), // the first of two alike counts
		planned("2028-29/T1 6 * lab", 7, "2028-05-01"),
		planned("2028-29/T1 6 * LAB", 7, "2028-05-01"),
	}
	got, err := fees.CopyPlan(rows, periods, "2027-28", "2028-29", 10_0000, 4)
	want := fees.PlanCopy{
		Periods: []fees.Period{period("2028-29/T2", "2029-02-28")},
		Rows: []fees.PlanRow{
			planned("2028-29/T1 Nursery rte LAB", 0, "2028-05-01"), // as the plan shows them
			planned("2028-29/T1 5 * LAB", 111, "2028-05-01"),
			planned("2028-29/T2 5 * LAB", 1_100_055, "2029-02-28"),
		},
		Kept: 2,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
	// Once it is written, the copy finds everything there.
	again, err := fees.CopyPlan(append(slices.Clone(rows), got.Rows...), append(slices.Clone(periods), got.Periods...), "2027-28", "2028-29", 50_0000, 4)
	if err != nil || len(again.Rows)+len(again.Periods) != 0 || again.Kept != 5 {
		t.Errorf("again %+v, %v", again, err)
	}
	// A leap year ahead has no other last day of February; four years on there is a 29th.
	for _, tc := range []struct {
		from, to fees.Date
		fy       string
	}{{"2028-02-29", "2032-02-29", "2031-32"}, {"2027-02-28", "2028-02-28", "2028-29"}, {"2027-12-31", "2028-12-31", "2028-29"}} {
		got, err := fees.CopyPlan([]fees.PlanRow{planned("2027-28/T1 5 * LAB", 1, tc.from)}, []fees.Period{period("2027-28/T1", tc.from)}, "2027-28", tc.fy, 0, 4)
		if err != nil || got.Periods[0].DueDate != tc.to || got.Rows[0].DueDate != tc.to || got.Rows[0].Amount != 1 {
			t.Errorf("due on %s it becomes %+v, %v; want %s", tc.from, got, err, tc.to)
		}
	}
	for change, want := range map[fees.Percent]fees.Amount{0: 101, 50_0000: 152, -50_0000: 51, -100_0000: 0, 100_0000: 202, 4951: 102, 4950: 101} {
		got, err := fees.CopyPlan(rows[1:2], periods, "2027-28", "2029-30", change, 4)
		if err != nil || got.Rows[0].Amount != want || got.Rows[0].ID != "DPS:2029-30/T1:5:*:LAB" || got.Rows[0].DueDate != "2029-04-10" {
			t.Errorf("101 changed by %s is %+v, %v; want %d", change, got.Rows, err, want)
		}
	}
	if got, err := fees.CopyPlan([]fees.PlanRow{planned("2026/JAN * * LAB", 5, "2026-01-10")}, []fees.Period{period("2026/JAN", "2026-01-10")}, "2026", "2027", 0, 1); err != nil || got.Rows[0].Period != "2027/JAN" || got.Periods[0].FY != "2027" {
		t.Errorf("of calendar years: %+v, %v", got, err)
	}
}

func TestCopyPlanRefuses(t *testing.T) {
	base := []fees.PlanRow{planned("2027-28/T1 5 * LAB", 101, "2027-04-10")}
	for _, tc := range []struct {
		name     string
		row      fees.PlanRow
		period   fees.Period
		from, to string
		change   fees.Percent
		fields   string
	}{
		{"no such years", base[0], period("2027-28/T1", "2027-04-10"), "2027", "2028-30", 0, "from_fy to_fy"},
		{"the same year", base[0], period("2027-28/T1", "2027-04-10"), "2027-28", "2027-28", 0, "to_fy"},
		{"an earlier year", base[0], period("2027-28/T1", "2027-04-10"), "2027-28", "2026-27", 0, "to_fy"},
		{"no plan", base[0], period("2027-28/T1", "2027-04-10"), "2026-27", "2027-28", 0, "from_fy"},
		{"less than nothing", base[0], period("2027-28/T1", "2027-04-10"), "2027-28", "2028-29", -100_0001, "change"},
		{"more than double", base[0], period("2027-28/T1", "2027-04-10"), "2027-28", "2028-29", 100_0001, "change"},
		{"too large", planned("2027-28/T1 5 * LAB", fees.MaxAmount, "2027-04-10"), period("2027-28/T1", "2027-04-10"), "2027-28", "2028-29", 1, "change"},
		{"a period that is not there", base[0], period("2027-28/T2", "2027-04-10"), "2027-28", "2028-29", 0, "from_fy"},
		{"not called after the year", base[0], fees.Period{Code: "T1", FY: "2027-28", DueDate: "2027-04-10"}, "2027-28", "2028-29", 0, "from_fy"},
		{"beyond the calendar", base[0], period("2027-28/T1", "2028-04-10"), "2027-28", "2199-00", 0, "to_fy"},
		{"no date", base[0], period("2027-28/T1", "soon"), "2027-28", "2028-29", 0, "to_fy"},
	} {
		got, err := fees.CopyPlan([]fees.PlanRow{tc.row}, []fees.Period{tc.period}, tc.from, tc.to, tc.change, 4)
		if wrongFields(err) != tc.fields || len(got.Rows)+len(got.Periods) != 0 {
			t.Errorf("%s: %+v, %v; want %q wrong", tc.name, got, err, tc.fields)
		}
	}
}
