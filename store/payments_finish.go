package store

import (
	"context"
	"fmt"
	"log/slog"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// finish does what a durable row still lacks, its number last: a numbered row
// needs nothing more, and is in its student's account. It never fails: what
// could not be done now the sweep does later, and the row comes back Awaiting.
func (s *Store) finish(ctx context.Context, row fees.Row) fees.Row {
	done, err := s.tryFinish(ctx, row)
	if err != nil {
		s.Log.Warn("a row awaits its number", slog.String("row", row.ID), slog.Any("error", err))
		return row
	}
	return done
}

func (s *Store) tryFinish(ctx context.Context, row fees.Row) (fees.Row, error) {
	if !row.Awaiting {
		return row, nil
	}
	if err := s.bring(ctx, row); err != nil {
		return row, err
	}
	if _, err := s.recounts.do(ctx, row.Institute, row.Student); err != nil {
		return row, err
	}
	got, err := s.numbers.queue.do(ctx, seriesOf(row), row.ID)
	if err != nil {
		return row, err
	}
	return got.on(row), nil
}

// bring does what a row brings with it before it is numbered.
func (s *Store) bring(ctx context.Context, row fees.Row) error {
	if err := s.noteLate(ctx, row); err != nil {
		return err
	}
	switch row.Kind {
	case fees.KindPayment:
		return s.keepCheques(ctx, row)
	case fees.KindReversal:
		return s.linkAll(ctx, row)
	case fees.KindRefund:
		return s.linkRefund(ctx, row)
	}
	return nil
}

// linkAll does everything that a reversal brings with it.
func (s *Store) linkAll(ctx context.Context, reversal fees.Row) error {
	if err := s.link(ctx, reversal); err != nil {
		return err
	}
	if err := s.withdrawCheques(ctx, reversal); err != nil {
		return err
	}
	return s.giveBack(ctx, reversal)
}

// link does what a reversal brings with it at once: the pointer on the reversed row,
// and the charge as a bill. Done twice is done once.
func (s *Store) link(ctx context.Context, reversal fees.Row) error {
	_, err := s.DB.UpdateOne(ctx, payments,
		bson.D{
			{Key: "_id", Value: reversal.Reverses},
			{Key: "institute", Value: reversal.Institute},
			{Key: "reversedBy", Value: bson.D{{Key: "$exists", Value: false}}},
		},
		bson.D{{Key: "$set", Value: bson.D{{Key: "reversedBy", Value: reversal.ID}}}}, docdb.Update{})
	if err != nil {
		return fmt.Errorf("point from the reversed row: %w", err)
	}
	return s.billReversal(ctx, reversal)
}

// billReversal writes the bill of what is charged along with a reversal. It needs
// no mark: the row, which does not have its number yet, has the account
// recounted.
func (s *Store) billReversal(ctx context.Context, reversal fees.Row) error {
	if reversal.Charge == 0 {
		return nil
	}
	bill, err := sealed(bounceBill(reversal))
	if err == nil {
		err = s.DB.InsertOne(ctx, bills, bill)
	}
	if err != nil && !docdb.IsDuplicate(err) {
		return fmt.Errorf("bill the charge: %w", err)
	}
	return nil
}

// bounceBill is the charge of a reversal, as a bill keyed by the reversed row.
// Its name follows from the row alone, so that a retry writes the same bill.
func bounceBill(reversal fees.Row) fees.Bill {
	period := bouncePeriod(reversal.FY, fees.After(reversal.Reverses))
	name := "Reversal charge"
	if reversal.Cheque != "" {
		name = "Bounce charge"
	}
	return fees.Bill{
		ID:        fees.Key(reversal.Institute, reversal.Student, period),
		Institute: reversal.Institute, Student: reversal.Student,
		FY: reversal.FY, Period: period, Title: name + ", " + reversal.ReversesText,
		DueDate: reversal.Date,
		Lines:   []fees.BillLine{{Head: fees.HeadBounce, HeadName: name, Gross: reversal.Charge, Net: reversal.Charge}},
		Net:     reversal.Charge, CreatedAt: reversal.RecordedAt,
	}
}

// bouncePeriod is what the charge of a reversal is billed for: the payment that
// was reversed.
func bouncePeriod(fy, payment string) string {
	return fy + "/" + fees.HeadBounce + "/" + payment
}
