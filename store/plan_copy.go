package store

import (
	"context"
	"slices"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// PreviewCopy is what a copy of a year's plan would write; o.Version is not
// looked at. Codes: Invalid (Fields from_fy, to_fy, change), NotFound (the
// institute).
func (s *Store) PreviewCopy(ctx context.Context, institute string, o fees.CopyOrder) (fees.PlanCopy, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.PlanCopy{}, err
	}
	if bad := openYear(inst, o.To); bad != nil {
		return fees.PlanCopy{}, &fees.Error{Code: bad.Code, Message: bad.Message, Fields: map[string]string{"to_fy": bad.Fields["fy"]}}
	}
	periods, err := s.Periods(ctx, institute)
	if err != nil {
		return fees.PlanCopy{}, err
	}
	rows, err := s.PlanRows(ctx, institute, o.From)
	if err != nil {
		return fees.PlanCopy{}, err
	}
	if o.To != o.From {
		there, err := s.PlanRows(ctx, institute, o.To)
		if err != nil {
			return fees.PlanCopy{}, err
		}
		rows = append(rows, there...)
	}
	copied, bad := fees.CopyPlan(rows, periods, o.From, o.To, o.Change, inst.FYStart)
	if bad != nil {
		return fees.PlanCopy{}, bad
	}
	return copied, nil
}

// CopyPlan copies a year's plan, and its rules where the new year has none.
// Nothing that is there is overwritten, and a copy that has nothing left to
// write is done already. Codes: those of PreviewCopy, and Conflict where the
// plan is not the one of o.Version any more.
func (s *Store) CopyPlan(ctx context.Context, institute string, o fees.CopyOrder, by fees.Actor) (fees.PlanCopy, error) {
	unlock, err := s.planning.lock(ctx, institute)
	if err != nil {
		return fees.PlanCopy{}, outage("copy fee plan", err)
	}
	defer unlock()
	copied, err := s.PreviewCopy(ctx, institute, o)
	if err != nil {
		return copied, err
	}
	if len(copied.Rows)+len(copied.Periods) > 0 && copied.Version() != o.Version {
		return copied, fees.Errorf(fees.Conflict, "The plan of %s or %s was changed since the preview. Nothing was copied; look at the preview again.", o.From, o.To)
	}
	// Periods first: what is there after a crash is never a row of a period
	// that there is not.
	var ops []docdb.UpdateOp
	for _, p := range copied.Periods {
		op, err := addOp(institute, p.ID, p)
		if err != nil {
			return copied, err
		}
		ops = append(ops, op)
	}
	if err := s.writeCopy(ctx, periods, ops); err != nil {
		return copied, err
	}
	ops = ops[:0]
	for _, r := range copied.Rows {
		op, err := addOp(institute, r.ID, r)
		if err != nil {
			return copied, err
		}
		ops = append(ops, op)
	}
	if err := s.writeCopy(ctx, plans, ops); err != nil {
		return copied, err
	}
	if err := s.copiedSo(ctx, institute, o.To, copied.Rows); err != nil {
		return copied, err
	}
	if err := s.copyRules(ctx, institute, o); err != nil {
		return copied, begun("copy rules", err)
	}
	s.Log.InfoContext(ctx, "fee plan copied", "institute", institute, "from_fy", o.From, "to_fy", o.To, "change", o.Change.String(), "rows", len(copied.Rows), "by", by.Login, "from", by.From)
	return copied, nil
}

func (s *Store) writeCopy(ctx context.Context, coll string, ops []docdb.UpdateOp) error {
	for batch := range slices.Chunk(ops, batchSize) {
		if _, err := s.writeBatch(ctx, coll, batch); err != nil {
			return begun("copy fee plan", err)
		}
	}
	return nil
}

// copiedSo is a Conflict where a row is not as it was copied: of two copies at
// once, with different percentages, each has a part of the rows.
func (s *Store) copiedSo(ctx context.Context, institute, fy string, rows []fees.PlanRow) error {
	there, err := s.PlanRows(ctx, institute, fy)
	if err != nil {
		return begun("copy fee plan", err)
	}
	amounts := make(map[string]fees.Amount, len(there))
	for _, r := range there {
		amounts[r.ID] = r.Amount
	}
	for _, r := range rows {
		if amounts[r.ID] != r.Amount {
			return fees.Errorf(fees.Conflict, "Somebody else changed the plan of %s at the same moment, so not all of it is what you copied. Look at it.", fy)
		}
	}
	return nil
}

func (s *Store) copyRules(ctx context.Context, institute string, o fees.CopyOrder) error {
	rules, err := s.Rules(ctx, institute, o.From)
	if err != nil || rules.Version == 0 {
		return err
	}
	rules.ID, rules.FY, rules.Version = fees.Key(institute, o.To), o.To, 1
	if err := s.DB.InsertOne(ctx, ruleSets, rules); err != nil && !docdb.IsDuplicate(err) {
		return err
	}
	return nil
}
