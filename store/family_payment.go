package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// RecordFamily records what was handed over for several children of a family,
// and gives each child a receipt. The family payment is durable first, with what
// of it is for whom; each child's row follows from it. What cannot be written
// then, the sweep writes: from here on it never fails.
//
// What a child owes less than its part by then, because another counter was
// faster, becomes an advance of the child.
//
// The order's ID is the idempotency key: the same order again answers with the
// same payment, the same ID with other content is a Conflict and changes
// nothing. Other codes: Invalid, with the Fields of fees.FamilyOrder.Check, also
// for a child who is not of the institute, or not of the family any more;
// Unavailable (nothing was written), Unconfirmed (send the same order again).
func (s *Store) RecordFamily(ctx context.Context, institute string, o fees.FamilyOrder) (fees.FamilyPayment, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.FamilyPayment{}, err
	}
	refusal := o.Check(inst, inst.Today(s.Now()))
	digest := familyDigest(o)
	// Looked up before a refusal counts, as with a single payment.
	if fees.ValidID(o.Payment.ID) {
		p, err := s.recordedFamily(ctx, institute, o.Payment.ID, digest)
		if err == nil {
			return s.finishFamily(ctx, inst, p), nil
		}
		if fees.CodeOf(err) != fees.NotFound {
			return fees.FamilyPayment{}, err
		}
	}
	if refusal != nil {
		return fees.FamilyPayment{}, refusal
	}
	unlock, err := s.askRepeats(ctx, inst, o.Payment)
	if err != nil {
		return fees.FamilyPayment{}, err
	}
	defer unlock()
	p, err := s.openFamilyPayment(ctx, inst, o, digest)
	if err != nil {
		return fees.FamilyPayment{}, err
	}
	err = s.throughTill(ctx, inst, p.Cashier, o.Payment.Shift, func(shift string) (err error) {
		p.Shift = shift
		p, err = s.writeFamily(ctx, p)
		return err
	})
	if fees.CodeOf(err) == fees.Conflict {
		// The same form, posted at the same moment, may have come before the till was
		// closed.
		if there, absent := s.recordedFamily(ctx, institute, o.Payment.ID, digest); fees.CodeOf(absent) != fees.NotFound {
			p, err = there, absent
		}
	}
	if err != nil {
		return fees.FamilyPayment{}, err
	}
	return s.finishFamily(ctx, inst, p), nil
}

// FamilyPayment is the family payment whose key after the institute is id;
// NotFound.
func (s *Store) FamilyPayment(ctx context.Context, institute, id string) (fees.FamilyPayment, error) {
	var p fees.FamilyPayment
	err := s.DB.FindOne(ctx, families, one(institute, fees.Key(institute, id)), docdb.Find{}, &p)
	if errors.Is(err, docdb.ErrNotFound) {
		return p, fees.Errorf(fees.NotFound, "There is no such family payment.")
	}
	return p, outageOrNil("read family payment", err)
}

// recordedFamily is the family payment that an order has become; NotFound, or
// Conflict when its id was used for another.
func (s *Store) recordedFamily(ctx context.Context, institute, id, digest string) (fees.FamilyPayment, error) {
	p, err := s.FamilyPayment(ctx, institute, id)
	if err == nil && p.Digest != digest {
		return fees.FamilyPayment{}, fees.Errorf(fees.Conflict, "This form was already recorded with other content. Nothing was changed. Open the family again for another payment.")
	}
	return p, err
}

