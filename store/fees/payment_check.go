package fees

import (
	"fmt"
	"slices"
	"strings"
)

const (
	maxTenders = 10
	maxChoices = 200
	maxRemark  = 200 // characters
)

// Check brings o into its normal form (admission number, references and remark;
// an empty Date stays, meaning today), leaving the slices it was given as they
// are, and says everything that is
// wrong with it at once: Invalid, with Fields payment_id, student, date,
// remark and, from 0, tender_mode.N, tender_amount.N, tender_ref.N,
// tender_bank.N, tender_branch.N, tender_last4.N, tender_date.N, line_bill.N and line_amount.N. It knows the
// institute's calendar, not its students.
func (o *PaymentOrder) Check(inst Institute, today Date) *Error {
	p := make(problems)
	// The caller may send the same order twice at once.
	o.Tenders, o.Choices = slices.Clone(o.Tenders), slices.Clone(o.Choices)
	if !ValidID(o.ID) {
		p.add("payment_id", "This form is damaged: open the student again and enter the payment anew")
	}
	if student, err := NormalAdmissionNo(o.Student); err != nil {
		p.add("student", err.Message)
	} else {
		o.Student = student
	}
	if reason := o.checkDate(inst, today); reason != "" {
		p.add("date", reason)
	}
	o.checkTenders(inst, today, p)
	o.checkChoices(inst, p)
	if remark, err := CleanText(o.Remark, maxRemark); err != nil {
		p.add("remark", err.Message)
	} else if o.Remark = remark; holdsCardNumber(remark) {
		p.add("remark", noCardNumbers)
	}
	asked := o.checkRepeats(p)
	err := p.err("Nothing was recorded")
	if err != nil {
		err.Asked = asked
	}
	return err
}

// TotalOf is what tenders come to: Invalid when that is more than MaxAmount.
func TotalOf(tenders []Tender) (Amount, *Error) {
	var total Amount
	for _, t := range tenders {
		sum, ok := CheckedAdd(total, t.Amount)
		if !ok || sum > MaxAmount {
			return 0, Errorf(Invalid, "The tenders together are more than may be paid at once")
		}
		total = sum
	}
	return total, nil
}

func (o *PaymentOrder) checkDate(inst Institute, today Date) string {
	date := o.dateOr(today)
	role := o.By.Role
	_, err := ParseDate(string(date))
	switch {
	case err != nil:
		return err.Message
	case date > today:
		return "The date lies in the future"
	case date <= inst.ClosedTo:
		return "The books are closed up to " + inst.ClosedTo.Spoken()
	case date < today.AddDays(-role.BackdateDays()):
		return fmt.Sprintf("The date may lie at most %d days back for your role (%s)", role.BackdateDays(), strings.ToLower(role.Title()))
	}
	return ""
}

// EarliestDate is the first day that r may date a payment of today: the books
// are open, and it is not too far back for the role. It may be later than today.
func (inst Institute) EarliestDate(r Role, today Date) Date {
	first := today.AddDays(-r.BackdateDays())
	if inst.ClosedTo != "" {
		first = max(first, inst.ClosedTo.AddDays(1))
	}
	return first
}

func (o *PaymentOrder) dateOr(today Date) Date {
	if o.Date == "" {
		return today
	}
	return o.Date
}

func (o *PaymentOrder) checkTenders(inst Institute, today Date, p problems) {
	if len(o.Tenders) == 0 {
		p.add("tender_amount.0", "Enter what was paid")
	}
	if len(o.Tenders) > maxTenders {
		p.add(field("tender_mode", maxTenders), fmt.Sprintf("At most %d ways of paying in one payment", maxTenders))
		return
	}
	for n := range o.Tenders {
		if reason := checkAmount(inst, o.Tenders[n].Amount); reason != "" {
			p.add(field("tender_amount", n), reason)
		} else if _, err := TotalOf(o.Tenders[:n+1]); err != nil {
			p.add(field("tender_amount", n), err.Message)
		}
		o.Tenders[n].check(o.dateOr(today), today, func(name, reason string) { p.add(field(name, n), reason) })
	}
}

func (o *PaymentOrder) checkChoices(inst Institute, p problems) {
	if len(o.Choices) > maxChoices {
		p.add(field("line_bill", maxChoices), fmt.Sprintf("At most %d lines in one payment", maxChoices))
		return
	}
	type target struct{ bill, head string }
	seen := make(map[target]bool, len(o.Choices))
	for n, c := range o.Choices {
		if c.Bill == "" || c.Head == "" {
			p.add(field("line_bill", n), "Choose what this amount is for")
		} else if at := (target{c.Bill, c.Head}); seen[at] {
			p.add(field("line_bill", n), "This line is chosen twice")
		} else {
			seen[at] = true
		}
		if reason := checkAmount(inst, c.Amount); reason != "" {
			p.add(field("line_amount", n), reason)
		}
	}
}

// checkAmount says why a is no amount that can change hands.
func checkAmount(inst Institute, a Amount) string {
	switch {
	case a <= 0:
		return "Enter an amount above zero"
	case a > MaxAmount:
		return "The largest amount is " + inst.Money().Format(MaxAmount)
	}
	return ""
}

// field is the name of the n-th (from 0) of a repeated form field.
func field(name string, n int) string { return fmt.Sprintf("%s.%d", name, n) }

// Check brings o's reason into its normal form and says what is wrong with the
// order: Invalid, with Fields reason and charge.
func (o *ReversalOrder) Check() *Error {
	p := make(problems)
	reason, err := CleanText(o.Reason, 200)
	switch {
	case err != nil:
		p.add("reason", err.Message)
	case len([]rune(reason)) < 3:
		p.add("reason", "Say why the receipt is taken back, in at least 3 characters")
	case holdsCardNumber(reason):
		p.add("reason", noCardNumbers)
	default:
		o.Reason = reason
	}
	checkOptionalCharge(p, o.Charge)
	return p.err("Nothing was reversed")
}
