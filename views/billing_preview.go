package views

import "raseed/store/fees"

// BillingPreview is what a run would do.
type BillingPreview struct {
	RunID, Period, Class string // as the form that starts the run posts them
	Scope, DueDate       string // in words

	New, Unchanged, Updated, Changed, Skipped string
	ChangedWhy, SkippedWhy                    string
	Heads                                     []BillingHead // money of the new bills
	Total, Symbol                             string
	Nothing                                   bool // nobody would get a bill
	Button, ButtonKind                        string
}

// BillingHead is the money of one head.
type BillingHead struct{ Name, Amount string }

// BillingPreviewOf is a preview with the form that starts the run.
func BillingPreviewOf(inst fees.Institute, p fees.RunPreview, period, class, runID string) BillingPreview {
	money, t := inst.Money(), p.Tally
	v := BillingPreview{
		RunID:      runID,
		Period:     period,
		Class:      class,
		Scope:      Scope(class),
		DueDate:    Day(p.Period.DueDate),
		New:        Count(t.Created),
		Unchanged:  Count(t.Unchanged),
		Updated:    Count(t.Updated),
		Changed:    Count(t.Changed),
		Skipped:    Count(t.Skipped),
		ChangedWhy: changedWhy(t),
		SkippedWhy: skippedWhy(t),
		Total:      money.Format(t.Amount),
		Symbol:     Symbol(money),
		Nothing:    t.Created == 0,
		Button:     "Create " + Plural(t.Created, "bill"),
		ButtonKind: "primary",
	}
	if v.Nothing {
		v.Button, v.ButtonKind = "Run anyway", "quiet"
	}
	for _, h := range p.PerHead {
		v.Heads = append(v.Heads, BillingHead{Name: h.HeadName, Amount: money.Format(h.Amount)})
	}
	return v
}

func skippedWhy(t fees.RunTally) string {
	switch {
	case t.Inactive > 0 && t.NoLine > 0:
		return Count(t.Inactive) + " not active, " + Count(t.NoLine) + " without a line in the fee plan"
	case t.Inactive > 0:
		return "not active"
	case t.NoLine > 0:
		return "no line in the fee plan"
	}
	return ""
}

func changedWhy(t fees.RunTally) string {
	if t.Changed == 0 {
		return ""
	}
	return "The plan or a concession says something else today. These bills are left as they are."
}
