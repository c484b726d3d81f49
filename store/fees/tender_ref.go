package fees

import (
	"fmt"
	"slices"
	"strings"
)

// RefKey is what t was paid with, however it was written: "upi:412345678901",
// "cheque:4512:STATE BANK", "card:A1B2C3:4242". It is "" where nothing tells one
// such tender from another, as with cash. Two people's cheques, and two cards'
// approval codes, may be alike, so that a key that is there already is a reason
// to ask and none to refuse.
func (t Tender) RefKey() string {
	if t.Ref == "" {
		return ""
	}
	ref := bareRef(t.Ref)
	switch t.Mode {
	case ModeCheque, ModeDraft:
		return string(t.Mode) + ":" + ref + ":" + strings.ToUpper(t.Bank)
	case ModeCard:
		return string(t.Mode) + ":" + ref + ":" + t.Last4
	case ModeUPI, ModeTransfer:
		return string(t.Mode) + ":" + ref
	}
	return ""
}

// RefKeys are the keys of tenders that have one, each once; nil for none.
func RefKeys(tenders []Tender) []string {
	var keys []string
	for _, t := range tenders {
		if key := t.RefKey(); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// bareRef is a reference without what people put in between and in front of it.
func bareRef(ref string) string {
	bare := strings.Map(func(r rune) rune {
		if !isASCIIAlnum(r) {
			return -1
		}
		return r
	}, strings.ToUpper(ref))
	return strings.TrimLeft(bare, "0")
}

// MayRepeat says whether the cashier has answered that a reference is right
// although it was received already.
func (o *PaymentOrder) MayRepeat(ref string) bool {
	return slices.ContainsFunc(o.RefsAgain, func(again string) bool { return bareRef(again) == bareRef(ref) })
}

// checkRepeats asks about a reference that is on the form twice.
func (o *PaymentOrder) checkRepeats(p problems) (asked []string) {
	for n, t := range o.Tenders {
		key := t.RefKey()
		if key == "" || o.MayRepeat(t.Ref) {
			continue
		}
		if slices.ContainsFunc(o.Tenders[:n], func(before Tender) bool { return before.RefKey() == key }) {
			p.add(field("tender_ref", n), "This reference is on the form twice. Correct it, or say that it is right")
			asked = append(asked, t.Ref)
		}
	}
	return asked
}

// AskRepeats asks about the references of o that are in earlier payments: nil
// where there are none, Invalid with Fields tender_ref.N and Asked otherwise. A
// payment that was taken back, o's own and those of its family payment are no
// reason to ask.
func (o *PaymentOrder) AskRepeats(money Currency, earlier []Row) *Error {
	p := make(problems)
	var asked []string
	for n, t := range o.Tenders {
		key := t.RefKey()
		if key == "" || o.MayRepeat(t.Ref) {
			continue
		}
		for _, row := range earlier {
			if row.ReversedBy != "" || o.isItself(row) || !slices.Contains(row.Refs, key) {
				continue
			}
			p.add(field("tender_ref", n), "Received already: "+row.repeated(money, key)+". Correct it, or say that it is right")
			asked = append(asked, t.Ref)
			break
		}
	}
	err := p.err("Nothing was recorded")
	if err != nil {
		err.Asked = asked
	}
	return err
}

// isItself says whether row is what o has become at this very moment.
func (o *PaymentOrder) isItself(row Row) bool { return row.ShortID() == o.ID || row.Family == o.ID }

// repeated is what of r came with the reference, in words.
func (r Row) repeated(money Currency, key string) string {
	var came Amount
	for _, t := range r.Tenders {
		if t.RefKey() == key {
			came += t.Amount
		}
	}
	number := r.NumberText
	if number == "" {
		number = "a payment whose number is pending"
	}
	return fmt.Sprintf("%s of %s, %s from %s", number, r.Date.Spoken(), money.Format(came), r.StudentName)
}
