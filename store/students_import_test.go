package store

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

func TestImportStudentsSample(t *testing.T) {
	s, inst := openSchool(t)
	ctx := context.Background()
	text := sample(t, "students.csv")

	report, err := s.ImportStudents(ctx, "DPS", strings.NewReader(text), true, planner)
	if err != nil || report.Created != 1200 || report.Rows != 1200 || !report.Dry {
		t.Fatalf("dry run: %+v, %v", report, err)
	}
	if n, _ := s.DB.Count(ctx, students, everything("DPS"), 0); n != 0 {
		t.Fatalf("a dry run wrote %d students", n)
	}
	first := mustImport(t, s, "students", "DPS", text)
	again := mustImport(t, s, "students", "DPS", text)
	if first.Created != 1200 || first.Updated != 0 || first.Unchanged != 0 {
		t.Errorf("first: %+v", first)
	}
	if again.Created != 0 || again.Updated != 0 || again.Unchanged != 1200 {
		t.Errorf("again: %+v, want all unchanged", again)
	}
	// Each opening balance is a bill, once.
	var opened int
	for _, row := range sampleRows(t, "students.csv") {
		got, err := s.Bills(ctx, "DPS", row["admission_no"])
		if err != nil {
			t.Fatal(err)
		}
		amount, bad := inst.Money().ParseSigned(row["opening_balance"])
		switch {
		case bad != nil:
			t.Fatal(bad)
		case amount == 0 && len(got) != 0:
			t.Errorf("%s owed nothing and has %+v", row["admission_no"], got)
		case amount == 0:
		case len(got) != 1 || got[0].Net != amount || got[0].Period != "OPENING" || got[0].FY != "2026-27" || got[0].DueDate != "2026-04-01" ||
			got[0].Title != "Opening balance" || len(got[0].Lines) != 1 || got[0].Lines[0].Head != fees.HeadOpening || got[0].Lines[0].Net != amount:
			t.Errorf("%s owed %s and has %+v", row["admission_no"], row["opening_balance"], got)
		default:
			opened++
		}
	}
	if opened != 119 {
		t.Errorf("%d opening balances, want 119", opened)
	}
	st, err := s.Student(ctx, "DPS", "1038")
	want := fees.Student{
		ID: "DPS:1038", Institute: "DPS", AdmissionNo: "1038", Name: "आशा शर्मा", Class: "4", Section: "C", Category: "general", Family: "F0032",
		Guardian: "Suresh Mishra", Phone: "9000000032", Email: "family32@example.org", Status: fees.StudentActive, UpdatedAt: termTime(),
	}
	if err != nil || !reflect.DeepEqual(st, want) {
		t.Errorf("student 1038: %+v, %v\nwant %+v", st, err, want)
	}
}

func TestImportStudentsNasty(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	report := mustImport(t, s, "students", "DPS", sample(t, "students-nasty.csv"))
	if report.Rows != 6 || report.Created != 6 {
		t.Errorf("%+v, want 6 rows created", report)
	}
	for _, want := range []struct{ no, name, guardian string }{
		{"7001", `=HYPERLINK("x")`, "@cmd"},
		{"7002", `O'Brien, "Bo" & Sons <b>`, "Line break"},
		{"7003", "ＦＵＬＬ ｗｉｄｔｈ", "lead and trail"},
		{"7004", "مريم خان", "عائشة"},
		{"7005", strings.Repeat("X", 120), strings.Repeat("Y", 120)},
		{"A/12-B", "Slash Number", "Z"},
		{"a/12-b", "Slash Number", "Z"},
	} {
		st, err := s.Student(ctx, "DPS", want.no)
		if err != nil || st.Name != want.name || st.Guardian != want.guardian {
			t.Errorf("%s: name %q, guardian %q, %v", want.no, st.Name, st.Guardian, err)
		}
	}
	owed, err := s.Bills(ctx, "DPS", "7005")
	if err != nil || len(owed) != 1 || owed[0].Net != 1234567_50 {
		t.Errorf("7005 owes %+v, %v", owed, err)
	}
	if again := mustImport(t, s, "students", "DPS", sample(t, "students-nasty.csv")); again.Unchanged != 6 {
		t.Errorf("again: %+v", again)
	}
}

