package handlers

import (
	"slices"
	"strconv"
	"strings"

	"raseed/store/fees"
	"raseed/views"
)

// paymentForm is the payment form: as it was typed, and as the order it makes.
// Rows of the form in which nothing was typed make nothing, so each tender and
// choice of the order remembers the row it came from.
type paymentForm struct {
	*Form
	text     views.PaymentText
	order    fees.PaymentOrder
	tenderAt []int
	choiceAt []int
}

// readPayment parses everything that can be parsed and notes the rest as
// problems of the form.
func readPayment(form *Form, v Visitor) *paymentForm {
	p := &paymentForm{Form: form}
	p.text = views.PaymentText{
		ID: ownPaymentID(v, form.Value("payment_id")), Student: form.Value("student"),
		Date: form.Value("date"), Remark: form.Value("remark"), Hold: form.Value("hold"), Shift: form.Value("shift"), Problems: form.problems,
		Asked: map[string]bool{}, RefsAgain: form.Values("ref_again"),
	}
	p.text.Between(v.dates())
	p.order = fees.PaymentOrder{
		ID: p.text.ID, Student: p.text.Student,
		Date: fees.Date(strings.TrimSpace(p.text.Date)), Remark: p.text.Remark, RefsAgain: p.text.RefsAgain, Shift: p.text.Shift, By: v.Actor(),
	}
	if p.text.ID == "" {
		form.Fail("payment_id", "This form was damaged, or is one of another institute, and has been renewed. See that it is the right student and, under Last receipts, that the payment is not there yet, then press Record payment again.")
	}
	p.readTenders(v.Institute.Money())
	p.readLines(v.Institute.Money())
	return p
}

// ownPaymentID is the payment's id within the visitor's institute. A form
// carries the whole key of the row it will be (DPS:01J…); a script may leave
// the institute out. "" for what is neither: a key of another institute, or
// nothing that a form of ours ever had.
func ownPaymentID(v Visitor, key string) string {
	id := strings.TrimPrefix(key, fees.Key(v.Institute.Code, ""))
	if !fees.ValidID(id) {
		return ""
	}
	return id
}

func (p *paymentForm) readTenders(money fees.Currency) {
	rows := p.rows("tender_", "mode", "amount", "ref", "bank", "branch", "date", "last4")
	for n, row := range rows {
		typed := views.TenderText{Mode: row[0], Amount: row[1], Ref: row[2], Bank: row[3], Branch: row[4], Date: row[5], Last4: row[6]}
		p.text.Tenders = append(p.text.Tenders, typed)
		if typed.Blank() || n == 0 && leftOver(money, typed) && slices.ContainsFunc(rows[1:], anyTyped) {
			continue
		}
		p.tenderAt = append(p.tenderAt, n)
		p.order.Tenders = append(p.order.Tenders, fees.Tender{
			Mode:   fees.Mode(strings.TrimSpace(typed.Mode)),
			Amount: p.amount(money, typed.Amount, views.FieldKey("tender_amount", n)),
			Ref:    typed.Ref, Bank: typed.Bank, Branch: typed.Branch, Date: fees.Date(strings.TrimSpace(typed.Date)), Last4: typed.Last4,
		})
	}
}

// leftOver says whether a tender is the first as the form begins with it, in
// cash, of which others have left nothing to pay.
func leftOver(money fees.Currency, t views.TenderText) bool {
	amount, wrong := money.Parse(t.Amount)
	nothing := strings.TrimSpace(t.Amount) == "" || wrong == nil && amount == 0
	t.Mode, t.Amount = strings.TrimPrefix(t.Mode, string(fees.ModeCash)), ""
	return nothing && t.Blank()
}

func anyTyped(row []string) bool { return strings.TrimSpace(strings.Join(row, "")) != "" }

func (p *paymentForm) readLines(money fees.Currency) {
	for n, row := range p.rows("line_", "bill", "head", "amount") {
		typed := views.LineText{Bill: row[0], Head: row[1], Amount: row[2]}
		p.text.Lines = append(p.text.Lines, typed)
		if strings.TrimSpace(typed.Amount) == "" {
			continue
		}
		p.choiceAt = append(p.choiceAt, n)
		p.order.Choices = append(p.order.Choices, fees.Choice{
			Bill: typed.Bill, Head: typed.Head, Amount: p.amount(money, typed.Amount, views.FieldKey("line_amount", n)),
		})
	}
}

// rows are the rows of repeated fields. A field may be left out altogether; if
// it is there, it is there in every row, since otherwise nobody knows what
// belongs together.
func (p *paymentForm) rows(prefix string, names ...string) [][]string {
	most := 0
	for _, name := range names {
		most = max(most, len(p.Values(prefix+name)))
	}
	rows := make([][]string, most)
	for n := range rows {
		rows[n] = make([]string, len(names))
	}
	for i, name := range names {
		values := p.Values(prefix + name)
		if len(values) != 0 && len(values) != most {
			p.Fail(prefix+name, "The form was sent with rows that do not match: "+strconv.Itoa(len(values))+" of "+prefix+name+" in "+strconv.Itoa(most)+" rows.")
		}
		for n, value := range values {
			rows[n][i] = value
		}
	}
	return rows
}

func (p *paymentForm) amount(money fees.Currency, typed, key string) fees.Amount {
	amount, wrong := money.Parse(typed)
	if wrong != nil {
		p.Fail(key, wrong.Message)
	}
	return amount
}

// refuse notes what is wrong with the order at the rows of the form.
func (p *paymentForm) refuse(refusal *fees.Error) {
	if refusal == nil {
		return
	}
	for key, reason := range refusal.Fields {
		name, number, _ := strings.Cut(key, ".")
		var at []int
		switch {
		case strings.HasPrefix(name, "tender_"):
			at = p.tenderAt
		case strings.HasPrefix(name, "line_"):
			at = p.choiceAt
		}
		if n, err := strconv.Atoi(number); err == nil && n < len(at) {
			key = views.FieldKey(name, at[n])
		}
		p.Fail(key, reason)
	}
	for _, ref := range refusal.Asked {
		p.text.Asked[ref] = true
	}
	if len(refusal.Fields) == 0 {
		p.Fail("", refusal.Message)
	}
}
