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
	Papers
}

// Get shows the sheet in the format asked for, which the counter's browser
// remembers, and in the one that it remembers when none is; Invalid for one that
// does not exist.
func (h ReceiptPrint) Get(c echo.Context) error {
	format, err := h.format(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	row, reversal, err := readRow(c.Request().Context(), h.Ledger, v.Institute.Code, c.Param("id"))
	if err != nil {
		return err
	}
	paper, err := h.Of(c, row, reversal, string(format))
	if err != nil {
		return err
	}
	next := ""
	if v.User.Role.May(fees.PermCollect) {
		next = "/collect"
	}
	return Render(c, http.StatusOK, print.Page(paper, format, views.ReceiptHref(row.ShortID()), next))
}
