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

// Get sends the file of the row in the format asked for, A5 when none is;
// Invalid for one that does not exist.
func (h ReceiptPDF) Get(c echo.Context, id string) error {
	format, err := readFormat(c)
	if err != nil {
		return err
	}
	v, ctx := VisitorOf(c), c.Request().Context()
	row, reversal, err := readRow(ctx, h.Ledger, v.Institute.Code, id)
	if err != nil {
		return err
	}
	var logo *fees.Logo
	if row.Logo != "" {
		found, err := h.Logos.Logo(ctx, v.Institute.Code, row.Logo)
		if err != nil {
			return err
		}
		logo = &found
	}
	paper, err := h.Of(c, row, reversal, string(format)+" pdf")
	if err != nil {
		return err
	}
	file, err := h.Fonts.Receipt(paper, format, logo)
	if err != nil {
		return err
	}
	name := strings.ReplaceAll(cmp.Or(row.NumberText, "pending"), "/", "-") // a number is of A to Z, 0 to 9, - and /
	c.Response().Header().Set("Content-Disposition", `inline; filename="`+name+`.pdf"`)
	return c.Blob(http.StatusOK, "application/pdf", file)
}
