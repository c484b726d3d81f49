package views

import (
	"cmp"
	"slices"
	"strings"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Audit says whether every number of every series is there.
type Audit struct {
	Frame    Frame
	Verdict  ui.AlertView
	Findings []string
	Series   []AuditSeries
	Symbol   string
	Empty    ui.EmptyView
}

// AuditSeries is one series of one financial year.
type AuditSeries struct {
	FY, Series, Name          string
	First, Last               string
	Count, Reversed, Awaiting string
	Missing                   string // how many
	MissingWhich              string // the first of them, "" when none
	Total                     string
	Chain                     ui.StatusView
}

// AuditOf is a report for people: the latest year first.
func AuditOf(inst fees.Institute, r fees.AuditReport) Audit {
	v := Audit{
		Symbol: Symbol(inst.Money()),
		Empty:  ui.EmptyView{Title: "No numbers yet", Hint: "The first payment opens the first series."},
	}
	series := slices.Clone(r.Series)
	slices.SortStableFunc(series, func(a, b fees.SeriesReport) int {
		order := fees.AllSeries()
		return cmp.Or(cmp.Compare(b.FY, a.FY), cmp.Compare(slices.Index(order, a.Series), slices.Index(order, b.Series)))
	})
	var numbers, awaiting int64
	for _, s := range series {
		numbers += s.Count
		awaiting += s.Awaiting
		v.Series = append(v.Series, auditSeries(inst, s))
	}
	for _, f := range r.Findings {
		v.Findings = append(v.Findings, f.Text)
	}
	v.Verdict = auditVerdict(numbers, awaiting, int64(len(r.Findings)))
	return v
}

func auditVerdict(numbers, awaiting, findings int64) ui.AlertView {
	if findings > 0 {
		return ui.AlertView{Kind: "error", Title: Plural(findings, "finding") + ": the ledger is not as it must be", Text: "Keep this page and call whoever runs Raseed. Collecting may go on: nothing here is repaired by stopping."}
	}
	v := ui.AlertView{Kind: "success", Title: "Every number is there, none twice, and no row was changed"}
	switch {
	case numbers == 0:
		v.Kind, v.Title = "info", "There is nothing to check yet"
	case awaiting > 0:
		v.Text = Plural(awaiting, "row") + " recorded and about to be numbered."
	}
	return v
}

func auditSeries(inst fees.Institute, s fees.SeriesReport) AuditSeries {
	v := AuditSeries{
		FY: s.FY, Series: string(s.Series), Name: seriesName(s.Series),
		First: Count(s.First), Last: Count(s.Last),
		Count: Count(s.Count), Reversed: Count(s.Reversed), Awaiting: Count(s.Awaiting), Missing: Count(s.MissingN),
		Total: inst.Money().Format(s.Total),
		Chain: ui.StatusView{Kind: "success", Word: "Unbroken"},
	}
	if !s.ChainOK {
		v.Chain = ui.StatusView{Kind: "error", Word: "Broken"}
	}
	which := make([]string, 0, len(s.Missing))
	for _, n := range s.Missing {
		which = append(which, Count(n))
	}
	v.MissingWhich = strings.Join(which, ", ")
	if s.MissingN > int64(len(s.Missing)) {
		v.MissingWhich += " …"
	}
	return v
}

func seriesName(s fees.Series) string {
	switch s {
	case fees.SeriesReversal:
		return "Reversals"
	case fees.SeriesRefund:
		return "Refunds"
	case fees.SeriesAdjustment:
		return "Adjustments"
	}
	return "Receipts"
}
