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
	File    string  // what is wrong with it
	Name    string  // of the file that was checked
	Next    NavItem // where what was imported is seen
	Report  *ImportReport
}

// ImportReport is what a check found or an import did.
type ImportReport struct {
	Rows, Created, Updated, Unchanged string
	Opened                            string // how many opening balances become bills, "" for none
	Unknown, Notes                    []string
	Problems                          []ImportProblem
	Hidden                            string // how many problems are not shown, in words
	Content, Digest                   string // of the file, to be sent again; "" where there is nothing to write
	Button                            string
}

// ImportProblem is one thing wrong with a file.
type ImportProblem struct{ Line, Column, Reason string }

// importKind is what a kind of file is about.
type importKind struct {
	kind, title, columns, hint string
	next                       NavItem
}

func importKinds() []importKind {
	return []importKind{
		{
			"students", "Import students", "admission_no, name, class, category; if you have them also section, family, guardian, phone, email, status, left_on, opening_balance",
			"Where a column is missing, students keep what they have. An opening balance is taken over once.",
			NavItem{Href: "/students", Label: "Look at the students"},
		},
		{
			"plan", "Import a fee plan", "fy, period, due_date, class, category, head, amount",
			"“*” in class or category is any. New periods and heads are added; rows of the plan that are not in the file stay.",
			NavItem{Href: "/plan", Label: "Look at the fee plan"},
		},
		{
			"concessions", "Import concessions", "admission_no, head, kind, value; if you have them also reason, approver, from, to",
			"Kind is percent or amount. For a student and head in the file, its rows replace what was there.",
			NavItem{Href: "/concessions", Label: "Look at the concessions"},
		},
	}
}

// ImportsOf is the page of a kind of file; false for what is none.
func ImportsOf(kind string) (Imports, bool) {
	v := Imports{Nav: PlanNavOf(TabImport, "", nil)}
	for _, k := range importKinds() {
		v.Kinds = append(v.Kinds, NavItem{Href: "/imports/" + k.kind, Label: k.title, Current: k.kind == kind})
		if k.kind == kind {
			v.Kind, v.Title, v.Columns, v.Hint, v.Next = k.kind, k.title, k.columns, k.hint, k.next
		}
	}
	return v, v.Kind != ""
}

// shownProblems is how many problems of a file are listed.
const shownProblems = 200

// ImportReportOf is a report in words.
func ImportReportOf(r fees.ImportReport) *ImportReport {
	v := &ImportReport{
		Rows: Count(r.Rows), Created: Count(r.Created), Updated: Count(r.Updated), Unchanged: Count(r.Unchanged), Unknown: r.Unknown, Notes: r.Notes[:min(len(r.Notes), shownFindings)],
		Button: "Import " + Plural(r.Created+r.Updated, "change"),
	}
	if r.Opened > 0 {
		v.Opened = Count(r.Opened)
	}
	for _, p := range r.Problems[:min(len(r.Problems), shownProblems)] {
		v.Problems = append(v.Problems, ImportProblem{Line: Count(p.Line), Column: p.Column, Reason: p.Reason})
	}
	if more := int64(len(r.Problems) - len(v.Problems)); more > 0 {
		v.Hidden = "and " + Count(more) + " more"
	}
	return v
}
