package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// ChequeReader reads cheques.
type ChequeReader interface {
	Cheque(ctx context.Context, institute, id string) (fees.Cheque, error)
	Cheques(ctx context.Context, institute string, f fees.ChequeFilter, after string, limit int64) (fees.Page[fees.Cheque], error)
	ChequeTotal(ctx context.Context, institute string, f fees.ChequeFilter) (fees.ChequeTotal, error)
	ChequesInHand(ctx context.Context, institute string, today fees.Date) (fees.ChequesInHand, error)
	DepositedCheques(ctx context.Context, institute, deposit string) ([]fees.Cheque, error)
}

// ChequeMover takes cheques to the bank, and notes what becomes of them there.
type ChequeMover interface {
	ChequeReader
	DepositCheques(ctx context.Context, institute string, o fees.DepositOrder) ([]fees.Cheque, error)
	ClearCheques(ctx context.Context, institute string, o fees.ClearOrder) ([]fees.Cheque, error)
	BounceCheque(ctx context.Context, institute string, o fees.BounceOrder) (fees.Cheque, error)
}

// Cheques is the list of cheques, and what is done with several at once.
type Cheques struct {
	Ledger ChequeMover
	NewID  func() string // ULIDs
}

const chequesPage = 50

// Get shows a page of the cheques of a state, those in hand unless the query
// says another.
func (h Cheques) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	state := fees.ChequeState(strings.TrimSpace(query.Value("state")))
	if state == "" {
		state = fees.ChequeReceived
	}
	if state.Title() == "" {
		return fees.Errorf(fees.Invalid, "There is no such state of a cheque. Open the cheques again.")
	}
	f := fees.ChequeFilter{State: state, From: formDate(query, "from"), To: formDate(query, "to")}
	return h.show(c, http.StatusOK, query, f, query.Value("after"), nil)
}

// Deposit puts the chosen cheques on a slip and leads to it; the same form again
// leads there too.
func (h Cheques) Deposit(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order := fees.DepositOrder{
		ID: form.Value("deposit_id"), Cheques: form.Values("cheque"), Account: form.Value("account"),
		Day: fees.Date(strings.TrimSpace(form.Value("day"))), By: v.Actor(),
	}
	if refusal := form.Err(); refusal != nil {
		form.FailAll(order.Check(v.Today))
		return h.refuse(c, form, fees.ChequeReceived, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.DepositCheques(ctx, v.Institute.Code, order); err != nil {
		return h.refuse(c, form, fees.ChequeReceived, err)
	}
	return SeeOther(c, views.SlipHref(order.ID))
}

// Clear notes that the chosen cheques cleared, and leads back to where they were
// chosen; the same form again leads there too.
func (h Cheques) Clear(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	order := fees.ClearOrder{Cheques: form.Values("cheque"), Day: fees.Date(strings.TrimSpace(form.Value("day"))), By: v.Actor()}
	if refusal := form.Err(); refusal != nil {
		form.FailAll(order.Check(v.Today))
		return h.refuse(c, form, fees.ChequeDeposited, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	if _, err := h.Ledger.ClearCheques(ctx, v.Institute.Code, order); err != nil {
		return h.refuse(c, form, fees.ChequeDeposited, err)
	}
	if len(order.Cheques) == 1 {
		return SeeOther(c, views.ChequeHref(order.Cheques[0]))
	}
	return SeeOther(c, views.ChequesHref(fees.ChequeDeposited))
}

// refuse shows the list that was chosen from, with the choice kept, and why.
func (h Cheques) refuse(c echo.Context, form *Form, from fees.ChequeState, err error) error {
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	form.FailAll(refusal)
	alert := &ui.AlertView{Kind: "error", Title: refusal.Message}
	f := fees.ChequeFilter{State: from, From: formDate(form, "from"), To: formDate(form, "to")}
	if unshown := h.show(c, StatusOf(refusal.Code), form, f, form.Value("after"), alert); unshown != nil {
		return err // which says what became of the cheques
	}
	return nil
}

func (h Cheques) show(c echo.Context, status int, form *Form, f fees.ChequeFilter, after string, alert *ui.AlertView) error {
	ctx, v := c.Request().Context(), VisitorOf(c)
	if form.Problem("from") != "" || form.Problem("to") != "" {
		status, f.From, f.To = StatusOf(fees.Invalid), "", ""
	}
	page, err := h.Ledger.Cheques(ctx, v.Institute.Code, f, after, chequesPage)
	if err != nil {
		return err
	}
	total, err := h.Ledger.ChequeTotal(ctx, v.Institute.Code, f)
	if err != nil {
		return err
	}
	sums, err := h.Ledger.ChequesInHand(ctx, v.Institute.Code, v.Today)
	if err != nil {
		return err
	}
	view := views.ChequesPageOf(v.Institute, v.Today, form, f, page.Items, total, sums)
	view.Alert = alert
	if v.User.Role.May(fees.PermCheques) && len(page.Items) > 0 {
		switch f.State {
		case fees.ChequeReceived:
			account, err := h.lastAccount(ctx, v.Institute.Code)
			if err != nil {
				return err
			}
			id := form.Value("deposit_id")
			if !fees.ValidID(id) || form.Problem("deposit_id") != "" {
				id = h.NewID()
			}
			view.OfferDeposit(v.Institute, form, id, account, v.Today, page.Items, form.Values("cheque"), alert != nil)
		case fees.ChequeDeposited:
			view.OfferClear(v.Institute, form, v.Today, page.Items, form.Values("cheque"))
		}
	}
	if view.Batch != nil {
		view.Batch.Keep(f, after)
	}
	pages := views.ChequesHref(f.State) + "&from=" + string(f.From) + "&to=" + string(f.To)
	if after != "" {
		view.Pager.First = pages
	}
	if page.Next != "" {
		view.Pager.Next = pages + "&after=" + page.Next
	}
	return renderPart(c, status, "Cheques", views.ChequesPart(view))
}

// lastAccount is what cheques were last deposited into, "" for nothing yet.
func (h Cheques) lastAccount(ctx context.Context, institute string) (string, error) {
	for _, state := range []fees.ChequeState{fees.ChequeDeposited, fees.ChequeCleared} {
		last, err := h.Ledger.Cheques(ctx, institute, fees.ChequeFilter{State: state}, "", 1)
		if err != nil {
			return "", err
		}
		if len(last.Items) > 0 {
			return last.Items[0].Account, nil
		}
	}
	return "", nil
}
