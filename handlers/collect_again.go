package handlers

import (
	"context"
	"slices"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// ChequeFinder finds a cheque.
type ChequeFinder interface {
	Cheque(ctx context.Context, institute, id string) (fees.Cheque, error)
}

// presentAgain fills in the form with a cheque of one of the students on it that
// bounced and is received again: whole, also where it was split over a family's
// receipts. The form is left as it is for one that did not bounce, or was received
// again already.
func presentAgain(ctx context.Context, ledger ChequeFinder, v Visitor, payers []fees.Student, id string, text *views.PaymentText) (*views.Notice, error) {
	cheque, err := ledger.Cheque(ctx, v.Institute.Code, id)
	if err == nil && !slices.ContainsFunc(payers, func(st fees.Student) bool { return st.AdmissionNo == cheque.Student }) {
		err = fees.Errorf(fees.NotFound, "There is no such cheque of this student.")
	}
	if err != nil {
		return nil, err
	}
	notice := &views.Notice{Alert: ui.AlertView{Kind: "info", Title: cheque.Name() + " is received again", Text: "See that the number, bank, date and amount are those of the paper in your hand, then press Record payment."}}
	switch {
	case cheque.State != fees.ChequeBounced:
		notice.Alert = ui.AlertView{Kind: "warning", Title: cheque.Name() + " has not bounced", Text: "Only a cheque that bounced is received again. Nothing is filled in."}
	case cheque.Next != "":
		notice.Alert = ui.AlertView{Kind: "warning", Title: cheque.Name() + " was received again already", Text: "Nothing is filled in."}
	default:
		text.Tenders = []views.TenderText{{
			Mode: string(cheque.Mode), Amount: v.Institute.Money().Plain(cheque.MadeOutFor()),
			Ref: cheque.Number, Bank: cheque.Bank, Branch: cheque.Branch, Date: string(cheque.Date),
		}}
		if cheque.IsPart() && len(payers) == 1 {
			notice.Links = append(notice.Links, views.Link{Href: views.ReceiveAgainHref(cheque), Text: "It was for a family: receive it for all children"})
		}
	}
	if v.User.Role.May(fees.PermRegister) {
		notice.Links = append(notice.Links, views.Link{Href: views.ChequeHref(cheque.ShortID()), Text: "See what became of it"})
	}
	return notice, nil
}
