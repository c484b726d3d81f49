package store

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// lateFees is everything that an institute's late fees of a day follow from.
type lateFees struct {
	s     *Store
	inst  fees.Institute
	rules map[string]fees.LateRule // of the open years that have one
	heads map[string]string        // names by code, once one is to be written
	asOf  fees.Date
}

// openLateFees reads the rules. Without any, nobody pays late.
func (s *Store) openLateFees(ctx context.Context, inst fees.Institute, asOf fees.Date) (*lateFees, error) {
	l := &lateFees{s: s, inst: inst, asOf: asOf, rules: map[string]fees.LateRule{}}
	for raw, err := range s.DB.Find(ctx, ruleSets, bson.D{under(fees.Key(inst.Code, ""))}, docdb.Find{}) {
		if err != nil {
			return nil, outage("read late fee rules", err)
		}
		var r fees.Rules
		if err := bson.Unmarshal(raw, &r); err != nil {
			return nil, outage("read late fee rules", err)
		}
		if !r.Late.IsZero() && openYear(inst, r.FY) == nil { // a closed year changes for nobody
			l.rules[r.FY] = r.Late
		}
	}
	return l, nil
}

// changes are the late fees to be charged to at most batchSize students.
func (l *lateFees) changes(ctx context.Context, students []string) ([]fees.LateChange, error) {
	of := bson.D{{Key: "institute", Value: l.inst.Code}, {Key: "student", Value: bson.D{{Key: "$in", Value: students}}}}
	billed := map[string][]fees.Bill{}
	late := map[string]bool{} // whose rows matter
	for raw, err := range l.s.DB.Find(ctx, bills, of, docdb.Find{}) {
		if err != nil {
			return nil, outage("read bills", err)
		}
		var b fees.Bill
		if err := bson.Unmarshal(raw, &b); err != nil {
			return nil, outage("read bills", err)
		}
		billed[b.Student] = append(billed[b.Student], b)
		if l.rules[b.FY].Overdue(b, l.asOf) {
			late[b.Student] = true
		}
	}
	if len(late) == 0 {
		return nil, nil
	}
	received := map[string][]fees.Row{}
	for raw, err := range l.s.DB.Find(ctx, payments, of, docdb.Find{Fields: []string{"student", "kind", "date", "lines"}}) {
		if err != nil {
			return nil, outage("read rows", err)
		}
		var r fees.Row
		if err := bson.Unmarshal(raw, &r); err != nil {
			return nil, outage("read rows", err)
		}
		received[r.Student] = append(received[r.Student], r)
	}
	var all []fees.LateChange
	for _, student := range students {
		if late[student] {
			all = append(all, fees.LateChanges(l.rules, billed[student], received[student], l.asOf)...)
		}
	}
	return all, nil
}

// charge charges at most batchSize students what they have to pay, and looks
// again where somebody else changed a late fee meanwhile.
func (l *lateFees) charge(ctx context.Context, students []string) (done fees.LateTally, err error) {
	for range writeAttempts {
		all, err := l.changes(ctx, students)
		if err != nil {
			return done, err
		}
		before := done
		for some := range slices.Chunk(all, batchSize) {
			if err := l.write(ctx, some, &done); err != nil {
				return done, begun("charge late fees", err)
			}
		}
		if done.Created+done.Grown-before.Created-before.Grown == int64(len(all)) {
			return done, nil
		}
	}
	return done, nil
}

// write creates the late fees that are new and has the others grow, each only
// from the state in which it was read.
func (l *lateFees) write(ctx context.Context, some []fees.LateChange, done *fees.LateTally) error {
	ops := make([]docdb.UpdateOp, len(some))
	written := make([]fees.Bill, len(some))
	for i, c := range some {
		var err error
		if c.Old.ID == "" {
			if err := l.nameHead(ctx, &c.New.Lines[0]); err != nil {
				return err
			}
			c.New.CreatedAt = l.s.instant()
			written[i] = c.New
			ops[i], err = billOp(c.New)
		} else {
			written[i], ops[i], err = l.s.reviseOp(c.Old, c.New, fees.Revised{Reason: "Late fee up to " + string(l.asOf)})
			written[i].Uncounted = c.Old.Uncounted // or countBills takes it for one that somebody left
		}
		if err != nil {
			return err
		}
	}
	res, err := l.s.writeBatch(ctx, bills, ops)
	if err != nil {
		return err
	}
	done.Created += int64(len(res.Upserts))
	done.Grown += res.Modified
	_, err = l.s.countBills(ctx, l.inst.Code, written)
	return err
}

// nameHead gives a line the name that its head has. The heads are read when the
// first is asked for: most who pay have no new late fee.
func (l *lateFees) nameHead(ctx context.Context, line *fees.BillLine) error {
	if l.heads == nil {
		all, err := l.s.Heads(ctx, l.inst.Code)
		if err != nil {
			return err
		}
		l.heads = make(map[string]string, len(all))
		for _, head := range all {
			l.heads[head.Code] = head.Name
		}
	}
	line.HeadName = cmp.Or(l.heads[line.Head], line.HeadName)
	return nil
}

// chargeLate charges one student the late fees up to a day, before money of
// that day is taken. It never fails: what could not be charged now the daily
// round charges, and a payment is not held up by it.
func (s *Store) chargeLate(ctx context.Context, inst fees.Institute, student string, asOf fees.Date) {
	l, err := s.openLateFees(ctx, inst, asOf)
	if err == nil && len(l.rules) > 0 {
		_, err = l.charge(ctx, []string{student})
	}
	if err != nil {
		s.Log.WarnContext(ctx, "late fees wait for the daily round", slog.String("student", fees.Key(inst.Code, student)), slog.Any("error", err))
	}
}

// ChargeLate charges one student the late fees up to today, for a counter that
// is about to collect from them. Like a payment, which does the same, it goes
// on without where that fails.
func (s *Store) ChargeLate(ctx context.Context, inst fees.Institute, student string) {
	s.chargeLate(ctx, inst, student, inst.Today(s.Now()))
}
