package views

import (
	"slices"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Typed is a form as a person filled it in: a field's text and what is wrong
// with it.
type Typed interface {
	Value(name string) string
	Problem(name string) string
}

// RegisterChoices are what an institute's filter has to choose from.
type RegisterChoices struct {
	Heads    []fees.Head
	Classes  []string
	Cashiers []fees.User
}

// RegisterFilterOf is the filter with what was typed into it.
func RegisterFilterOf(t Typed, c RegisterChoices) RegisterFilter {
	modes := []ui.Option{{Label: "Any mode"}}
	for _, m := range fees.Modes() {
		modes = append(modes, ui.Option{Value: string(m), Label: m.Title()})
	}
	heads := []ui.Option{{Label: "Any head"}}
	for _, h := range c.Heads {
		heads = append(heads, ui.Option{Value: h.Code, Label: h.Name})
	}
	for _, h := range [][2]string{{fees.HeadOpening, "Opening balance"}, {fees.HeadBounce, "Bounce or reversal charge"}, {fees.HeadAdvance, "Advance"}} {
		if !slices.ContainsFunc(heads, func(o ui.Option) bool { return o.Value == h[0] }) {
			heads = append(heads, ui.Option{Value: h[0], Label: h[1]})
		}
	}
	cashiers := []ui.Option{{Label: "Anybody"}}
	for _, u := range c.Cashiers {
		cashiers = append(cashiers, ui.Option{Value: u.Login, Label: u.Name})
	}
	statuses := []ui.Option{{Label: "Any status"}}
	for _, s := range []fees.Status{fees.StatusIssued, fees.StatusReversed, fees.StatusReversal, fees.StatusAdjustment, fees.StatusRefund, fees.StatusPending} {
		statuses = append(statuses, ui.Option{Value: string(s), Label: StatusPill(s).Word})
	}
	return RegisterFilter{
		From:    ui.FieldView{Name: "from", Label: "From", Type: "date", Value: t.Value("from"), Error: t.Problem("from")},
		To:      ui.FieldView{Name: "to", Label: "To", Type: "date", Value: t.Value("to"), Error: t.Problem("to")},
		Mode:    selectOf(t, "mode", "Mode", modes),
		Head:    selectOf(t, "head", "Head", heads),
		Class:   selectOf(t, "class", "Class", classOptions("Any class", c.Classes)),
		Cashier: selectOf(t, "cashier", "Cashier", cashiers),
		Status:  selectOf(t, "status", "Status", statuses),
	}
}

func classOptions(all string, classes []string) []ui.Option {
	options := []ui.Option{{Label: all}}
	for _, c := range classes {
		options = append(options, ui.Option{Value: c, Label: c})
	}
	return options
}

// selectOf is a choice that keeps what was sent even where it is not on offer,
// so that the form never shows another filter than the one that was followed.
func selectOf(t Typed, name, label string, options []ui.Option) ui.SelectView {
	value := t.Value(name)
	if value != "" && !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value }) {
		options = append(options, ui.Option{Value: value, Label: value})
	}
	return ui.SelectView{Name: name, Label: label, Value: value, Error: t.Problem(name), Options: options}
}