func TestImportStudentsBad(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	report, err := s.ImportStudents(ctx, "DPS", strings.NewReader(sample(t, "students-bad.csv")), false, planner)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		line   int64
		column string
		reason string
	}{{122, "admission_no", "line 5"}, {253, "opening_balance", ""}, {379, "status", "active or left"}}
	if len(report.Problems) != len(want) {
		t.Fatalf("problems: %+v", report.Problems)
	}
	for i, w := range want {
		p := report.Problems[i]
		if p.Line != w.line || p.Column != w.column || !strings.Contains(p.Reason, w.reason) || p.Reason == "" {
			t.Errorf("problem %+v, want line %d, %s, %q", p, w.line, w.column, w.reason)
		}
	}
	if report.Created+report.Updated+report.Unchanged != 0 || report.Rows != 500 {
		t.Errorf("%+v", report)
	}
	for _, coll := range []string{students, bills} {
		if n, err := s.DB.Count(ctx, coll, everything("DPS"), 0); n != 0 || err != nil {
			t.Errorf("a file with bad rows wrote %d %s (%v)", n, coll, err)
		}
	}
}

// A column that the file lacks leaves what is there; one that it has empty
// clears it.
func TestImportStudentsColumns(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,Asha,5,A,General,F1,Ravi,90000,a@example.org,left,100"))
	report := mustImport(t, s, "students", "DPS", "Category, CLASS ,Admission No.,NAME,Bus\ngeneral,6,1,Asha Rao,7\n")
	if report.Updated != 1 || !reflect.DeepEqual(report.Unknown, []string{"Bus"}) {
		t.Errorf("%+v", report)
	}
	st, err := s.Student(ctx, "DPS", "1")
	if err != nil {
		t.Fatal(err)
	}
	if st.Name != "Asha Rao" || st.Class != "6" || st.Section != "A" || st.Family != "F1" || st.Guardian != "Ravi" ||
		st.Phone != "90000" || st.Email != "a@example.org" || st.Status != fees.StudentLeft || st.OpeningBalance != 10000 {
		t.Errorf("%+v", st)
	}
	if found, _ := s.SearchStudents(ctx, "DPS", "ravi rao", 5); len(found) != 1 {
		t.Errorf("the guardian that was kept is not found: %+v", found)
	}
	mustImport(t, s, "students", "DPS", "admission_no,name,class,category,guardian,section\n1,Asha Rao,6,general,,\n")
	if st, _ = s.Student(ctx, "DPS", "1"); st.Guardian != "" || st.Section != "" || st.Phone != "90000" {
		t.Errorf("guardian and section were cleared: %+v", st)
	}
	if found, _ := s.SearchStudents(ctx, "DPS", "ravi", 5); len(found) != 0 {
		t.Errorf("the guardian that was cleared is found: %+v", found)
	}
}

