package views

import (
	"strings"

	"raseed/store/fees"
)

// BillingPreview is what a run would do.
type BillingPreview struct {
	RunID, Period, Class string // as the form that starts the run posts them
	Scope, DueDate       string // in words

	New, Unchanged, Updated, Changed, Skipped string
	ChangedWhy, SkippedWhy                    string

	Heads      []BillingHead // money before and after
	Total      BillingHead
	Symbol     string
	Repriced   bool // there is a column for it
	Changes    []BillingChange
	ChangesWhy string // that not all are listed
	// ChangesOpen: the list is short enough to leave the button in sight.
	ChangesOpen bool
	Skips       []BillingSkip
	SkipsWhy    string

	Nothing            string // why nobody would get a bill; "" where somebody would
	Reprice            string // the choice to re-price; "" where nothing has changed
	RepriceWhy         string
	Button, ButtonKind string
}

// BillingHead is the money of one head.
type BillingHead struct{ Name, New, Billed, Repriced, After string }

// BillingChange is a bill for which the plan says something else today.
type BillingChange struct{ Href, Student, Name, Class, Before, After, By, How string }

// BillingSkip is a student whom the run passes over.
type BillingSkip struct{ Href, Student, Name, Class, Reason string }

// BillingPreviewOf is a preview with the form that starts the run.
func BillingPreviewOf(inst fees.Institute, p fees.RunPreview, runID string) BillingPreview {
	t := p.Tally
	v := BillingPreview{
		RunID:      runID,
		Period:     p.Period.Code,
		Class:      p.Class,
		Scope:      Scope(p.Class),
		DueDate:    Day(p.Period.DueDate),
		New:        Count(t.Created),
		Unchanged:  Count(t.Unchanged),
		Updated:    Count(t.Updated),
		Changed:    Count(t.Changed),
		Skipped:    Count(t.Skipped),
		ChangedWhy: changedWhy(t),
		SkippedWhy: skippedWhy(t),
		Symbol:     Symbol(inst.Money()),
		Repriced:   t.Changed > 0,
		Button:     "Create " + Plural(t.Created, "bill"),
		ButtonKind: "primary",
	}
	if t.Created == 0 {
		v.Nothing = nobodyNew(t) + " A run changes nothing."
		v.Button, v.ButtonKind = "Run anyway", "quiet"
	}
	if t.Changed > 0 {
		v.Reprice = "Re-price " + changedBills(t.Changed)
		v.RepriceWhy = repriceWhy(inst.Money(), t)
		if t.Created == 0 {
			v.Nothing = nobodyNew(t) + " A run changes nothing unless you choose to re-price."
			v.Button = "Run"
		}
	}
	v.Heads, v.Total = billingHeads(inst.Money(), p.PerHead)
	v.listChanges(inst.Money(), p)
	v.listSkips(p)
	return v
}

// billingHeads are the heads' money, and their total.
func billingHeads(money fees.Currency, heads []fees.HeadAmount) ([]BillingHead, BillingHead) {
	row := func(h fees.HeadAmount) BillingHead {
		return BillingHead{
			Name: h.HeadName, New: money.Format(h.Amount), Billed: money.Format(h.Billed),
			Repriced: money.Format(h.Repriced), After: money.Format(h.Billed + h.Amount + h.Repriced),
		}
	}
	total := fees.HeadAmount{HeadName: "Total"}
	rows := make([]BillingHead, len(heads))
	for i, h := range heads {
		rows[i] = row(h)
		total.Amount, total.Billed, total.Repriced = total.Amount+h.Amount, total.Billed+h.Billed, total.Repriced+h.Repriced
	}
	return rows, row(total)
}

func (v *BillingPreview) listChanges(money fees.Currency, p fees.RunPreview) {
	for _, c := range p.Changes {
		how := "revised"
		if c.Difference {
			how = "bill for the difference"
		}
		v.Changes = append(v.Changes, BillingChange{
			Href: StudentHref(c.Student), Student: c.Student, Name: c.Name, Class: c.Class,
			Before: money.Format(c.Before), After: money.Format(c.After), By: signed(money, c.After-c.Before), How: how,
		})
	}
	v.ChangesOpen = len(p.Changes) <= 20
	v.ChangesWhy = firstOf(int64(len(p.Changes)), p.Tally.Changed)
}

func (v *BillingPreview) listSkips(p fees.RunPreview) {
	for _, s := range p.Skips {
		v.Skips = append(v.Skips, BillingSkip{Href: StudentHref(s.Student), Student: s.Student, Name: s.Name, Class: s.Class, Reason: skipReason(s.Reason)})
	}
	v.SkipsWhy = firstOf(int64(len(p.Skips)), p.Tally.Skipped)
}

// firstOf says that a list is not whole.
func firstOf(listed, all int64) string {
	if listed == all {
		return ""
	}
	return "The first " + Count(listed) + " of " + Count(all) + " are listed."
}

// signed is an amount of which it matters which way it goes.
func signed(money fees.Currency, a fees.Amount) string {
	if a > 0 {
		return "+" + money.Format(a)
	}
	return money.Format(a)
}

func skipReason(r fees.SkipReason) string {
	switch r {
	case fees.SkipInactive:
		return "not active"
	case fees.SkipCancelled:
		return "the bill was cancelled"
	}
	return "no line in the fee plan"
}

func changedBills(n int64) string {
	if n == 1 {
		return "the bill that has changed"
	}
	return "the " + Count(n) + " bills that have changed"
}

// repriceWhy says what re-pricing would do.
func repriceWhy(money fees.Currency, t fees.RunTally) string {
	var said []string
	switch revised := t.Changed - t.Differences; {
	case revised == 1:
		said = append(said, "1 bill has no money on it and is revised; what it said before is kept.")
	case revised > 1:
		said = append(said, Count(revised)+" bills have no money on them and are revised; what they said before is kept.")
	}
	switch {
	case t.Differences == 1:
		said = append(said, "1 bill has money on it: it stays as it is, and a bill for the difference is added.")
	case t.Differences > 1:
		said = append(said, Count(t.Differences)+" bills have money on them: they stay as they are, and bills for the difference are added.")
	}
	said = append(said, "In all "+signed(money, t.Repriced)+". Receipts never change.")
	return strings.Join(said, " ")
}

func skippedWhy(t fees.RunTally) string {
	var why []string
	for _, part := range []struct {
		n    int64
		what string
	}{{t.Inactive, "not active"}, {t.NoLine, "without a line in the fee plan"}, {t.Cancelled, "whose bill was cancelled"}} {
		if part.n > 0 {
			why = append(why, Count(part.n)+" "+part.what)
		}
	}
	return strings.Join(why, ", ")
}

func changedWhy(t fees.RunTally) string {
	if t.Changed == 0 {
		return ""
	}
	return "The plan, a concession or the family says something else today. These bills are left as they are unless they are re-priced."
}
