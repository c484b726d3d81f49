package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// Imports takes over a CSV file: it is checked first, and written as it was
// checked.
type Imports struct {
	Nav     PlanNav
	Kinds   []NavItem
	Kind    string // students, plan or concessions
	Title   string
	Alert   *ui.AlertView
	Columns string
	Hint    string
	File    string // what is wrong with it
	Name    string // of the file that was checked
	Report  *ImportReport
}

// ImportReport is what a check found or an import did.
type ImportReport struct {
	Rows, Created, Updated, Unchanged string
	Unknown                           []string
	Problems                          []ImportProblem
	Hidden                            string // how many problems are not shown, in words
	Content, Digest                   string // of the file, to be sent again; "" where there is nothing to write
	Button                            string
}

// ImportProblem is one thing wrong with a file.
type ImportProblem struct{ Line, Column, Reason string }

// importKind is what a kind of file is about.
type importKind struct{ kind, title, columns, hint string }

func importKinds() []importKind {
	return []importKind{
		{
			"students", "Import students", "admission_no, name, class, category; and where there are section, family, guardian, phone, email, status, opening_balance",
			"A column that the file lacks changes nothing of the students that are there. An opening balance is taken over once.",
		},
		{
			"plan", "Import a fee plan", "fy, period, due_date, class, category, head, amount",
			"“*” in class or category is any. Rows that the file lacks stay; periods and heads that it names are added.",
		},
		{
			"concessions", "Import concessions", "admission_no, head, kind, value; and where there are reason, approver, from, to",
			"Kind is percent or amount. The rows for a student and head are all that is conceded there.",
		},
	}
}

// ImportsOf is the page of a kind of file; false for what is none.
func ImportsOf(kind string) (Imports, bool) {
	v := Imports{Nav: PlanNavOf(TabImport, "", nil)}
	for _, k := range importKinds() {
		v.Kinds = append(v.Kinds, NavItem{Href: "/imports/" + k.kind, Label: k.title, Current: k.kind == kind})
		if k.kind == kind {
			v.Kind, v.Title, v.Columns, v.Hint = k.kind, k.title, k.columns, k.hint
		}
	}
	return v, v.Kind != ""
}

// shownProblems is how many problems of a file are listed.
const shownProblems = 200

// ImportReportOf is a report in words.
func ImportReportOf(r fees.ImportReport) *ImportReport {
	v := &ImportReport{
		Rows: Count(r.Rows), Created: Count(r.Created), Updated: Count(r.Updated), Unchanged: Count(r.Unchanged), Unknown: r.Unknown,
		Button: "Import " + Plural(r.Created+r.Updated, "change"),
	}
	for _, p := range r.Problems[:min(len(r.Problems), shownProblems)] {
		v.Problems = append(v.Problems, ImportProblem{Line: Count(p.Line), Column: p.Column, Reason: p.Reason})
	}
	if more := int64(len(r.Problems) - len(v.Problems)); more > 0 {
		v.Hidden = "and " + Count(more) + " more"
	}
	return v
}
