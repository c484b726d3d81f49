package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/print"
)

// ReceiptPrint is a receipt as paper.
type ReceiptPrint struct {
	Ledger RowReader
}

// Get shows the sheet in the format asked for, A5 when none is; Invalid for
// one that does not exist.
func (h ReceiptPrint) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	format := print.A5
	if asked := query.Value("format"); asked != "" {
		format = print.Format(asked)
	}
	if query.Err() != nil || format.Title() == "" {
		return fees.Errorf(fees.Invalid, "A receipt is printed as a4, a5 or thermal.")
	}
	v := VisitorOf(c)
	row, reversal, err := readRow(c.Request().Context(), h.Ledger, v.Institute.Code, c.Param("id"))
	if err != nil {
		return err
	}
	next := ""
	if v.User.Role.May(fees.PermCollect) {
		next = "/collect"
	}
	return Render(c, http.StatusOK, print.Page(views.PaperOf(v.Institute, row, reversal), format, views.ReceiptHref(row.ShortID()), next))
}
