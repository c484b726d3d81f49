package views

import (
	"fmt"
	"slices"

	"github.com/a-h/templ"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Plan is the plan of a period as a table: a row for a class and category, a
// column for a head.
type Plan struct {
	Nav      PlanNav
	Alert    *ui.AlertView
	Period   string
	Due      string
	Periods  []NavItem
	Billed   bool // the period has bills
	Version  string
	Symbol   string
	Heads    []PlanHead
	Rows     []PlanLine
	More     []NavItem // heads that a column can be added for
	Findings []PlanFinding
	Hidden   string // how many findings are not shown, in words
	Split    PlanSplit
	Empty    *ui.EmptyView // instead of the table
}

// PlanHead is a column.
type PlanHead struct{ Code, Name string }

// PlanLine is a row. A new one has its class and category typed.
type PlanLine struct {
	Class, Category ui.FieldView
	New             bool
	Cells           []ui.FieldView
}

// PlanFinding is something to look at.
type PlanFinding struct {
	Kind ui.StatusView
	Text string
}

// PlanGrid is the table as it is typed. Amounts go by row, then column; the
// last row is the new one.
type PlanGrid struct {
	Heads, Classes, Categories, Amounts []string
	Version                             string
}

// GridOf is the table of a period's rows, with an empty row behind.
func GridOf(money fees.Currency, heads []string, period string, rows []fees.PlanRow) PlanGrid {
	g := PlanGrid{Heads: heads, Version: fees.PlanVersion(rows)}
	for _, row := range append(fees.TableOf(period, heads, rows).Rows, fees.PlanTableRow{}) {
		g.Classes, g.Categories = append(g.Classes, row.Class), append(g.Categories, row.Category)
		for _, head := range heads {
			text := ""
			if amount, charged := row.Amounts[head]; charged {
				text = money.Plain(amount)
			}
			g.Amounts = append(g.Amounts, text)
		}
	}
	return g
}

// PlanColumns are the heads that a table has columns for: those of the year's
// rows and the one that is added, all where there are none, in the order of
// heads.
func PlanColumns(all []fees.Head, year []fees.PlanRow, added string) []string {
	var columns []string
	for _, h := range all {
		if h.Code == added || slices.ContainsFunc(year, func(r fees.PlanRow) bool { return r.Head == h.Code }) {
			columns = append(columns, h.Code)
		}
	}
	if len(columns) == 0 {
		for _, h := range all {
			columns = append(columns, h.Code)
		}
	}
	return columns
}

// Table fills in the table with what is wrong with it.
func (v *Plan) Table(g PlanGrid, all []fees.Head, t Typed) {
	v.Version = g.Version
	names := map[string]string{}
	for _, h := range all {
		names[h.Code] = h.Name
		if !slices.Contains(g.Heads, h.Code) {
			v.More = append(v.More, NavItem{Label: h.Name, Href: PlanPeriodHref(v.Period) + "&add=" + h.Code})
		}
	}
	for _, code := range g.Heads {
		v.Heads = append(v.Heads, PlanHead{Code: code, Name: headLabel(names, code)})
	}
	for i, class := range g.Classes {
		scope := Scopes(class, g.Categories[i])
		line := PlanLine{New: i == len(g.Classes)-1}
		for _, f := range []struct {
			field       *ui.FieldView
			name, value string
		}{{&line.Class, "class", class}, {&line.Category, "category", g.Categories[i]}} {
			*f.field = ui.FieldView{ID: FieldKey(f.name, i), Name: f.name, Label: "New row: " + f.name + ", or * for any", Value: f.value, Error: t.Problem(FieldKey(f.name, i)), Attrs: templ.Attributes{"placeholder": "New or *"}}
		}
		if line.New {
			scope = "new row"
		}
		for j, head := range v.Heads {
			k := i*len(g.Heads) + j
			line.Cells = append(line.Cells, ui.FieldView{
				ID: FieldKey("amount", k), Name: "amount", Label: head.Name + ", " + scope, Value: g.Amounts[k],
				Error: t.Problem(FieldKey("amount", k)), InputMode: "decimal",
			})
		}
		v.Rows = append(v.Rows, line)
	}
}

func headLabel(names map[string]string, code string) string {
	if name := names[code]; name != "" {
		return name
	}
	return code
}

// Scopes says in words whom a row of the plan is for.
func Scopes(class, category string) string {
	word := func(what, value string) string {
		if value == fees.Any {
			return "any " + what
		}
		return what + " " + value
	}
	return word("class", class) + ", " + word("category", category)
}

// shownFindings is how many findings a page lists.
const shownFindings = 12

// Found lists what is odd about the plan, what is wrong first.
func (v *Plan) Found(found []fees.PlanFinding) {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b fees.PlanFinding) int {
		switch {
		case a.Warning == b.Warning:
			return 0
		case a.Warning:
			return 1
		}
		return -1
	})
	v.Findings = FindingsOf(found[:min(len(found), shownFindings)])
	if more := len(found) - len(v.Findings); more > 0 {
		v.Hidden = fmt.Sprintf("and %d more", more)
	}
}

// FindingsOf are findings in words.
func FindingsOf(found []fees.PlanFinding) []PlanFinding {
	var all []PlanFinding
	for _, f := range found {
		kind := ui.StatusView{Kind: "error", Word: "Check"}
		if f.Warning {
			kind = ui.StatusView{Kind: "info", Word: "Note"}
		}
		all = append(all, PlanFinding{Kind: kind, Text: f.Message})
	}
	return all
}