func TestImportStudentsRows(t *testing.T) {
	long := strings.Repeat("x", csvCellBytes+1)
	for _, c := range []struct {
		name, text string
		want       []fees.ImportProblem // Reason: a part of it
	}{
		{"missing columns", "name,section\nA,B\n", []fees.ImportProblem{{Line: 1, Column: "admission_no"}, {Line: 1, Column: "class"}, {Line: 1, Column: "category"}}},
		{"a column twice", "admission_no,name,class,category,Name\n1,A,5,general,B\n", []fees.ImportProblem{{Line: 1, Column: "name", Reason: "twice"}}},
		{"after line breaks in quotes", "admission_no,name,class,category\n1,\"A\nB\r\nC\",5,general\n2,,5,general\n", []fees.ImportProblem{{Line: 5, Column: "name", Reason: "Enter the name"}}},
		{"windows line ends", "admission_no,name,class,category\r\n1,A,5,general\r\n2,B,,general\r\n", []fees.ImportProblem{{Line: 3, Column: "class"}}},
		{"several in a row", "admission_no,name,class,category\n1:2,A,5:6,*\n", []fees.ImportProblem{{Line: 2, Column: "admission_no"}, {Line: 2, Column: "class", Reason: "colon"}, {Line: 2, Column: "category", Reason: "any"}}},
		{"ragged", "admission_no,name,class,category\n1,A,5\n2,B,5,general,x\n3,C,5,general\n", []fees.ImportProblem{{Line: 2, Reason: "3 columns"}, {Line: 3, Reason: "5 columns"}}},
		{"blank lines", "admission_no,name,class,category\n\n,,,\n1,A,,general\n\n", []fees.ImportProblem{{Line: 4, Column: "class"}}},
		{"a bare quote", "admission_no,name,class,category\n1,A \"B\" C,5,general\n2,,5,general\n", []fees.ImportProblem{{Line: 2, Reason: "quotation mark"}, {Line: 3, Column: "name"}}},
		{"an open quote", "admission_no,name,class,category\n1,\"A,5,general\n2,B,5,general\n", []fees.ImportProblem{{Line: 2, Reason: "not closed"}}},
		{"text after a quote", "admission_no,name,class,category\n1,\"A\"B,5,general\n2,B,5,general\n", []fees.ImportProblem{{Line: 2, Reason: "do not match"}}},
		{"NUL", "admission_no,name,class,category\n1,A\x00B,5,general\n", []fees.ImportProblem{{Line: 2, Column: "name", Reason: "NUL"}}},
		{"an endless field", "admission_no,name,class,category\n1," + long + ",5,general\n", []fees.ImportProblem{{Line: 2, Column: "name", Reason: "10000"}}},
		{"one number in two cases", "admission_no,name,class,category\na/1,A,5,general\nA/1,B,5,general\n", []fees.ImportProblem{{Line: 3, Column: "admission_no", Reason: "line 2"}}},
		{"amounts", studentsCSV("1,A,5,,general,,,,,,1e3", "2,A,5,,general,,,,,,--5", "3,A,5,,general,,,,,,100.001", "4,A,5,,general,,,,,,\"12,34\"", "5,A,5,,general,,,,,,-2500.00"),
			[]fees.ImportProblem{{Line: 2, Column: "opening_balance"}, {Line: 3, Column: "opening_balance"}, {Line: 4, Column: "opening_balance"}, {Line: 5, Column: "opening_balance"}}},
		{"no e-mail", studentsCSV("1,A,5,,general,,,,nobody,,", "2,A,5,,general,,,,a b@c,,"), []fees.ImportProblem{{Line: 2, Column: "email"}, {Line: 3, Column: "email"}}},
		{"long names", studentsCSV("1," + strings.Repeat("é", 121) + ",5,,general,,,,,,"), []fees.ImportProblem{{Line: 2, Column: "name", Reason: "120"}}},
		{"a name that turns the line around", studentsCSV("1,A\u202eB,5,,general,,,,,,"), []fees.ImportProblem{{Line: 2, Column: "name"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := openSchool(t)
			ctx := context.Background()
			report, err := s.ImportStudents(ctx, "DPS", strings.NewReader(c.text), false, planner)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Problems) != len(c.want) {
				t.Fatalf("problems %+v\nwant %+v", report.Problems, c.want)
			}
			for i, w := range c.want {
				p := report.Problems[i]
				if p.Line != w.Line || p.Column != w.Column || !strings.Contains(p.Reason, w.Reason) {
					t.Errorf("problem %+v, want %+v", p, w)
				}
			}
			if n, _ := s.DB.Count(ctx, students, everything("DPS"), 0); n != 0 {
				t.Errorf("%d students were written", n)
			}
		})
	}
}

