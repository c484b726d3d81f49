package fees

import (
	"cmp"
	"slices"
)

// LatePeriod is the period of the late fee of a period's bill.
func LatePeriod(period string) string { return period + "/LATE" }

// LateChange is a late fee that is to be charged: New, which is new where Old
// has no ID, or more than Old.
type LateChange struct {
	Of       Bill // the bill that is late
	Old, New Bill
	Name     string // the student's, where people read it: in a preview
}

// LateTally counts the late fees that were charged, or would be.
type LateTally struct {
	Created int64 // new
	Grown   int64 // there before, and more now
}

// LatePreview is what charging the late fees of a day would do.
type LatePreview struct {
	AsOf    Date
	Rules   int // how many open years have a late fee at all
	Tally   LateTally
	Amount  Amount       // what would be charged beyond what was
	Changes []LateChange // the first 200
}

// More is what is charged beyond what was.
func (c LateChange) More() Amount { return c.New.Net - c.Old.Net }

// IsLateFee says whether b is the late fee of another bill.
func (b *Bill) IsLateFee() bool { return b.Of != "" && b.Period == LatePeriod(b.Of) }

// Waived is what of a late fee was waived.
func (b *Bill) Waived() Amount {
	var sum Amount
	if b.IsLateFee() {
		for _, l := range b.Lines {
			sum += l.Concession
		}
	}
	return sum
}

// mayBeLate says whether a late fee can be charged on b: only on what a run
// billed for a period, so not on opening balances, charges of their own and
// late fees.
func (b *Bill) mayBeLate() bool { return b.Run != "" && b.Of == "" && b.Cancelled == nil }

// Overdue says whether rule may charge something on b as of the end of asOf,
// whatever was paid.
func (r LateRule) Overdue(b Bill, asOf Date) bool {
	return !r.IsZero() && b.mayBeLate() && b.DueDate.AddDays(int(max(r.GraceDays, 0))) < asOf
}

// LateChanges are the late fees that the rules of the bills' years (by year)
// make of all bills and all rows of one student, as of the end of asOf, where
// they are more than what is charged already. A late fee never becomes less,
// and one that was cancelled never more; what was waived of it stays waived.
// What was settled together with its late fee stays so, though the rule becomes
// dearer.
//
// A bill counts together with the differences in the payer's favour: what they
// come to is what was to be paid. A difference that adds to it came later and
// has no late fee. What an advance covers counts as paid in time. Lateness is
// counted from the due date that the bill names, whenever it was billed, and a
// late fee is due on the first late day.
func LateChanges(rules map[string]LateRule, bills []Bill, rows []Row, asOf Date) []LateChange {
	var changes []LateChange
	var dues Dues
	for _, b := range bills {
		rule := rules[b.FY]
		if !rule.Overdue(b, asOf) {
			continue
		}
		if dues.Lines == nil {
			dues = DuesOf(bills, rows)
		}
		c := LateChange{Of: b, Old: Bill{}}
		together := map[string]bool{b.Period: true}
		var net Amount
		for _, o := range bills {
			switch {
			case o.Period == LatePeriod(b.Period):
				c.Old = o
			case o.Period == b.Period || o.Of == b.Period && o.Net < 0:
				together[o.Period] = true
				net += o.Net
			}
		}
		fee := LateFee(rule, b.DueDate, net, creditsOf(together, net, b.DueDate, dues, rows), asOf)
		if c.New = c.Old.withLateFee(fee); c.Old.ID == "" {
			c.New = newLateFee(rule, b, fee)
		}
		settled := c.Old.ID != "" && !dues.owes(together) && !dues.owes(map[string]bool{c.Old.Period: true})
		if !settled && c.Old.Cancelled == nil && c.New.Lines[0].Gross > c.Old.lateFee() {
			changes = append(changes, c)
		}
	}
	return changes
}

// owes says whether something is owed of any of the bills.
func (d Dues) owes(bills map[string]bool) bool {
	return slices.ContainsFunc(d.Lines, func(l DueLine) bool { return bills[l.Bill] })
}

// creditsOf are the credits to bills that were due on due and come to net, with
// what they owe no more since an advance covers it. An adjustment says that of an
// advance, whenever it was written.
func creditsOf(bills map[string]bool, net Amount, due Date, dues Dues, rows []Row) []Credit {
	var credits []Credit
	covered := net
	for i := range rows {
		for _, l := range rows[i].Lines {
			if bills[l.Bill] {
				date := rows[i].Date
				if rows[i].Kind == KindAdjustment && l.Amount > 0 {
					date = due
				}
				credits = append(credits, Credit{Date: date, Amount: l.Amount})
				covered -= l.Amount
			}
		}
	}
	for _, l := range dues.Lines {
		if bills[l.Bill] {
			covered -= l.Open
		}
	}
	if covered > 0 {
		credits = append(credits, Credit{Date: due, Amount: covered})
	}
	return credits
}

// newLateFee is the late fee of b as a bill. Who writes it adds CreatedAt, and
// the head's name where the institute has another for it.
func newLateFee(rule LateRule, b Bill, fee Amount) Bill {
	period := LatePeriod(b.Period)
	return Bill{
		ID: Key(b.Institute, b.Student, period), Institute: b.Institute, Student: b.Student,
		FY: b.FY, Period: period, Title: "Late fee, " + b.Title, Of: b.Period,
		DueDate: b.DueDate.AddDays(int(max(rule.GraceDays, 0)) + 1),
		Lines:   []BillLine{{Head: cmp.Or(rule.Head, HeadLateFee), HeadName: "Late fee", Gross: fee, Net: fee}},
		Net:     fee,
	}
}

// withLateFee is the late fee b grown to fee.
func (b Bill) withLateFee(fee Amount) Bill {
	if len(b.Lines) > 0 {
		l := b.Lines[0]
		l.Gross, l.Net = fee, fee-l.Concession
		b.Lines, b.Net = []BillLine{l}, l.Net
	}
	return b
}

// lateFee is what the rule made of it so far, before what was waived.
func (b *Bill) lateFee() Amount {
	if len(b.Lines) == 0 {
		return 0
	}
	return b.Lines[0].Gross
}
