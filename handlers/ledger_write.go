package handlers

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"
)

// writeDeadline bounds a write to the ledger.
const writeDeadline = 30 * time.Second

// ledgerWrite is the context of a write to the ledger. It goes on when the
// browser goes away: the money was handed over, or back, and what was begun is
// not left half done.
func ledgerWrite(c echo.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.Request().Context()), writeDeadline)
}
