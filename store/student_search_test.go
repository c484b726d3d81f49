package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

func numbersOf(list []fees.Student) string {
	numbers := make([]string, len(list))
	for i, st := range list {
		numbers[i] = st.AdmissionNo
	}
	return strings.Join(numbers, " ")
}

func TestSearchStudents(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV(
		"10,Asha Rao,5,A,general,F0001,Ravi Rao,9800012345,,,",
		"100,Aarav Sharma,5,A,general,F0002,Meera Sharma,9800054321,,,",
		"1000,Asha Sharma,5,A,general,F0002,Meera Sharma,9800054321,,,",
		"A/12-B,Kiran D'Souza,5,A,general,F0003,José Souza,+91 90000 10010,,,",
		"A/13,शर्मा आशा,5,A,general,FAM-7,Anne-Marie,022 2345 6789 / 9811100000,,,",
		"2001,Krishnamurthy Iyer,5,A,general,F0005,Ravi Iyer,,,,",
		"2002,Ravi Khan,5,A,general,,Asha Khan,,,,",
	))
	addSchool(t, s, "KVS")
	mustImport(t, s, "students", "KVS", studentsCSV("10,Asha Foreign,5,A,general,F0001,Ravi Rao,9800012345,,,"))
	for _, c := range []struct{ typed, want string }{
		{"10", "10 100 1000"},                  // the exact number first, then numbers that begin so
		{"100", "100 1000"},                    //
		{" 1000 ", "1000"},                     //
		{"a/12-b", "A/12-B"},                   // in any case
		{"A/1", "A/12-B A/13"},                 // the start of one
		{"A/", "A/12-B A/13 10 100 1000 2002"}, //
		{"asha", "10 1000 2002"},               // own names before the guardian's
		{"ASHA", "10 1000 2002"},               //
		{"sharma asha", "1000"},                // in any order
		{"asha sharma", "1000"},                //
		{"as sh", "1000"},                      // by the starts
		{"s a", "100 1000"},                    //
		{"a", "10 100 1000 A/12-B A/13 2002"},
		{"meera", "100 1000"},         // the guardian
		{"aarav meera", "100"},        // both
		{"ravi", "2002 10 2001"},      //
		{"ravi k", "2002 2001"},       //
		{"dsouza", "A/12-B"},          // with and without the apostrophe
		{"d'souza", "A/12-B"},         //
		{"D’SOUZA", "A/12-B"},         //
		{"souza", "A/12-B"},           //
		{"jose", "A/12-B"},            // without the accent
		{"krishnamurthy", "2001"},     // beyond the stored starts
		{"krishnamurti", ""},          //
		{"krishnam iyer", "2001"},     //
		{"शर्मा", "A/13"},             //
		{"शर्", "A/13"},               //
		{"आशा शर्मा", "A/13"},         //
		{"marie", "A/13"},             //
		{"annemarie", "A/13"},         //
		{"9800", "10 100 1000"},       // a phone number from its start
		{"9800012345", "10"},          //
		{"98000 12345", "10"},         //
		{"+91 98000-12345", "10"},     // with the country's code
		{"09800012345", "10"},         //
		{"2345", "10"},                // by its last four digits
		{"12345", "10"},               // or more
		{"90000", "A/12-B"},           // kept with the country's code
		{"919000010010", "A/12-B"},    //
		{"10010", "A/12-B"},           //
		{"9811", "A/13"},              // the second number of a field
		{"f0002", "100 1000"},         // the family
		{"F0002 asha", "1000"},        //
		{"fam-7", "A/13"},             //
		{"FAM7", "A/13"},              //
		{"1000 asha", "1000"},         // a number with a name
		{"asha 98000", "10 1000"},     //
		{"asha aarav", ""},            // not both
		{"asha asha", "10 1000 2002"}, //
		{"as asha", "10 1000 2002"},   //
		{"foreign", ""},               // of another institute
		{"", ""}, {"  ", ""}, {"!?", ""}, {"%", ""}, {"zz", ""}, {"$ne", ""},
		{strings.Repeat("a", 5000), ""},
		{"\xff\xfe", ""},
	} {
		found, err := s.SearchStudents(ctx, "DPS", c.typed, 20)
		if err != nil {
			t.Errorf("%.40q: %v", c.typed, err)
		}
		if got := numbersOf(found); got != c.want {
			t.Errorf("%.40q finds %q, want %q", c.typed, got, c.want)
		}
		// The list finds the same, in the order of the keys.
		page, err := s.Students(ctx, "DPS", c.typed, "", 20)
		want := slices.Sorted(slices.Values(strings.Fields(c.want)))
		if strings.TrimSpace(c.typed) == "" {
			want = strings.Fields("10 100 1000 2001 2002 A/12-B A/13")
		}
		if got := numbersOf(page.Items); err != nil || got != strings.Join(want, " ") {
			t.Errorf("%.40q lists %q, want %q (%v)", c.typed, got, want, err)
		}
	}
	if found, _ := s.SearchStudents(ctx, "DPS", "asha", 2); numbersOf(found) != "10 1000" {
		t.Errorf("the two likeliest of asha: %s", numbersOf(found))
	}
}

