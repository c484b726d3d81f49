package store

import (
	"context"
	"slices"

	"raseed/store/fees"
)

// mutantMintedReversal gives a reversal an id of its own and trusts the pointer
// on the payment to say whether there is one.
func (s *Store) mutantMintedReversal(ctx context.Context, institute string, o fees.ReversalOrder) (fees.Row, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Row{}, err
	}
	paid, err := s.Row(ctx, institute, o.ID)
	if err != nil {
		return fees.Row{}, err
	}
	if paid.ReversedBy != "" {
		return s.Row(ctx, institute, fees.After(paid.ReversedBy))
	}
	if paid, err = s.tryFinish(ctx, paid); err != nil {
		return fees.Row{}, err
	}
	row := paid
	row.ID = fees.Key(institute, s.NewID())
	row.Kind, row.Series, row.Format = fees.KindReversal, fees.SeriesReversal, inst.Formats.Reversal
	row.Date = inst.Today(s.instant())
	row.FY = inst.FY(row.Date)
	row.Total = -paid.Total
	row.Lines, row.Tenders = slices.Clone(paid.Lines), slices.Clone(paid.Tenders)
	for i := range row.Lines {
		row.Lines[i].Amount = -row.Lines[i].Amount
	}
	for i := range row.Tenders {
		row.Tenders[i].Amount = -row.Tenders[i].Amount
	}
	row.EnterTill("")
	row.Reverses, row.ReversesText, row.ReversedBy, row.Remark, row.Body = paid.ID, paid.NumberText, "", "", ""
	if row, err = s.writeRow(ctx, attached{}.on(row)); err != nil {
		return fees.Row{}, err
	}
	return s.finish(ctx, row), nil
}

// mutantNewForm is a counter page that takes a payment which is not confirmed
// for one that was not recorded, and starts over with a new form.
func mutantNewForm(a *actor, o *fees.PaymentOrder) (fees.Row, error) {
	row, err := a.p.s.RecordPayment(a.ctx, a.school.code(), *o)
	if fees.CodeOf(err) == fees.Unconfirmed && !a.p.dead {
		a.school.doubt(o.ID)
		o.ID = a.p.s.NewID()
		a.school.posts(*o)
	}
	return row, err
}