func TestImportRefusesFiles(t *testing.T) {
	s, _ := openSchool(t)
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "empty"},
		{"only a mark", "\ufeff \n", "empty"},
		{"UTF-16 little", "\xff\xfea\x00,\x00", "UTF-16"},
		{"UTF-16 big", "\xfe\xff\x00a\x00,", "UTF-16"},
		{"UTF-16 unmarked", "a\x00d\x00m\x00", "UTF-16"},
		{"Latin-1", "admission_no,name,class,category\n1,A,5,general\n2,Jos\xe9,5,general\n", "Line 3 is not UTF-8"},
		{"a workbook", "PK\x03\x04...", "Excel"},
		{"semicolons", "admission_no;name;class;category\n1;A;5;general\n", "commas"},
		{"tabs", "admission_no\tname\n1\tA\n", "commas"},
		{"too many rows", "admission_no,name,class,category\n" + strings.Repeat("1,A,5,general\n", csvRows+1), "200000 rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for what, take := range s.importers() {
				if c.name == "too many rows" && what != "students" {
					continue
				}
				if c.name == "Latin-1" || what == "students" || !strings.HasPrefix(c.text, "admission_no,") {
					_, err := take(context.Background(), "DPS", strings.NewReader(c.text), false)
					wantCode(t, what, err, fees.Invalid, c.says)
				}
			}
		})
	}
	_, err := s.ImportStudents(context.Background(), "DPS", strings.NewReader(strings.Repeat("a,", csvBytes/2)+"b"), false, planner)
	wantCode(t, "too many bytes", err, fees.Invalid, "64 MB")
	_, err = s.ImportStudents(context.Background(), "XYZ", strings.NewReader(studentsCSV()), false, planner)
	wantCode(t, "no institute", err, fees.NotFound, "XYZ")
}

func TestImportStudentsEncodings(t *testing.T) {
	for name, text := range map[string]string{
		"byte order mark":   "\ufeffadmission_no,name,class,category\n1,José,5,general\n",
		"quoted header":     "\ufeff\"admission_no\",\"name\",\"class\",\"category\"\n1,\"José\",5,general",
		"returns only":      "admission_no,name,class,category\r1,José,5,general\r",
		"space after comma": "admission_no, name, class, category\n1, \"José\", 5, general\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openSchool(t)
			report := mustImport(t, s, "students", "DPS", text)
			st, err := s.Student(context.Background(), "DPS", "1")
			if err != nil || st.Name != "José" || report.Rows != 1 {
				t.Errorf("%+v, %v, %+v", st, err, report)
			}
		})
	}
}

// What was taken over is not changed by importing something else, in the same
// year or a later one.
func TestOpeningBalanceIsTakenOverOnce(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	file := studentsCSV("1,A,5,,general,,,,,,1500.00", "2,B,5,,general,,,,,,0")
	mustImport(t, s, "students", "DPS", file)
	for _, later := range []time.Time{termTime(), termTime().AddDate(1, 0, 0), termTime().AddDate(3, 0, 0)} {
		s.Now = func() time.Time { return later }
		if again := mustImport(t, s, "students", "DPS", file); again.Unchanged != 2 {
			t.Errorf("%s: %+v", later, again)
		}
		for _, other := range []string{"2000.00", "0", ""} {
			report, err := s.ImportStudents(ctx, "DPS", strings.NewReader(studentsCSV("1,AA,5,,general,,,,,,"+other)), false, planner)
			if err != nil || len(report.Problems) != 1 || report.Problems[0].Column != "opening_balance" || !strings.Contains(report.Problems[0].Reason, "1,500.00") {
				t.Errorf("%s, opening balance %q: %+v, %v", later, other, report, err)
			}
		}
		if owed, err := s.Bills(ctx, "DPS", "1"); err != nil || len(owed) != 1 || owed[0].Net != 1500_00 || owed[0].FY != "2026-27" {
			t.Errorf("%s: bills %+v, %v", later, owed, err)
		}
		if st, _ := s.Student(ctx, "DPS", "1"); st.Name != "A" {
			t.Errorf("%s: a refused file changed the name to %q", later, st.Name)
		}
	}
	// Who had none may still get one; it is of the year in which it is taken over.
	mustImport(t, s, "students", "DPS", studentsCSV("2,B,5,,general,,,,,,-25.50"))
	if owed, _ := s.Bills(ctx, "DPS", "2"); len(owed) != 1 || owed[0].Net != -25_50 || owed[0].FY != "2029-30" || owed[0].DueDate != "2029-04-01" {
		t.Errorf("a late opening balance: %+v", owed)
	}
}

