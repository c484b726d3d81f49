package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/print"
)

// PaperKeeper keeps what goes with a row onto paper: the log of its prints and
// the code by which anybody can tell that it is genuine.
type PaperKeeper interface {
	RowReader
	RecordPrint(ctx context.Context, institute, id, format string, by fees.Actor) (fees.Print, error)
	VerifyCode(ctx context.Context, institute, id string) (string, error)
}

// Papers makes the paper of rows. Origin is what people type to reach this
// server, for the code on the paper.
type Papers struct {
	Ledger PaperKeeper
	Origin func(c echo.Context) string
}

// Of is a row as it goes onto paper now. That is logged, and every print but the
// first says that it is a duplicate; a row that awaits its number is no receipt
// yet, and is not counted. kind is the format as the log has it.
func (p Papers) Of(c echo.Context, row fees.Row, reversal *fees.Row, kind string) (print.Receipt, error) {
	v := VisitorOf(c)
	paper := views.PaperOf(v.Institute, row, reversal)
	code, err := p.Ledger.VerifyCode(c.Request().Context(), v.Institute.Code, row.ShortID())
	if err != nil {
		return paper, err
	}
	paper.Verify = p.Origin(c) + views.VerifyHref(code)
	if row.NumberText == "" || c.Request().Method == http.MethodHead {
		return paper, nil
	}
	// Not given up when the browser goes away: what is counted is answered.
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	printed, err := p.Ledger.RecordPrint(ctx, v.Institute.Code, row.ShortID(), kind, v.Actor())
	if err != nil {
		return paper, err
	}
	paper.Duplicate = views.DuplicateOf(v.Institute, printed)
	return paper, nil
}

// readFormat is the format in the query, A5 when none is; Invalid for one that
// does not exist.
func readFormat(c echo.Context) (print.Format, error) {
	query, err := ReadQuery(c)
	if err != nil {
		return "", err
	}
	format := print.A5
	if asked := query.Value("format"); asked != "" {
		format = print.Format(asked)
	}
	if query.Err() != nil || format.Title() == "" {
		return "", fees.Errorf(fees.Invalid, "A receipt is printed as a4, a5 or thermal.")
	}
	return format, nil
}
