package store

import (
	"context"
	"errors"
	"fmt"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// outage says in a person's words that the store failed while op was done.
// The cause stays in the chain for the log.
func outage(op string, err error) error {
	var said *fees.Error
	switch {
	case errors.As(err, &said):
		return err
	case errors.Is(err, docdb.ErrUnknownOutcome):
		return fmt.Errorf("%s: %w: %w", op, fees.Errorf(fees.Unconfirmed, "Not confirmed: press again, it cannot be charged twice."), err)
	case errors.Is(err, docdb.ErrUnavailable), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w: %w", op, fees.Errorf(fees.Unavailable, "The ledger cannot be reached at the moment. Nothing was written; please try again."), err)
	default:
		return fmt.Errorf("%s: %w", op, err)
	}
}

// begun is outage for an operation of many writes, of which some may be done.
func begun(op string, err error) error {
	err = outage(op, err)
	if code := fees.CodeOf(err); code != fees.Unavailable && code != fees.Unconfirmed {
		return err
	}
	return fmt.Errorf("%w: %w", fees.Errorf(fees.Unconfirmed, "It was not finished, and a part may be written. Do the same again: nothing is done twice."), err)
}

// outageOrNil is outage where nothing may be wrong.
func outageOrNil(op string, err error) error {
	if err == nil {
		return nil
	}
	return outage(op, err)
}
