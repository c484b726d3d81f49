package handlers

import (
	"context"
	"net/http"
	"strings"

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

// ofRow is Of a row whose reversal, where it has one, is still to be read.
func (p Papers) ofRow(c echo.Context, row fees.Row, kind string) (print.Receipt, error) {
	if row.ReversedBy == "" {
		return p.Of(c, row, nil, kind)
	}
	row, reversal, err := readRow(c.Request().Context(), p.Ledger, row.Institute, row.ShortID())
	if err != nil {
		return print.Receipt{}, err
	}
	return p.Of(c, row, reversal, kind)
}

// paperCookie remembers the paper that a counter uses.
const paperCookie = "raseed-paper"

// usual is the format that this counter used last, A5 before any.
func usual(c echo.Context) print.Format {
	if cookie, err := c.Cookie(paperCookie); err == nil && print.Format(cookie.Value).Title() != "" {
		return print.Format(cookie.Value)
	}
	return print.A5
}

// readFormat is the format in the query, and the usual one when none is; Invalid
// for one that does not exist.
func readFormat(c echo.Context) (format print.Format, asked bool, err error) {
	query, err := ReadQuery(c)
	if err != nil {
		return "", false, err
	}
	text := query.Value("format")
	if query.Err() == nil && text == "" {
		return usual(c), false, nil
	}
	if format = print.Format(text); query.Err() != nil || format.Title() == "" {
		return "", false, fees.Errorf(fees.Invalid, "A receipt is printed as a4, a5 or thermal.")
	}
	return format, true, nil
}

// format is the format of a print page. One that is asked for is the usual one
// from then on, for a year.
func (p Papers) format(c echo.Context) (print.Format, error) {
	format, asked, err := readFormat(c)
	if asked {
		const year = 365 * 24 * 60 * 60
		c.SetCookie(&http.Cookie{
			Name: paperCookie, Value: string(format), Path: "/", MaxAge: year, HttpOnly: true, SameSite: http.SameSiteLaxMode,
			Secure: strings.HasPrefix(p.Origin(c), "https:"),
		})
	}
	return format, err
}
