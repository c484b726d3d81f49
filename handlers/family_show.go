package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// SiblingFinder tells whether a student has brothers and sisters here.
type SiblingFinder interface {
	HasSiblings(ctx context.Context, institute string, st fees.Student) (bool, error)
}

// FamilyReader finds the children of a family and what they owe.
type FamilyReader interface {
	FamilyOf(ctx context.Context, institute, key string) (fees.Family, error)
	Dues(ctx context.Context, institute, student string) (fees.Dues, error)
	FamilyPayment(ctx context.Context, institute, id string) (fees.FamilyPayment, error)
	FamilyRows(ctx context.Context, p fees.FamilyPayment) ([]fees.Row, error)
}

// FamilyShow is the counter with all children of a family on it.
type FamilyShow struct {
	Ledger interface {
		FamilyReader
		LateCharger
		HoldKeeper
		ShiftReader
		ChequeFinder
	}
	NewID func() string // ULIDs
}

// Get shows what all children owe and one form to pay it. A payment_id in the
// query is of a form that was shown before, and leads to its receipts when it
// has been recorded since. A cheque in the query bounced and is received again.
func (h FamilyShow) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v, ctx := VisitorOf(c), c.Request().Context()
	id := ownPaymentID(v, query.Value("payment_id"))
	if id != "" {
		switch _, err := h.Ledger.FamilyPayment(ctx, v.Institute.Code, id); {
		case err == nil:
			return SeeOther(c, views.FamilyReceiptsHref(id))
		case fees.CodeOf(err) != fees.NotFound:
			return err
		}
	}
	family, err := h.Ledger.FamilyOf(ctx, v.Institute.Code, c.Param("student"))
	if err != nil {
		return noFamily(c, err)
	}
	for _, child := range family.Children {
		h.Ledger.ChargeLate(ctx, v.Institute, child.AdmissionNo)
	}
	dues, err := readDues(ctx, h.Ledger, v, family)
	if err != nil {
		return err
	}
	text := views.FamilyText{}
	if text.Payment.ID = id; id == "" {
		text.Payment.ID = h.NewID()
	}
	text.Payment.Tenders = []views.TenderText{{Mode: string(fees.ModeCash)}}
	if due := totalDue(dues); due > 0 {
		text.Payment.Tenders[0].Amount = v.Institute.Money().Plain(due)
	}
	hold := takeHolds(c, h.Ledger, family.Children, views.FamilyHref(family.Children[0].AdmissionNo), h.NewID(), text.Payment.ID, ownPage(query))
	text.Payment.Hold = hold.Token
	page := views.Collect{Frame: counterFrame(c, familyTitle(family)), Hold: &hold, Shift: readStrip(ctx, h.Ledger, v)}
	text.Payment.Shift = page.Shift.OpenID()
	text.Payment.Between(v.dates())
	if id := query.Value("cheque"); id != "" {
		if page.Notice, err = presentAgain(ctx, h.Ledger, v, family.Children, id, &text.Payment); err != nil {
			return err
		}
	}
	shown, till := views.FamilyOf(v.Institute, v.Today, family, dues, text)
	till.Waits = hold.Token == ""
	page.Family, page.Till = &shown, &till
	return Render(c, http.StatusOK, views.CollectPage(page))
}

func familyTitle(family fees.Family) string { return "Collect from the family " + family.Code }

// noFamily says on the counter why a family cannot be paid for, and leads to the
// student alone.
func noFamily(c echo.Context, err error) error {
	var said *fees.Error
	if !errors.As(err, &said) || said.Code != fees.Invalid {
		return err
	}
	page := views.Collect{Frame: counterFrame(c, "Collect"), Notice: &views.Notice{
		Alert: ui.AlertView{Kind: "info", Title: said.Message, Text: "Collect from the student alone."},
	}}
	if number, wrong := fees.NormalAdmissionNo(c.Param("student")); wrong == nil {
		alone := views.Link{Href: views.CollectHref(number), Text: "Collect from " + number}
		if cheque := c.QueryParam("cheque"); cheque != "" {
			alone.Href += "?" + url.Values{"cheque": {cheque}}.Encode()
		}
		page.Notice.Links = []views.Link{alone}
	}
	return Render(c, http.StatusNotFound, views.CollectPage(page))
}

// readDues are what the children of a family owe, in their order.
func readDues(ctx context.Context, ledger FamilyReader, v Visitor, family fees.Family) ([]fees.Dues, error) {
	dues := make([]fees.Dues, len(family.Children))
	for n, child := range family.Children {
		var err error
		if dues[n], err = ledger.Dues(ctx, v.Institute.Code, child.AdmissionNo); err != nil {
			return nil, err
		}
	}
	return dues, nil
}

func totalDue(dues []fees.Dues) (due fees.Amount) {
	for _, d := range dues {
		due += d.Due
	}
	return due
}
