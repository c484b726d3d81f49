package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/export"
	"raseed/views/ui"
)

const csvPage = 200

// CSV streams the whole selection of the register as a file, page by page, so
// that its size does not matter and no reader holds on to the store.
func (h ReceiptsList) CSV(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	f := registerFilter(form, v)
	if form.Err() != nil {
		return h.refuse(c, form, ui.AlertView{Kind: "error", Title: "Correct what is marked and press Show again."})
	}
	page, err := h.Ledger.Register(c.Request().Context(), v.Institute.Code, f, "", csvPage)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	header.Set(echo.HeaderContentDisposition, `attachment; filename="receipts-`+strings.ToLower(v.Institute.Code)+"-"+string(v.Today)+`.csv"`)
	c.Response().WriteHeader(http.StatusOK)
	// Neither the deadline of a page's work nor of its sending is for a year's
	// register on a slow line; a reader that goes away ends it by the write.
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Time{})
	ctx := context.WithoutCancel(c.Request().Context())
	if err := h.writeCSV(ctx, c.Response(), v, f, page); err != nil {
		if gone := (*net.OpError)(nil); errors.As(err, &gone) {
			err = gone.Err // whose address it was does not go into the log
		}
		// The head is gone out: only a broken connection tells the reader
		// that the file is not whole.
		return fmt.Errorf("send the register: %w: %w", http.ErrAbortHandler, err)
	}
	return nil
}

func (h ReceiptsList) writeCSV(ctx context.Context, w io.Writer, v Visitor, f fees.RegisterFilter, page fees.Page[fees.Row]) error {
	code := v.Institute.Code
	out, err := export.NewCSV(w, views.RegisterColumns()...)
	if err != nil {
		return err
	}
	for {
		for _, row := range page.Items {
			reversal, err := h.reversalNumber(ctx, code, row)
			if err != nil {
				return err
			}
			if err := out.Row(views.RegisterCells(v.Institute, row, reversal)...); err != nil {
				return err
			}
		}
		if err := out.Flush(); err != nil || page.Next == "" {
			return err
		}
		if page, err = h.Ledger.Register(ctx, code, f, page.Next, csvPage); err != nil {
			return err
		}
	}
}
