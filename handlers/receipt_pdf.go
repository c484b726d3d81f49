package handlers

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views/pdf"
)

// LogoReader reads the pictures that receipts carry.
type LogoReader interface {
	Logo(ctx context.Context, institute, hash string) (fees.Logo, error)
}

// ReceiptPDF is a receipt as a file, the same as on paper.
type ReceiptPDF struct {
	Papers
	Logos LogoReader
	Fonts *pdf.Fonts
}

// Get sends the file of the row in the format asked for, and in the usual one when
// none is; Invalid for one that does not exist.
func (h ReceiptPDF) Get(c echo.Context, id string) error {
	row, err := h.Ledger.Row(c.Request().Context(), VisitorOf(c).Institute.Code, id)
	if err != nil {
		return err
	}
	number := cmp.Or(row.NumberText, "pending")
	return h.send(c, []fees.Row{row}, number+" receipt", strings.ReplaceAll(number, "/", "-")) // a number is of A to Z, 0 to 9, - and /
}

// send sends the receipts of rows as one file of that title and name.
func (h ReceiptPDF) send(c echo.Context, rows []fees.Row, title, name string) error {
	format, _, err := readFormat(c)
	if err != nil {
		return err
	}
	logos := map[string]*fees.Logo{"": nil}
	var papers []pdf.Paper
	for _, row := range rows {
		logo, there := logos[row.Logo]
		if !there {
			found, err := h.Logos.Logo(c.Request().Context(), row.Institute, row.Logo)
			if err != nil {
				return err
			}
			logo = &found
			logos[row.Logo] = logo
		}
		paper, err := h.ofRow(c, row, string(format)+" pdf")
		if err != nil {
			return err
		}
		papers = append(papers, pdf.Paper{Receipt: paper, Logo: logo})
	}
	file, err := h.Fonts.Receipts(title, papers, format)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", `inline; filename="`+name+`.pdf"`)
	return c.Blob(http.StatusOK, "application/pdf", file)
}
