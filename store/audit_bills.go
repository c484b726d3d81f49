package store

import (
	"context"
	"iter"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// charge is a head of a bill, both as the auditor's small numbers.
type charge struct{ period, head int32 }

// code is a small number that stands for a text while the audit runs.
func (a *auditor) code(text string) int32 {
	n, ok := a.codes[text]
	if !ok {
		n = int32(len(a.codes))
		a.codes[text] = n
	}
	return n
}

// walkBills checks every bill and notes what was charged.
func (a *auditor) walkBills(ctx context.Context) error {
	all := ahead(ctx, func(ctx context.Context) iter.Seq2[bson.Raw, error] {
		return a.s.pagesByKey(ctx, bills, fees.Key(a.inst.Code, ""))
	})
	for raw, err := range all {
		if err != nil {
			return err
		}
		a.totals.Bills++
		a.bill(raw)
	}
	return nil
}

func (a *auditor) bill(raw bson.Raw) {
	var b fees.Bill
	if err := bson.Unmarshal(raw, &b); err != nil {
		a.find("bill", textOf(raw, "_id"), "the bill cannot be read: %v", err)
		a.booksOf(textOf(raw, "student")).suspect = true
		return
	}
	opening := b.Period == fees.HeadOpening // in whatever year it was taken over
	if b.ID != fees.Key(a.inst.Code, b.Student, b.Period) || b.Institute != a.inst.Code || !opening && !strings.HasPrefix(b.Period, b.FY+"/") {
		a.find("bill", b.ID, "the bill's key and what it says differ")
	}
	if body, err := sealOf(raw); err != nil || body != b.Body {
		a.find("bill", b.ID, "the bill of %s for %s was changed after it was written", b.Student, b.Title)
	}
	if !b.Uncounted && has(raw, "uncounted") {
		a.find("bill", b.ID, "the bill of %s for %s has an empty mark, which nothing writes", b.Student, b.Title)
	}
	var net fees.Amount
	t := a.booksOf(b.Student)
	for _, l := range b.Lines {
		net += l.Net
		if l.Net != l.Gross-l.Concession {
			a.find("bill", b.ID, "%s: %s less %s is not %s", l.HeadName, a.money(l.Gross), a.money(l.Concession), a.money(l.Net))
		}
		t.charges = append(t.charges, charge{a.code(b.Period), a.code(l.Head)})
		if _, met := a.links.heads[l.Head]; !met {
			a.links.heads[l.Head] = b.ID
		}
	}
	if net != b.Net {
		a.find("bill", b.ID, "the bill's lines add up to %s, it says %s", a.money(net), a.money(b.Net))
	}
	t.sums.Billed += b.Net
	t.sums.Bills++
	t.suspect = t.suspect || b.Uncounted
	if b.Period == fees.HeadOpening {
		t.opened, t.opening = true, b.Net
	}
	if payment, ok := strings.CutPrefix(b.Period, bouncePeriod(b.FY, "")); ok {
		a.links.charges[fees.Key(a.inst.Code, fees.ReversalID(payment))] = chargedFor{b.ID, createdNet(&b)}
	}
	if row, ok := strings.CutPrefix(b.Period, fees.RefundPeriod(b.FY, "")); ok {
		a.links.refundBills[fees.Key(a.inst.Code, row)] = chargedFor{b.ID, createdNet(&b)}
	}
	if b.Run != "" {
		r := a.links.runs[b.Run]
		r.bill = b.ID
		if b.Of == "" { // a difference is no bill that the run created
			r.bills++
			r.amount += asCreated(b)
		}
		a.links.runs[b.Run] = r
	}
}

// createdNet is what a bill came to as it was created.
func createdNet(b *fees.Bill) fees.Amount {
	if len(b.Revisions) > 0 {
		return b.Revisions[0].Net
	}
	return b.Net
}
