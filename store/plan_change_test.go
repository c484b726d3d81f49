package store

import (
	"context"
	"strings"
	"sync"
	"testing"

	"raseed/store/fees"
)

var planner = fees.Actor{Login: "admin", Name: "Admin", Role: fees.RoleAdmin}

// plannedSchool is a school with a plan of two periods, of which T1 has bills.
func plannedSchool(t *testing.T) *Store {
	t.Helper()
	s := openTest(t)
	testSchool(t, s, "DPS", 2)
	planFor(t, s, `2026-27,2026-27/T1,2026-04-10,*,*,TUITION,500.00
2026-27,2026-27/T2,2026-10-10,*,*,TUITION,500.00
2026-27,2026-27/T2,2026-10-10,5,*,LAB,100.00
`)
	return s
}

func planFor(t *testing.T, s *Store, rows string) {
	t.Helper()
	report, err := s.ImportPlan(context.Background(), "DPS", strings.NewReader("fy,period,due_date,class,category,head,amount\n"+rows), false, planner)
	if err != nil || len(report.Problems) > 0 {
		t.Fatalf("import plan: %v, %v", report.Problems, err)
	}
}

func tableIn(t *testing.T, s *Store, period string) (fees.PlanTable, string) {
	t.Helper()
	rows, err := s.planUnder(context.Background(), fees.Key("DPS", period, ""))
	if err != nil {
		t.Fatal(err)
	}
	return fees.TableOf(period, []string{"TUITION", "LAB"}, rows), fees.PlanVersion(rows)
}

func TestSavePlan(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	table, version := tableIn(t, s, "2026-27/T2")
	if len(table.Rows) != 2 || table.Rows[0].Class != fees.Any || table.Rows[1].Amounts["LAB"] != 100_00 {
		t.Fatalf("the table is %+v", table)
	}
	table.Rows[0].Amounts["TUITION"] = 550_00
	delete(table.Rows[1].Amounts, "LAB")
	table.Rows = append(table.Rows, fees.PlanTableRow{Class: "Nursery", Category: "STAFF", Amounts: map[string]fees.Amount{"TUITION": 0}})
	var clicks sync.WaitGroup
	for range 4 {
		clicks.Go(func() {
			if err := s.SavePlan(ctx, "DPS", table, version, planner); err != nil {
				t.Error(err)
			}
		})
	}
	clicks.Wait()
	got, after := tableIn(t, s, "2026-27/T2")
	if len(got.Rows) != 2 || got.Rows[0].Amounts["TUITION"] != 550_00 || got.Rows[1].Category != "staff" || after == version {
		t.Fatalf("saved %+v", got)
	}
	if err := s.SavePlan(ctx, "DPS", fees.PlanTable{Period: got.Period, Heads: got.Heads, Rows: table.Rows[:1]}, version, planner); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a form opened before that: %v, want a conflict", err)
	}
	if err := s.SavePlan(ctx, "DPS", got, version, planner); err != nil {
		t.Errorf("what is there already, from an old form: %v, want it saved", err)
	}
	if rows, err := s.PlanRows(ctx, "DPS", "2026-27"); err != nil || len(rows) != 3 {
		t.Errorf("the year has %d rows (%v), want 3", len(rows), err)
	}
}

