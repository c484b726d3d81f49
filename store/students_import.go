package store

import (
	"context"
	"fmt"
	"io"

	"raseed/store/fees"
)

// ImportStudents takes over a list of students: CSV with the columns
// admission_no, name, class, category and, where there are, section, family,
// guardian, phone, email, status, left_on, opening_balance. A column that is not in the
// file changes nothing of the students that are there. An opening balance
// becomes a bill, once.
//
// Every row is checked before any is written. With Problems, and when dry,
// nothing is written. The same file again changes nothing, and after a crash
// does the rest; what was written is billed by the sweep even without it. Codes: Invalid (the file cannot be read), NotFound (the
// institute).
func (s *Store) ImportStudents(ctx context.Context, institute string, file io.Reader, dry bool, by fees.Actor) (fees.ImportReport, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.ImportReport{}, err
	}
	f, err := readSheet(file,
		[]string{"admission_no", "name", "class", "category"},
		[]string{"section", "family", "guardian", "phone", "email", "status", "left_on", "opening_balance"})
	if err != nil {
		return fees.ImportReport{}, err
	}
	taken, err := s.openings(ctx, inst, "")
	if err != nil {
		return fees.ImportReport{}, err
	}
	list := checkStudents(inst, f, taken)
	report := f.report(dry)
	if len(report.Problems) > 0 {
		return report, nil
	}
	done, err := merger[fees.Student]{
		s: s, coll: students, institute: institute,
		key: func(st fees.Student) string { return st.ID },
		complete: func(want, have *fees.Student) {
			if have != nil {
				keepStudent(f, want, *have)
			}
			want.Terms = termsOf(*want)
			want.Opening = want.OpeningBalance != 0 && !taken[want.AdmissionNo].billed
			want.UpdatedAt = s.instant()
		},
	}.merge(ctx, list, dry)
	report.Created, report.Updated, report.Unchanged = done.created, done.updated, done.unchanged
	if err != nil {
		return report, err
	}
	owed, err := s.openingBills(inst, taken, list)
	if err == nil && !dry {
		_, err = s.takeOver(ctx, inst.Code, owed)
	}
	if err != nil {
		return report, err
	}
	report.Opened = int64(len(owed))
	if !dry {
		s.logImport(ctx, "students imported", institute, report, by)
	}
	return report, nil
}

// checkStudents reads and checks every row.
func checkStudents(inst fees.Institute, f *sheet, taken openings) []fees.Student {
	money := inst.Money()
	list := make([]fees.Student, 0, len(f.rows))
	lines := make(map[string]int64, len(f.rows))
	for _, row := range f.rows {
		st := fees.Student{
			Institute: inst.Code, AdmissionNo: row.cell("admission_no"), Name: row.cell("name"),
			Class: row.cell("class"), Section: row.cell("section"), Category: row.cell("category"),
			Family: row.cell("family"), Guardian: row.cell("guardian"), Phone: row.cell("phone"),
			Email: row.cell("email"), Status: fees.StudentStatus(row.cell("status")), LeftOn: fees.Date(row.cell("left_on")),
		}
		for column, reason := range studentCheck(&st) {
			row.wrong(column, reason)
		}
		if line, twice := lines[st.AdmissionNo]; twice && st.AdmissionNo != "" {
			row.wrong("admission_no", fmt.Sprintf("%s is on line %d already", st.AdmissionNo, line))
		} else {
			lines[st.AdmissionNo] = row.line
		}
		if cell := row.text("opening_balance"); cell != "" {
			amount, bad := money.ParseSigned(cell)
			if bad != nil {
				row.wrong("opening_balance", bad.Message)
				continue
			}
			st.OpeningBalance = amount
		}
		if f.has("opening_balance") {
			if reason := taken.refuses(money, st); reason != "" {
				row.wrong("opening_balance", reason)
			}
		}
		list = append(list, st)
	}
	return list
}

// keepStudent takes over what the file has no column for.
func keepStudent(f *sheet, want *fees.Student, have fees.Student) {
	for column, keep := range map[string]func(){
		"section":         func() { want.Section = have.Section },
		"family":          func() { want.Family = have.Family },
		"guardian":        func() { want.Guardian = have.Guardian },
		"phone":           func() { want.Phone = have.Phone },
		"email":           func() { want.Email = have.Email },
		"status":          func() { want.Status = have.Status },
		"left_on":         func() { want.LeftOn = have.LeftOn },
		"opening_balance": func() { want.OpeningBalance = have.OpeningBalance },
	} {
		if !f.has(column) {
			keep()
		}
	}
	if want.Status == fees.StudentActive { // who is back
		want.LeftOn = ""
	}
}