// openFamilyPayment makes the family payment of an order that was checked.
func (s *Store) openFamilyPayment(ctx context.Context, inst fees.Institute, o fees.FamilyOrder, digest string) (fees.FamilyPayment, error) {
	total, wrong := fees.TotalOf(o.Payment.Tenders)
	if wrong != nil {
		return fees.FamilyPayment{}, wrong
	}
	now := s.instant()
	p := fees.FamilyPayment{
		ID: fees.Key(inst.Code, o.Payment.ID), Institute: inst.Code, RecordedAt: now,
		Date: cmp.Or(o.Payment.Date, inst.Today(now)), Tenders: o.Payment.Tenders, Total: total, Remark: o.Payment.Remark,
		Cashier: o.Payment.By.Login, CashierName: o.Payment.By.Name, From: o.Payment.By.From,
		Digest: digest, Open: true,
	}
	names, err := s.familyOfOrder(ctx, inst, o, &p)
	if err != nil {
		return p, err
	}
	dues := make([]fees.Dues, len(o.Children))
	for n, c := range o.Children {
		s.chargeLate(ctx, inst, c.Student, p.Date)
		if dues[n], err = s.Dues(ctx, inst.Code, c.Student); err != nil {
			return p, err
		}
	}
	parts := o.Allocate(total, dues)
	tenders := fees.SplitTenders(p.Tenders, parts)
	for n, c := range o.Children {
		if parts[n] > 0 {
			p.Children = append(p.Children, fees.FamilyShare{
				Student: c.Student, Name: names[n], Amount: parts[n], Tenders: tenders[n], Row: s.NewID(),
			})
		}
	}
	return p, nil
}

// familyOfOrder notes whose family the order's children are, and gives their
// names. All are of one family and at the school.
func (s *Store) familyOfOrder(ctx context.Context, inst fees.Institute, o fees.FamilyOrder, p *fees.FamilyPayment) (names []string, err error) {
	wrong := map[string]string{}
	names = make([]string, len(o.Children))
	for n, c := range o.Children {
		field := fmt.Sprintf("child.%d", n)
		st, err := s.Student(ctx, inst.Code, c.Student)
		switch {
		case fees.CodeOf(err) == fees.NotFound:
			wrong[field] = fmt.Sprintf("There is no student %s here", c.Student)
		case err != nil:
			return nil, err
		case st.Status != fees.StudentActive:
			wrong[field] = fmt.Sprintf("%s (%s) is no longer at the school", st.Name, st.AdmissionNo)
		case st.Family == "":
			wrong[field] = fmt.Sprintf("%s (%s) is in no family", st.Name, st.AdmissionNo)
		case p.Family != "" && !strings.EqualFold(st.Family, p.Family):
			wrong[field] = fmt.Sprintf("%s (%s) is not in the family %s", st.Name, st.AdmissionNo, p.Family)
		case p.Family == "":
			p.Family = st.Family
		}
		names[n] = st.Name
	}
	if bad := refusal("Nothing was recorded.", wrong); bad != nil {
		return nil, bad
	}
	return names, nil
}

// writeFamily makes a family payment durable. One that is there already is the
// answer if it is of the same order, and a Conflict if it is not.
func (s *Store) writeFamily(ctx context.Context, p fees.FamilyPayment) (fees.FamilyPayment, error) {
	sent := false
	var err error
	for range writeAttempts {
		if err = s.DB.InsertOne(ctx, families, p); err == nil {
			return p, nil
		}
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			break
		}
		sent = true
		there, unread := s.recordedFamily(ctx, p.Institute, p.ShortID(), p.Digest)
		switch {
		case unread == nil || fees.CodeOf(unread) == fees.Conflict:
			return there, unread
		case fees.CodeOf(unread) != fees.NotFound:
			return p, unconfirmed("record family payment", lostAnswer, err)
		}
	}
	if sent {
		return p, unconfirmed("record family payment", lostAnswer, err)
	}
	return p, outage("record family payment", err)
}

// familyDigest is the SHA-256, in hex, of everything that was posted.
func familyDigest(o fees.FamilyOrder) string {
	text, err := json.Marshal(struct {
		Payment  string
		Children []fees.FamilyChild
	}{digestOf(o.Payment), o.Children})
	if err != nil {
		panic(err) // strings and integers always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
