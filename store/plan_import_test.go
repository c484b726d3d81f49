package store

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

const planHeader = "fy,period,due_date,class,category,head,amount\n"

func TestImportPlanSample(t *testing.T) {
	s, inst := openSchool(t)
	ctx := context.Background()
	text := sample(t, "plan.csv")
	first := mustImport(t, s, "plan", "DPS", text)
	again := mustImport(t, s, "plan", "DPS", text)
	if first.Rows != 122 || first.Created != 122 || again.Unchanged != 122 || again.Created+again.Updated != 0 {
		t.Errorf("first %+v\nagain %+v", first, again)
	}
	got, err := s.Periods(ctx, "DPS")
	want := []fees.Period{
		{ID: "DPS:2026-27/T1", Institute: "DPS", Code: "2026-27/T1", FY: "2026-27", DueDate: "2026-04-10"},
		{ID: "DPS:2026-27/T2", Institute: "DPS", Code: "2026-27/T2", FY: "2026-27", DueDate: "2026-08-10"},
		{ID: "DPS:2026-27/T3", Institute: "DPS", Code: "2026-27/T3", FY: "2026-27", DueDate: "2026-12-10"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("periods %+v, %v", got, err)
	}
	var names []string
	all, err := s.Heads(ctx, "DPS")
	for _, head := range all {
		names = append(names, head.Code+"="+head.Name)
	}
	if err != nil || !reflect.DeepEqual(names, []string{"TUITION=Tuition", "ANNUAL=Annual", "LAB=Lab", "ACTIVITY=Activity"}) {
		t.Errorf("heads %v, %v; want them in the order of the file", names, err)
	}
	b, err := s.openBilling(ctx, "DPS", "2026-27/T1", "")
	if err != nil || len(b.plan) != 50 {
		t.Errorf("%d rows of the first term, want 50 (%v)", len(b.plan), err)
	}
	_ = inst
}

func TestImportPlanAgain(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "plan", "DPS", planHeader+
		"2026-27,2026-27/T1,2026-04-10,*,*,LATE FEE,100\n2026-27,2026-27/t1,2026-04-10,5,General,tuition,\"1,00,000\"\n")
	for _, c := range []struct {
		class string
		notes int
	}{{"7", 0}, {"8", 1}} {
		class, notes := c.class, c.notes
		row := planHeader + "2026-27,2026-27/T1,2026-04-10," + class + ",*,LATE FEE,1\n"
		if class == "8" {
			mustImport(t, s, "students", "DPS", studentsCSV("1,A,7,,general,,,,,,"))
		}
		if r, err := s.ImportPlan(ctx, "DPS", strings.NewReader(row), true, planner); err != nil || len(r.Problems) > 0 || len(r.Notes) != notes {
			t.Errorf("class %s: %+v, %v; want %d notes", class, r, err, notes)
		}
	}
	// A new due date, a new price, a new head before the old ones.
	report := mustImport(t, s, "plan", "DPS", planHeader+
		"2026-27,2026-27/T1,2026-04-15,*,*,BUS,1\n2026-27,2026-27/T1,2026-04-15,5,general,TUITION,90000.00\n")
	if report.Created != 1 || report.Updated != 1 {
		t.Errorf("%+v", report)
	}
	all, _ := s.Heads(ctx, "DPS")
	var codes []string
	for _, head := range all {
		codes = append(codes, head.Code)
	}
	if !reflect.DeepEqual(codes, []string{"LATE_FEE", "TUITION", "BUS"}) || all[0].Name != "Late fee" {
		t.Errorf("heads %+v; the old ones keep their place", all)
	}
	p, err := s.Period(ctx, "DPS", "2026-27/T1")
	if err != nil || p.DueDate != "2026-04-15" {
		t.Errorf("period %+v, %v", p, err)
	}
	b, _ := s.openBilling(ctx, "DPS", "2026-27/T1", "")
	lines := b.tariffOf("5").Price(fees.Student{Class: "5", Category: "general"}, 1, nil)
	want := []fees.BillLine{
		{Head: "LATE_FEE", HeadName: "Late fee", Gross: 100_00, Net: 100_00},
		{Head: "TUITION", HeadName: "Tuition", Gross: 90_000_00, Net: 90_000_00},
		{Head: "BUS", HeadName: "Bus", Gross: 1_00, Net: 1_00},
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("priced as %+v\nwant %+v", lines, want)
	}
}

