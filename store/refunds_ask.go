package store

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// AskRefund asks for a refund. It gives nothing back and holds nothing: what
// there is to give back is looked at now and again when it is approved. The
// order's ID is its key: the same order again is the same refund.
//
// Codes: Invalid (the Fields of fees.RefundOrder.Check; amount.N also where it is
// more than there is), NotFound, Conflict (the same id with other content; no
// payment; a cheque has not cleared), Unavailable, Unconfirmed.
func (s *Store) AskRefund(ctx context.Context, institute string, o fees.RefundOrder) (fees.Refund, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Refund{}, err
	}
	refused := o.Check(inst)
	if fees.ValidID(o.ID) {
		there, err := s.Refund(ctx, institute, o.ID)
		if err == nil {
			return there, sameRefund(there, o)
		}
		if fees.CodeOf(err) != fees.NotFound {
			return fees.Refund{}, err
		}
	}
	if refused != nil {
		return fees.Refund{}, refused
	}
	offer, err := s.RefundOffer(ctx, institute, o.Student, o.Payment)
	if err != nil {
		return fees.Refund{}, err
	}
	if offer.Waits != "" {
		return fees.Refund{}, fees.Errorf(fees.Conflict, "%s", offer.Waits)
	}
	lines, refused := o.Within(inst.Money(), offer.Lines, refundedFrom(offer))
	if refused != nil {
		return fees.Refund{}, refused
	}
	r := fees.Refund{
		ID: fees.Key(institute, o.ID), Institute: institute, Student: offer.Student.AdmissionNo, StudentName: offer.Student.Name,
		Payment: offer.Payment.ID, PaymentText: offer.Payment.NumberText, Lines: lines,
		Mode: o.Mode, Ref: o.Ref, Reason: o.Reason, State: fees.RefundRequested, Version: 1,
		By: o.By.Login, ByName: o.By.Name, From: o.By.From, AskedAt: s.instant(),
	}
	for _, l := range lines {
		r.Amount += l.Amount
	}
	err = s.DB.InsertOne(ctx, refunds, r)
	if err == nil {
		return r, nil
	}
	if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
		return r, outage("ask for a refund", err)
	}
	there, unread := s.Refund(ctx, institute, o.ID)
	if unread != nil { // it may still arrive
		return r, unconfirmed("ask for a refund", lostAnswer, err)
	}
	return there, sameRefund(there, o)
}

// sameRefund is a Conflict where the form of o already asked for something else.
func sameRefund(there fees.Refund, o fees.RefundOrder) error {
	if there.Asks(o) {
		return nil
	}
	return fees.Errorf(fees.Conflict, "This form already asked for another refund, for %s. Nothing was changed.", there.StudentName)
}

// Refund is the refund whose key after the institute is id; NotFound.
func (s *Store) Refund(ctx context.Context, institute, id string) (fees.Refund, error) {
	var r fees.Refund
	err := s.DB.FindOne(ctx, refunds, one(institute, fees.Key(institute, id)), docdb.Find{}, &r)
	if errors.Is(err, docdb.ErrNotFound) {
		return r, fees.Errorf(fees.NotFound, "There is no such refund.")
	}
	if err != nil {
		return r, outage("read refund", err)
	}
	all := []fees.Refund{r}
	err = s.withVouchers(ctx, institute, all)
	return all[0], err
}

// Refunds is a page of the refunds of one state, newest first. after is the
// Next of the page before; a tampered one is Invalid.
func (s *Store) Refunds(ctx context.Context, institute string, state fees.RefundState, after string, limit int64) (fees.Page[fees.Refund], error) {
	limit = pageSize(limit)
	var page fees.Page[fees.Refund]
	query := bson.D{{Key: "institute", Value: institute}, {Key: "state", Value: state}}
	if after != "" {
		if !fees.ValidID(after) {
			return page, fees.Errorf(fees.Invalid, "That is not a page of this list. Open the refunds again.")
		}
		query = append(query, bson.E{Key: "_id", Value: bson.D{{Key: "$lt", Value: fees.Key(institute, after)}}})
	}
	var err error
	page.Items, err = docdb.All[fees.Refund](s.DB.Find(ctx, refunds, query, docdb.Find{
		Sort: []docdb.Key{{Path: "institute", Desc: true}, {Path: "state", Desc: true}, {Path: "_id", Desc: true}}, Limit: limit + 1,
	}))
	if err != nil {
		return page, outage("list refunds", err)
	}
	if int64(len(page.Items)) > limit {
		page.Items = page.Items[:limit]
		page.Next = page.Items[limit-1].ShortID()
	}
	return page, s.withVouchers(ctx, institute, page.Items)
}

// withVouchers fills in the numbers of the rows that refunds became, of at most
// a page of them.
func (s *Store) withVouchers(ctx context.Context, institute string, all []fees.Refund) error {
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = fees.RefundRowID(r.ID)
	}
	found, err := s.readBatch(ctx, payments, institute, ids, "numberText")
	if err != nil {
		return outage("read vouchers", err)
	}
	for i := range all {
		all[i].Voucher = textOf(found[ids[i]], "numberText")
	}
	return nil
}