func TestSavePlanRefuses(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	amounts := map[string]fees.Amount{"TUITION": 1}
	for field, table := range map[string]fees.PlanTable{
		"head.1":     {Period: "2026-27/T2", Heads: []string{"TUITION", "GOLF"}},
		"head.2":     {Period: "2026-27/T2", Heads: []string{"TUITION", "LAB", "TUITION"}},
		"amount.1":   {Period: "2026-27/T2", Heads: []string{"LAB", "TUITION"}, Rows: []fees.PlanTableRow{{Class: "5", Category: "*", Amounts: map[string]fees.Amount{"TUITION": -1}}}},
		"class.0":    {Period: "2026-27/T2", Heads: []string{"TUITION"}, Rows: []fees.PlanTableRow{{Class: "a:b", Category: "*", Amounts: amounts}}},
		"category.0": {Period: "2026-27/T2", Heads: []string{"TUITION"}, Rows: []fees.PlanTableRow{{Class: "5", Amounts: amounts}}},
		"class.1": {Period: "2026-27/T2", Heads: []string{"TUITION"}, Rows: []fees.PlanTableRow{
			{Class: "KG", Category: "Gen", Amounts: amounts}, {Class: "kg", Category: "gen", Amounts: amounts}}},
		"plan":     {Period: "2026-27/T1", Heads: []string{"TUITION"}},
		"amount.0": {Period: "2026-27/T1", Heads: []string{"TUITION"}, Rows: []fees.PlanTableRow{{Class: "*", Category: "*"}}},
	} {
		_, version := tableIn(t, s, table.Period)
		refused(t, s.SavePlan(ctx, "DPS", table, version, planner), field)
	}
	if err := s.SavePlan(ctx, "DPS", fees.PlanTable{Period: "2026-27/T9"}, "", planner); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("a period that there is not: %v", err)
	}
	if rows, err := s.PlanRows(ctx, "DPS", "2026-27"); err != nil || len(rows) != 3 {
		t.Errorf("refused tables left %d rows (%v), want 3", len(rows), err)
	}
}

