package handlers

import (
	"cmp"
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// LateCharger charges one student the late fees up to today.
type LateCharger interface {
	ChargeLate(ctx context.Context, inst fees.Institute, student string)
}

// CollectShow is the counter with a student on it.
type CollectShow struct {
	Ledger interface {
		PayerReader
		LateCharger
		HoldKeeper
		SiblingFinder
		ChequeFinder
		ShiftReader
	}
	NewID func() string // ULIDs: each form shown carries a fresh one
}

// Get shows what a student owes and the form to pay it. A payment_id in the
// query is of a form that was shown before: when it has been recorded since,
// the form shows what was recorded, so that coming Back to it and pressing
// Record again answers with the same receipt. A cheque in the query bounced and
// is received again.
func (h CollectShow) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v, ctx := VisitorOf(c), c.Request().Context()
	typed := cmp.Or(c.Param("student"), c.Param("*"))
	if number, wrong := fees.NormalAdmissionNo(typed); wrong == nil {
		h.Ledger.ChargeLate(ctx, v.Institute, number) // so that what is shown is what is owed
	}
	p, err := readPayer(ctx, h.Ledger, v, typed)
	if err != nil {
		return err
	}
	page := p.page(c, v)
	text := p.freshText(v.Institute, h.NewID())
	if id := ownPaymentID(v, query.Value("payment_id")); id != "" {
		row, err := h.Ledger.Row(ctx, v.Institute.Code, id)
		switch {
		case fees.CodeOf(err) == fees.NotFound:
			text.ID = id
		case err != nil:
			return err
		case row.Student == p.student.AdmissionNo:
			text = recordedText(v.Institute, row)
			page.Notice = recordedNotice(row)
		}
	}
	if page.Notice == nil { // what was recorded already needs no hold
		hold := takeHolds(c, h.Ledger, []fees.Student{p.student}, views.CollectHref(p.student.AdmissionNo), h.NewID(), text.ID, ownPage(query))
		page.Hold, text.Hold = &hold, hold.Token
	}
	if more, err := h.Ledger.HasSiblings(ctx, v.Institute.Code, p.student); err != nil {
		return err
	} else if more {
		page.Student.Family = views.WithHold(views.FamilyHref(p.student.AdmissionNo), text.Hold)
	}
	if id := query.Value("cheque"); id != "" && page.Notice == nil {
		if page.Notice, err = presentAgain(ctx, h.Ledger, v, []fees.Student{p.student}, id, &text); err != nil {
			return err
		}
	}
	page.Shift = readStrip(ctx, h.Ledger, v)
	text.Shift = page.Shift.OpenID()
	text.Between(v.dates())
	till := views.TillOf(v.Institute, p.dues, &p.student, text)
	till.Waits = page.Hold != nil && page.Hold.Token == ""
	page.Till = &till
	return Render(c, http.StatusOK, views.CollectPage(page))
}

// recordedText is the form as it must have been to record row.
func recordedText(inst fees.Institute, row fees.Row) views.PaymentText {
	text := views.PaymentText{ID: row.ShortID(), Student: row.Student, Remark: row.Remark}
	if row.Date != inst.Today(row.RecordedAt) {
		text.Date = string(row.Date)
	}
	for _, t := range row.Tenders {
		text.Tenders = append(text.Tenders, views.TenderText{
			Mode: string(t.Mode), Amount: inst.Money().Plain(t.Amount), Ref: t.Ref, Bank: t.Bank, Branch: t.Branch, Date: string(t.Date), Last4: t.Last4,
		})
	}
	return text
}

func recordedNotice(row fees.Row) *views.Notice {
	return &views.Notice{
		Alert: ui.AlertView{
			Kind: "info", Title: "Already recorded: " + views.NumberOr(row.NumberText),
			Text: "Pressing Record payment again shows this receipt and charges nothing.",
		},
		Links: recordedLinks(row),
	}
}

func recordedLinks(row fees.Row) []views.Link {
	return []views.Link{
		{Href: views.ReceiptHref(row.ShortID()), Text: "See the receipt"},
		{Href: views.CollectHref(row.Student), Text: "Start another payment"},
	}
}
