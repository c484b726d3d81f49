package views

import (
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Charges is where a one-off charge begins, with those that were placed.
type Charges struct {
	Alert  *ui.AlertView // why it was refused
	Fields []ui.FieldView
	Head   ui.SelectView
	Class  ui.SelectView
	Symbol string
	Rows   []ChargeRow
	Empty  *ui.EmptyView // instead of the form, where there are no heads yet
}

// ChargeRow is one charge of the list.
type ChargeRow struct {
	Placed, Title, Head, For, DueDate, By string
	Amount, Students, Total               string
	State                                 ui.StatusView
}

// ChargePreview is what a charge would do, and the form that places it.
type ChargePreview struct {
	ID, Title, For  string
	Facts           []Fact
	Students, Total string
	SkippedWhy      string // who is not charged; "" for nobody
	Nothing         bool   // nobody is charged
	Button          string
	Sent            []SentField
}

// ChargesHref is the page of one-off charges, for one student unless that is "".
func ChargesHref(student string) string {
	if student == "" {
		return "/billing/charges"
	}
	return "/billing/charges?student=" + url.QueryEscape(student)
}

// ChargesOf is the page with a charge as typed.
func ChargesOf(inst fees.Institute, t Typed, heads []fees.Head, classes []string, placed []fees.Charge) Charges {
	field := func(name, label, hint string) ui.FieldView {
		return ui.FieldView{Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), Autocomplete: "off"}
	}
	v := Charges{Symbol: Symbol(inst.Money())}
	title := field("title", "What for", "As the bill says it: Trip to Agra")
	title.Required = true
	amount := field("amount", "Amount for each student ("+v.Symbol+")", "")
	amount.InputMode, amount.Required = "decimal", true
	due := field("due_date", "Due date", "")
	due.Type, due.Required = "date", true
	v.Fields = []ui.FieldView{title, amount, due, field("student", "Or one student", "The admission number")}
	options := []ui.Option{{Label: "Choose a head"}}
	for _, h := range heads {
		options = append(options, ui.Option{Value: h.Code, Label: h.Name})
	}
	v.Head = selectOf(t, "head", "Head", options)
	v.Head.Required = true
	v.Class = selectOf(t, "class", "For a class", classOptions("No class", classes))
	if len(heads) == 0 {
		v.Empty = &ui.EmptyView{Title: "There are no fee heads yet", Hint: "A charge is for a head: Transport, Exam, Library. Add one first."}
	}
	for _, c := range placed {
		v.Rows = append(v.Rows, chargeRow(inst, c))
	}
	return v
}

func chargeRow(inst fees.Institute, c fees.Charge) ChargeRow {
	row := ChargeRow{
		Placed: Moment(inst, c.PlacedAt), Title: c.Title, Head: c.HeadName, For: chargedWho(c), DueDate: Day(c.DueDate), By: c.By,
		Amount: inst.Money().Format(c.Amount), Students: Count(c.Students), Total: inst.Money().Format(c.Total),
		State: ui.StatusView{Kind: "success", Word: "Done"},
	}
	if c.State == fees.ChargeOpen {
		row.State = ui.StatusView{Kind: "warning", Word: "Being billed"}
	}
	return row
}

func chargedWho(c fees.Charge) string {
	if c.Student != "" {
		return "Student " + c.Student
	}
	return "Class " + c.Class
}

// ChargePreviewOf is the preview of a charge that is to be placed under id.
func ChargePreviewOf(inst fees.Institute, p fees.ChargePreview, id string) ChargePreview {
	c, money := p.Charge, inst.Money()
	v := ChargePreview{
		ID: id, Title: c.Title, For: chargedWho(c),
		Facts:    []Fact{{"Head", c.HeadName}, {"Amount for each", Money(money, c.Amount)}, {"Due", Day(c.DueDate)}},
		Students: Count(c.Students), Total: Money(money, c.Total),
		Nothing: c.Students == 0, Button: "Charge " + Plural(c.Students, "student"),
		Sent: []SentField{
			{"title", c.Title}, {"head", c.Head}, {"amount", money.Plain(c.Amount)}, {"due_date", string(c.DueDate)},
			{"class", c.Class}, {"student", c.Student},
		},
	}
	if p.Inactive > 0 {
		v.SkippedWhy = "Not charged: " + Plural(p.Inactive, "student") + " of the class who left."
	}
	return v
}
