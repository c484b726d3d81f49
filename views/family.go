package views

import (
	"net/url"
	"slices"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Family is all children of a family at the counter.
type Family struct {
	Code     string
	Symbol   string
	Children []FamilyChild
	Due      Sum
	First    string // whose advance the rest becomes
	Pays     bool   // there is a form that it is paid by
}

// FamilyChild is one child, with what it owes and what of the payment is for it.
type FamilyChild struct {
	AdmissionNo, Name, Class string
	Href                     string // the counter with this child alone
	Bills                    []PayerBill
	Due                      string
	Advance                  string // held in its favour, "" for none
	Amount                   ui.FieldView
}

// NameOf is the name of a child of the family, by admission number; the number
// itself for one who is none any more.
func (f Family) NameOf(admissionNo string) string {
	for _, c := range f.Children {
		if c.AdmissionNo == admissionNo {
			return c.Name
		}
	}
	return admissionNo
}

// FamilyText is the form of a family's payment as it was typed.
type FamilyText struct {
	Payment  PaymentText // Problems are those of the whole form
	Children []FamilyChildText
}

// FamilyChildText is a child of the form, as typed.
type FamilyChildText struct{ Student, Amount string }

// FamilyOf is a family at the counter, and the form to pay what it owes as it
// was typed. dues are the children's, in their order.
func FamilyOf(inst fees.Institute, today fees.Date, family fees.Family, dues []fees.Dues, text FamilyText) (Family, Till) {
	money := inst.Money()
	v := Family{Code: family.Code, Symbol: Symbol(money), First: family.Children[0].Name + " (" + family.Children[0].AdmissionNo + ")", Pays: true}
	var all fees.Dues
	for n, child := range family.Children {
		p := PayerOf(inst, today, child, dues[n], nil)
		all.Due += dues[n].Due
		c := FamilyChild{
			AdmissionNo: p.AdmissionNo, Name: p.Name, Class: p.Class, Href: WithHold(CollectHref(p.AdmissionNo), text.Payment.Hold), Bills: p.Bills, Due: p.Due.Text,
			Amount: ui.FieldView{
				ID: FieldKey("child_amount", n), Name: "child_amount", Label: "For " + p.Name,
				InputMode: "decimal", Autocomplete: "off", Attrs: map[string]any{"form": "payment", "placeholder": "as due", "data-due": SumOf(money, dues[n].Due).Minor},
			},
		}
		if p.HasAdvance {
			c.Advance = p.Advance.Text
		}
		if typed := slices.IndexFunc(text.Children, func(t FamilyChildText) bool { return t.Student == child.AdmissionNo }); typed >= 0 {
			c.Amount.Value = text.Children[typed].Amount
			c.Amount.Error = text.Payment.Problems[FieldKey("child_amount", typed)]
		}
		v.Children = append(v.Children, c)
	}
	v.Due = SumOf(money, all.Due)
	all.Balance = all.Due
	text.Payment.Student = family.Children[0].AdmissionNo
	till := TillOf(inst, all, &family.Children[0], text.Payment)
	till.Action, till.Page = "/payments/family", FamilyHref(text.Payment.Student)
	return v, till
}

// FamilyHref is the counter with the family of a student on it.
func FamilyHref(admissionNo string) string { return "/collect/family/" + url.PathEscape(admissionNo) }

// FamilyReceiptsHref is the page of a family payment, given by its id after the
// institute.
func FamilyReceiptsHref(id string) string { return "/receipts/family/" + url.PathEscape(id) }
