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
		var b fees.Bill
		b, err = s.tryCancel(ctx, inst, o)
		if err == nil {
			if _, err = s.countBills(ctx, inst.Code, []fees.Bill{b}); err != nil {
				err = begun("cancel bill", err)
			}
			return b, err
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
// this process collects from the student. countBills comes next, and cancels
// what belongs to the bill.
func (s *Store) tryCancel(ctx context.Context, inst fees.Institute, o fees.CancelOrder) (fees.Bill, error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(inst.Code, o.Student))
	if err != nil {
		return fees.Bill{}, outage("cancel bill", err)
	}
	defer unlock()
	group, rows, err := s.billWithOthers(ctx, inst.Code, o.Student, o.Bill)
	if err != nil {
		return fees.Bill{}, err
	}
	b := group[0]
	if reason := b.Uncancellable(); reason != "" {
		return b, fees.Errorf(fees.Invalid, "%s", reason)
	}
	if b.Cancelled != nil {
		return b, nil
	}
	if bad := openYear(inst, b.FY); bad != nil {
		return b, bad
	}
	for _, one := range group {
		if bad := one.PaidRefusal(inst.Money(), rows); bad != nil {
			return b, fmt.Errorf("%w: %w", bad, errPaidOn)
		}
	}
	why := fees.BillCancelled{At: s.instant(), By: o.By.Signature(), Reason: o.Reason}
	b, err = s.reviseBill(ctx, b, b.WithoutCharge(why), fees.Revised{By: why.By, Reason: why.Reason})
	if err == nil {
		s.Log.InfoContext(ctx, "bill cancelled", "bill", b.ID, "by", o.By.Login, "from", o.By.From)
	}
	return b, err
}

// cancelAlong cancels what belongs to a cancelled bill, where such a bill or one
// that belongs to it was just written. A late fee or a difference may be
// written in the moment in which its bill is cancelled, and either writer may
// die: whoever counts what was written, the sweep too, finds the other's. It
// answers with what it changed.
func (s *Store) cancelAlong(ctx context.Context, institute string, written []fees.Bill) ([]fees.Bill, error) {
	var ids []string
	for _, b := range written {
		switch {
		case b.Of != "" && b.Cancelled == nil:
			ids = append(ids, fees.Key(institute, b.Student, b.Of))
		case b.Of == "" && b.Cancelled != nil:
			ids = append(ids, b.ID)
		}
	}
	there, err := s.readBatch(ctx, bills, institute, ids, "student", "period", "cancelled")
	if err != nil {
		return nil, outage("read bills", err)
	}
	var along []fees.Bill
	for _, raw := range there {
		var b fees.Bill
		if err := bson.Unmarshal(raw, &b); err != nil {
			return along, outage("read bills", err)
		}
		if b.Cancelled == nil {
			continue
		}
		some, err := s.cancelOthers(ctx, institute, b)
		if along = append(along, some...); err != nil {
			return along, err
		}
	}
	return along, nil
}

// cancelOthers cancels the differences and the late fee of a cancelled bill.
// What money is on, by a race between processes, stays.
func (s *Store) cancelOthers(ctx context.Context, institute string, of fees.Bill) (done []fees.Bill, err error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(institute, of.Student))
	if err != nil {
		return nil, outage("cancel bill", err)
	}
	defer unlock()
	for range cancelTries {
		var group []fees.Bill
		var rows []fees.Row
		if group, rows, err = s.billWithOthers(ctx, institute, of.Student, of.Period); err != nil {
			return done, err
		}
		paid := fees.PaidOn(rows)
		for _, one := range group[1:] {
			if one.Cancelled != nil || paid[one.Period] != 0 {
				continue
			}
			if one, err = s.reviseBill(ctx, one, one.WithoutCharge(*of.Cancelled), fees.Revised{By: of.Cancelled.By, Reason: of.Cancelled.Reason}); err != nil {
				break
			}
			done = append(done, one)
		}
		if fees.CodeOf(err) != fees.Conflict {
			break
		}
	}
	return done, err
}

// billWithOthers is a student's bill, then those that belong to it, and the
// student's rows; NotFound.
func (s *Store) billWithOthers(ctx context.Context, institute, student, period string) ([]fees.Bill, []fees.Row, error) {
	all, err := s.Bills(ctx, institute, student)
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
		bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: student}}, docdb.Find{Fields: []string{"kind", "numberText", "lines"}}))
	if err != nil {
		return nil, nil, outage("read rows", err)
	}
	return group, rows, nil
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
