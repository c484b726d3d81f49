package handlers

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// FamilyRecorder records payments for families.
type FamilyRecorder interface {
	RecordFamily(ctx context.Context, institute string, o fees.FamilyOrder) (fees.FamilyPayment, error)
}

// FamilyRecord records what was handed over for several children.
type FamilyRecord struct {
	Ledger interface {
		FamilyRecorder
		FamilyReader
		LapseReader
		ShiftReader
	}
	NewID func() string // ULIDs: a form that came without one is given one
}

// familyForm is the form of a family's payment. Each row of children makes one
// of the order.
type familyForm struct {
	*paymentForm
	text  views.FamilyText
	order fees.FamilyOrder
}

// readFamilyPayment parses everything that can be parsed and notes the rest as
// problems of the form.
func readFamilyPayment(form *Form, v Visitor) *familyForm {
	f := &familyForm{paymentForm: readPayment(form, v)}
	for n, row := range f.rows("child", "", "_amount") {
		child := fees.FamilyChild{Student: row[0], Chosen: strings.TrimSpace(row[1]) != ""}
		if child.Chosen {
			child.Amount = f.amount(v.Institute.Money(), row[1], views.FieldKey("child_amount", n))
		}
		f.text.Children = append(f.text.Children, views.FamilyChildText{Student: row[0], Amount: row[1]})
		f.order.Children = append(f.order.Children, child)
	}
	f.order.Payment = f.paymentForm.order
	f.text.Payment = f.paymentForm.text
	return f
}

// Post records the payment and leads to its receipts; the same form again leads
// there too. A refusal shows the form again with what was typed.
func (h FamilyRecord) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	f := readFamilyPayment(form, v)
	if form.Err() != nil {
		f.refuse(f.order.Check(v.Institute, v.Today))
		return h.refuse(c, f, form.Err())
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	children := make([]string, len(f.order.Children))
	for n, child := range f.order.Children {
		children[n] = child.Student
	}
	if student, other := heldByOther(ctx, c, h.Ledger, children, f.text.Payment.Hold); other != nil {
		if _, err := h.Ledger.FamilyPayment(ctx, v.Institute.Code, f.order.Payment.ID); fees.CodeOf(err) == fees.NotFound {
			return h.wait(c, f, student, *other)
		}
	}
	lapse := lapsed(ctx, c, h.Ledger, children, f.order.Payment.ID, f.text.Payment.Hold)
	if lapse.own != nil {
		if _, err := h.Ledger.FamilyPayment(ctx, v.Institute.Code, f.order.Payment.ID); fees.CodeOf(err) == fees.NotFound {
			return h.askOwn(c, f, lapse.own)
		}
	}
	p, err := h.Ledger.RecordFamily(ctx, v.Institute.Code, f.order)
	if err == nil {
		releaseHolds(ctx, c, h.Ledger, children, f.text.Payment.Hold)
		return SeeOther(c, views.FamilyReceiptsHref(p.ShortID()))
	}
	refusal := refusalIn(c, err)
	if refusal == nil {
		return err
	}
	return h.refuse(c, f, refusal)
}

// wait shows the form as it was typed while somebody else collects from one of
// the children: nothing was recorded.
func (h FamilyRecord) wait(c echo.Context, f *familyForm, student string, other fees.Hold) error {
	page, err := h.page(c, f)
	if err != nil {
		return err
	}
	hold := views.HoldInTheWay(VisitorOf(c).Institute, page.Till.Page, page.Family.NameOf(student), other)
	page.Hold = &hold
	return Render(c, StatusOf(fees.Conflict), views.CollectPage(page))
}

// askOwn shows the form as it was typed, with what is due now and the holds taken
// back, when the same person collects from another page.
func (h FamilyRecord) askOwn(c echo.Context, f *familyForm, notice *views.Notice) error {
	family, err := h.family(c.Request().Context(), VisitorOf(c), f)
	if err != nil {
		return err
	}
	hold := takeHolds(c, h.Ledger, family.Children, views.FamilyHref(family.Children[0].AdmissionNo), h.NewID(), f.text.Payment.ID, true)
	f.text.Payment.Hold = hold.Token
	page, err := h.page(c, f)
	if err != nil {
		return err
	}
	page.Notice, page.Hold = notice, &hold
	return Render(c, StatusOf(fees.Conflict), views.CollectPage(page))
}

// refuse shows the form as it was typed. Where it cannot be shown, because the
// store does not answer, the error has a page of its own, from which the form
// can be sent again.
func (h FamilyRecord) refuse(c echo.Context, f *familyForm, why *fees.Error) error {
	notice := noticeOf(why)
	if IsHTMX(c) && StatusOf(why.Code) == http.StatusServiceUnavailable {
		return RenderAlert(c, http.StatusServiceUnavailable, notice.Alert)
	}
	if why.Code == fees.Invalid {
		f.refuse(why)
	}
	_, moved := why.Fields["shift"]
	if moved {
		f.text.Payment.Shift = readStrip(c.Request().Context(), h.Ledger, VisitorOf(c)).OpenID()
	}
	if f.text.Payment.ID == "" {
		f.text.Payment.ID = h.NewID()
	}
	page, err := h.page(c, f)
	if err != nil {
		return why
	}
	page.Notice = notice
	switch {
	case moved || StatusOf(why.Code) == http.StatusServiceUnavailable:
		page.Till.SendAgain()
	case why.Code == fees.Conflict:
		page.Notice.Links = []views.Link{
			{Href: views.FamilyReceiptsHref(f.order.Payment.ID), Text: "See the receipts"},
			{Href: page.Till.Page, Text: "Start another payment"},
		}
		page.Till, page.Hold, page.Family.Pays = nil, nil, false
	}
	return Render(c, StatusOf(why.Code), views.CollectPage(page))
}

// page is the counter with the form's family on it, as it is now.
func (h FamilyRecord) page(c echo.Context, f *familyForm) (views.Collect, error) {
	v, ctx := VisitorOf(c), c.Request().Context()
	family, err := h.family(ctx, v, f)
	if err != nil {
		return views.Collect{}, err
	}
	dues, err := readDues(ctx, h.Ledger, v, family)
	if err != nil {
		return views.Collect{}, err
	}
	page := views.Collect{Frame: counterFrame(c, familyTitle(family)), Shift: readStrip(ctx, h.Ledger, v)}
	shown, till := views.FamilyOf(v.Institute, v.Today, family, dues, f.text)
	page.Family, page.Till = &shown, &till
	if fees.ValidID(f.text.Payment.Hold) {
		hold := views.HoldKept(v.Institute, till.Page, f.text.Payment.Hold, time.Time{})
		page.Hold = &hold
	}
	return page, nil
}

// family is the family that the form was opened for: that of its student, or of
// the first of its children who has one.
func (h FamilyRecord) family(ctx context.Context, v Visitor, f *familyForm) (family fees.Family, err error) {
	err = fees.Errorf(fees.NotFound, "There is no family on this form.")
	for _, key := range append([]string{f.text.Payment.Student}, childrenOf(f.text)...) {
		if key == "" {
			continue
		}
		if family, err = h.Ledger.FamilyOf(ctx, v.Institute.Code, key); err == nil {
			return family, nil
		}
	}
	return family, err
}

func childrenOf(text views.FamilyText) []string {
	numbers := make([]string, len(text.Children))
	for n, c := range text.Children {
		numbers[n] = c.Student
	}
	return numbers[:min(len(numbers), fees.MaxFamily)]
}
