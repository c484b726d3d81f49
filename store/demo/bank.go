package demo

import (
	"context"

	"raseed/store/fees"
)

func accountantOf() fees.Actor {
	return fees.Actor{Login: "ravi", Name: "Ravi Menon", Role: fees.RoleAccountant, From: "127.0.0.1"}
}

// bank takes the cheques of a payment to the bank, on a slip of their own: most of them
// clear, one comes back, and some stay in hand or are dated ahead.
func (f *filler) bank(ctx context.Context, inst fees.Institute, paid fees.Row, i int) error {
	if inst.Code != school || i%4 == 3 || wrong(i) || paid.ReversedBy != "" {
		return nil
	}
	today := inst.Today(f.clock)
	var ids []string
	for n, t := range paid.Tenders {
		if t.IsCheque() && t.Date <= today {
			ids = append(ids, fees.After(fees.ChequeID(paid.ID, n)))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := f.s.DepositCheques(ctx, inst.Code, fees.DepositOrder{
		ID: f.id(inst, 10_000+i), Cheques: ids, Account: "Fee account, State Bank of India", By: accountantOf(),
	})
	switch {
	case err != nil:
	case i == bounced:
		_, err = f.s.BounceCheque(ctx, inst.Code, fees.BounceOrder{Cheque: ids[0], Reason: "Funds insufficient", Charge: 25_000, By: accountantOf()})
	case i%4 == 0:
		_, err = f.s.ClearCheques(ctx, inst.Code, fees.ClearOrder{Cheques: ids, By: accountantOf()})
	}
	return err
}
