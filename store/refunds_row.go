package store

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// refundRow is the row of an approved refund of a student whose balance is
// that. Heads are given back against a bill of the row's own, which takes back
// what was charged for them; the advance is of no bill.
func (s *Store) refundRow(inst fees.Institute, st fees.Student, r fees.Refund, balance fees.Amount) fees.Row {
	row := s.rowFor(inst, st, fees.Actor{Login: r.By, Name: r.ByName, From: r.From})
	row.ID = fees.RefundRowID(r.ID)
	row.Kind, row.Series = fees.KindRefund, fees.SeriesRefund
	row.FY, row.Format = inst.FY(row.Date), inst.Formats.Refund
	row.Refunds, row.RefundsText = r.Payment, r.PaymentText
	row.ApprovedBy, row.ApprovedName = r.Decider, r.Decided
	row.Reason, row.Total = r.Reason, -r.Amount
	row.Tenders = []fees.Tender{{Mode: r.Mode, Amount: -r.Amount, Ref: r.Ref}}
	row.BalanceAfter = balance
	for _, l := range r.Lines {
		l.Amount = -l.Amount
		if l.Head == fees.HeadAdvance {
			row.BalanceAfter -= l.Amount
		} else {
			l.Bill, l.Title = fees.RefundPeriod(row.FY, row.ShortID()), "Refund, "+r.PaymentText
		}
		row.Lines = append(row.Lines, l)
	}
	row.Digest = digestOf(fees.PaymentOrder{Student: row.ID})
	return row
}

// RefundsOf are the refunds of a payment that were written, oldest first, each
// with its total, date and number.
func (s *Store) RefundsOf(ctx context.Context, paid fees.Row) ([]fees.Row, error) {
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: paid.Institute}, {Key: "student", Value: paid.Student}, {Key: "refunds", Value: paid.ID}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "student"}, {Path: "_id"}}, Fields: []string{"total", "date", "numberText"}}))
	return rows, outageOrNil("read refunds", err)
}

// linkRefund does what a refund's row brings with it: the bill against which
// its lines stand, and that the refund is paid. Both have natural keys.
func (s *Store) linkRefund(ctx context.Context, row fees.Row) error {
	if err := s.billRefund(ctx, row); err != nil {
		return err
	}
	return s.paidOut(ctx, row)
}

// billRefund writes the bill of a refund's row. It needs no mark: the row, which
// does not have its number yet, has the account recounted.
func (s *Store) billRefund(ctx context.Context, row fees.Row) error {
	bill, billed := fees.RefundBill(row)
	if !billed {
		return nil
	}
	bill, err := sealed(bill)
	if err == nil {
		err = s.DB.InsertOne(ctx, bills, bill)
	}
	if err != nil && !docdb.IsDuplicate(err) {
		return fmt.Errorf("bill the refund: %w", err)
	}
	return nil
}

// paidOut notes that the row of a refund is there, whatever was thought of it.
func (s *Store) paidOut(ctx context.Context, row fees.Row) error {
	id, _ := fees.RefundOf(row.ID)
	_, err := s.DB.UpdateOne(ctx, refunds,
		append(one(row.Institute, id), bson.E{Key: "state", Value: bson.D{{Key: "$ne", Value: fees.RefundPaid}}}),
		bson.D{
			{Key: "$set", Value: bson.D{
				{Key: "state", Value: fees.RefundPaid}, {Key: "decider", Value: row.ApprovedBy}, {Key: "decided", Value: row.ApprovedName}, {Key: "decideAt", Value: row.RecordedAt},
			}},
			{Key: "$inc", Value: bson.D{{Key: "version", Value: int64(1)}}},
			{Key: "$unset", Value: bson.D{{Key: "active", Value: ""}}},
		}, docdb.Update{})
	if err != nil {
		return fmt.Errorf("note that the refund is paid: %w", err)
	}
	return nil
}
