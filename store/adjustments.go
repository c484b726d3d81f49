package store

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"raseed/store/fees"
)

// An adjustment moves credit between bills: its total is zero. What is owed
// does not wait for it (fees.DuesOf counts an advance wherever it is); it is the
// row by which the ledger says so. It is keyed by what brought it, a bill or a
// reversal, so that it is written once whoever does it how often.

// cause is what brings an adjustment with it.
type cause struct {
	id      string // of the bill or the reversal
	student string
	reason  string // for people
	by      fees.Actor
}

// applyAdvances uses what students have paid in advance for bills just written
// and counted, at most batchSize of them; sums are their students' accounts by
// now. countBills does it for every bill; until then the bill is marked, so that
// the sweep does it for the dead.
func (s *Store) applyAdvances(ctx context.Context, institute string, written []fees.Bill, sums map[string]fees.Account) error {
	causes, err := s.causesOf(ctx, institute, written, sums)
	if err != nil {
		return begun("apply advances", err)
	}
	if len(causes) == 0 {
		return nil
	}
	return s.adjust(ctx, institute, causes)
}

// causesOf are the bills of those who may have been in credit before them, and
// those that are a credit in part. A new bill that is found marked was left by
// somebody, and may have had others after it: its student is always looked at.
func (s *Store) causesOf(ctx context.Context, institute string, written []fees.Bill, sums map[string]fees.Account) ([]cause, error) {
	suspect := make(map[string]bool)
	before := make(map[string]fees.Amount, len(sums))
	for student, a := range sums {
		before[student] = a.Balance
	}
	for _, b := range written {
		before[b.Student] -= b.Net
		if b.Uncounted && b.Revision == 0 || slices.ContainsFunc(b.Lines, func(l fees.BillLine) bool { return l.Net < 0 }) {
			suspect[b.Student] = true
		}
	}
	names := map[string]string{} // of who ordered it, by run or charge
	var causes []cause
	for _, b := range written {
		if before[b.Student] >= 0 && !suspect[b.Student] {
			continue
		}
		name, known := names[b.Run+b.Charge]
		if !known {
			var err error
			if name, err = s.orderedBy(ctx, institute, b); err != nil {
				return nil, err
			}
			names[b.Run+b.Charge] = name
		}
		causes = append(causes, cause{id: b.ID, student: b.Student, reason: "Advance applied when " + b.Title + " was billed", by: fees.Actor{Name: name}})
	}
	return causes, nil
}

// orderedBy is who started the billing run of the bill or placed its charge.
// What nobody ordered the program itself did.
func (s *Store) orderedBy(ctx context.Context, institute string, b fees.Bill) (name string, err error) {
	switch {
	case b.Run != "":
		var run fees.Run
		run, err = s.Run(ctx, institute, fees.After(b.Run))
		name = run.By
	case b.Charge != "":
		var c fees.Charge
		c, err = s.charge(ctx, institute, b.Charge)
		name = c.By
	}
	if fees.CodeOf(err) == fees.NotFound {
		err = nil
	}
	return cmp.Or(name, "Raseed"), err
}

// giveBack moves credit after a reversal: a bill that was settled from an
// advance which the reversal takes back is owed again, and what is still held
// in advance settles what the reversal reopened.
func (s *Store) giveBack(ctx context.Context, reversal fees.Row) error {
	return s.adjust(ctx, reversal.Institute, []cause{{
		id: reversal.ID, student: reversal.Student, reason: "Advance adjusted after the reversal of " + reversal.ReversesText,
		by: fees.Actor{Login: reversal.Cashier, Name: reversal.CashierName, From: reversal.From},
	}})
}

// adjust writes the adjustments that the causes bring, and numbers them. Where
// the books are closed today there are none: no row may be dated today, and
// what is owed is known without. Its causes being there already, it never fails
// with nothing written.
func (s *Store) adjust(ctx context.Context, institute string, causes []cause) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return begun("apply advances", err)
	}
	if inst.Today(s.Now()) <= inst.ClosedTo {
		return nil
	}
	rows, err := s.writeAdjustments(ctx, inst, causes)
	if err != nil {
		return begun("apply advances", err)
	}
	// One that was there may be of another year; whoever wrote it numbers it, or the sweep.
	series := seriesKey{inst.Code, inst.FY(inst.Today(s.Now())), fees.SeriesAdjustment}
	rows = slices.DeleteFunc(rows, func(r fees.Row) bool { return !r.Awaiting || seriesOf(r) != series })
	if len(rows) == 0 {
		return nil
	}
	if err := s.finishBatch(ctx, rows, s.numbers); err != nil {
		s.Log.WarnContext(ctx, "adjustments await their numbers", slog.String("institute", institute), slog.Any("error", err))
	}
	return nil
}
