package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// PlanRules are the sibling and late fee rules of a year.
type PlanRules struct {
	Nav      PlanNav
	Alert    *ui.AlertView
	FY       string
	Version  string
	Siblings []SiblingLine
	Late     LateForm
}

// SiblingLine is one sibling rule.
type SiblingLine struct {
	Rank, Value ui.FieldView
	Head, Kind  ui.SelectView
}

// LateForm is the late fee.
type LateForm struct {
	Kind, Head         ui.SelectView
	Amount, Grace, Cap ui.FieldView
	StopAtHalf         bool
	Slabs              []LateSlabLine
	SlabsWhy           string // what is wrong with them as a whole
}

// LateSlabLine is one slab.
type LateSlabLine struct{ Days, Amount ui.FieldView }

// RepeatedTyped is a form as typed that has repeated fields too.
type RepeatedTyped interface {
	Typed
	Values(name string) []string
}

// PlanRulesOf is the page with the form as typed.
func PlanRulesOf(fy string, t RepeatedTyped, heads []fees.Head) PlanRules {
	v := PlanRules{FY: fy, Version: t.Value("version")}
	ofHeads := headOptions(ui.Option{Value: fees.Any, Label: "Every head"}, heads)
	kinds := []ui.Option{{Value: string(fees.ConcessionPercent), Label: "percent"}, {Value: string(fees.ConcessionAmount), Label: "amount"}}
	for i := range t.Values("sibling_rank") {
		v.Siblings = append(v.Siblings, SiblingLine{
			Rank:  nthField(t, "sibling_rank", i, "Child", "numeric"),
			Head:  nthSelect(t, "sibling_head", i, "Head", ofHeads),
			Kind:  nthSelect(t, "sibling_kind", i, "Kind", kinds),
			Value: nthField(t, "sibling_value", i, "Value", "decimal"),
		})
	}
	lateHeads := headOptions(ui.Option{Value: fees.HeadLateFee, Label: "Late fee"}, nil)
	for _, h := range heads {
		if h.Code != fees.HeadLateFee {
			lateHeads = append(lateHeads, ui.Option{Value: h.Code, Label: h.Name})
		}
	}
	field := func(name, label, hint string) ui.FieldView {
		return ui.FieldView{Name: name, Label: label, Hint: hint, Value: t.Value(name), Error: t.Problem(name), InputMode: "decimal", Autocomplete: "off"}
	}
	v.Late = LateForm{
		Kind: selectOf(t, "late_kind", "Late fee", []ui.Option{
			{Label: "None"}, {Value: string(fees.LateFlat), Label: "Once"}, {Value: string(fees.LateDay), Label: "Per day"},
			{Value: string(fees.LateWeek), Label: "Per week that has begun"}, {Value: string(fees.LateSlabs), Label: "By slabs"},
		}),
		Head:       selectOf(t, "late_head", "Charged under", lateHeads),
		Amount:     field("late_amount", "Amount", "Once, per day or per week"),
		Grace:      field("late_grace", "Days of grace", "After the due date; they stay free"),
		Cap:        field("late_cap", "At most", "On one bill; empty for no limit"),
		StopAtHalf: t.Value("late_stop") != "",
		SlabsWhy:   t.Problem("late_slab"),
	}
	for i := range t.Values("late_slab_days") {
		v.Late.Slabs = append(v.Late.Slabs, LateSlabLine{
			Days: nthField(t, "late_slab_days", i, "After days", "numeric"), Amount: nthField(t, "late_slab_amount", i, "Amount", "decimal"),
		})
	}
	return v
}

func nthValue(t RepeatedTyped, name string, i int) string {
	if all := t.Values(name); i < len(all) {
		return all[i]
	}
	return ""
}

func nthField(t RepeatedTyped, name string, i int, label, mode string) ui.FieldView {
	key := FieldKey(name, i)
	return ui.FieldView{ID: key, Name: name, Label: label, Value: nthValue(t, name, i), Error: t.Problem(key), InputMode: mode, Autocomplete: "off"}
}

func nthSelect(t RepeatedTyped, name string, i int, label string, options []ui.Option) ui.SelectView {
	key := FieldKey(name, i)
	return ui.SelectView{ID: key, Name: name, Label: label, Value: nthValue(t, name, i), Error: t.Problem(key), Options: options}
}
