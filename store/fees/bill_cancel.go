package fees

import (
	"cmp"
	"slices"
)

// Signature is the actor as a bill names who changed it.
func (a Actor) Signature() string { return cmp.Or(a.Name, a.Login) }

// Uncancellable says why a bill is not cancelled by itself, "" where it may be.
func (b *Bill) Uncancellable() string {
	switch {
	case b.IsLateFee():
		return "A late fee is waived, not cancelled."
	case b.Of != "":
		return "A difference is cancelled with the bill that it belongs to."
	case b.IsRefund():
		return "This bill stands for what was given back by a refund, so that it is not owed again. It is not cancelled: what is to be paid after all is charged anew."
	case b.Period == HeadOpening:
		return "An opening balance is not cancelled: it is what was owed when the books were opened."
	}
	return ""
}

// PaidRefusal is the Conflict that b is not cancelled since money is on it, nil
// where none of the student's rows has put any there. An advance that was used
// has no receipt that could be reversed for this bill alone.
func (b *Bill) PaidRefusal(money Currency, rows []Row) *Error {
	var received, used Amount
	var adjustment string
	for i := range rows {
		for _, l := range rows[i].Lines {
			switch {
			case l.Bill != b.Period:
			case rows[i].Kind == KindAdjustment:
				used += l.Amount
				adjustment = cmp.Or(rows[i].NumberText, adjustment)
			default:
				received += l.Amount
			}
		}
	}
	switch {
	case received+used == 0:
		return nil
	case received != 0:
		return Errorf(Conflict, "%s cannot be cancelled: %s was paid for it. Reverse the receipt first.", b.Title, money.Format(received))
	}
	return Errorf(Conflict, "%s cannot be cancelled: %s of an advance was used for it, by %s. Re-price it with a concession instead, and the difference is an advance again.",
		b.Title, money.Format(used), cmp.Or(adjustment, "an adjustment"))
}

// WithoutCharge is b cancelled: its lines stay and charge nothing.
func (b Bill) WithoutCharge(why BillCancelled) Bill {
	b.Lines, b.Net, b.Cancelled = Voided(b.Lines), 0, &why
	return b
}

// Waive is the late fee b with the order's amount taken off.
func (b Bill) Waive(o WaiverOrder) Bill {
	l := b.Lines[0]
	l.Concession += o.Amount
	l.Net = l.Gross - l.Concession
	l.Reasons = append(slices.Clone(l.Reasons), Conceded{Reason: o.Reason, Approver: o.By.Signature(), Amount: o.Amount})
	b.Lines, b.Net = []BillLine{l}, l.Net
	return b
}

// Done says whether the order is the last thing that happened to b.
func (o *WaiverOrder) Done(b Bill) bool {
	if b.Revision != o.Revision+1 || len(b.Revisions) == 0 || len(b.Lines) != 1 || len(b.Lines[0].Reasons) == 0 {
		return false
	}
	was, reasons := b.Revisions[len(b.Revisions)-1], b.Lines[0].Reasons
	return was.By == o.By.Signature() && was.Reason == o.Reason && was.Net-b.Net == o.Amount && reasons[len(reasons)-1].Amount == o.Amount
}

// Refuses says why b, on which so much was paid, is not waived so: Conflict
// where it is no late fee, changed since it was seen, or was paid; Invalid with
// Field amount where that is more than is left.
func (o *WaiverOrder) Refuses(money Currency, b Bill, paid Amount) *Error {
	left := b.Net - max(paid, 0)
	switch {
	case !b.IsLateFee() || b.Cancelled != nil:
		return Errorf(Conflict, "%s is no late fee that can be waived.", b.Title)
	case b.Revision != o.Revision:
		return Errorf(Conflict, "The late fee has changed in the meantime: it is %s now. Look at it again.", money.Format(b.Net))
	case left <= 0 && paid > 0:
		return Errorf(Conflict, "The late fee was paid already, so there is nothing to waive. Reverse the receipt first if that is wrong.")
	case left <= 0:
		return Errorf(Conflict, "All of this late fee was waived already.")
	case o.Amount > left:
		bad := Errorf(Invalid, "At most %s can be waived: no more of it is open.", money.Format(left))
		bad.Fields = map[string]string{"amount": bad.Message}
		return bad
	}
	return nil
}
