package handlers

import (
	"context"

	"raseed/store/fees"
	"raseed/views"
)

// readStrip is the visitor's till in a line. Where it cannot be read the counter
// does without.
func readStrip(ctx context.Context, ledger ShiftReader, v Visitor) *views.ShiftStrip {
	shift, ok, err := ledger.ShiftOf(ctx, v.Institute.Code, v.User.Login)
	if err != nil {
		return nil
	}
	if !ok || shift.State != fees.ShiftOpen {
		return &views.ShiftStrip{}
	}
	cash, err := ledger.ShiftCash(ctx, v.Institute.Code, shift.ShortID())
	if err != nil {
		return nil
	}
	strip := views.ShiftStripOf(v.Institute, shift, cash)
	return &strip
}
