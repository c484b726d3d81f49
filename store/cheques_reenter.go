package store

import (
	"context"
	"strings"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// reenter records what did not bounce of the payment that reversal takes back as
// a payment of today, and answers with its id after the institute, "" where all
// of it bounced. It is the same payment whichever of several cheques it is done
// for. Other cheques stay where they are: their documents are written before the
// payment, which would have them received anew.
func (s *Store) reenter(ctx context.Context, c fees.Cheque, reversal fees.Row) (again string, err error) {
	inst, err := s.Institute(ctx, c.Institute)
	if err != nil {
		return "", err
	}
	paid, err := s.Row(ctx, c.Institute, fees.After(c.Row))
	if err != nil {
		return "", err
	}
	all, err := s.RowCheques(ctx, c.Institute, paid.ShortID())
	if err != nil {
		return "", err
	}
	byID := make(map[string]fees.Cheque, len(all))
	for _, cheque := range all {
		byID[cheque.ID] = cheque
	}
	// It settles what the payment did, as far as that is still owed.
	o := fees.PaymentOrder{ID: fees.ReentryID(reversal), Student: paid.Student, Choices: paid.Chosen(), Raced: true, By: c.Bounce.Actor()}
	var kept []fees.Cheque // beside the tenders, zero for what is no cheque or is received anew
	var bounced []string
	for n, t := range paid.Tenders {
		cheque := byID[fees.ChequeID(paid.ID, n)]
		if cheque.State == fees.ChequeBounced {
			bounced = append(bounced, cheque.Name())
			continue
		}
		t.Of = 0 // it is in no share any more
		o.Tenders, kept = append(o.Tenders, t), append(kept, cheque)
	}
	if len(o.Tenders) == 0 {
		return "", nil
	}
	o.Remark = "Entered again from " + paid.NumberText + ": " + strings.Join(bounced, " and ") + " bounced"
	digest := digestOf(o)
	row, err := s.recorded(ctx, inst.Code, o.ID, digest)
	if fees.CodeOf(err) == fees.NotFound {
		if err = s.carryCheques(ctx, paid, o, kept); err == nil {
			row, err = s.writePayment(ctx, inst, o, digest)
		}
	}
	if err != nil {
		return "", err
	}
	s.finish(ctx, row)
	return o.ID, nil
}

// carryCheques writes the cheques of the payment o as they were before they were
// withdrawn with the payment paid.
func (s *Store) carryCheques(ctx context.Context, paid fees.Row, o fees.PaymentOrder, kept []fees.Cheque) error {
	for n, c := range kept {
		if c.ID == "" {
			continue
		}
		next := c.CarriedTo(fees.Key(paid.Institute, o.ID), n, paid.NumberText)
		if err := s.DB.InsertOne(ctx, cheques, next); err != nil && !docdb.IsDuplicate(err) {
			return err
		}
	}
	return nil
}