// A period's due date moves with all its rows, and not any more once somebody
// was billed by it.
func TestImportPlanDueDate(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	row := func(period, due, class string) string {
		return "2026-27,2026-27/" + period + "," + due + "," + class + ",*,TUITION,100\n"
	}
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", planHeader+row("T1", "2025-04-01", "5")+row("T1", "2025-04-01", "6")+row("T2", "2028-03-30", "5"))
	due := func() string {
		t.Helper()
		var all []string
		periods, err := s.Periods(ctx, "DPS")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range periods {
			rows, err := docdb.All[fees.PlanRow](s.DB.Find(ctx, plans, bson.D{under(fees.Key("DPS", p.Code, ""))}, docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p.Code+" "+string(p.DueDate))
			for _, row := range rows {
				all = append(all, row.Class+" "+string(row.DueDate))
			}
		}
		return strings.Join(all, ", ")
	}
	moved := planHeader + row("T1", "2026-04-20", "6") + row("T2", "2028-03-30", "5")
	if r, err := s.ImportPlan(ctx, "DPS", strings.NewReader(moved), true, planner); err != nil || r.Updated != 1 || len(r.Problems) > 0 {
		t.Errorf("dry: %+v, %v", r, err)
	}
	if got := due(); got != "2026-27/T1 2025-04-01, 5 2025-04-01, 6 2025-04-01, 2026-27/T2 2028-03-30, 5 2028-03-30" {
		t.Errorf("a dry run moved: %s", got)
	}
	if r := mustImport(t, s, "plan", "DPS", moved); r.Updated != 1 || r.Unchanged != 1 {
		t.Errorf("moved: %+v", r)
	}
	const want = "2026-27/T1 2026-04-20, 5 2026-04-20, 6 2026-04-20, 2026-27/T2 2028-03-30, 5 2028-03-30"
	if got := due(); got != want {
		t.Errorf("due %s\nwant %s", got, want)
	}
	mustBill(t, s, "DPS", "2026-27/T1")
	r, err := s.ImportPlan(ctx, "DPS", strings.NewReader(planHeader+row("T2", "2026-08-10", "5")+row("T1", "2026-05-20", "7")), false, planner)
	if err != nil || len(r.Problems) != 1 || r.Problems[0].Line != 3 || r.Problems[0].Column != "due_date" || !strings.Contains(r.Problems[0].Reason, "2026-04-20") {
		t.Errorf("after bills: %+v, %v", r, err)
	}
	if got := due(); got != want {
		t.Errorf("a refused file wrote %s", got)
	}
	if r := mustImport(t, s, "plan", "DPS", moved); r.Unchanged != 2 {
		t.Errorf("the same dates after bills: %+v", r)
	}
}

func TestImportPlanRows(t *testing.T) {
	const good = "2026-27,2026-27/T1,2026-04-10,5,general,TUITION,1\n"
	for _, c := range []struct {
		row    string
		column string
		reason string
	}{
		{"2026,2026/T1,2026-04-10,5,general,TUITION,1", "fy", "2026-27"},
		{"2026-28,2026-28/T1,2026-04-10,5,general,TUITION,1", "fy", ""},
		{",2026-27/T1,2026-04-10,5,general,TUITION,1", "fy", ""},
		{"2025-26,2025-26/T1,2025-04-10,5,general,TUITION,1", "fy", "closed"},
		{"2026-27,2027-28/T1,2026-04-10,5,general,TUITION,1", "period", "2026-27/T1"},
		{"2026-27,T1,2026-04-10,5,general,TUITION,1", "period", ""},
		{"2026-27,2026-27/,2026-04-10,5,general,TUITION,1", "period", ""},
		{"2026-27,2026-27/T:1,2026-04-10,5,general,TUITION,1", "period", ""},
		{"2026-27,2026-27/A/B,2026-04-10,5,general,TUITION,1", "period", ""},
		{"2026-27,2026-27/opening,2026-04-10,5,general,TUITION,1", "period", "program"},
		{"2026-27,2026-27/T1,10-04-2026,5,general,TUITION,1", "due_date", ""},
		{"2026-27,2026-27/T1,2026-04-31,5,general,TUITION,1", "due_date", ""},
		{"2026-27,2026-27/T2,1900-01-01,5,general,TUITION,1", "due_date", "more than a year outside 2026-27"},
		{"2026-27,2026-27/T2,2199-12-31,5,general,TUITION,1", "due_date", "from 2026-04-01 to 2027-03-31"},
		{"2026-27,2026-27/T2,2025-03-31,5,general,TUITION,1", "due_date", "more than a year"},
		{"2026-27,2026-27/T2,2028-04-01,5,general,TUITION,1", "due_date", "more than a year"},
		{"2026-27,2026-27/T1,2026-04-11,6,general,TUITION,1", "due_date", "line 2"},
		{"2026-27,2026-27/T1,2026-04-10,,general,TUITION,1", "class", "*"},
		{"2026-27,2026-27/T1,2026-04-10,5,,TUITION,1", "category", "*"},
		{"2026-27,2026-27/T1,2026-04-10,5:6,general,TUITION,1", "class", "colon"},
		{"2026-27,2026-27/T1,2026-04-10,6,general,,1", "head", ""},
		{"2026-27,2026-27/T1,2026-04-10,6,general,A:B,1", "head", ""},
		{"2026-27,2026-27/T1,2026-04-10,6,general, _ ,1", "head", "letter"},
		{"2026-27,2026-27/-,2026-04-10,6,general,TUITION,1", "period", "letters"},
		{"2026-27,2026-27/T1,2026-04-10,6,general,Advance,1", "head", "program"},
		{"2026-27,2026-27/T1,2026-04-10,6,general,OPENING,1", "head", "program"},
		{"2026-27,2026-27/T1,2026-04-10,6,general,TUITION,-1", "amount", ""},
		{"2026-27,2026-27/T1,2026-04-10,6,general,TUITION,\"1.384,83\"", "amount", ""},
		{"2026-27,2026-27/T1,2026-04-10,6,general,TUITION,", "amount", ""},
		{"2026-27,2026-27/t1,2026-04-10,5,General,tuition,2", "head", "line 2"},
	} {
		t.Run(c.row, func(t *testing.T) {
			s, _ := openSchool(t)
			ctx := context.Background()
			report, err := s.ImportPlan(ctx, "DPS", strings.NewReader(planHeader+good+c.row+"\n"), false, planner)
			if err != nil || len(report.Problems) != 1 {
				t.Fatalf("%+v, %v; want one problem", report, err)
			}
			if p := report.Problems[0]; p.Line != 3 || p.Column != c.column || !strings.Contains(p.Reason, c.reason) {
				t.Errorf("%+v, want line 3, %s, %q", p, c.column, c.reason)
			}
			for _, coll := range []string{plans, heads, periods} {
				if n, _ := s.DB.Count(ctx, coll, everything("DPS"), 0); n != 0 {
					t.Errorf("%d %s were written", n, coll)
				}
			}
		})
	}
}

func TestImportConcessions(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	importSample(t, s, "DPS")
	if again := mustImport(t, s, "concessions", "DPS", sample(t, "concessions.csv")); again.Unchanged != 90 {
		t.Errorf("again: %+v", again)
	}
	// From a percentage to an amount and back leaves no trace of the other.
	const header = "admission_no,head,kind,value\n"
	if r := mustImport(t, s, "concessions", "DPS", header+"1439,tuition,Amount,\"1,000.50\"\n"); r.Updated != 1 {
		t.Errorf("%+v", r)
	}
	b, err := s.openBilling(ctx, "DPS", "2026-27/T1", "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.concessions(ctx, []fees.Student{{AdmissionNo: "1439"}, {AdmissionNo: "1001"}})
	want := map[string][]fees.Concession{"1439": {{
		ID: "DPS:1439:TUITION", Institute: "DPS", Student: "1439", Head: "TUITION",
		Grants:  []fees.Grant{{Kind: fees.ConcessionAmount, Amount: 1000_50, Reason: "sibling", By: "admin", At: termTime()}},
		Version: 2,
	}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("concessions %+v, %v\nwant %+v", got, err, want)
	}
	for _, c := range []struct {
		row, column, reason string
	}{
		{"9999,TUITION,percent,10", "admission_no", "9999"},
		{",TUITION,percent,10", "admission_no", ""},
		{"1001,SWIMMING,percent,10", "head", "SWIMMING"},
		{"1001,,percent,10", "head", ""},
		{"1001,TUITION,half,10", "kind", ""},
		{"1001,TUITION,percent,100.01", "value", "100"},
		{"1001,TUITION,percent,-1", "value", ""},
		{"1001,TUITION,percent,0", "value", "more than 0"},
		{"1001,TUITION,amount,0.00", "value", "more than 0"},
		{"1001,TUITION,amount,10%", "value", ""},
		{"1001,*,amount,10", "kind", "every head"},
		{"1002,tuition,Percent,10.0", "head", "line 2"},
	} {
		report, err := s.ImportConcessions(ctx, "DPS", strings.NewReader(header+"1002,TUITION,percent,10\n"+c.row+"\n"), false, planner)
		if err != nil || len(report.Problems) != 1 {
			t.Errorf("%s: %+v, %v; want one problem", c.row, report, err)
			continue
		}
		if p := report.Problems[0]; p.Line != 3 || p.Column != c.column || !strings.Contains(p.Reason, c.reason) {
			t.Errorf("%s: %+v, want line 3, %s, %q", c.row, p, c.column, c.reason)
		}
	}
	many := header
	for i := range grantLimit + 2 {
		many += fmt.Sprintf("1002,TUITION,amount,%d\n", i+1)
	}
	if report, err := s.ImportConcessions(ctx, "DPS", strings.NewReader(many), false, planner); err != nil || len(report.Problems) != 2 || report.Problems[0].Line != grantLimit+2 || report.Problems[0].Column != "head" {
		t.Errorf("more concessions on a head than a screen takes: %+v, %v", report, err)
	}
	if got, _ := b.concessions(ctx, []fees.Student{{AdmissionNo: "1002"}}); len(got) != 0 {
		t.Errorf("a file with a bad row wrote %+v", got)
	}
}

// The rows for one student and head are its grants; another file's take their
// place, and a file that lacks a column leaves what was there.
func TestImportConcessionGrants(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,", "2,B,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", planHeader+
		"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n2026-27,2026-27/T2,2026-08-10,*,*,TUITION,100\n"+
		"2026-27,2026-27/T1,2026-04-10,*,*,LAB,7\n")
	const header = "admission_no,head,kind,value,reason,approver,from,to\n"
	const file = header +
		"1,TUITION,amount,5,hardship,Head of school,2026-27/t2,\n" +
		"1,TUITION,percent,10,merit,Trust,,2026-27/T1\n" +
		"1,TUITION,percent,10,staff,Trust,,\n" +
		"2,*,percent,100,RTE,,,\n"
	if r := mustImport(t, s, "concessions", "DPS", file); r.Rows != 4 || r.Created != 2 {
		t.Errorf("first: %+v; want 4 rows on 2 heads", r)
	}
	read := func() (all []fees.Concession) {
		t.Helper()
		b, err := s.openBilling(ctx, "DPS", "2026-27/T1", "")
		if err != nil {
			t.Fatal(err)
		}
		found, err := b.concessions(ctx, []fees.Student{{AdmissionNo: "1"}, {AdmissionNo: "2"}})
		if err != nil {
			t.Fatal(err)
		}
		return append(found["1"], found["2"]...)
	}
	entered := termTime()
	want := []fees.Concession{
		{ID: "DPS:1:TUITION", Institute: "DPS", Student: "1", Head: "TUITION", Grants: []fees.Grant{
			{Kind: fees.ConcessionPercent, Percent: 10_0000, Reason: "merit", Approver: "Trust", To: "2026-27/T1", By: "admin", At: entered},
			{Kind: fees.ConcessionPercent, Percent: 10_0000, Reason: "staff", Approver: "Trust", By: "admin", At: entered},
			{Kind: fees.ConcessionAmount, Amount: 5_00, Reason: "hardship", Approver: "Head of school", From: "2026-27/T2", By: "admin", At: entered},
		}, Version: 1},
		{ID: "DPS:2:*", Institute: "DPS", Student: "2", Head: "*", Grants: []fees.Grant{
			{Kind: fees.ConcessionPercent, Percent: 100_0000, Reason: "RTE", By: "admin", At: entered},
		}, Version: 1},
	}
	if got := read(); !reflect.DeepEqual(got, want) {
		t.Errorf("stored %+v\nwant %+v", got, want)
	}
	s.Now = func() time.Time { return entered.Add(time.Hour) }
	for name, same := range map[string]string{
		"the same file": file,
		"in another order": header +
			"2,*,percent,100,RTE,,,\n1,TUITION,percent,10,staff,Trust,,\n" +
			"1,TUITION,percent,10,merit,Trust,,2026-27/T1\n1,TUITION,amount,5,hardship,Head of school,2026-27/T2,\n",
		"fewer columns": "admission_no,head,kind,value\n2,*,percent,100\n",
		"two rows of fewer columns": "admission_no,head,kind,value,reason\n" +
			"1,TUITION,percent,10,staff\n1,TUITION,percent,10,merit\n1,TUITION,amount,5,hardship\n",
	} {
		if r := mustImport(t, s, "concessions", "DPS", same); r.Created+r.Updated != 0 {
			t.Errorf("%s again: %+v", name, r)
		}
	}
	for period, wants := range map[string][2]fees.Amount{"2026-27/T1": {80_00 + 7_00, 0}, "2026-27/T2": {85_00, 0}} {
		mustBill(t, s, "DPS", period)
		for i, no := range []string{"1", "2"} {
			var bill fees.Bill
			if err := s.DB.FindOne(ctx, bills, one("DPS", fees.Key("DPS", no, period)), docdb.Find{}, &bill); err != nil || bill.Net != wants[i] {
				t.Errorf("%s of %s comes to %d (%v), want %d", period, no, bill.Net, err, wants[i])
			}
		}
	}
	// One grant in place of three: the others end, and only the new one is new.
	mustImport(t, s, "concessions", "DPS", header+"1,TUITION,percent,10,staff,Trust,,\n")
	want[0].Grants, want[0].Version = want[0].Grants[1:2], 2
	if got := read(); !reflect.DeepEqual(got, want) {
		t.Errorf("then %+v\nwant %+v", got, want)
	}
	for _, c := range []struct{ row, column, reason string }{
		{"1,TUITION,percent,5,,,2026-27/T9,", "from", "2026-27/T9"},
		{"1,TUITION,percent,5,,,,T1", "to", "no period"},
		{"1,TUITION,percent,5,,,2026-27/T2,2026-27/T1", "to", "due before"},
		{"1,TUITION,percent,5,,\u202e,,", "approver", "hidden"},
		{"1,*,amount,5,,,,", "kind", "every head"},
		{"2,LAB,percent,5.0,r,,,", "head", "line 2"},
	} {
		report, err := s.ImportConcessions(ctx, "DPS", strings.NewReader(header+"2,LAB,percent,5,r,,,\n"+c.row+"\n"), false, planner)
		if err != nil || len(report.Problems) != 1 || report.Problems[0].Line != 3 || report.Problems[0].Column != c.column || !strings.Contains(report.Problems[0].Reason, c.reason) {
			t.Errorf("%q: %+v, %v; want line 3, %s, %q", c.row, report, err, c.column, c.reason)
		}
	}
}
