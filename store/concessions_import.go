package store

import (
	"context"
	"fmt"
	"io"
	"strings"

	"raseed/store/fees"
)

// ImportConcessions takes over students' concessions: CSV with the columns
// admission_no, head, kind (percent or amount), value and, where there is one,
// reason. A student has at most one concession on a head. Concessions that are
// not in the file stay.
//
// Every row is checked before any is written. With Problems, and when dry,
// nothing is written. The same file again changes nothing, and after a crash
// does the rest. Codes: Invalid (the file cannot be read), NotFound (the
// institute).
func (s *Store) ImportConcessions(ctx context.Context, institute string, file io.Reader, dry bool) (fees.ImportReport, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.ImportReport{}, err
	}
	f, err := readSheet(file, []string{"admission_no", "head", "kind", "value"}, []string{"reason"})
	if err != nil {
		return fees.ImportReport{}, err
	}
	list, err := s.checkConcessions(ctx, inst, f)
	if err != nil {
		return fees.ImportReport{}, err
	}
	report := f.report(dry)
	if len(report.Problems) > 0 {
		return report, nil
	}
	done, err := merger[fees.Concession]{
		s: s, coll: concessions, institute: institute,
		key: func(c fees.Concession) string { return c.ID },
		complete: func(want, have *fees.Concession) {
			if have != nil && !f.has("reason") {
				want.Reason = have.Reason
			}
		},
	}.merge(ctx, list, dry)
	report.Created, report.Updated, report.Unchanged = done.created, done.updated, done.unchanged
	return report, err
}

// checkConcessions reads and checks every row, against the students and heads
// that there are too.
func (s *Store) checkConcessions(ctx context.Context, inst fees.Institute, f *sheet) ([]fees.Concession, error) {
	known, err := s.knownStudents(ctx, inst.Code, f)
	if err != nil {
		return nil, err
	}
	all, err := s.Heads(ctx, inst.Code)
	if err != nil {
		return nil, err
	}
	charged := map[string]bool{}
	for _, head := range all {
		charged[head.Code] = true
	}
	money := inst.Money()
	lines := map[string]int64{}
	list := make([]fees.Concession, 0, len(f.rows))
	for _, row := range f.rows {
		c, sound := concession(inst, money, row)
		if c.Student != "" && !known[c.Student] {
			row.wrong("admission_no", fmt.Sprintf("There is no student %s", c.Student))
			sound = false
		}
		if c.Head != "" && !charged[c.Head] {
			row.wrong("head", fmt.Sprintf("There is no head %s in the fee plan", c.Head))
			sound = false
		}
		if !sound {
			continue
		}
		if line, twice := lines[c.ID]; twice {
			row.wrong("head", fmt.Sprintf("%s has a concession on %s on line %d already", c.Student, c.Head, line))
			continue
		}
		lines[c.ID] = row.line
		list = append(list, c)
	}
	return list, nil
}

// concession reads one row. Student and Head are "" where they are wrong.
func concession(inst fees.Institute, money fees.Currency, row sheetRow) (c fees.Concession, sound bool) {
	sound = true
	wrong := func(column, reason string) {
		row.wrong(column, reason)
		sound = false
	}
	c.Institute = inst.Code
	var bad *fees.Error
	if c.Student, bad = fees.NormalAdmissionNo(row.cell("admission_no")); bad != nil {
		wrong("admission_no", bad.Message)
	}
	var reason string
	if c.Head, reason = headCode(row.cell("head")); reason != "" {
		wrong("head", reason)
		c.Head = ""
	}
	switch c.Kind = fees.ConcessionKind(strings.ToLower(row.text("kind"))); c.Kind {
	case fees.ConcessionPercent:
		c.Percent, bad = fees.ParsePercent(row.cell("value"))
	case fees.ConcessionAmount:
		c.Amount, bad = money.Parse(row.cell("value"))
	default:
		bad = nil
		wrong("kind", "The kind is percent or amount")
	}
	switch known := c.Kind == fees.ConcessionPercent || c.Kind == fees.ConcessionAmount; {
	case bad != nil:
		wrong("value", bad.Message)
	case known && c.Percent == 0 && c.Amount == 0:
		wrong("value", "A concession is more than 0")
	}
	if c.Reason, bad = fees.CleanText(row.cell("reason"), 200); bad != nil {
		wrong("reason", bad.Message)
	}
	c.ID = fees.Key(inst.Code, c.Student, c.Head)
	return c, sound
}

// knownStudents are those of the file's students that there are.
func (s *Store) knownStudents(ctx context.Context, institute string, f *sheet) (map[string]bool, error) {
	known := map[string]bool{}
	ids := make([]string, 0, batchSize)
	for i, row := range f.rows {
		if no, bad := fees.NormalAdmissionNo(row.cell("admission_no")); bad == nil && !known[no] {
			ids = append(ids, fees.Key(institute, no))
		}
		if len(ids) == batchSize || i == len(f.rows)-1 && len(ids) > 0 {
			there, err := s.readBatch(ctx, students, institute, ids, "admissionNo")
			if err != nil {
				return nil, outage("read students", err)
			}
			for id := range there {
				known[fees.After(id)] = true
			}
			ids = ids[:0]
		}
	}
	return known, nil
}
