package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// cancelTries bounds how often a bill that somebody else changes is read again.
const cancelTries = 5

// CancelBill cancels a bill on which nothing was paid, with its differences and
// its late fee. It stays, with what it was and why it was cancelled, charges
// nothing any more, and no run bills or prices it again; there is no way back.
// A bill that was cancelled already is the answer, and what was left undone is
// done.
//
// Codes: Invalid with Field reason (also where such a bill is not cancelled, or
// its year is closed), NotFound, Conflict (money is on it), Unavailable,
// Unconfirmed.
func (s *Store) CancelBill(ctx context.Context, institute string, o fees.CancelOrder) (fees.Bill, error) {
	if bad := o.Check(); bad != nil {
		return fees.Bill{}, bad
	}
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Bill{}, err
	}
	for range cancelTries {
		var written []fees.Bill
		var b fees.Bill
		b, written, err = s.tryCancel(ctx, inst, o)
		if _, uncounted := s.countBills(ctx, inst.Code, written); uncounted != nil {
			return b, begun("cancel bill", uncounted)
		}
		if fees.CodeOf(err) != fees.Conflict || errors.Is(err, errPaidOn) {
			return b, err
		}
	}
	return fees.Bill{}, err
}

// errPaidOn is in the chain of a refusal that no second try changes.
var errPaidOn = errors.New("money is on the bill")

// tryCancel is CancelBill for the bill as it is read now, while no counter of
// this process collects from the student; written is to be counted.
func (s *Store) tryCancel(ctx context.Context, inst fees.Institute, o fees.CancelOrder) (b fees.Bill, written []fees.Bill, err error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(inst.Code, o.Student))
	if err != nil {
		return b, nil, outage("cancel bill", err)
	}
	defer unlock()
	group, paid, err := s.billWithOthers(ctx, inst, o.Student, o.Bill)
	if err != nil {
		return b, nil, err
	}
	b = group[0]
	if reason := b.Uncancellable(); reason != "" {
		return b, nil, fees.Errorf(fees.Invalid, "%s", reason)
	}
	if bad := openYear(inst, b.FY); bad != nil {
		return b, nil, bad
	}
	if b.Cancelled == nil {
		for _, one := range group {
			if sum := paid[one.Period]; sum != 0 {
				return b, nil, fmt.Errorf("%w: %w", fees.Errorf(fees.Conflict, "%s cannot be cancelled: %s was paid for it. Reverse the receipt first.",
					one.Title, inst.Money().Format(sum)), errPaidOn)
			}
		}
	}
	why := fees.BillCancelled{At: s.instant(), By: o.By.Signature(), Reason: o.Reason}
	if b.Cancelled != nil {
		why = *b.Cancelled
	}
	for i, one := range group {
		if one.Cancelled != nil || i > 0 && paid[one.Period] != 0 {
			continue
		}
		next, err := s.reviseBill(ctx, one, one.WithoutCharge(why), fees.Revised{By: why.By, Reason: why.Reason})
		if err != nil {
			return b, written, err
		}
		written = append(written, next)
		if i == 0 {
			b = next
			s.Log.InfoContext(ctx, "bill cancelled", "bill", b.ID, "by", o.By.Login, "from", o.By.From)
		}
	}
	return b, written, nil
}

// billWithOthers is a student's bill, then those that belong to it, and what
// was paid on each; NotFound.
func (s *Store) billWithOthers(ctx context.Context, inst fees.Institute, student, period string) ([]fees.Bill, map[string]fees.Amount, error) {
	all, err := s.Bills(ctx, inst.Code, student)
	if err != nil {
		return nil, nil, err
	}
	group := make([]fees.Bill, 0, 3)
	for _, b := range all {
		if b.Period == period {
			group = append(group, b)
		}
	}
	if len(group) == 0 {
		return nil, nil, fees.Errorf(fees.NotFound, "There is no such bill.")
	}
	for _, b := range all {
		if b.Of == period {
			group = append(group, b)
		}
	}
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: inst.Code}, {Key: "student", Value: student}}, docdb.Find{Fields: []string{"lines"}}))
	if err != nil {
		return nil, nil, outage("read rows", err)
	}
	return group, fees.PaidOn(rows), nil
}

// CancelAfterLeaving cancels the bills of a student that are due after the last
// day for which is paid, as CancelBill does, and answers with those it
// cancelled. What money is on stays as it is.
//
// Codes: Invalid with Fields last, reason; NotFound (the student); Unavailable
// and Unconfirmed (do it again).
func (s *Store) CancelAfterLeaving(ctx context.Context, institute string, o fees.LeavingOrder) ([]fees.Bill, error) {
	if bad := o.Check(); bad != nil {
		return nil, bad
	}
	st, err := s.Student(ctx, institute, o.Student)
	if err != nil {
		return nil, err
	}
	all, err := s.Bills(ctx, institute, st.AdmissionNo)
	if err != nil {
		return nil, err
	}
	var done []fees.Bill
	for _, b := range all {
		if b.DueDate <= o.Last || b.Cancelled != nil || b.Uncancellable() != "" {
			continue
		}
		one, err := s.CancelBill(ctx, institute, fees.CancelOrder{Student: st.AdmissionNo, Bill: b.Period, Reason: o.Reason, By: o.By})
		switch code := fees.CodeOf(err); {
		case errors.Is(err, errPaidOn) || code == fees.Invalid: // a closed year
		case err != nil:
			return done, begun("cancel bills", err)
		default:
			done = append(done, one)
		}
	}
	return done, nil
}
