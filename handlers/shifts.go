package handlers

import (
	"context"

	"raseed/store/fees"
)

// ShiftReader reads tills.
type ShiftReader interface {
	ShiftOf(ctx context.Context, institute, login string) (shift fees.Shift, ok bool, err error)
	ShiftCash(ctx context.Context, institute, id string) (fees.Amount, error)
}

// ShiftKeeper opens, empties and closes tills, and lists them.
type ShiftKeeper interface {
	ShiftReader
	Shift(ctx context.Context, institute, id string) (fees.Shift, error)
	ShiftElsewhere(ctx context.Context, shift fees.Shift) ([]fees.TakenBack, error)
	ShiftCheques(ctx context.Context, shift fees.Shift) ([]fees.Cheque, error)
	ShiftSums(ctx context.Context, shift fees.Shift) (fees.TillSums, error)
	Shifts(ctx context.Context, institute, cashier, after string, limit int64) (fees.Page[fees.Shift], error)
	OpenShifts(ctx context.Context, institute string) ([]fees.Shift, error)
	OpenShift(ctx context.Context, institute string, o fees.ShiftOrder) (fees.Shift, error)
	DropToSafe(ctx context.Context, institute string, o fees.DropOrder) (fees.Shift, error)
	CloseShift(ctx context.Context, institute string, o fees.CloseOrder) (fees.Shift, error)
}

// Tills is everything about tills: the visitor's own, and for those who may the
// others'.
type Tills struct {
	Ledger ShiftKeeper
	NewID  func() string // ULIDs
}
