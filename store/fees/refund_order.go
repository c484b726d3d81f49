package fees

import (
	"cmp"
	"slices"
	"strings"
)

// RefundOrder asks for money to be given back: of a payment's heads, or with
// Payment "" of the student's advance.
type RefundOrder struct {
	ID      string // a ULID minted when the form was rendered
	Student string // admission number; of a payment, whose it is
	Payment string // id of the payment after the institute; "" for the advance
	Parts   []RefundPart
	Mode    Mode
	Ref     string
	Reason  string
	By      Actor
}

// RefundPart is an amount of one head.
type RefundPart struct {
	Head   string // HeadAdvance for the advance
	Amount Amount
}

// RefundDecision approves a refund or refuses it.
type RefundDecision struct {
	ID      string // Refund.ShortID
	Approve bool
	Why     string // why it is refused
	By      Actor
}

// RefundOffer is what there is to give back from a payment or, where that has
// no ID, from the student's advance.
type RefundOffer struct {
	Student Student
	Payment Row
	Lines   []Line // by head, above zero
	Waits   string // why it cannot be given back yet; "" where it can
}

// Check brings the order into its normal form; Invalid with Fields refund_id,
// amount.N (of the N-th part, from 0), mode, ref and reason. It knows nothing of
// what there is to give back.
func (o *RefundOrder) Check(inst Institute) *Error {
	p := make(problems)
	o.Parts = slices.Clone(o.Parts)
	if !ValidID(o.ID) {
		p.add("refund_id", "This form is damaged. Begin again from the receipt or the student")
	}
	if len(o.Parts) == 0 {
		p.add(field("amount", 0), "Enter what is given back")
	}
	if len(o.Parts) > maxChoices {
		p.add(field("amount", maxChoices), "There are more amounts than any receipt has")
		return p.err("Nothing was asked for")
	}
	var total Amount
	for n, part := range o.Parts {
		sum, ok := CheckedAdd(total, part.Amount)
		if reason := checkAmount(inst, part.Amount); reason != "" {
			p.add(field("amount", n), reason)
		} else if total = sum; !ok || total > MaxAmount {
			p.add(field("amount", n), "This is more than may be given back at once")
		} else if slices.ContainsFunc(o.Parts[:n], func(x RefundPart) bool { return x.Head == part.Head }) {
			p.add(field("amount", n), "This head is there twice")
		}
	}
	o.checkMode(p)
	checkReason(p, &o.Reason)
	return p.err("Nothing was asked for")
}

// checkMode checks how it is given back. The reference may not be known yet.
func (o *RefundOrder) checkMode(p problems) {
	if o.Mode.Title() == "" {
		p.add("mode", "Choose how it is given back")
		return
	}
	ref, bad := CleanText(strings.ToUpper(o.Ref), 35)
	if bad != nil {
		p.add("ref", bad.Message)
		return
	}
	if o.Ref = ref; ref == "" {
		return
	}
	if reason := checkRef(o.Mode, ref); reason != "" {
		p.add("ref", reason)
	}
}

// Check brings the decision into its normal form; Invalid with Field why.
func (o *RefundDecision) Check() *Error {
	if o.Approve {
		o.Why = ""
		return nil
	}
	p := make(problems)
	checkReason(p, &o.Why)
	if reason, ok := p["reason"]; ok {
		delete(p, "reason")
		p.add("why", reason)
	}
	return p.err("Nothing was decided")
}

// Within says what of the parts is more than there is, Invalid with Fields
// amount.N, and answers with the lines that they take. From is what they are
// taken from, in words.
func (o *RefundOrder) Within(money Currency, there []Line, from string) ([]Line, *Error) {
	p := make(problems)
	var lines []Line
	for n, part := range o.Parts {
		at := slices.IndexFunc(there, func(l Line) bool { return l.Head == part.Head })
		switch {
		case at < 0:
			p.add(field("amount", n), "Nothing of "+cmp.Or(part.Head, "this")+" can be given back from "+from)
		case part.Amount > there[at].Amount:
			p.add(field("amount", n), "At most "+money.Format(there[at].Amount)+" of "+there[at].HeadName+" can be given back from "+from)
		default:
			l := there[at]
			l.Amount = part.Amount
			lines = append(lines, l)
		}
	}
	return lines, p.err("Nothing was given back")
}

// Parts are the heads and amounts of r's lines.
func (r *Refund) Parts() []RefundPart {
	parts := make([]RefundPart, len(r.Lines))
	for i, l := range r.Lines {
		parts[i] = RefundPart{Head: l.Head, Amount: l.Amount}
	}
	return parts
}

// Asks says whether o asks for what r does.
func (r *Refund) Asks(o RefundOrder) bool {
	return After(r.Payment) == o.Payment && (o.Payment != "" || r.Student == o.Student) &&
		slices.Equal(r.Parts(), o.Parts) && r.Mode == o.Mode && r.Ref == o.Ref && r.Reason == o.Reason
}
