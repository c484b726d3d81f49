package store

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// ImportPlan takes over a fee plan: CSV with the columns fy, period, due_date,
// class, category, head, amount, where "*" matches any class or category. It
// creates the periods and heads that the plan names; heads are printed in the
// order in which they first appeared. Rows that are not in the file stay. Class
// and category are the same in capitals and small letters. A new due date is
// that of the whole period; once the period has bills it cannot change.
//
// Every row is checked before any is written. With Problems, and when dry,
// nothing is written. The same file again changes nothing, and after a crash
// does the rest. Created, Updated and Unchanged count rows of the plan. Codes:
// Invalid (the file cannot be read), NotFound (the institute).
func (s *Store) ImportPlan(ctx context.Context, institute string, file io.Reader, dry bool, by fees.Actor) (fees.ImportReport, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.ImportReport{}, err
	}
	f, err := readSheet(file, []string{"fy", "period", "due_date", "class", "category", "head", "amount"}, nil)
	if err != nil {
		return fees.ImportReport{}, err
	}
	billed, err := s.billedDue(ctx, institute)
	if err != nil {
		return fees.ImportReport{}, err
	}
	plan := checkPlan(inst, f, billed)
	report := f.report(dry)
	if len(report.Problems) > 0 {
		return report, nil
	}
	classes, err := s.Classes(ctx, institute)
	if err != nil {
		return report, err
	}
	for _, class := range fees.ClassesWithout(plan.rows, classes) {
		report.Notes = append(report.Notes, "No student is in class "+class)
	}
	// Heads and periods first: what is there after a crash is never a row of a
	// head that nobody knows.
	if err := s.mergeHeads(ctx, institute, plan.heads, dry); err != nil {
		return report, err
	}
	if _, err := (merger[fees.Period]{
		s: s, coll: periods, institute: institute,
		key:      func(p fees.Period) string { return p.ID },
		complete: func(_, _ *fees.Period) {},
	}).merge(ctx, plan.periods, dry); err != nil {
		return report, err
	}
	done, err := merger[fees.PlanRow]{
		s: s, coll: plans, institute: institute,
		key:      func(row fees.PlanRow) string { return row.ID },
		complete: func(_, _ *fees.PlanRow) {},
	}.merge(ctx, plan.rows, dry)
	report.Created, report.Updated, report.Unchanged = done.created, done.updated, done.unchanged
	if err != nil || dry {
		return report, err
	}
	if err := s.alignDue(ctx, institute, plan.periods); err != nil {
		return report, err
	}
	s.logImport(ctx, "fee plan imported", institute, report, by)
	return report, nil
}

// logImport notes who imported what.
func (s *Store) logImport(ctx context.Context, what, institute string, r fees.ImportReport, by fees.Actor) {
	s.Log.InfoContext(ctx, what, "institute", institute, "rows", r.Rows, "created", r.Created, "updated", r.Updated, "by", by.Login, "from", by.From)
}

// billedDue are the due dates of the periods that have bills.
func (s *Store) billedDue(ctx context.Context, institute string) (map[string]fees.Date, error) {
	all, err := s.Periods(ctx, institute)
	if err != nil {
		return nil, err
	}
	due := map[string]fees.Date{}
	for _, p := range all {
		billed, err := s.PeriodBilled(ctx, institute, p.Code)
		if err != nil {
			return nil, err
		}
		if billed {
			due[p.Code] = p.DueDate
		}
	}
	return due, nil
}

// alignDue gives all rows of the periods their due date, those too that the
// file does not have.
func (s *Store) alignDue(ctx context.Context, institute string, all []fees.Period) error {
	var ops []docdb.UpdateOp
	for _, p := range all {
		other := bson.D{under(fees.Key(institute, p.Code, "")), {Key: "dueDate", Value: bson.D{{Key: "$ne", Value: p.DueDate}}}}
		for raw, err := range s.DB.Find(ctx, plans, other, docdb.Find{Fields: []string{"_id"}}) {
			if err != nil {
				return begun("align due dates", err)
			}
			ops = append(ops, docdb.UpdateOp{Filter: one(institute, raw.Lookup("_id").StringValue()), Update: set("dueDate", p.DueDate)})
		}
	}
	for batch := range slices.Chunk(ops, batchSize) {
		if _, err := s.writeBatch(ctx, plans, batch); err != nil {
			return begun("align due dates", err)
		}
	}
	return nil
}

