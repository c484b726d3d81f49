package handlers

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/print"
)

// FamilyReceipts shows and prints the receipts of a family payment.
type FamilyReceipts struct {
	Ledger interface {
		FamilyReader
		RowReader
	}
	PDF ReceiptPDF
}

// Get shows the payment and the receipt of each child. With ".pdf" at its end it
// is the file of all receipts.
func (h FamilyReceipts) Get(c echo.Context) error {
	v := VisitorOf(c)
	id, asFile := strings.CutSuffix(c.Param("id"), ".pdf")
	p, rows, err := h.read(c, id)
	if err != nil {
		return err
	}
	if asFile {
		if err := allWritten(p, rows); err != nil {
			return err
		}
		return h.PDF.send(c, rows, "Receipts of the family "+p.Family, "family-"+p.ShortID())
	}
	page := views.FamilyReceiptsOf(v.Institute, p, rows, usual(c))
	page.Frame = FrameOf(c, "Receipts of the family "+p.Family)
	if v.User.Role.May(fees.PermCollect) {
		page.Next, page.Collect = "/collect", views.FamilyHref(p.Children[0].Student)
	}
	return Render(c, http.StatusOK, views.FamilyReceiptsPage(page))
}

// Print shows all sheets in the format asked for, which the counter's browser
// remembers, and in the one that it remembers when none is; Invalid for one that
// does not exist.
func (h FamilyReceipts) Print(c echo.Context) error {
	format, err := h.PDF.format(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	p, rows, err := h.read(c, c.Param("id"))
	if err == nil {
		err = allWritten(p, rows)
	}
	if err != nil {
		return err
	}
	var sheets []print.Receipt
	for _, row := range rows {
		sheet, err := h.PDF.ofRow(c, row, string(format))
		if err != nil {
			return err
		}
		sheets = append(sheets, sheet)
	}
	next := ""
	if v.User.Role.May(fees.PermCollect) {
		next = "/collect"
	}
	return Render(c, http.StatusOK, print.Pages(sheets, format, "Receipts of the family "+p.Family, views.FamilyReceiptsHref(p.ShortID()), "Back to the receipts", next))
}

// allWritten is Conflict while a child's receipt is still to be written: then what
// is printed would lack it.
func allWritten(p fees.FamilyPayment, rows []fees.Row) error {
	if len(rows) < len(p.Children) {
		return fees.Errorf(fees.Conflict, "The payment is recorded and safe, and its receipts are still being written. Print them in a moment.")
	}
	return nil
}

// read is a payment and the rows that it has become so far.
func (h FamilyReceipts) read(c echo.Context, id string) (fees.FamilyPayment, []fees.Row, error) {
	ctx := c.Request().Context()
	p, err := h.Ledger.FamilyPayment(ctx, VisitorOf(c).Institute.Code, id)
	if err != nil {
		return p, nil, err
	}
	rows, err := h.Ledger.FamilyRows(ctx, p)
	return p, rows, err
}
