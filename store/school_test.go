package store

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// termTime is a moment in the year of the sample files, whose first term is
// due.
func termTime() time.Time { return time.Date(2026, 6, 15, 5, 30, 0, 0, time.UTC) }

// openSchool opens a store in term time with the institute DPS, empty.
func openSchool(t testing.TB) (*Store, fees.Institute) {
	t.Helper()
	s := openTest(t)
	s.Now = termTime
	return s, addSchool(t, s, "DPS")
}

func addSchool(t testing.TB, s *Store, code string) fees.Institute {
	t.Helper()
	inst, err := s.AddInstitute(context.Background(), fees.Institute{Code: code, Name: "School " + code})
	if err != nil {
		t.Fatalf("add institute %s: %v", code, err)
	}
	return inst
}

type importer func(ctx context.Context, institute string, file *strings.Reader, dry bool) (fees.ImportReport, error)

func (s *Store) importers() map[string]importer {
	return map[string]importer{
		"students": func(ctx context.Context, i string, f *strings.Reader, dry bool) (fees.ImportReport, error) {
			return s.ImportStudents(ctx, i, f, dry, planner)
		},
		"plan": func(ctx context.Context, i string, f *strings.Reader, dry bool) (fees.ImportReport, error) {
			return s.ImportPlan(ctx, i, f, dry, planner)
		},
		"concessions": func(ctx context.Context, i string, f *strings.Reader, dry bool) (fees.ImportReport, error) {
			return s.ImportConcessions(ctx, i, f, dry, planner)
		},
	}
}

// mustImport takes a CSV text over and fails on any problem.
func mustImport(t testing.TB, s *Store, what, institute, text string) fees.ImportReport {
	t.Helper()
	report, err := s.importers()[what](context.Background(), institute, strings.NewReader(text), false)
	if err != nil {
		t.Fatalf("import %s: %v", what, err)
	}
	for _, p := range report.Problems {
		t.Fatalf("import %s: line %d, %s: %s", what, p.Line, p.Column, p.Reason)
	}
	return report
}

func sample(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sampleRows are the data rows of a sample file by column, read by nothing of
// the store.
func sampleRows(t testing.TB, name string) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(sample(t, name), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		cells := map[string]string{}
		for i, name := range rows[0] {
			cells[name] = row[i]
		}
		all = append(all, cells)
	}
	return all
}

// importSample takes the three sample files over.
func importSample(t testing.TB, s *Store, institute string) {
	t.Helper()
	mustImport(t, s, "students", institute, sample(t, "students.csv"))
	mustImport(t, s, "plan", institute, sample(t, "plan.csv"))
	mustImport(t, s, "concessions", institute, sample(t, "concessions.csv"))
}

// mustBill runs a period to its end.
func mustBill(t testing.TB, s *Store, institute, period string) fees.Run {
	t.Helper()
	id := s.NewID()
	if _, err := s.StartRun(context.Background(), institute, fees.RunOrder{ID: id, Period: period, By: fees.Actor{Name: "Meera"}}); err != nil {
		t.Fatalf("start run of %s: %v", period, err)
	}
	run, err := s.ExecuteRun(context.Background(), institute, id)
	if err != nil {
		t.Fatalf("run of %s: %v", period, err)
	}
	return run
}

func wantCode(t testing.TB, what string, err error, code fees.Code, inMessage string) {
	t.Helper()
	if got := fees.CodeOf(err); got != code {
		t.Errorf("%s: got %v, want an error %s", what, err, code)
	} else if !strings.Contains(err.Error(), inMessage) {
		t.Errorf("%s: the message %q lacks %q", what, err, inMessage)
	}
}

// students returns lines of a students file.
func studentsCSV(rows ...string) string {
	return "admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n" + strings.Join(rows, "\n") + "\n"
}

// manyStudents is a students file of n, in families of the same names as the
// sample's.
func manyStudents(n int) string {
	given := []string{"Aarav", "Asha", "Diya", "Farhan", "Isha", "Kabir", "Kavya", "Meera", "Nikhil", "Pooja", "Riya", "Rohan", "Sara", "Tara", "Yash", "Zoya"}
	family := []string{"Banerjee", "Bhatt", "Das", "Gill", "Iyer", "Joshi", "Khan", "Mehta", "Nair", "Patel", "Rao", "Reddy", "Shah", "Sharma", "Thakur", "Verma", "Yadav"}
	var b strings.Builder
	b.WriteString(studentsCSV())
	for i := range n {
		f := i * 10 / 13
		fmt.Fprintf(&b, "%d,%s %s,%d,%c,general,F%05d,%s %s,90000%05d,f%d@example.org,active,0\n",
			1001+i, given[i*7%16], family[f*5%17], 1+i%12, 'A'+i%3, f, given[f*3%16], family[f*5%17], f, f)
	}
	return b.String()
}

func ofPeriod(institute, period string) bson.D {
	return bson.D{{Key: "institute", Value: institute}, {Key: "period", Value: period}}
}