// An opening balance whose import was killed is billed by the next sweep, under
// what the list said; until then it is promised, and does not change.
func TestOpeningBalanceIsFinishedBySweep(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	file := studentsCSV("1,A,5,,general,,,,,,1500.00", "2,B,5,,general,,,,,,0", "3,C,5,,general,,,,,,-25.50")
	killed := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == bills {
			return docdbtest.BeforeWrite
		}
		return docdbtest.None
	}))
	killed.Now = s.Now
	if _, err := killed.ImportStudents(ctx, "DPS", strings.NewReader(file), false, planner); fees.CodeOf(err) != fees.Unconfirmed {
		t.Fatalf("an import whose bills were not written says %v", err)
	}
	mustAudit(t, s) // it is on its way
	report, err := s.ImportStudents(ctx, "DPS", strings.NewReader(studentsCSV("1,A,5,,general,,,,,,1600.00")), false, planner)
	if err != nil || len(report.Problems) != 1 || !strings.Contains(report.Problems[0].Reason, "1,500.00") {
		t.Errorf("another opening balance before the first is billed: %+v, %v", report, err)
	}
	if st, err := s.Student(ctx, "DPS", "1"); err != nil {
		t.Error(err)
	} else if st.OpeningBalance++; true {
		_, err := s.SaveStudent(ctx, "DPS", st, fees.Actor{})
		wantCode(t, "save another opening balance", err, fees.Invalid, "not saved")
	}
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	balances, err := s.Balances(ctx, "DPS", []string{"1", "2", "3"})
	if err != nil || balances["1"] != 1500_00 || balances["2"] != 0 || balances["3"] != -25_50 {
		t.Errorf("after a sweep they owe %v, %v", balances, err)
	}
	if n := documents(t, s, students, "institute", "DPS", "opening", true); n != 0 {
		t.Errorf("%d students are still marked", n)
	}
	mustAudit(t, s)
	if again := mustImport(t, s, "students", "DPS", file); again.Unchanged != 3 || again.Opened != 0 {
		t.Errorf("the same list then: %+v", again)
	}
}

// An opening balance without bill and mark, as no import leaves it, is found,
// and billed by the same list.
func TestOpeningBalanceThatWasNeverBilled(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	file := studentsCSV("1,A,5,,general,,,,,,1500.00", "2,B,5,,general,,,,,,0")
	if report := mustImport(t, s, "students", "DPS", file); report.Opened != 1 {
		t.Errorf("%d opening balances became bills, want 1", report.Opened)
	}
	if _, err := s.DB.DeleteMany(ctx, bills, everything("DPS")); err != nil {
		t.Fatal(err)
	}
	report, err := s.Audit(ctx, "DPS")
	if err != nil || !slices.ContainsFunc(report.Findings, func(f fees.Finding) bool {
		return f.What == "opening" && f.ID == "DPS:1" && strings.Contains(f.Text, "1,500.00 and was never billed")
	}) {
		t.Errorf("found %s, %v", spelt(report.Findings), err)
	}
	for _, dry := range []bool{true, false} {
		if report, err := s.ImportStudents(ctx, "DPS", strings.NewReader(file), dry, planner); err != nil || report.Opened != 1 {
			t.Errorf("again, dry %v: %+v, %v", dry, report, err)
		}
	}
	mustAudit(t, s)
}

// everything selects everything of an institute by key.
func everything(institute string) bson.D { return bson.D{under(fees.Key(institute, ""))} }
