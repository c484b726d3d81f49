package views

import (
	"net/url"
	"strconv"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Concessions is the list of concessions.
type Concessions struct {
	Head, Class ui.SelectView
	Reason      ui.FieldView
	Rows        []ConcessionRow
	Pager       ui.PagerView
	Empty       ui.EmptyView
	Import      bool // the visitor may
}

// ConcessionRow is one grant of the list. Href leads to the student's.
type ConcessionRow struct {
	Href, AdmissionNo, Name, Class string
	Status                         *ui.StatusView // of a student who left
	Grant                          GrantView
}

// GrantView is a grant in words.
type GrantView struct {
	Head, Value, Reason, Approver string
	Term                          string // from when to when
	Entered                       string // when and by whom
}

// ConcessionsOf is the list with the filter as typed.
func ConcessionsOf(inst fees.Institute, t Typed, heads []fees.Head, classes []string, entries []fees.ConcessionEntry) Concessions {
	v := Concessions{
		Head:   selectOf(t, "head", "Head", headOptions(ui.Option{Label: "Any head"}, append([]fees.Head{{Code: fees.Any, Name: "Every head"}}, heads...))),
		Class:  selectOf(t, "class", "Class", classOptions("Any class", classes)),
		Reason: ui.FieldView{Name: "reason", Label: "Reason", Value: t.Value("reason"), Error: t.Problem("reason"), Autocomplete: "off"},
		Empty:  ui.EmptyView{Title: "No concessions found", Hint: "A concession is added on the student's own page, or imported with a file."},
	}
	for _, e := range entries {
		for _, g := range GrantsOf(inst, heads, e.Concession) {
			row := ConcessionRow{
				Href: ConcessionsHref(e.Student.AdmissionNo), AdmissionNo: e.Student.AdmissionNo, Name: e.Student.Name,
				Class: ClassOf(e.Student.Class, e.Student.Section), Grant: g,
			}
			if e.Student.Status == fees.StudentLeft {
				row.Status = &ui.StatusView{Kind: "neutral", Word: "Left"}
			}
			v.Rows = append(v.Rows, row)
		}
	}
	return v
}

// ConcessionsHref is the page of a student's concessions.
func ConcessionsHref(admissionNo string) string { return StudentHref(admissionNo) + "/concessions" }

// GrantsOf are the grants of a concession in words, in its order.
func GrantsOf(inst fees.Institute, heads []fees.Head, c fees.Concession) []GrantView {
	names := map[string]string{fees.Any: "Every head"}
	for _, h := range heads {
		names[h.Code] = h.Name
	}
	all := make([]GrantView, len(c.Grants))
	for i, g := range c.Grants {
		all[i] = GrantView{Head: headLabel(names, c.Head), Reason: g.Reason, Approver: g.Approver, Term: termOf(g)}
		if all[i].Value = g.Percent.String() + " %"; g.Kind == fees.ConcessionAmount {
			all[i].Value = Money(inst.Money(), g.Amount)
		}
		if !g.At.IsZero() {
			all[i].Entered = Moment(inst, g.At)
			if g.By != "" {
				all[i].Entered += " by " + g.By
			}
		}
	}
	return all
}

// termOf says from when to when a grant counts.
func termOf(g fees.Grant) string {
	switch {
	case g.From != "" && g.From == g.To:
		return "only " + g.From
	case g.From != "" && g.To != "":
		return g.From + " to " + g.To
	case g.From != "":
		return "from " + g.From
	case g.To != "":
		return "up to " + g.To
	}
	return "all periods"
}

// StudentConcessions are the concessions of a student, with the form that adds
// or changes one.
type StudentConcessions struct {
	Name, AdmissionNo, Class, Back string
	Alert                          *ui.AlertView
	Rows                           []StudentGrant
	Findings                       []PlanFinding
	May                            bool // the visitor may change them
	Form                           GrantForm
	Empty                          ui.EmptyView
}

// StudentGrant is a grant with the form that ends it.
type StudentGrant struct {
	Grant      GrantView
	ChangeHref string
	Action     string
	Head       string
	At         string
	Version    string
	Last       ui.SelectView
}

// GrantForm adds a grant, or with At changes one.
type GrantForm struct {
	Title, Action           string
	At, Version             string
	Head, Kind, From, To    ui.SelectView
	Value, Reason, Approver ui.FieldView
}

// StudentConcessionsOf is the page with the form as typed. A field at says
// that a grant is changed: its head stays.
func StudentConcessionsOf(inst fees.Institute, student fees.Student, own []fees.Concession, heads []fees.Head, periods []fees.Period, t Typed) StudentConcessions {
	v := StudentConcessions{
		Name: student.Name, AdmissionNo: student.AdmissionNo, Class: ClassOf(student.Class, student.Section), Back: StudentHref(student.AdmissionNo),
		Empty: ui.EmptyView{Title: "No concessions", Hint: "Sibling concessions are not listed here: they follow from the family and the year's rules."},
	}
	ends := []ui.Option{{Label: "Choose"}}
	for _, p := range periods {
		ends = append(ends, ui.Option{Value: p.Code, Label: "Ends with " + p.Code})
	}
	ends = append(ends, ui.Option{Value: "remove", Label: "Take away: entered by mistake"})
	for _, c := range own {
		for i, g := range GrantsOf(inst, heads, c) {
			at := strconv.Itoa(i)
			v.Rows = append(v.Rows, StudentGrant{
				Grant: g, Head: c.Head, At: at, Version: Count(c.Version), Action: ConcessionsHref(student.AdmissionNo) + "/end",
				ChangeHref: ConcessionsHref(student.AdmissionNo) + "?" + url.Values{"head": {c.Head}, "at": {at}}.Encode() + "#grant",
				Last:       ui.SelectView{ID: "last-" + Count(int64(len(v.Rows))), Name: "last", Label: "End", Options: ends, Required: true},
			})
		}
	}
	v.Form = grantForm(student, heads, periods, t)
	return v
}

func grantForm(student fees.Student, heads []fees.Head, periods []fees.Period, t Typed) GrantForm {
	field := func(name, label, hint string) ui.FieldView {
		return ui.FieldView{Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), Required: true, Autocomplete: "off"}
	}
	from, to := []ui.Option{{Label: "The beginning"}}, []ui.Option{{Label: "No end"}}
	for _, p := range periods {
		option := ui.Option{Value: p.Code, Label: p.Code + ", due " + Day(p.DueDate)}
		from, to = append(from, option), append(to, option)
	}
	heads = append([]fees.Head{{Code: fees.Any, Name: "Every head (by percent)"}}, heads...)
	f := GrantForm{
		Title: "Add concession", Action: ConcessionsHref(student.AdmissionNo), At: t.Value("at"), Version: t.Value("version"),
		Head: selectOf(t, "head", "Head", headOptions(ui.Option{Label: "Choose a head"}, heads)),
		Kind: selectOf(t, "kind", "Kind", []ui.Option{{Value: string(fees.ConcessionPercent), Label: "Percent"}, {Value: string(fees.ConcessionAmount), Label: "Amount"}}),
		From: selectOf(t, "from", "From", from), To: selectOf(t, "to", "To", to),
		Value:  field("value", "Value", "An amount above the charge takes off the charge, no more"),
		Reason: field("reason", "Reason", ""), Approver: field("approver", "Approved by", ""),
	}
	f.Head.Required, f.Value.InputMode = true, "decimal"
	if f.At != "" {
		f.Title = "Change concession"
		for _, o := range f.Head.Options {
			if o.Value == f.Head.Value {
				f.Head.Options = []ui.Option{o} // another head is another concession
				break
			}
		}
	}
	return f
}
