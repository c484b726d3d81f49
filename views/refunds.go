package views

import (
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Refunds is the list of refunds of one state.
type Refunds struct {
	Alert  *ui.AlertView
	Tabs   []Link
	Symbol string
	Rows   []RefundLine
	Empty  ui.EmptyView
	Pager  ui.PagerView
}

// RefundLine is one refund of the list.
type RefundLine struct {
	Href, Asked, What, By, Reason, Amount string
	Student                               Link
	Status                                ui.StatusView
}

// Refund is the page of one refund.
type Refund struct {
	Alert   *ui.AlertView
	Amount  string
	Words   string
	Status  ui.StatusView
	Student Link
	Facts   []Fact
	Parts   []Fact // by head
	Voucher *Link  // its row; nil while there is none
	From    *Link  // the receipt that it is given back from; nil where it is the advance
	Approve string // where approving is posted; "" for those who may not
	Refuse  *BillForm
	Wait    string // what it waits for
}

// RefundHref is the page of a refund, id being the part of its key after the
// institute.
func RefundHref(id string) string { return "/refunds/" + url.PathEscape(id) }

// RefundReceiptHref is where something of a receipt is asked back.
func RefundReceiptHref(id string) string { return "/refunds/new?receipt=" + url.QueryEscape(id) }

// RefundAdvanceHref is where a student's advance is asked back.
func RefundAdvanceHref(student string) string {
	return "/refunds/new?student=" + url.QueryEscape(student)
}

// RefundPill is the state of a refund in a word and a colour.
func RefundPill(s fees.RefundState) ui.StatusView {
	kind := map[fees.RefundState]string{
		fees.RefundRequested: "warning", fees.RefundApproved: "info", fees.RefundPaid: "success", fees.RefundRefused: "neutral",
	}[s]
	return ui.StatusView{Kind: kind, Word: s.Title()}
}

// RefundsOf is the list of a state's refunds.
func RefundsOf(inst fees.Institute, state fees.RefundState, all []fees.Refund) Refunds {
	v := Refunds{
		Symbol: Symbol(inst.Money()),
		Empty:  ui.EmptyView{Title: "No refunds here", Hint: "One is asked for on a receipt's page, or for an advance on the student's."},
	}
	for _, s := range fees.RefundStates() {
		v.Tabs = append(v.Tabs, Link{Href: "/refunds?state=" + string(s), Text: s.Title(), Current: s == state})
	}
	for _, r := range all {
		v.Rows = append(v.Rows, RefundLine{
			Href: RefundHref(r.ShortID()), Asked: Moment(inst, r.AskedAt), What: refundedWhat(r), By: r.ByName, Reason: r.Reason,
			Amount: inst.Money().Format(r.Amount), Student: Link{Href: StudentHref(r.Student), Text: r.StudentName}, Status: RefundPill(r.State),
		})
	}
	return v
}

// RefundedOf are the links from a receipt to the vouchers of what was given back.
func RefundedOf(inst fees.Institute, back []fees.Row) []Link {
	links := make([]Link, len(back))
	for i, r := range back {
		links[i] = Link{Href: ReceiptHref(r.ShortID()), Text: Money(inst.Money(), -r.Total) + " given back by " + NumberOr(r.NumberText) + " on " + Day(r.Date)}
	}
	return links
}

func refundedWhat(r fees.Refund) string {
	if r.Payment == "" {
		return "Advance"
	}
	what := ""
	for i, l := range r.Lines {
		if i > 0 {
			what += ", "
		}
		what += l.HeadName
	}
	return what + " of " + NumberOr(r.PaymentText)
}

// RefundOf is the page of a refund for somebody who may decide on it or not.
func RefundOf(inst fees.Institute, t Typed, r fees.Refund, by fees.Actor) Refund {
	money := inst.Money()
	v := Refund{
		Amount: Money(money, r.Amount), Words: money.Words(r.Amount), Status: RefundPill(r.State),
		Student: Link{Href: StudentHref(r.Student), Text: r.StudentName + ", " + r.Student},
		Facts: []Fact{
			{"Reason", r.Reason}, {"Given back by", r.Mode.Title()}, {"Asked for by", r.ByName + ", " + Moment(inst, r.AskedAt)},
		},
	}
	if r.Ref != "" {
		v.Facts = append(v.Facts, Fact{"Reference", r.Ref})
	}
	for _, l := range r.Lines {
		v.Parts = append(v.Parts, Fact{l.HeadName, money.Format(l.Amount)})
	}
	if r.Payment != "" {
		v.From = &Link{Href: ReceiptHref(fees.After(r.Payment)), Text: "From receipt " + NumberOr(r.PaymentText)}
	}
	switch r.State {
	case fees.RefundPaid:
		v.Voucher = &Link{Href: ReceiptHref(fees.After(fees.RefundRowID(r.ID))), Text: "Refund voucher " + NumberOr(r.Voucher)}
		v.Facts = append(v.Facts, Fact{"Approved by", r.Decided + ", " + Moment(inst, r.DecideAt)})
	case fees.RefundApproved:
		v.Wait = "It is approved; its voucher follows in a moment, by itself."
	case fees.RefundRefused:
		v.Facts = append(v.Facts, Fact{"Refused by", r.Decided + ", " + Moment(inst, r.DecideAt)}, Fact{"Why", r.Why})
	case fees.RefundRequested:
		v.Wait = "It waits for an accountant or administrator to approve it. Give nothing out before."
		if by.Role.May(fees.PermRefunds) {
			v.Wait = "You asked for it yourself, so somebody else has to approve it. Give nothing out before."
			if r.ApprovableBy(by) {
				v.Wait, v.Approve = "", RefundHref(r.ShortID())+"/approve"
			}
			v.Refuse = &BillForm{
				Action: RefundHref(r.ShortID()) + "/refuse", Summary: "Refuse", Question: "Refuse to give " + Money(money, r.Amount) + " back to " + r.StudentName + "?",
				Note: "Nothing is given back. It can be asked for again.", Button: "Refuse refund", Open: t.Problem("why") != "",
				Fields: []ui.FieldView{{Name: "why", Label: "Why", Value: t.Value("why"), Error: t.Problem("why"), Required: true, Autocomplete: "off"}},
			}
		}
	}
	return v
}
