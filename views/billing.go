package views

import (
	"cmp"
	"slices"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Billing is where a period is chosen to be billed, with what was billed
// before.
type Billing struct {
	Alert   *ui.AlertView // why the choice was refused
	Period  ui.SelectView
	Class   ui.SelectView
	Symbol  string
	Periods []BillingPeriod
	Runs    []BillingRun
	Empty   ui.EmptyView // instead of everything, when there is no fee plan
}

// BillingPeriod is one period with the bills it has.
type BillingPeriod struct {
	Href, Code, DueDate string
	Bills, Net          string
}

// BillingRun is one run of the list.
type BillingRun struct {
	Href, Period, Class, By, Started string
	State                            ui.StatusView
	Created, Unchanged, Updated      string
	Amount                           string
}

// BillingOf is the page with a choice as typed. Periods come latest first.
func BillingOf(inst fees.Institute, t Typed, periods []fees.Period, classes []string, totals []fees.BillTotal, runs []fees.Run) Billing {
	money := inst.Money()
	v := Billing{
		Symbol: Symbol(money),
		Empty: ui.EmptyView{
			Title: "There is no fee plan yet",
			Hint:  "A plan says which class pays what for which period. With it, and with students, a period can be billed.",
		},
	}
	periods = slices.Clone(periods)
	slices.SortStableFunc(periods, func(a, b fees.Period) int {
		return cmp.Or(cmp.Compare(b.DueDate, a.DueDate), cmp.Compare(b.Code, a.Code))
	})
	billed := map[string]fees.BillTotal{}
	for _, t := range totals {
		of := t.Period
		if base, ok := fees.DifferenceOf(of); ok {
			of = base
		}
		sum := billed[of]
		sum.Count, sum.Net = sum.Count+t.Count, sum.Net+t.Net
		billed[of] = sum
	}
	options := []ui.Option{{Label: "Choose a period"}}
	for _, p := range periods {
		options = append(options, ui.Option{Value: p.Code, Label: p.Code + ", due " + Day(p.DueDate)})
		b := billed[p.Code]
		v.Periods = append(v.Periods, BillingPeriod{Href: PlanPeriodHref(p.Code), Code: p.Code, DueDate: Day(p.DueDate), Bills: Count(b.Count), Net: money.Format(b.Net)})
	}
	v.Period = selectOf(t, "period", "Period", options)
	v.Period.Required = true
	v.Class = selectOf(t, "class", "Class", classOptions("All classes", classes))
	for _, r := range runs {
		v.Runs = append(v.Runs, billingRun(inst, r))
	}
	return v
}

func billingRun(inst fees.Institute, r fees.Run) BillingRun {
	class := r.Class
	if class == "" {
		class = "All"
	}
	return BillingRun{
		Href: runHref(r), Period: r.Period, Class: class, By: r.By, Started: Moment(inst, r.StartedAt), State: RunPill(r.State),
		Created: Count(r.Tally.Created), Unchanged: Count(r.Tally.Unchanged),
		Updated: Count(r.Tally.Updated), Amount: inst.Money().Format(r.Tally.Amount),
	}
}

func runHref(r fees.Run) string { return "/billing/runs/" + fees.After(r.ID) }