// However a search is answered, it finds exactly the students that match, over
// as many pages as it takes.
func TestStudentsFindsAll(t *testing.T) {
	oneThing(t)
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", sample(t, "students.csv"))
	all, err := s.allStudents(ctx, t, "DPS", "", 97)
	if err != nil || len(all) != 1200 {
		t.Fatalf("%d students, %v", len(all), err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 150 {
		st := all[r.IntN(len(all))]
		parts := []string{st.AdmissionNo, st.Phone, st.Family, st.Name}
		parts = append(parts, strings.Fields(st.Name)...)
		parts = append(parts, strings.Fields(st.Guardian)...)
		typed := leading(parts[r.IntN(len(parts))], 1+r.IntN(10))
		if r.IntN(2) == 0 {
			typed += " " + leading(parts[r.IntN(len(parts))], 1+r.IntN(10))
		}
		var want []fees.Student
		for _, st := range all {
			if parseQuery(typed).matches(st) {
				want = append(want, st)
			}
		}
		got, err := s.allStudents(ctx, t, "DPS", typed, 1+r.Int64N(40))
		if err != nil || numbersOf(got) != numbersOf(want) {
			t.Errorf("%q lists %d students, want %d (%v)\ngot  %.200s\nwant %.200s", typed, len(got), len(want), err, numbersOf(got), numbersOf(want))
		}
	}
}

// allStudents turns the pages.
func (s *Store) allStudents(ctx context.Context, t *testing.T, institute, q string, limit int64) ([]fees.Student, error) {
	t.Helper()
	var all []fees.Student
	after := ""
	for {
		page, err := s.Students(ctx, institute, q, after, limit)
		if err != nil {
			return nil, err
		}
		if int64(len(page.Items)) > limit {
			t.Errorf("%q: a page of %d, at most %d were asked for", q, len(page.Items), limit)
		}
		all = append(all, page.Items...)
		if after = page.Next; after == "" {
			return all, nil
		}
	}
}

func TestStudentsPage(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", manyStudents(250))
	page, err := s.Students(ctx, "DPS", "", "", 1_000_000)
	if err != nil || len(page.Items) != 200 || page.Next != "1200" {
		t.Errorf("a page of %d, next %q, %v; a page is at most 200", len(page.Items), page.Next, err)
	}
	if page, _ = s.Students(ctx, "DPS", "", "1249", 10); len(page.Items) != 1 || page.Next != "" {
		t.Errorf("the last page: %+v", page)
	}
	if page, _ = s.Students(ctx, "DPS", "", "", -5); len(page.Items) != 1 {
		t.Errorf("a page of -5: %d", len(page.Items))
	}
	// Whatever comes as a key stays in the institute.
	addSchool(t, s, "KVS")
	mustImport(t, s, "students", "KVS", manyStudents(3))
	for _, after := range []string{"~", ":", "\U0010FFFF", "KVS:", "1250"} {
		if page, err := s.Students(ctx, "DPS", "", after, 10); err != nil || len(page.Items) > 0 {
			t.Errorf("after %q: %v, %v", after, numbersOf(page.Items), err)
		}
	}
	if got, err := s.Classes(ctx, "DPS"); err != nil || fmt.Sprint(got) != "[1 2 3 4 5 6 7 8 9 10 11 12]" {
		t.Errorf("classes %v, %v", got, err)
	}
	mustImport(t, s, "students", "KVS", studentsCSV("11,A,KG,,general,,,,,,", "12,A,Nursery,,general,,,,,,", "13,A,12 Science,,general,,,,,,"))
	if got, err := s.Classes(ctx, "KVS"); err != nil || fmt.Sprint(got) != "[KG Nursery 1 2 3 12 Science]" {
		t.Errorf("classes %v, %v", got, err)
	}
}

func TestSaveStudent(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	admin := fees.Actor{Login: "meera"}
	made, err := s.SaveStudent(ctx, "DPS", fees.Student{
		AdmissionNo: " a/7 ", Name: "Asha  Rao", Class: "5", Category: "General", Guardian: "Ravi", OpeningBalance: 500_00,
	}, admin)
	if err != nil || made.ID != "DPS:A/7" || made.Name != "Asha Rao" || made.Category != "general" || made.Status != fees.StudentActive {
		t.Fatalf("%+v, %v", made, err)
	}
	if owed, _ := s.Bills(ctx, "DPS", "A/7"); len(owed) != 1 || owed[0].Net != 500_00 {
		t.Errorf("its opening balance: %+v", owed)
	}
	if found, _ := s.SearchStudents(ctx, "DPS", "asha", 5); numbersOf(found) != "A/7" {
		t.Errorf("it is not found: %v", found)
	}
	_, err = s.SaveStudent(ctx, "DPS", fees.Student{AdmissionNo: "A/7", Name: "Other", Class: "5", Category: "general"}, admin)
	wantCode(t, "the number again", err, fees.Conflict, "A/7")

	read, err := s.Student(ctx, "DPS", "A/7")
	if err != nil {
		t.Fatal(err)
	}
	read.Name, read.Guardian = "Asha Iyer", ""
	saved, err := s.SaveStudent(ctx, "DPS", read, admin)
	if err != nil || saved.Name != "Asha Iyer" || !saved.UpdatedAt.After(read.UpdatedAt) {
		t.Fatalf("%+v, %v", saved, err)
	}
	if got, _ := s.Student(ctx, "DPS", "A/7"); got.Name != "Asha Iyer" || got.Guardian != "" || !got.UpdatedAt.Equal(saved.UpdatedAt) {
		t.Errorf("stored: %+v", got)
	}
	for typed, want := range map[string]string{"iyer": "A/7", "rao": "", "ravi": ""} {
		if found, _ := s.SearchStudents(ctx, "DPS", typed, 5); numbersOf(found) != want {
			t.Errorf("%q finds %q, want %q", typed, numbersOf(found), want)
		}
	}
	read.Name = "Asha Nair" // from a page that was opened before
	_, err = s.SaveStudent(ctx, "DPS", read, admin)
	wantCode(t, "over a newer one", err, fees.Conflict, "meanwhile")
	saved.OpeningBalance = 400_00
	_, err = s.SaveStudent(ctx, "DPS", saved, admin)
	wantCode(t, "another opening balance", err, fees.Invalid, "500.00")
	saved.OpeningBalance, saved.AdmissionNo = 500_00, "A/8"
	_, err = s.SaveStudent(ctx, "DPS", saved, admin)
	wantCode(t, "one that is not there", err, fees.NotFound, "A/8")

	_, err = s.SaveStudent(ctx, "DPS", fees.Student{AdmissionNo: "x:1", Name: "\n", Class: "", Category: "*", Status: "gone", Email: "x", OpeningBalance: fees.MaxAmount + 1}, admin)
	var bad *fees.Error
	if !asError(err, &bad) || bad.Code != fees.Invalid {
		t.Fatalf("%v", err)
	}
	for _, field := range []string{"admission_no", "name", "class", "category", "status", "email", "opening_balance"} {
		if bad.Fields[field] == "" {
			t.Errorf("no reason for %s in %v", field, bad.Fields)
		}
	}
	_, err = s.Student(ctx, "KVS", "A/7")
	wantCode(t, "from another institute", err, fees.NotFound, "")
}

// A student whose saving was cut off after any write is saved by the same form
// again, opening balance and all.
func TestSaveStudentGoesOn(t *testing.T) {
	ctx := context.Background()
	asked := fees.Student{AdmissionNo: "a/7", Name: "Asha Rao", Class: "5", Category: "general", OpeningBalance: 500_00}
	for _, fault := range []docdbtest.Fault{docdbtest.BeforeWrite, docdbtest.AfterWrite, docdbtest.CrashBefore, docdbtest.CrashAfter} {
		for at := range 2 {
			for _, changed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %d, changed %v", fault, at, changed), func(t *testing.T) {
					s, _ := openSchool(t)
					form := asked
					if changed {
						before := asked
						before.Name, before.OpeningBalance = "Asha", 0
						made, err := s.SaveStudent(ctx, "DPS", before, fees.Actor{})
						if err != nil {
							t.Fatal(err)
						}
						form.UpdatedAt = made.UpdatedAt
					}
					writes := 0
					cut, err := New(ctx, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
						if !op.Write || writes > at {
							return docdbtest.None
						}
						if writes++; writes > at {
							return fault
						}
						return docdbtest.None
					}), s.Now, s.NewID, s.Log)
					if err != nil {
						t.Fatal(err)
					}
					err, _ = survive(func() error {
						_, err := cut.SaveStudent(ctx, "DPS", form, fees.Actor{})
						return err
					})
					if fees.CodeOf(err) == fees.Unavailable && at > 0 {
						t.Errorf("what was half saved says %v", err)
					}
					// The next year has begun meanwhile, and still nothing is owed twice.
					for _, later := range []time.Time{termTime(), termTime().AddDate(1, 0, 0)} {
						s.Now = func() time.Time { return later }
						saved, err := s.SaveStudent(ctx, "DPS", form, fees.Actor{})
						if err != nil || saved.ID != "DPS:A/7" || saved.Name != "Asha Rao" {
							t.Fatalf("the same form again: %+v, %v", saved, err)
						}
						if there, err := s.Student(ctx, "DPS", "A/7"); err != nil || !there.UpdatedAt.Equal(saved.UpdatedAt) {
							t.Errorf("answered %+v\nstored %+v, %v", saved, there, err)
						}
						if owed, err := s.Bills(ctx, "DPS", "A/7"); err != nil || len(owed) != 1 || owed[0].Net != 500_00 {
							t.Errorf("owed %+v, %v", owed, err)
						}
					}
					for name, other := range map[string]func(*fees.Student){
						"name":            func(st *fees.Student) { st.Name = "Asha Rai" },
						"opening balance": func(st *fees.Student) { st.OpeningBalance = 400_00 },
					} {
						st := asked
						other(&st)
						if _, err := s.SaveStudent(ctx, "DPS", st, fees.Actor{}); fees.CodeOf(err) != fees.Conflict {
							t.Errorf("a new student of the number with another %s: %v", name, err)
						}
					}
				})
			}
		}
	}
}
