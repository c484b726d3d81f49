package handlers

import (
	"context"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// ChequeFinder finds a cheque.
type ChequeFinder interface {
	Cheque(ctx context.Context, institute, id string) (fees.Cheque, error)
}

// presentAgain fills in the form with a cheque of the student that bounced and
// is received again. The form is left as it is for one that did not bounce.
func presentAgain(ctx context.Context, ledger ChequeFinder, v Visitor, p payer, id string, text *views.PaymentText) (*views.Notice, error) {
	cheque, err := ledger.Cheque(ctx, v.Institute.Code, id)
	if err == nil && cheque.Student != p.student.AdmissionNo {
		err = fees.Errorf(fees.NotFound, "There is no such cheque of this student.")
	}
	if err != nil {
		return nil, err
	}
	alert := ui.AlertView{Kind: "info", Title: cheque.Name() + " is received again", Text: "See that the number, bank and date are those of the paper in your hand, then press Record payment."}
	if cheque.State == fees.ChequeBounced {
		text.Tenders = []views.TenderText{{
			Mode: string(cheque.Mode), Amount: v.Institute.Money().Plain(cheque.Amount),
			Ref: cheque.Number, Bank: cheque.Bank, Branch: cheque.Branch, Date: string(cheque.Date),
		}}
	} else {
		alert = ui.AlertView{Kind: "warning", Title: cheque.Name() + " has not bounced", Text: "Only a cheque that bounced is received again. Nothing is filled in."}
	}
	notice := &views.Notice{Alert: alert}
	if v.User.Role.May(fees.PermRegister) {
		notice.Links = []views.Link{{Href: views.ChequeHref(cheque.ShortID()), Text: "See what became of it"}}
	}
	return notice, nil
}
