package handlers

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// ConcessionWriter adds, changes and ends concessions.
type ConcessionWriter interface {
	StudentConcessionsReader
	SaveGrant(ctx context.Context, institute string, o fees.GrantOrder) error
	EndGrant(ctx context.Context, institute string, o fees.GrantOrder) error
}

// ConcessionSave adds, changes and ends concessions of a student.
type ConcessionSave struct {
	Ledger ConcessionWriter
}

// Post adds a concession, or changes the one that at and version name. The same
// form again changes nothing.
func (h ConcessionSave) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	o, err := grantOrder(c, form, v)
	if err != nil {
		return err
	}
	o.Adds = form.Value("at") == ""
	o.Grant = fees.Grant{
		Kind: fees.ConcessionKind(form.Value("kind")), Reason: form.Value("reason"), Approver: form.Value("approver"),
		From: form.Value("from"), To: form.Value("to"),
	}
	var wrong *fees.Error
	switch o.Grant.Kind {
	case fees.ConcessionPercent:
		o.Grant.Percent, wrong = fees.ParsePercent(form.Value("value"))
	case fees.ConcessionAmount:
		o.Grant.Amount, wrong = v.Institute.Money().Parse(form.Value("value"))
	}
	if wrong != nil {
		form.Fail("value", wrong.Message)
	}
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := h.Ledger.SaveGrant(ctx, v.Institute.Code, o)
		if err == nil {
			return SeeOther(c, savedAt(views.ConcessionsHref(o.Student)))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	return h.refuse(c, form, refusal)
}

// End lets a concession end with the period last, or takes it away.
func (h ConcessionSave) End(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	o, err := grantOrder(c, form, v)
	if err != nil {
		return err
	}
	last := form.Value("last")
	refusal := form.Err()
	switch {
	case refusal != nil:
	case last == "":
		refusal = fees.Errorf(fees.Invalid, "Choose with which period the concession ends.")
	case last != "remove":
		o.Grant.To = last
	}
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		err := h.Ledger.EndGrant(ctx, v.Institute.Code, o)
		if err == nil {
			return SeeOther(c, savedAt(views.ConcessionsHref(o.Student)))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
	}
	return h.refuse(c, nil, refusal)
}

func (h ConcessionSave) refuse(c echo.Context, form *Form, why *fees.Error) error {
	alert := &ui.AlertView{Kind: "error", Title: why.Message}
	return ConcessionShow{Ledger: h.Ledger}.show(c, StatusOf(why.Code), form, typedForm(nil), alert)
}

// grantOrder reads which grant of the student is meant.
func grantOrder(c echo.Context, form *Form, v Visitor) (fees.GrantOrder, error) {
	o := fees.GrantOrder{Student: c.Param("student"), Head: form.Value("head"), By: v.Actor()}
	number := func(name string) (int64, error) {
		if text := form.Value(name); text != "" {
			return strconv.ParseInt(text, 10, 32)
		}
		return 0, nil
	}
	at, odd := number("at")
	version, odder := number("version")
	if odd != nil || odder != nil {
		return o, fees.Errorf(fees.Invalid, "This form is damaged. Open the concessions again.")
	}
	o.At, o.Version = int(at), version
	return o, nil
}
