package store

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// DepositCheques puts cheques in hand on a deposit slip. Each goes there by a
// compare-and-set of its own; those that are on this slip already stay, so that
// the same order again completes what was left half done. All are looked at
// before any is changed.
//
// Codes: Invalid (Fields deposit_id, cheque, account, day), NotFound, Conflict
// (one of them is not in hand; the slip has other cheques), Unavailable, Unconfirmed.
func (s *Store) DepositCheques(ctx context.Context, institute string, o fees.DepositOrder) ([]fees.Cheque, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return nil, err
	}
	if bad := o.Check(inst.Today(s.Now())); bad != nil {
		return nil, bad
	}
	before, err := s.DepositedCheques(ctx, institute, o.ID)
	if err != nil {
		return nil, err
	}
	if !o.Made(before) {
		made := fees.Errorf(fees.Conflict, "This form already made a deposit slip, of other cheques, on another day or into another account. Nothing was changed. Press again for another slip, of what is chosen here.")
		made.Fields = map[string]string{"deposit_id": made.Message}
		return nil, made
	}
	step := fees.ChequeStep{State: fees.ChequeDeposited, By: o.By.Signature(), Day: o.Day, Note: "Into " + o.Account}
	return s.moveCheques(ctx, inst, o.Cheques, step,
		func(c fees.Cheque) bool { return c.Deposit == o.ID },
		bson.D{{Key: "deposit", Value: o.ID}, {Key: "account", Value: o.Account}})
}

// ClearCheques notes that the bank paid cheques. What is cleared already stays
// as it is.
//
// Codes: Invalid (Fields cheque, day), NotFound, Conflict (one of them is not
// deposited), Unavailable, Unconfirmed.
func (s *Store) ClearCheques(ctx context.Context, institute string, o fees.ClearOrder) ([]fees.Cheque, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return nil, err
	}
	if bad := o.Check(inst.Today(s.Now())); bad != nil {
		return nil, bad
	}
	step := fees.ChequeStep{State: fees.ChequeCleared, By: o.By.Signature(), Day: o.Day}
	return s.moveCheques(ctx, inst, o.Cheques, step, func(c fees.Cheque) bool { return c.State == fees.ChequeCleared }, nil)
}

// moveCheques brings cheques into the step's state but for those that are
// where they should be already, and answers with all of them. Of a cheque that is
// in parts the first goes first, so that of two steps at once one is taken.
func (s *Store) moveCheques(ctx context.Context, inst fees.Institute, ids []string, step fees.ChequeStep, done func(fees.Cheque) bool, more bson.D) ([]fees.Cheque, error) {
	all, err := s.chequesAt(ctx, inst.Code, ids)
	if err != nil {
		return nil, err
	}
	if all, err = s.withParts(ctx, inst.Code, all); err != nil {
		return nil, err
	}
	ids = ids[:0:0]
	for _, c := range all {
		ids = append(ids, c.ShortID())
	}
	today := inst.Today(s.Now())
	step.At = s.instant()
	for _, c := range all {
		if done(c) {
			continue
		}
		if bad := c.Refuses(step.State, step.Day, today); bad != nil {
			if bad.Code == fees.Invalid {
				bad.Fields = map[string]string{"day": bad.Message}
			}
			return nil, bad
		}
	}
	for _, follow := range []bool{false, true} {
		var ops []docdb.UpdateOp
		for _, c := range all {
			first := fees.FirstPart(all, c)
			if !done(c) && follow == (first.ID != c.ID) && (!follow || done(first)) {
				ops = append(ops, docdb.UpdateOp{Filter: chequeAt(c), Update: stepUpdate(c, step, more)})
			}
		}
		if len(ops) == 0 {
			continue
		}
		if _, err := s.writeBatch(ctx, cheques, ops); err != nil {
			return nil, begun("move cheques", err)
		}
		if all, err = s.chequesAt(ctx, inst.Code, ids); err != nil {
			return nil, begun("move cheques", err)
		}
	}
	for _, c := range all {
		if !done(c) {
			return nil, fees.Errorf(fees.Conflict, "%s was changed by somebody else at this moment; the others were taken along. Open the list again.", c.Name())
		}
	}
	return all, nil
}

// chequesAt are the cheques of these ids after the institute, in their order;
// NotFound where one is not there.
func (s *Store) chequesAt(ctx context.Context, institute string, ids []string) ([]fees.Cheque, error) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = fees.Key(institute, id)
	}
	found, err := s.readBatch(ctx, cheques, institute, keys)
	if err != nil {
		return nil, outage("read cheques", err)
	}
	all := make([]fees.Cheque, len(keys))
	for i, key := range keys {
		raw, ok := found[key]
		if !ok {
			return nil, fees.Errorf(fees.NotFound, "One of these cheques is not there. Nothing was changed; open the list again.")
		}
		if err := bson.Unmarshal(raw, &all[i]); err != nil {
			return nil, fmt.Errorf("read cheque: %w", err)
		}
	}
	return all, nil
}

// withParts are the cheques with the other parts of those that one payment of a
// family split over its receipts: a piece of paper is in one place.
func (s *Store) withParts(ctx context.Context, institute string, all []fees.Cheque) ([]fees.Cheque, error) {
	whole := slices.Clip(all)
	for _, c := range all {
		parts, err := s.partsOf(ctx, institute, c)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			if !slices.ContainsFunc(whole, func(o fees.Cheque) bool { return o.ID == p.ID }) {
				whole = append(whole, p)
			}
		}
	}
	return whole, nil
}

// partsOf are the other parts of a cheque that are not withdrawn.
func (s *Store) partsOf(ctx context.Context, institute string, c fees.Cheque) ([]fees.Cheque, error) {
	if c.Family == "" {
		return nil, nil
	}
	all, err := docdb.All[fees.Cheque](s.DB.Find(ctx, cheques,
		bson.D{{Key: "institute", Value: institute}, {Key: "family", Value: c.Family}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "family"}, {Path: "_id"}}}))
	if err != nil {
		return nil, outage("read the parts of a cheque", err)
	}
	return slices.DeleteFunc(all, func(p fees.Cheque) bool {
		return p.ID == c.ID || p.State == fees.ChequeWithdrawn || !p.OnePaper(&c)
	}), nil
}
