package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// RefundOffer is what can be given back from a payment (its id after the
// institute) or, with "", from the student's advance. NotFound; Conflict where
// the row is no payment.
func (s *Store) RefundOffer(ctx context.Context, institute, student, payment string) (fees.RefundOffer, error) {
	var o fees.RefundOffer
	var err error
	if payment != "" {
		if o.Payment, err = s.Row(ctx, institute, payment); err != nil {
			return o, err
		}
		if o.Payment.Kind != fees.KindPayment {
			return o, fees.Errorf(fees.Conflict, "%s is not a payment: only of a payment can something be given back.", o.Payment.NumberText)
		}
		student = o.Payment.Student
	}
	books, err := s.booksToRefund(ctx, institute, student)
	if err != nil {
		return o, err
	}
	o.Student = books.student
	if payment == "" {
		if slices.ContainsFunc(books.rows, chequesPending) {
			o.Waits = "A receipt by cheque of " + o.Student.Name + " awaits its number. That comes by itself; nothing of the advance can be given back before."
			return o, nil
		}
		o.Lines, o.Waits, err = s.advanceOf(ctx, institute, student, fees.DuesOf(books.bills, books.rows).Advance)
		return o, err
	}
	if o.Payment.Awaiting { // and may have cheques that are not kept yet
		o.Waits = "This receipt awaits its number. That comes by itself; nothing of it can be given back before."
		return o, nil
	}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return o, err
	}
	if o.Lines = fees.Refundable(o.Payment, all, books.bills, books.rows); len(o.Lines) > 0 {
		o.Waits, err = s.notCleared(ctx, institute, payment)
	}
	return o, err
}

// booksToRefund are the student's books with what refunds need of the rows.
func (s *Store) booksToRefund(ctx context.Context, institute, student string) (b studentBooks, err error) {
	if b.student, err = s.Student(ctx, institute, student); err != nil {
		return b, err
	}
	if b.bills, err = s.Bills(ctx, institute, student); err != nil {
		return b, err
	}
	b.rows, err = docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: student}},
		docdb.Find{Fields: []string{"kind", "lines", "total", "refunds", "awaiting", "tenders"}}))
	return b, outageOrNil("read rows", err)
}

// chequesPending says whether r is a payment with cheques that may not be kept yet.
func chequesPending(r fees.Row) bool {
	return r.Kind == fees.KindPayment && r.Awaiting && slices.ContainsFunc(r.Tenders, fees.Tender.IsCheque)
}

// notCleared says which cheque of a payment the bank has not paid: what it
// stands for cannot be given back. "" where there is none.
func (s *Store) notCleared(ctx context.Context, institute, payment string) (string, error) {
	all, err := s.RowCheques(ctx, institute, payment)
	if err != nil {
		return "", err
	}
	for _, c := range all {
		if c.State != fees.ChequeCleared {
			return c.Name() + " of this receipt has not cleared. Nothing of it can be given back before.", nil
		}
	}
	return "", nil
}

// advanceOf is the offer of an advance that comes to so much: what may be money
// by cheques that have not cleared is no part of it.
func (s *Store) advanceOf(ctx context.Context, institute, student string, held fees.Amount) (lines []fees.Line, waits string, err error) {
	if held <= 0 {
		return nil, "", nil
	}
	all, err := s.chequesOf(ctx, institute, student)
	if err != nil {
		return nil, "", err
	}
	for _, c := range all {
		if c.State == fees.ChequeReceived || c.State == fees.ChequeDeposited || c.Bouncing {
			if held -= c.Amount; held <= 0 {
				return nil, c.Name() + " has not cleared, and without it there is no advance. Nothing of it can be given back before.", nil
			}
		}
	}
	return []fees.Line{{Head: fees.HeadAdvance, HeadName: "Advance", Amount: held}}, "", nil
}

