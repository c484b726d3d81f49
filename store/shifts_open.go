package store

import (
	"context"
	"errors"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// OpenShift opens a till for whoever orders it. The same order again answers
// with the same till. Codes: Invalid with the Fields of fees.ShiftOrder.Check;
// Conflict (another till of theirs is open, or the id was used for another);
// NotFound (the institute), Unavailable, Unconfirmed.
func (s *Store) OpenShift(ctx context.Context, institute string, o fees.ShiftOrder) (fees.Shift, error) {
	if refusal := o.Check(); refusal != nil {
		return fees.Shift{}, refusal
	}
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Shift{}, err
	}
	now := s.instant()
	shift := fees.Shift{
		ID: fees.Key(institute, o.ID), Institute: institute, Cashier: o.By.Login, CashierName: o.By.Name, From: o.By.From,
		State: fees.ShiftOpen, Active: true, Version: 1, Date: inst.Today(now), OpenedAt: now, Float: o.Float,
	}
	sent := false
	for range writeAttempts {
		if err = s.DB.InsertOne(ctx, shifts, shift); err == nil {
			s.Log.InfoContext(ctx, "till opened", "till", shift.ID, "by", o.By.Login, "from", o.By.From)
			return shift, nil
		}
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			break
		}
		sent = true
		there, unread := s.Shift(ctx, institute, o.ID)
		switch {
		case unread == nil && (there.Cashier != shift.Cashier || there.Float != shift.Float):
			return there, fees.Errorf(fees.Conflict, "This form already opened a till, with another float. Nothing was changed.")
		case unread == nil:
			return there, nil
		case fees.CodeOf(unread) != fees.NotFound:
			return shift, unconfirmed("open till", lostAnswer, err)
		}
		if other, ok, unread := s.ShiftOf(ctx, institute, o.By.Login); unread == nil && ok && docdb.IsDuplicate(err) {
			return other, fees.Errorf(fees.Conflict, "You have a till open since %s. Close it before you open another.",
				other.OpenedAt.In(inst.Location()).Format("15:04 on 2 January"))
		}
	}
	if sent {
		return shift, unconfirmed("open till", lostAnswer, err)
	}
	return shift, outage("open till", err)
}
