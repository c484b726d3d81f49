package views

import (
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// LateFees is what charging the late fees of a day would do, and the form that
// does it.
type LateFees struct {
	Alert       *ui.AlertView // why the day was refused
	AsOf        ui.FieldView
	Symbol      string
	New, Grown  string
	Amount      string
	Rows        []LateFeeRow // the first
	More        string       // how many are not listed, "" for none
	Charge      string       // the button; "" where there is nothing to charge
	Nothing     ui.EmptyView // instead of the rows
	NoRule      bool         // no open year has a late fee
	ChargedUpTo string       // the day that is charged
}

// LateFeeRow is one late fee.
type LateFeeRow struct {
	Student, Href, Name string
	Bill, DueDate       string
	Was, Will           string
}

// LateFeesHref is the page of late fees as of a day, today for "".
func LateFeesHref(asOf fees.Date) string {
	if asOf == "" {
		return "/billing/late-fees"
	}
	return "/billing/late-fees?as_of=" + url.QueryEscape(string(asOf))
}

// LateFeesOf is the page for a day as typed.
func LateFeesOf(inst fees.Institute, t Typed, p fees.LatePreview) LateFees {
	money := inst.Money()
	v := LateFees{
		AsOf: ui.FieldView{
			Name: "as_of", Label: "Up to the end of", Type: "date", Value: t.Value("as_of"), Error: t.Problem("as_of"), Required: true, Autocomplete: "off",
		},
		Symbol: Symbol(money), New: Count(p.Tally.Created), Grown: Count(p.Tally.Grown), Amount: Money(money, p.Amount), ChargedUpTo: string(p.AsOf),
	}
	if v.AsOf.Value == "" && v.AsOf.Error == "" {
		v.AsOf.Value = string(p.AsOf)
	}
	for _, c := range p.Changes {
		v.Rows = append(v.Rows, LateFeeRow{
			Student: c.Of.Student, Href: StudentHref(c.Of.Student), Name: c.Name, Bill: c.Of.Title, DueDate: Day(c.Of.DueDate),
			Was: money.Format(c.Old.Net), Will: money.Format(c.New.Net),
		})
	}
	all := p.Tally.Created + p.Tally.Grown
	if rest := all - int64(len(p.Changes)); rest > 0 {
		v.More = "and " + Plural(rest, "late fee") + " more"
	}
	switch {
	case all > 0:
		v.Charge = "Charge " + Money(money, p.Amount)
	case p.Rules == 0:
		v.NoRule, v.Nothing = true, ui.EmptyView{Title: "There is no late fee", Hint: "No open year has a rule for it."}
	case p.AsOf != "":
		v.Nothing = ui.EmptyView{Title: "Nothing to charge", Hint: "Every late fee up to " + Day(p.AsOf) + " is charged."}
	}
	return v
}
