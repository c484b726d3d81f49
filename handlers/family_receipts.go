package handlers

import (
	"net/http"

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
	Papers Papers
}

// Get shows the payment and the receipt of each child.
func (h FamilyReceipts) Get(c echo.Context) error {
	v := VisitorOf(c)
	p, rows, err := h.read(c)
	if err != nil {
		return err
	}
	page := views.FamilyReceiptsOf(v.Institute, p, rows)
	page.Frame = FrameOf(c, "Receipts of the family "+p.Family)
	if v.User.Role.May(fees.PermCollect) {
		page.Next, page.Collect = "/collect", views.FamilyHref(p.Children[0].Student)
	}
	return Render(c, http.StatusOK, views.FamilyReceiptsPage(page))
}

// Print shows all sheets in the format asked for, A5 when none is; Invalid for
// one that does not exist.
func (h FamilyReceipts) Print(c echo.Context) error {
	format, err := readFormat(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	p, rows, err := h.read(c)
	if err != nil {
		return err
	}
	var sheets []print.Receipt
	for _, row := range rows {
		var reversal *fees.Row
		if row.ReversedBy != "" {
			if row, reversal, err = readRow(c.Request().Context(), h.Ledger, v.Institute.Code, row.ShortID()); err != nil {
				return err
			}
		}
		sheet, err := h.Papers.Of(c, row, reversal, string(format))
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

// read is the payment of the address and the rows that it has become so far.
func (h FamilyReceipts) read(c echo.Context) (fees.FamilyPayment, []fees.Row, error) {
	ctx := c.Request().Context()
	p, err := h.Ledger.FamilyPayment(ctx, VisitorOf(c).Institute.Code, c.Param("id"))
	if err != nil {
		return p, nil, err
	}
	rows, err := h.Ledger.FamilyRows(ctx, p)
	return p, rows, err
}
