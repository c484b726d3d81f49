package handlers

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// RowReader reads one row of the ledger.
type RowReader interface {
	Row(ctx context.Context, institute, id string) (fees.Row, error)
}

// ReceiptShow is the page of one receipt.
type ReceiptShow struct {
	Ledger interface {
		RowReader
		PrintsReader
		ReceiptCheques
		ReceiptRefunds
		Heads(ctx context.Context, institute string) ([]fees.Head, error)
	}
	PDF ReceiptPDF
}

// PrintsReader reads who printed a receipt.
type PrintsReader interface {
	Prints(ctx context.Context, institute, id string) (fees.Prints, error)
}

// ReceiptCheques reads the cheques of a payment.
type ReceiptCheques interface {
	RowCheques(ctx context.Context, institute, id string) ([]fees.Cheque, error)
}

// ReceiptRefunds reads what was given back of a payment.
type ReceiptRefunds interface {
	RefundsOf(ctx context.Context, paid fees.Row) ([]fees.Row, error)
}

// Get shows a row: what it was for, how it was paid, what became of it, and
// what the visitor may do with it. With ".pdf" at its end it is the file.
func (h ReceiptShow) Get(c echo.Context) error {
	if id, asFile := strings.CutSuffix(c.Param("id"), ".pdf"); asFile {
		return h.PDF.Get(c, id)
	}
	v := VisitorOf(c)
	row, reversal, err := readRow(c.Request().Context(), h.Ledger, v.Institute.Code, c.Param("id"))
	if err != nil {
		return err
	}
	page := views.ReceiptOf(v.Institute, row, reversal, usual(c))
	page.Frame = FrameOf(c, "Receipt "+views.NumberOr(row.NumberText))
	if v.User.Role.May(fees.PermCollect) {
		page.Next, page.Collect = "/collect", views.CollectHref(row.Student)
	}
	stands := row.Kind == fees.KindPayment && row.ReversedBy == ""
	if stands {
		back, err := h.Ledger.RefundsOf(c.Request().Context(), row)
		if err != nil {
			return err
		}
		page.Refunded = views.RefundedOf(v.Institute, back)
	}
	if stands && v.User.Role.May(fees.PermCollect) {
		heads, err := h.Ledger.Heads(c.Request().Context(), v.Institute.Code)
		if err != nil {
			return err
		}
		if row.HasRefundable(heads) {
			page.Refund = views.RefundReceiptHref(row.ShortID())
		}
		page.AskReversal = !v.User.Role.May(fees.PermReverse)
	}
	var cheques []fees.Cheque
	if row.Kind == fees.KindPayment && slices.ContainsFunc(row.Tenders, fees.Tender.IsCheque) {
		if cheques, err = h.Ledger.RowCheques(c.Request().Context(), v.Institute.Code, row.ShortID()); err != nil {
			return err
		}
		page.Cheques = views.ChequesBriefOf(v.Institute, v.Today, cheques, v.User.Role.May(fees.PermRegister))
	}
	if stands && v.User.Role.May(fees.PermReverse) && len(page.Refunded) == 0 { // what was given back of is not reversed
		form := views.ReverseOf(v.Institute, row, cheques)
		page.Reverse = &form
	}
	if v.User.Role.May(fees.PermRegister) {
		log, err := h.Ledger.Prints(c.Request().Context(), v.Institute.Code, row.ShortID())
		if err != nil {
			return err
		}
		page.Printed = views.PrintLinesOf(v.Institute, log)
	}
	return Render(c, http.StatusOK, views.ReceiptPage(page))
}

// readRow is a row and, where it was taken back, the row that did so.
func readRow(ctx context.Context, ledger RowReader, institute, id string) (fees.Row, *fees.Row, error) {
	row, err := ledger.Row(ctx, institute, id)
	if err != nil || row.ReversedBy == "" {
		return row, nil, err
	}
	reversal, err := ledger.Row(ctx, institute, fees.After(row.ReversedBy))
	if err != nil {
		return row, nil, err
	}
	return row, &reversal, nil
}