// refuseRefunded is a Conflict where something of a payment was given back, or
// is about to be: then it cannot be reversed. So it is where the student would
// have been given back more in advances than was received once amount is taken
// away.
func (s *Store) refuseRefunded(ctx context.Context, paid fees.Row, amount fees.Amount) error {
	ofStudent := bson.D{{Key: "institute", Value: paid.Institute}, {Key: "student", Value: paid.Student}}
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments, ofStudent, docdb.Find{Fields: []string{"kind", "refunds", "numberText", "lines"}}))
	if err != nil {
		return outage("look for refunds", err)
	}
	advance := ""
	for _, r := range rows {
		voucher := cmp.Or(r.NumberText, "a voucher whose number is pending")
		switch {
		case r.Kind != fees.KindRefund:
		case r.Refunds == paid.ID:
			return fees.Errorf(fees.Conflict, "Something of %s was given back by %s, so it cannot be reversed. Nothing was changed.", paid.NumberText, voucher)
		case r.Refunds == "":
			advance = voucher
		}
	}
	for raw, err := range s.DB.Find(ctx, refunds, append(ofStudent, bson.E{Key: "active", Value: true}), docdb.Find{Fields: []string{"payment"}}) {
		if err != nil {
			return outage("look for refunds", err)
		}
		if of := textOf(raw, "payment"); of == paid.ID || of == "" {
			return fees.Errorf(fees.Conflict, "A refund of %s is being paid out at this moment, so nothing can be reversed. Nothing was changed; try again in a moment.", paid.StudentName)
		}
	}
	if advance == "" {
		return nil
	}
	billed, err := s.Bills(ctx, paid.Institute, paid.Student)
	if err != nil {
		return err
	}
	without := fees.Row{Lines: []fees.Line{{Head: fees.HeadAdvance, Amount: -amount}}}
	if fees.DuesOf(billed, append(rows, without)).Advance < 0 {
		return fees.Errorf(fees.Conflict, "An advance of %s was given back by %s, which would not be covered any more, so %s cannot be reversed. Nothing was changed.", paid.StudentName, advance, paid.NumberText)
	}
	return nil
}

// within says whether there is as much as r gives back, Conflict where not.
func (s *Store) within(ctx context.Context, inst fees.Institute, r fees.Refund) error {
	offer, err := s.RefundOffer(ctx, inst.Code, r.Student, fees.After(r.Payment))
	if err != nil {
		return err
	}
	if offer.Waits != "" {
		return fees.Errorf(fees.Conflict, "%s", offer.Waits)
	}
	if err := s.inTill(ctx, inst, r); err != nil {
		return err
	}
	order := fees.RefundOrder{Parts: r.Parts()}
	if _, bad := order.Within(inst.Money(), offer.Lines, refundedFrom(offer)); bad != nil {
		return fees.Errorf(fees.Conflict, "%s", bad.Message)
	}
	return nil
}

// inTill says whether the till through which r is handed out in cash has as much,
// Conflict where not. Who asked for it hands it out; without an open till nobody
// counts what there is.
func (s *Store) inTill(ctx context.Context, inst fees.Institute, r fees.Refund) error {
	if r.Mode != fees.ModeCash {
		return nil
	}
	shift, there, err := s.ShiftOf(ctx, inst.Code, r.By)
	if err != nil || !there || shift.State != fees.ShiftOpen {
		return err
	}
	cash, err := s.ShiftCash(ctx, inst.Code, shift.ShortID())
	if err != nil {
		return err
	}
	if held := shift.Expected(cash); r.Amount > held {
		return fees.Errorf(fees.Conflict, "There is %s in the till of %s, who hands it out, and %s is to be given back in cash. Nothing was given back: let it be asked for by another mode, or by somebody whose till has as much.",
			inst.Money().Format(max(held, 0)), shift.CashierName, inst.Money().Format(r.Amount))
	}
	return nil
}

// refundedFrom names what an offer is of, in the middle of a sentence.
func refundedFrom(o fees.RefundOffer) string {
	if o.Payment.ID == "" {
		return "the advance of " + o.Student.Name
	}
	if o.Payment.ReversedBy != "" {
		return fmt.Sprintf("%s, which was reversed", o.Payment.NumberText)
	}
	return o.Payment.NumberText
}
