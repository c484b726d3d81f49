package store

import (
	"context"

	"raseed/store/fees"
)

// WaiveLateFee takes something off a late fee, as it was seen, or all of it.
// What was waived stays waived: the late fee grows on only beyond it. The same
// order again is answered with what it did.
//
// Codes: Invalid with Fields amount, reason; NotFound; Conflict (it is no late
// fee, it changed since it was seen, or was paid); Unavailable, Unconfirmed.
func (s *Store) WaiveLateFee(ctx context.Context, institute string, o fees.WaiverOrder) (fees.Bill, error) {
	if bad := o.Check(); bad != nil {
		return fees.Bill{}, bad
	}
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Bill{}, err
	}
	b, fresh, err := s.tryWaive(ctx, inst, o)
	if err != nil || !fresh {
		return b, err
	}
	s.Log.InfoContext(ctx, "late fee waived", "bill", b.ID, "amount", int64(o.Amount), "by", o.By.Login, "from", o.By.From)
	if _, err := s.countBills(ctx, institute, []fees.Bill{b}); err != nil {
		return b, begun("waive late fee", err)
	}
	return b, nil
}

// tryWaive waives while no counter of this process collects from the student;
// fresh says that the bill is to be counted.
func (s *Store) tryWaive(ctx context.Context, inst fees.Institute, o fees.WaiverOrder) (b fees.Bill, fresh bool, err error) {
	unlock, err := s.collecting.lock(ctx, fees.Key(inst.Code, o.Student))
	if err != nil {
		return b, false, outage("waive late fee", err)
	}
	defer unlock()
	group, rows, err := s.billWithOthers(ctx, inst.Code, o.Student, o.Bill)
	if err != nil {
		return b, false, err
	}
	b = group[0]
	if o.Done(b) {
		return b, false, nil
	}
	if bad := o.Refuses(inst.Money(), b, fees.PaidOn(rows)[b.Period]); bad != nil {
		return b, false, bad
	}
	if bad := openYear(inst, b.FY); bad != nil {
		return b, false, bad
	}
	b, err = s.reviseBill(ctx, b, b.Waive(o), fees.Revised{By: o.By.Signature(), Reason: o.Reason})
	return b, err == nil, err
}
