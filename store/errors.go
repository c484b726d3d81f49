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
		return unconfirmed(op, lostAnswer, err)
	case errors.Is(err, docdb.ErrUnavailable), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w: %w", op, fees.Errorf(fees.Unavailable, "%s", notReached(err)), err)
	default:
		return fmt.Errorf("%s: %w", op, err)
	}
}

// lostAnswer is what a person is told where only doing it again can tell.
const lostAnswer = "Not confirmed: the answer was lost. Do the same again; nothing is done twice."

// unconfirmed is the error of a write that may have been done.
func unconfirmed(op, message string, err error) error {
	return fmt.Errorf("%s: %w: %w", op, fees.Errorf(fees.Unconfirmed, "%s", message), err)
}

// notReached says why nothing was written, and what to do.
func notReached(err error) string {
	switch {
	case errors.Is(err, docdb.ErrDiskFull):
		return "The disk is full. This attempt wrote nothing. Make room on it and do the same again; Raseed need not be restarted."
	case errors.Is(err, docdb.ErrReadOnly):
		return "The ledger's file cannot be written to. This attempt wrote nothing. Make it writable and do the same again; Raseed need not be restarted."
	case errors.Is(err, docdb.ErrDiskFailed):
		return "The disk that keeps the ledger failed. This attempt wrote nothing. Have it looked at, then do the same again."
	}
	return "The ledger cannot be reached at the moment. This attempt wrote nothing: try again, nothing is done twice."
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