func TestPeriodsAndHeads(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	for range 2 {
		if err := s.AddPeriod(ctx, "DPS", "2026-27", " t3 ", "2027-01-10", planner); err != nil {
			t.Fatal(err)
		}
		if err := s.MoveDueDate(ctx, "DPS", "2026-27/T2", "2026-10-10", "2026-10-15", planner); err != nil {
			t.Fatal(err)
		}
		if err := s.AddHead(ctx, "DPS", "Caution deposit", true, planner); err != nil {
			t.Fatal(err)
		}
	}
	if rows, _ := s.PlanRows(ctx, "DPS", "2026-27"); rows[1].DueDate != "2026-10-15" || rows[2].DueDate != "2026-10-15" {
		t.Errorf("the rows of T2 are due %s and %s", rows[1].DueDate, rows[2].DueDate)
	}
	refused(t, s.MoveDueDate(ctx, "DPS", "2026-27/T1", "2026-04-10", "2026-04-11", planner), "due_date")
	refused(t, s.AddPeriod(ctx, "DPS", "2026-27", "OPENING", "2027-01-10", planner), "name")
	refused(t, s.AddPeriod(ctx, "DPS", "2026-27", "-", "2027-01-10", planner), "name")
	refused(t, s.AddPeriod(ctx, "DPS", "2026-27", "T4", "2031-01-10", planner), "due_date")
	refused(t, s.AddPeriod(ctx, "DPS", "2026", "T4", "2027-01-10", planner), "fy")
	for err, want := range map[error]fees.Code{
		s.AddPeriod(ctx, "DPS", "2026-27", "T3", "2027-01-11", planner):                          fees.Conflict,
		s.MoveDueDate(ctx, "DPS", "2026-27/T2", "2026-10-10", "2026-10-20", planner):             fees.Conflict,
		s.MoveDueDate(ctx, "DPS", "2026-27/T9", "2026-10-10", "2026-10-20", planner):             fees.NotFound,
		s.AddHead(ctx, "DPS", "tuition", false, planner):                                         fees.Conflict,
		s.AddHead(ctx, "DPS", "Advance", false, planner):                                         fees.Invalid,
		s.SaveHeads(ctx, "DPS", []fees.Head{{Code: "TUITION", Name: "School fee"}}, "", planner): fees.Conflict,
	} {
		if fees.CodeOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	all, err := s.Heads(ctx, "DPS")
	if err != nil || len(all) != 3 || !all[2].Refundable {
		t.Fatalf("heads are %+v, %v", all, err)
	}
	version := fees.HeadsVersion(all)
	list := []fees.Head{{Code: "CAUTION_DEPOSIT", Name: "Deposit", Order: 1}, {Code: "TUITION", Name: "Tuition", Order: 2, Refundable: true}, {Code: "LAB", Name: "Lab", Order: 2}}
	for range 2 {
		if err := s.SaveHeads(ctx, "DPS", list, version, planner); err != nil {
			t.Fatal(err)
		}
	}
	all, _ = s.Heads(ctx, "DPS")
	if all[0].Name != "Deposit" || all[0].Refundable || all[1].Code != "TUITION" || !all[1].Refundable || all[2].Order != 3 {
		t.Errorf("heads are %+v", all)
	}
	list[2].Name = "deposit"
	refused(t, s.SaveHeads(ctx, "DPS", list, fees.HeadsVersion(all), planner), "head_name.2")
}

// TestAddHeadCode: a name that people read has a code that files can name.
func TestAddHeadCode(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	testSchool(t, s, "DPS", 1)
	for name, code := range map[string]string{
		"Lab & library": "LAB_LIBRARY", "Parent's day": "PARENT_S_DAY", "Exam/Trip (2)": "EXAM_TRIP_2", "Co-curricular": "CO-CURRICULAR",
		"संस्\u200dकृत फीस": "संस्कृत_फीस", "Books, note books and stationery": "BOOKS_NOTE_BOOKS_AND_STATIONERY",
	} {
		if err := s.AddHead(ctx, "DPS", name, false, planner); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all, err := s.Heads(ctx, "DPS")
		if last := all[len(all)-1]; err != nil || last.Code != code || last.Name != name {
			t.Errorf("%s: added as %+v (%v), want %s", name, last, err, code)
		}
	}
	if code, reason := headCode("संस्\u200dकृत फीस"); code != "संस्कृत_फीस" || reason != "" {
		t.Errorf("a file names it %s (%s)", code, reason)
	}
	for _, name := range []string{"", " ", "_", "-", "!!!", "₹"} {
		refused(t, s.AddHead(ctx, "DPS", name, false, planner), "name")
	}
}

// TestRemovePeriod: only one that nothing follows from goes.
func TestRemovePeriod(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	for _, name := range []string{"T3", "T4"} {
		if err := s.AddPeriod(ctx, "DPS", "2026-27", name, "2027-01-10", planner); err != nil {
			t.Fatal(err)
		}
	}
	o := staffGrant()
	o.Grant.To = "2026-27/T3"
	if err := s.SaveGrant(ctx, "DPS", o); err != nil {
		t.Fatal(err)
	}
	for _, used := range []string{"T1", "T2", "T3"} {
		refused(t, s.RemovePeriod(ctx, "DPS", "2026-27/"+used, planner), "period")
	}
	for range 2 {
		if err := s.RemovePeriod(ctx, "DPS", "2026-27/T4", planner); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := s.Periods(ctx, "DPS"); err != nil || len(all) != 3 {
		t.Errorf("left are %+v, %v", all, err)
	}
}

// TestDueDateDuringRun: a run that has read the plan and billed nobody yet holds
// the due date.
func TestDueDateDuringRun(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	run, err := s.StartRun(ctx, "DPS", fees.RunOrder{ID: s.NewID(), Period: "2026-27/T2", By: planner})
	if err != nil {
		t.Fatal(err)
	}
	refused(t, s.MoveDueDate(ctx, "DPS", "2026-27/T2", "2026-10-10", "2026-10-15", planner), "due_date")
	refused(t, s.RemovePeriod(ctx, "DPS", "2026-27/T2", planner), "period")
	file := planHeader + "2026-27,2026-27/T2,2026-10-15,*,*,TUITION,500.00\n"
	if report, err := s.ImportPlan(ctx, "DPS", strings.NewReader(file), false, planner); err != nil || len(report.Problems) != 1 || report.Problems[0].Column != "due_date" {
		t.Errorf("import another date: %+v, %v", report, err)
	}
	if _, err := s.CancelRun(ctx, "DPS", fees.After(run.ID), planner); err != nil {
		t.Fatal(err)
	}
	if err := s.MoveDueDate(ctx, "DPS", "2026-27/T2", "2026-10-10", "2026-10-15", planner); err != nil {
		t.Errorf("after the run: %v", err)
	}
}

func TestSplitYear(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	o := fees.YearSplit{FY: "2026-27", Class: "5", Category: "*", Head: "LAB", Amount: 100_01, Periods: []string{"2026-27/T2", "2026-27/T1"}}
	for range 2 {
		if err := s.SplitYear(ctx, "DPS", o, planner); err != nil {
			t.Fatal(err)
		}
	}
	first, _ := tableIn(t, s, "2026-27/T1")
	second, _ := tableIn(t, s, "2026-27/T2")
	if a, b := first.Rows[1].Amounts["LAB"], second.Rows[1].Amounts["LAB"]; a != 50_01 || b != 50_00 {
		t.Errorf("the year is split into %d and %d", a, b)
	}
	for field, change := range map[string]func(*fees.YearSplit){
		"head":    func(o *fees.YearSplit) { o.Head = "GOLF" },
		"class":   func(o *fees.YearSplit) { o.Class = "" },
		"periods": func(o *fees.YearSplit) { o.Periods = []string{"2026-27/T1", "2026-27/T9"} },
		"fy":      func(o *fees.YearSplit) { o.FY = "x" },
	} {
		bad := o
		change(&bad)
		refused(t, s.SplitYear(ctx, "DPS", bad, planner), field)
	}
}

func TestCopyPlanOnce(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	rules := fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateFlat, Amount: 50_00}}
	if _, err := s.SaveRules(ctx, "DPS", rules, planner); err != nil {
		t.Fatal(err)
	}
	planFor(t, s, "2027-28,2027-28/T1,2027-04-20,*,*,TUITION,1.00\n")
	o := fees.CopyOrder{From: "2026-27", To: "2027-28", Change: 10_0000}
	preview, err := s.PreviewCopy(ctx, "DPS", o)
	if err != nil || len(preview.Rows) != 2 || len(preview.Periods) != 1 || preview.Kept != 1 {
		t.Fatalf("preview %+v, %v", preview, err)
	}
	if _, err := s.CopyPlan(ctx, "DPS", o, planner); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a copy that nobody looked at: %v, want a conflict", err)
	}
	o.Version = preview.Version()
	var both sync.WaitGroup
	for range 2 { // a double click
		both.Go(func() {
			if _, err := s.CopyPlan(ctx, "DPS", o, planner); err != nil {
				t.Errorf("copy: %v", err)
			}
		})
	}
	both.Wait()
	if err := s.copiedSo(ctx, "DPS", o.To, preview.Rows); err != nil {
		t.Errorf("the copy is not as it was made: %v", err)
	}
	preview.Rows[0].Amount++ // as if another copy had been faster by a row
	if err := s.copiedSo(ctx, "DPS", o.To, preview.Rows); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a copy with a row of another: %v, want a conflict", err)
	}
	if again, err := s.CopyPlan(ctx, "DPS", o, planner); err != nil || len(again.Rows)+len(again.Periods) != 0 || again.Kept != 3 {
		t.Errorf("the same again: %+v, %v; want nothing left to copy", again, err)
	}
	rows, err := s.PlanRows(ctx, "DPS", "2027-28")
	if err != nil || len(rows) != 3 || rows[0].Amount != 1_00 || rows[1].Amount != 550_00 || rows[2].Amount != 110_00 {
		t.Errorf("the new year is %+v, %v", rows, err)
	}
	if copied, err := s.Rules(ctx, "DPS", "2027-28"); err != nil || copied.Late.Amount != 50_00 {
		t.Errorf("the rules of the new year are %+v, %v", copied, err)
	}
	o.To = "2025-26"
	_, err = s.PreviewCopy(ctx, "DPS", o)
	refused(t, err, "to_fy")
}
