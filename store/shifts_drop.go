package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// maxDrops is how often a till can be emptied into the safe, so that its
// document stays small.
const maxDrops = 200

// DropToSafe takes cash out of the open till of whoever orders it. The same
// order again answers with the same till. Codes: Invalid with the Fields of
// fees.DropOrder.Check, for more than there is in the till too; NotFound;
// Conflict (the till is closed, or the id was used for another drop);
// Unavailable, Unconfirmed.
func (s *Store) DropToSafe(ctx context.Context, institute string, o fees.DropOrder) (fees.Shift, error) {
	if refusal := o.Check(); refusal != nil {
		return fees.Shift{}, refusal
	}
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Shift{}, err
	}
	shift, err := s.Shift(ctx, institute, o.Shift)
	if err == nil && shift.Cashier != o.By.Login {
		err = fees.Errorf(fees.NotFound, "There is no such till.")
	}
	if err != nil {
		return shift, err
	}
	drop := fees.Drop{ID: o.ID, Amount: o.Amount, Note: o.Note, By: o.By.Login, At: s.instant()}
	dropped := func(now fees.Shift) bool {
		return slices.ContainsFunc(now.Drops, func(d fees.Drop) bool { return d.ID == o.ID })
	}
	for range writeAttempts {
		if dropped(shift) {
			return shift, sameDrop(shift, drop)
		}
		if refusal := s.checkDrop(ctx, inst, shift, drop); refusal != nil {
			return shift, refusal
		}
		now, made, err := s.changeShift(ctx, shift, nil, bson.D{{Key: "$push", Value: bson.D{{Key: "drops", Value: drop}}}}, dropped)
		if err != nil {
			return shift, err
		}
		if made {
			return now, sameDrop(now, drop)
		}
		shift = now // and somebody else changed it: look again
	}
	return shift, fees.Errorf(fees.Conflict, "The till is being used in another place. Nothing was taken to the safe: try again.")
}

// sameDrop says whether the drop of this id is the one that was ordered.
func sameDrop(shift fees.Shift, want fees.Drop) error {
	i := slices.IndexFunc(shift.Drops, func(d fees.Drop) bool { return d.ID == want.ID })
	if there := shift.Drops[i]; there.Amount != want.Amount || there.Note != want.Note {
		return fees.Errorf(fees.Conflict, "This form already took another amount to the safe. Nothing was changed.")
	}
	return nil
}

// checkDrop says why a drop cannot be made of the till as it is.
func (s *Store) checkDrop(ctx context.Context, inst fees.Institute, shift fees.Shift, drop fees.Drop) error {
	switch {
	case shift.State != fees.ShiftOpen:
		return fees.Errorf(fees.Conflict, "This till is closed, or being closed. Nothing was taken to the safe.")
	case len(shift.Drops) >= maxDrops:
		return fees.Errorf(fees.Conflict, "This till was emptied into the safe %d times. Close it and open another.", maxDrops)
	}
	cash, err := s.ShiftCash(ctx, inst.Code, shift.ShortID())
	if err != nil {
		return err
	}
	if there := shift.Expected(cash); drop.Amount > there {
		reason := "There is " + inst.Money().Format(max(there, 0)) + " in the till"
		return &fees.Error{Code: fees.Invalid, Message: "Nothing was taken to the safe. " + reason + ".", Fields: map[string]string{"amount": reason}}
	}
	return nil
}
