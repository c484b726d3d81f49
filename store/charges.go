package store

import (
	"context"
	"errors"
	"slices"
	"strings"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// PreviewCharge tells what PlaceCharge would do, and writes nothing. Codes:
// Invalid with the Fields of fees.ChargeOrder.Check, for a head, class or
// student that there is not too; NotFound (the institute).
func (s *Store) PreviewCharge(ctx context.Context, institute string, o fees.ChargeOrder) (fees.ChargePreview, error) {
	p, spelt, err := s.openCharge(ctx, institute, o)
	if err != nil {
		return p, err
	}
	for batch, err := range s.charged(ctx, p.Charge, spelt) {
		if err != nil {
			return p, err
		}
		for _, st := range batch {
			if chargeable(p.Charge, st) {
				p.Charge.Students++
				p.Charge.Total += p.Charge.Amount
			} else {
				p.Inactive++
			}
		}
	}
	return p, nil
}

// PlaceCharge bills a one-off charge: the student, or every active student of
// the class. The bills are keyed by the charge and the charge by its order, so
// that the same order again bills nobody twice; one that was left half done is
// finished by that, or by the sweep.
//
// Codes: those of PreviewCharge; Invalid with Field charge_id; Conflict (the
// same id with other content); Unavailable, Unconfirmed.
func (s *Store) PlaceCharge(ctx context.Context, institute string, o fees.ChargeOrder) (fees.Charge, error) {
	if !fees.ValidID(o.ID) {
		message := "This form is damaged. Open the charges again and begin from there."
		return fees.Charge{}, &fees.Error{Code: fees.Invalid, Message: message, Fields: map[string]string{"charge_id": message}}
	}
	p, _, err := s.openCharge(ctx, institute, o)
	c := p.Charge
	if err != nil {
		return c, err
	}
	if err := s.DB.InsertOne(ctx, charges, c); err != nil {
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			return c, outage("place charge", err)
		}
		there, unread := s.charge(ctx, institute, o.ID)
		if unread != nil { // it may still arrive
			return c, unconfirmed("place charge", lostAnswer, err)
		}
		if !there.Same(c) {
			return c, fees.Errorf(fees.Conflict, "This form already charged %s. Nothing was changed.", there.Title)
		}
		c = there
	}
	if c.State == fees.ChargeDone {
		return c, nil
	}
	s.Log.InfoContext(ctx, "one-off charge", "charge", c.ID, "by", o.By.Login, "from", o.By.From)
	return s.billCharge(ctx, c)
}

// openCharge checks an order and makes the charge of it; spelt is its class in
// each of the ways in which students have it.
func (s *Store) openCharge(ctx context.Context, institute string, o fees.ChargeOrder) (p fees.ChargePreview, spelt []string, err error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return p, nil, err
	}
	wrong := map[string]string{}
	if bad := o.Check(inst.ClosedTo); bad != nil {
		wrong = bad.Fields
	}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return p, nil, err
	}
	at := slices.IndexFunc(all, func(h fees.Head) bool { return strings.EqualFold(h.Code, o.Head) })
	if at < 0 && wrong["head"] == "" {
		wrong["head"] = "There is no head " + leading(o.Head, 40)
	}
	note := func(field string, err error) error {
		var said *fees.Error
		if errors.As(err, &said) && (said.Code == fees.Invalid || said.Code == fees.NotFound) {
			wrong[field] = strings.TrimSuffix(said.Message, ".")
			return nil
		}
		return err
	}
	if o.Class != "" && wrong["class"] == "" {
		spelt, err = s.classToBill(ctx, institute, o.Class)
		if err = note("class", err); err != nil {
			return p, nil, err
		}
	}
	if o.Student != "" && wrong["student"] == "" {
		_, err = s.Student(ctx, institute, o.Student)
		if err = note("student", err); err != nil {
			return p, nil, err
		}
	}
	if bad := refusal("Nothing was charged.", wrong); bad != nil {
		return p, nil, bad
	}
	if len(spelt) > 0 {
		o.Class = spelt[0]
	}
	p.Charge = fees.Charge{
		ID: fees.Key(institute, o.ID), Institute: institute, FY: inst.FY(o.DueDate),
		Title: o.Title, Head: all[at].Code, HeadName: all[at].Name, Amount: o.Amount, DueDate: o.DueDate,
		Class: o.Class, Student: o.Student, State: fees.ChargeOpen,
		By: o.By.Signature(), PlacedAt: s.instant(),
	}
	return p, spelt, nil
}

// charge is the charge of this id, the part of the key after the institute;
// NotFound.
func (s *Store) charge(ctx context.Context, institute, id string) (fees.Charge, error) {
	var c fees.Charge
	err := s.DB.FindOne(ctx, charges, one(institute, fees.Key(institute, id)), docdb.Find{}, &c)
	if errors.Is(err, docdb.ErrNotFound) {
		return c, fees.Errorf(fees.NotFound, "There is no such charge.")
	}
	return c, outageOrNil("read charge", err)
}
