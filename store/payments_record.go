package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// RecordPayment records what was handed over at a counter and gives it its
// receipt number. The row is durable first and numbered afterwards: when the
// number cannot be had now, the row comes back Awaiting, and the sweep attaches
// the number later.
//
// The order's ID is the idempotency key: the same order again answers with the
// same row, the same ID with other content is a Conflict and changes nothing.
// Other codes: Invalid, NotFound (the student), Unavailable (nothing was
// written), Unconfirmed (send the same order again).
func (s *Store) RecordPayment(ctx context.Context, institute string, o fees.PaymentOrder) (fees.Row, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Row{}, err
	}
	refusal := o.Check(inst, inst.Today(s.Now()))
	digest := digestOf(o)
	// Looked up before a refusal counts: an order that was recorded yesterday
	// is answered with its receipt even if the books were closed since.
	if fees.ValidID(o.ID) {
		row, err := s.recorded(ctx, institute, o.ID, digest)
		if err == nil {
			return s.finish(ctx, row), nil
		}
		if fees.CodeOf(err) != fees.NotFound {
			return fees.Row{}, err
		}
	}
	if refusal != nil {
		return fees.Row{}, refusal
	}
	unlock, err := s.askRepeats(ctx, inst, o)
	if err != nil {
		return fees.Row{}, err
	}
	defer unlock()
	s.chargeLate(ctx, inst, o.Student, cmp.Or(o.Date, inst.Today(s.Now())))
	row, err := s.writePayment(ctx, inst, o, digest)
	if code := fees.CodeOf(err); code == fees.Invalid || code == fees.Conflict {
		// The same form, posted at the same moment, may have settled what this one
		// then finds settled, and the till been closed since.
		if there, absent := s.recorded(ctx, institute, o.ID, digest); fees.CodeOf(absent) != fees.NotFound {
			row, err = there, absent
		}
	}
	if err != nil {
		return fees.Row{}, err
	}
	return s.finish(ctx, row), nil
}

// recorded is the row that an order has become; NotFound, or Conflict when its
// id was used for another.
func (s *Store) recorded(ctx context.Context, institute, id, digest string) (fees.Row, error) {
	row, err := s.Row(ctx, institute, id)
	if err == nil && row.Digest != digest {
		return fees.Row{}, errOtherContent(row)
	}
	return row, err
}

// writePayment makes the payment durable. The student is locked from reading
// the dues to writing the row.
func (s *Store) writePayment(ctx context.Context, inst fees.Institute, o fees.PaymentOrder, digest string) (fees.Row, error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(inst.Code, o.Student))
	if err != nil {
		return fees.Row{}, outage("record payment", err)
	}
	defer unlock()
	student, err := s.Student(ctx, inst.Code, o.Student)
	if err != nil {
		return fees.Row{}, err
	}
	dues, err := s.Dues(ctx, inst.Code, o.Student)
	if err != nil {
		return fees.Row{}, err
	}
	total, refusal := fees.TotalOf(o.Tenders)
	if refusal != nil {
		return fees.Row{}, refusal
	}
	var lines []fees.Line
	if o.Raced {
		lines = dues.Settle(total, o.Choices)
	} else if lines, refusal = dues.Allocate(total, o.Choices); refusal != nil {
		return fees.Row{}, refusal
	}
	row := s.rowFor(inst, student, o.By)
	row.ID = fees.Key(inst.Code, o.ID)
	row.Kind, row.Series = fees.KindPayment, fees.SeriesReceipt
	if o.Date != "" {
		row.Date = o.Date
	}
	row.FY = inst.FY(row.Date)
	row.Format = inst.Formats.Receipt
	row.Lines, row.Tenders, row.Total, row.Remark = lines, o.Tenders, total, o.Remark
	row.Refs = fees.RefKeys(o.Tenders)
	row.Family = o.Family
	row.BalanceAfter = dues.Balance - total
	row.Digest = digest
	if o.Family != "" {
		return s.writeShareThroughTill(ctx, inst, row, o.Shift)
	}
	return s.writeThroughTill(ctx, inst, row, o.Shift)
}

// rowFor is a row of today with its snapshot of institute, student and actor.
func (s *Store) rowFor(inst fees.Institute, st fees.Student, by fees.Actor) fees.Row {
	now := s.instant()
	return fees.Row{
		Institute: inst.Code, Date: inst.Today(now), RecordedAt: now,
		Student: st.AdmissionNo, StudentName: st.Name, Class: st.Class, Section: st.Section, Guardian: st.Guardian,
		Currency: inst.Currency, InstituteName: inst.Name, InstituteAddress: inst.Address, InstituteFooter: inst.Footer, Logo: inst.Logo,
		Cashier: by.Login, CashierName: by.Name, From: by.From,
		Awaiting: true,
	}
}

// writeAttempts bounds how often a write whose outcome is unknown is tried.
const writeAttempts = 3

// writeRow inserts a ledger row under its natural key. A row that is there
// already is the answer if it is the same, and a Conflict if it is not.
func (s *Store) writeRow(ctx context.Context, row fees.Row) (fees.Row, error) {
	doc, body, err := withBody(row)
	if err != nil {
		return fees.Row{}, fmt.Errorf("write row: %w", err)
	}
	row.Body = body
	sent := false // an insert that may be there, or still arrive whatever is read back
	for range writeAttempts {
		err = s.DB.InsertOne(ctx, payments, doc)
		if err == nil {
			return row, nil
		}
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			break
		}
		sent = true
		there, readErr := s.Row(ctx, row.Institute, fees.After(row.ID))
		switch {
		case readErr == nil && there.Digest != row.Digest:
			return fees.Row{}, errOtherContent(there)
		case readErr == nil:
			return there, nil
		}
		if fees.CodeOf(readErr) != fees.NotFound {
			break
		}
		if taken := new(docdb.DuplicateKeyError); errors.As(err, &taken) && taken.Index == takesIndex {
			return fees.Row{}, errTaken
		}
	}
	if sent {
		again := lostAnswer
		switch row.Kind {
		case fees.KindPayment:
			again = "Not confirmed: press again, it cannot be charged twice."
		case fees.KindReversal:
			again = "Not confirmed: press again, it cannot be reversed twice."
		}
		return fees.Row{}, unconfirmed("write row", again, err)
	}
	return fees.Row{}, outage("write row", err)
}

// takesIndex is the index that lets a payment be reversed or refunded, not both.
const takesIndex = "takes"

// errTaken is why a reversal or refund was not written: another row has its
// Row.Takes.
var errTaken = fees.Errorf(fees.Conflict, "Of this payment something was given back, or it was reversed, at this moment. Nothing was changed; look at it again.")

func errOtherContent(row fees.Row) error {
	what := row.NumberText
	if what == "" {
		what = "a payment whose number is pending"
	}
	return fees.Errorf(fees.Conflict, "This form was already recorded with other content, as %s. Nothing was changed. Open the student again for another payment.", what)
}

// digestOf is the SHA-256, in hex, of everything that was posted. Who posted
// it is left out: the same form is the same payment.
func digestOf(o fees.PaymentOrder) string {
	o.ID, o.By = "", fees.Actor{}
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // strings and integers always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
