package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// RefundForm asks for a refund.
type RefundForm struct {
	Alert          *ui.AlertView
	Student        Link
	From           string // "receipt DPS/26-27/00001", "advance"
	Back           Link
	Hidden         []SentField
	Parts          []RefundField
	Mode           ui.SelectView
	Ref, Reason    ui.FieldView
	Empty          *ui.EmptyView // instead of the form, where nothing can be given back
	NeedsApproving string
}

// RefundField is the amount of one head.
type RefundField struct {
	Head   string
	Amount ui.FieldView
}

// RefundFormOf is the form for what there is to give back, under that id.
// amounts are as typed, by head; heads that are not there begin empty, the only
// one there is with all of it.
func RefundFormOf(inst fees.Institute, t Typed, o fees.RefundOffer, id string, amounts map[string]string) RefundForm {
	money := inst.Money()
	v := RefundForm{
		Student: Link{Href: StudentHref(o.Student.AdmissionNo), Text: o.Student.Name},
		From:    "the advance", Back: Link{Href: StudentHref(o.Student.AdmissionNo), Text: "Back to the student"},
		Hidden: []SentField{{"refund_id", id}, {"student", o.Student.AdmissionNo}},
		Ref: ui.FieldView{
			Name: "ref", Label: "Reference", Value: t.Value("ref"), Error: t.Problem("ref"), Hint: "Cheque number, UTR or UPI reference, if it is known yet", Autocomplete: "off",
		},
		Reason: ui.FieldView{
			Name: "reason", Label: "Reason", Value: t.Value("reason"), Error: t.Problem("reason"), Hint: "For example: left the school", Required: true, Autocomplete: "off",
		},
		NeedsApproving: "An accountant or administrator approves it. Then the voucher is printed and the money given out, not before.",
	}
	if o.Payment.ID != "" {
		v.From = "receipt " + NumberOr(o.Payment.NumberText)
		v.Back = Link{Href: ReceiptHref(o.Payment.ShortID()), Text: "Back to the receipt"}
		v.Hidden = append(v.Hidden, SentField{"receipt", o.Payment.ShortID()})
	}
	modes := []ui.Option{}
	for _, m := range fees.Modes() {
		modes = append(modes, ui.Option{Value: string(m), Label: m.Title()})
	}
	v.Mode = selectOf(t, "mode", "Given back by", modes)
	for n, l := range o.Lines {
		typed, was := amounts[l.Head]
		if !was && len(o.Lines) == 1 && len(amounts) == 0 {
			typed = money.Plain(l.Amount)
		}
		v.Parts = append(v.Parts, RefundField{Head: l.Head, Amount: ui.FieldView{
			ID: "amount-" + Count(int64(n)), Name: "amount", Label: l.HeadName + " (" + Symbol(money) + ")", Value: typed, Error: t.Problem(FieldKey("amount", n)),
			Hint: "At most " + money.Format(l.Amount), InputMode: "decimal", Autocomplete: "off",
		}})
	}
	switch {
	case o.Waits != "":
		v.Empty = &ui.EmptyView{Title: "Nothing can be given back yet", Hint: o.Waits}
	case len(o.Lines) == 0 && o.Payment.ID == "":
		v.Empty = &ui.EmptyView{Title: "There is no advance", Hint: "Nothing is held in the payer's favour."}
	case len(o.Lines) == 0:
		v.Empty = &ui.EmptyView{Title: "Nothing of this receipt can be given back", Hint: "It has no refundable head, or all of it was given back already. An advance is given back from the student's page."}
	}
	return v
}
