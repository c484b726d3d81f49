package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// RegisterReader is what the receipt register reads of the ledger.
type RegisterReader interface {
	RowReader
	Register(ctx context.Context, institute string, f fees.RegisterFilter, after string, limit int64) (fees.Page[fees.Row], error)
	RegisterTotal(ctx context.Context, institute string, f fees.RegisterFilter) (fees.RegisterTotal, error)
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	Classes(ctx context.Context, institute string) ([]string, error)
	Users(ctx context.Context, institute string) ([]fees.User, error)
}

// ReceiptsList is the receipt register, on screen and as CSV.
type ReceiptsList struct {
	Ledger RegisterReader
}

const registerPage = 50

// Get shows a page of the register, newest first. htmx gets the part below the
// heading.
func (h ReceiptsList) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	f := registerFilter(form, v)
	after := form.Value("after")
	if form.Err() != nil {
		return h.refuse(c, form, ui.AlertView{Kind: "error", Title: "Correct what is marked and press Show again."})
	}
	ctx := c.Request().Context()
	page, err := h.Ledger.Register(ctx, v.Institute.Code, f, after, registerPage)
	if refusal := refusalIn(c, err); refusal != nil && refusal.Code == fees.Invalid {
		return h.refuse(c, form, ui.AlertView{Kind: "error", Title: refusal.Message})
	}
	if err != nil {
		return err
	}
	total, err := h.Ledger.RegisterTotal(ctx, v.Institute.Code, f)
	if err != nil {
		return err
	}
	view, err := h.view(c, form)
	if err != nil {
		return err
	}
	for _, row := range page.Items {
		reversal, err := h.reversalNumber(ctx, v.Institute.Code, row)
		if err != nil {
			return err
		}
		view.Rows = append(view.Rows, views.RegisterRowOf(v.Institute, row, reversal))
	}
	view.Total = views.SumOf(v.Institute.Money(), total.Total)
	view.Of = views.SelectionOf(f, total.Count)
	q := registerQuery(form)
	if after != "" {
		view.Pager.First = registerHref("/receipts", q, nil)
	}
	if page.Next != "" {
		view.Pager.Next = registerHref("/receipts", q, map[string]string{"after": page.Next})
	}
	return h.render(c, http.StatusOK, view)
}

// refuse shows the filter as it was typed, and why it cannot be followed.
func (h ReceiptsList) refuse(c echo.Context, form *Form, why ui.AlertView) error {
	view, err := h.view(c, form)
	if err != nil {
		return err
	}
	view.Alert = &why
	return h.render(c, StatusOf(fees.Invalid), view)
}

func (h ReceiptsList) render(c echo.Context, status int, view views.Register) error {
	if IsHTMX(c) {
		return Render(c, status, views.RegisterPart(view))
	}
	return Render(c, status, views.RegisterPage(view))
}

// view is the page without rows: its frame and its filter.
func (h ReceiptsList) view(c echo.Context, form *Form) (views.Register, error) {
	ctx, v := c.Request().Context(), VisitorOf(c)
	q := registerQuery(form)
	view := views.Register{
		Frame:  FrameOf(c, "Receipts"),
		Own:    !v.User.Role.May(fees.PermRegister),
		Symbol: views.Symbol(v.Institute.Money()),
		CSV:    registerHref("/receipts.csv", q, nil),
		Empty:  ui.EmptyView{Title: "No receipts yet", Hint: "What is recorded at the counter appears here."},
	}
	if len(q) > 0 {
		view.Empty = ui.EmptyView{Title: "No receipts match", Hint: "Widen the dates or clear the filter."}
	}
	if view.Own {
		view.Frame.Title = "My receipts"
	}
	choices, err := h.choices(ctx, v, view.Own)
	if err != nil {
		return views.Register{}, err
	}
	view.Filter = views.RegisterFilterOf(form, choices)
	view.Filter.Quick = registerRanges(v, q)
	view.Filter.Set = len(q) > 0
	return view, nil
}

// choices are what the filter offers.
func (h ReceiptsList) choices(ctx context.Context, v Visitor, own bool) (views.RegisterChoices, error) {
	var choices views.RegisterChoices
	heads, err := h.Ledger.Heads(ctx, v.Institute.Code)
	if err != nil {
		return choices, err
	}
	choices.Heads = heads
	if choices.Classes, err = h.Ledger.Classes(ctx, v.Institute.Code); err != nil || own {
		return choices, err
	}
	users, err := h.Ledger.Users(ctx, v.Institute.Code)
	for _, u := range users {
		if u.Role.May(fees.PermCollect) {
			choices.Cashiers = append(choices.Cashiers, u)
		}
	}
	return choices, err
}

// reversalNumber is the number of the row that took row back, "" when none
// did or it awaits its number.
func (h ReceiptsList) reversalNumber(ctx context.Context, institute string, row fees.Row) (string, error) {
	if row.ReversedBy == "" {
		return "", nil
	}
	reversal, err := h.Ledger.Row(ctx, institute, fees.After(row.ReversedBy))
	return reversal.NumberText, err
}