// mergeHeads adds heads that are new behind the others; those that are there
// keep their place and whatever was set since.
func (s *Store) mergeHeads(ctx context.Context, institute string, codes []string, dry bool) error {
	there, err := s.Heads(ctx, institute)
	if err != nil {
		return err
	}
	var last int64
	for _, head := range there {
		last = max(last, head.Order)
	}
	list := make([]fees.Head, len(codes))
	for i, code := range codes {
		list[i] = fees.Head{ID: fees.Key(institute, code), Institute: institute, Code: code, Name: headName(code)}
	}
	_, err = merger[fees.Head]{
		s: s, coll: heads, institute: institute,
		key: func(head fees.Head) string { return head.ID },
		complete: func(want, have *fees.Head) {
			if have != nil {
				*want = *have
				return
			}
			last++
			want.Order = last
		},
	}.merge(ctx, list, dry)
	return err
}

// plan is a file's content: its rows, and the periods and heads in the order in
// which it names them.
type plan struct {
	rows    []fees.PlanRow
	periods []fees.Period
	heads   []string
}

// dueDays is how far outside its financial year a period may be due.
const dueDays = 365

func checkPlan(inst fees.Institute, f *sheet, billed map[string]fees.Date) plan {
	var p plan
	money := inst.Money()
	lines := map[string]int64{}   // by the row's key
	due := map[string]fees.Date{} // by period
	dueLine := map[string]int64{}
	headSeen := map[string]bool{}
	for _, r := range f.rows {
		row, sound := planRow(inst, money, r)
		if !sound {
			continue
		}
		if line, twice := lines[row.ID]; twice {
			r.wrong("head", fmt.Sprintf("%s for this period, class and category is on line %d already", row.Head, line))
			continue
		}
		lines[row.ID] = r.line
		if date, fixed := billed[row.Period]; fixed && date != row.DueDate {
			r.wrong("due_date", fmt.Sprintf("%s was billed as due on %s; that date stays", row.Period, date))
			continue
		}
		switch date, named := due[row.Period]; {
		case !named:
			due[row.Period], dueLine[row.Period] = row.DueDate, r.line
			p.periods = append(p.periods, fees.Period{
				ID: fees.Key(inst.Code, row.Period), Institute: inst.Code, Code: row.Period, FY: row.FY, DueDate: row.DueDate,
			})
		case date != row.DueDate:
			r.wrong("due_date", fmt.Sprintf("%s is due on %s according to line %d", row.Period, date, dueLine[row.Period]))
			continue
		}
		if !headSeen[row.Head] {
			headSeen[row.Head] = true
			p.heads = append(p.heads, row.Head)
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// planRow reads one row; not sound when something is wrong with it.
func planRow(inst fees.Institute, money fees.Currency, r sheetRow) (row fees.PlanRow, sound bool) {
	sound = true
	wrong := func(column, reason string) {
		r.wrong(column, reason)
		sound = false
	}
	row = fees.PlanRow{Institute: inst.Code, FY: r.text("fy"), Period: strings.ToUpper(r.text("period"))}
	_, last, bad := fees.FYRange(row.FY, inst.FYStart)
	if bad != nil {
		wrong("fy", bad.Message)
	} else if last <= inst.ClosedTo {
		wrong("fy", fmt.Sprintf("The year %s is closed", row.FY))
	} else if reason := periodProblem(row.FY, row.Period); reason != "" {
		wrong("period", reason)
	}
	known := bad == nil
	if row.DueDate, bad = fees.ParseDate(r.text("due_date")); bad != nil {
		wrong("due_date", bad.Message)
	} else if known {
		if reason := dueProblem(inst, row.FY, row.DueDate); reason != "" {
			wrong("due_date", reason)
		}
	}
	var reason string
	for column, value := range map[string]*string{"class": &row.Class, "category": &row.Category} {
		if *value, reason = planScope(column, r.cell(column)); reason != "" {
			wrong(column, reason)
		}
	}
	if row.Head, reason = headCode(r.cell("head")); reason != "" {
		wrong("head", reason)
	}
	if row.Amount, bad = money.Parse(r.cell("amount")); bad != nil {
		wrong("amount", bad.Message)
	}
	row.ID = row.Key()
	return row, sound
}

// planScope is the class or category (which says what) of a plan's row in its
// normal form, or why it is none.
func planScope(what, typed string) (clean, reason string) {
	clean, bad := fees.CleanText(typed, 32)
	switch {
	case bad != nil:
		return clean, bad.Message
	case clean == "":
		return clean, "Enter the " + what + ", or * for any"
	case clean != fees.Any:
		reason = planWord(clean)
	}
	if what == "category" {
		clean = strings.ToLower(clean)
	}
	return clean, reason
}

// dueProblem says why a period of a year that there is may not be due then.
func dueProblem(inst fees.Institute, fy string, due fees.Date) string {
	if _, bad := fees.ParseDate(string(due)); bad != nil {
		return bad.Message
	}
	from, last, bad := fees.FYRange(fy, inst.FYStart)
	switch {
	case bad != nil:
		return bad.Message
	case due < from.AddDays(-dueDays) || due > last.AddDays(dueDays):
		return fmt.Sprintf("%s is more than a year outside %s, which is from %s to %s", due, fy, from, last)
	}
	return ""
}

// periodProblem says why a plan may not name a period so. A bill's key is made
// of it, and the program's own bills begin with the heads that it uses.
func periodProblem(fy, period string) string {
	name, within := strings.CutPrefix(period, fy+"/")
	switch {
	case !within:
		return fmt.Sprintf("A period of %s is written like %s/T1", fy, fy)
	case strings.Trim(name, "-") == "" || len(name) > 16 || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "":
		return "After the year a period has 1 to 16 letters A to Z, digits and -"
	case strings.HasPrefix(name, fees.HeadOpening) || strings.HasPrefix(name, fees.HeadBounce):
		return fmt.Sprintf("%s is a name that the program uses itself", name)
	}
	return ""
}

// headCodeLimit is how long a head's code may be, in characters.
const headCodeLimit = 32

// headCode is a head as keys have it: capitals, "_" for spaces.
func headCode(cell string) (code, reason string) {
	code = strings.ToUpper(strings.Join(strings.Fields(cell), "_"))
	code = strings.Map(func(r rune) rune {
		if isJoiner(r) {
			return -1
		}
		return r
	}, code)
	odd := strings.TrimFunc(code, inHeadCode)
	switch {
	case code == "":
		return code, "Enter the head"
	case strings.Trim(code, "_-") == "":
		return code, "A head has a letter or a digit"
	case odd != "":
		return code, "A head has letters, digits, - and _"
	case utf8.RuneCountInString(code) > headCodeLimit:
		return code, fmt.Sprintf("A head has at most %d characters", headCodeLimit)
	case code == fees.HeadAdvance || code == fees.HeadOpening || code == fees.HeadBounce:
		return code, fmt.Sprintf("%s is a head that the program uses itself", code)
	}
	return code, ""
}

func inHeadCode(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || r == '_' || r == '-'
}

// isJoiner says whether r only joins or parts letters, as in Indian scripts:
// who types a head again may do without it.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// headName is what people read for a new head: "Late fee" for LATE_FEE.
func headName(code string) string {
	name := strings.ToLower(strings.ReplaceAll(code, "_", " "))
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToTitle(first)) + name[size:]
}
