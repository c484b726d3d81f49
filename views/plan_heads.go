package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// PlanHeads are the fee heads, with the form that adds one.
type PlanHeads struct {
	Nav        PlanNav
	Saved      *ui.AlertView // what became of the list
	Alert      *ui.AlertView // why none was added
	Version    string
	Rows       []PlanHeadRow
	Name       ui.FieldView
	Refundable bool
}

// PlanHeadRow is one head and its place.
type PlanHeadRow struct {
	Code, RefundableID string
	Name, Order        ui.FieldView
	Refundable         bool
}

// HeadTyped is what is typed about a head.
type HeadTyped struct {
	Code, Name, Order string
	Refundable        bool
}

// PlanHeadsOf is the page: the list as typed, with what is wrong with it, and
// the other form as typed.
func PlanHeadsOf(list []HeadTyped, version string, saving, adding Typed) PlanHeads {
	v := PlanHeads{
		Version:    version,
		Name:       ui.FieldView{Name: "name", Label: "Name", Hint: "Its code is made of it and stays", Value: adding.Value("name"), Error: adding.Problem("name"), Required: true, Autocomplete: "off"},
		Refundable: adding.Value("refundable") != "",
	}
	for i, h := range list {
		v.Rows = append(v.Rows, PlanHeadRow{
			Code: h.Code, Refundable: h.Refundable, RefundableID: FieldKey("refundable", i),
			Name:  ui.FieldView{ID: FieldKey("head_name", i), Name: "head_name", Label: "Name of " + h.Code, Value: h.Name, Error: saving.Problem(FieldKey("head_name", i))},
			Order: ui.FieldView{ID: FieldKey("order", i), Name: "order", Label: "Place of " + h.Code, Value: h.Order, Error: saving.Problem(FieldKey("order", i)), InputMode: "numeric"},
		})
	}
	return v
}

// HeadsTyped is the list of heads as it is at first.
func HeadsTyped(all []fees.Head) []HeadTyped {
	list := make([]HeadTyped, len(all))
	for i, h := range all {
		list[i] = HeadTyped{Code: h.Code, Name: h.Name, Order: Count(int64(i) + 1), Refundable: h.Refundable}
	}
	return list
}
