package store

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"raseed/store/fees"
)

// ImportConcessions takes over students' concessions: CSV with the columns
// admission_no, head ("*" is every head), kind (percent or amount), value and,
// where there are, reason, approver, and from and to, the first and last period.
// The rows for a student and head are all that the student is conceded on it;
// what is conceded to others and on other heads stays. A column that the file
// lacks says nothing: what was there remains.
//
// Every row is checked before any is written. With Problems, and when dry,
// nothing is written. The same file again changes nothing, and after a crash
// does the rest. Created, Updated and Unchanged count students' heads. Codes:
// Invalid (the file cannot be read), NotFound (the institute).
func (s *Store) ImportConcessions(ctx context.Context, institute string, file io.Reader, dry bool, by fees.Actor) (fees.ImportReport, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.ImportReport{}, err
	}
	f, err := readSheet(file, []string{"admission_no", "head", "kind", "value"}, []string{"reason", "approver", "from", "to"})
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
	now := s.instant()
	done, err := merger[fees.Concession]{
		s: s, coll: concessions, institute: institute,
		key: func(c fees.Concession) string { return c.ID },
		complete: func(want, have *fees.Concession) {
			if have == nil {
				have = &fees.Concession{}
			}
			for i := range want.Grants {
				want.Grants[i].At, want.Grants[i].By = now, by.Login
			}
			keepGranted(f, want.Grants, have.Grants)
			slices.SortFunc(want.Grants, fees.Grant.Compare)
			if want.Version = have.Version; !slices.Equal(want.Grants, have.Grants) {
				want.Version++
			}
		},
	}.merge(ctx, list, dry)
	report.Created, report.Updated, report.Unchanged = done.created, done.updated, done.unchanged
	if err == nil && !dry {
		s.logImport(ctx, "concessions imported", institute, report, by)
	}
	return report, err
}

// keepGranted lets a grant of the file that was there stay as it was, and a
// single one that takes a single one's place keep what the file does not say.
func keepGranted(f *sheet, want, have []fees.Grant) {
	have = slices.Clone(have)
	for i, g := range want {
		at := slices.IndexFunc(have, func(h fees.Grant) bool { return unsaid(f, g, h).Compare(h) == 0 })
		switch {
		case at >= 0:
			want[i] = have[at]
			have = slices.Delete(have, at, at+1)
		case len(want) == 1 && len(have) == 1:
			want[i] = unsaid(f, g, have[0])
		}
	}
}

// unsaid is g with that of h which the file has no column for.
func unsaid(f *sheet, g, h fees.Grant) fees.Grant {
	for column, text := range map[string][2]*string{
		"reason": {&g.Reason, &h.Reason}, "approver": {&g.Approver, &h.Approver}, "from": {&g.From, &h.From}, "to": {&g.To, &h.To},
	} {
		if !f.has(column) {
			*text[0] = *text[1]
		}
	}
	return g
}

// checkConcessions reads and checks every row, against the students, heads and
// periods that there are too.
func (s *Store) checkConcessions(ctx context.Context, inst fees.Institute, f *sheet) ([]fees.Concession, error) {
	known, err := s.knownStudents(ctx, inst.Code, f)
	if err != nil {
		return nil, err
	}
	all, err := s.Heads(ctx, inst.Code)
	if err != nil {
		return nil, err
	}
	charged := map[string]bool{fees.Any: true}
	for _, head := range all {
		charged[head.Code] = true
	}
	periods, err := s.Periods(ctx, inst.Code)
	if err != nil {
		return nil, err
	}
	money := inst.Money()
	places := map[string]int{}    // in list, by key
	lines := map[string][]int64{} // of the grants, by key
	list := make([]fees.Concession, 0, len(f.rows))
	for _, row := range f.rows {
		c, sound := concession(inst, money, periods, row)
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
		place, more := places[c.ID]
		if !more {
			places[c.ID] = len(list)
			list = append(list, c)
		} else if i := slices.IndexFunc(list[place].Grants, func(g fees.Grant) bool { return g.Compare(c.Grants[0]) == 0 }); i >= 0 {
			row.wrong("head", fmt.Sprintf("%s has this concession on %s on line %d already", c.Student, c.Head, lines[c.ID][i]))
			continue
		} else if len(list[place].Grants) == grantLimit {
			row.wrong("head", fmt.Sprintf("%s has %d concessions on %s already, and more cannot be added", c.Student, grantLimit, c.Head))
			continue
		} else {
			list[place].Grants = append(list[place].Grants, c.Grants[0])
		}
		lines[c.ID] = append(lines[c.ID], row.line)
	}
	return list, nil
}

// concession reads one row, which has one grant. Student and Head are "" where
// they are wrong.
func concession(inst fees.Institute, money fees.Currency, periods []fees.Period, row sheetRow) (c fees.Concession, sound bool) {
	wrong := map[string]string{}
	c.Institute = inst.Code
	var bad *fees.Error
	if c.Student, bad = fees.NormalAdmissionNo(row.cell("admission_no")); bad != nil {
		wrong["admission_no"] = bad.Message
	}
	if c.Head = strings.TrimSpace(row.cell("head")); c.Head != fees.Any {
		var reason string
		if c.Head, reason = headCode(c.Head); reason != "" {
			wrong["head"] = reason
			c.Head = ""
		}
	}
	g := fees.Grant{
		Kind:   fees.ConcessionKind(strings.ToLower(row.text("kind"))),
		Reason: row.cell("reason"), Approver: row.cell("approver"), From: row.text("from"), To: row.text("to"),
	}
	bad = nil
	switch g.Kind {
	case fees.ConcessionPercent:
		g.Percent, bad = fees.ParsePercent(row.cell("value"))
	case fees.ConcessionAmount:
		g.Amount, bad = money.Parse(row.cell("value"))
	}
	granted, mistakes := fees.CheckGrant(g, c.Head, periods)
	if mistakes != nil {
		maps.Copy(wrong, mistakes.Fields)
	}
	if bad != nil {
		wrong["value"] = bad.Message
	}
	for column, reason := range wrong {
		row.wrong(column, reason)
	}
	c.ID, c.Grants = fees.Key(inst.Code, c.Student, c.Head), []fees.Grant{granted}
	return c, len(wrong) == 0
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
