package views

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Audit says whether every number of every series is there, and what else is
// not as it must be.
type Audit struct {
	Known    bool // there is a result
	Verdict  ui.AlertView
	Findings []AuditFinding
	More     string // findings that are not listed, "" when all are
	Accounts ui.StatusView
	Series   []AuditSeries
	Symbol   string
	Empty    ui.EmptyView

	Checked   string // when, and how long it took
	Progress  string // how far a check is, "" when none is going
	Failed    string // why the last check came to nothing
	Repair    *AuditRepair
	Record    []AuditFinding // repairs made so far, newest first
	MayRepair bool           // who looks
	Derived   bool           // something was found that follows from bills and rows
}

// AuditFinding is something that is not as it must be, and in which document.
type AuditFinding struct{ Text, ID string }

// AuditRepair is what a repair did.
type AuditRepair struct {
	Title string
	Done  []AuditFinding
	More  string
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

// AuditOf is an institute's report for people, the latest year first; nil
// where there is none yet.
func AuditOf(inst fees.Institute, r *fees.AuditReport) Audit {
	v := Audit{
		Symbol: Symbol(inst.Money()),
		Empty:  ui.EmptyView{Title: "No numbers yet", Hint: "The first payment opens the first series."},
	}
	if r == nil {
		return v
	}
	v.Known = true
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
	v.Findings, v.More = auditFindings(inst, r.Findings)
	v.Derived = slices.ContainsFunc(r.Findings, func(f fees.Finding) bool { return f.What == "account" || f.What == "counter" })
	v.Verdict = auditVerdict(numbers, awaiting, int64(len(r.Findings)))
	for _, a := range r.Accounts {
		v.Accounts = auditAccounts(inst, a)
	}
	for _, p := range r.Repairs {
		v.Record = append(v.Record, AuditFinding{Moment(inst, p.At) + ", by " + p.By + ": " + p.Text, p.Doc})
	}
	return v
}

// findingsShown bounds the list: who has more has another problem.
const findingsShown = 200

func auditFindings(inst fees.Institute, all []fees.Finding) (shown []AuditFinding, more string) {
	for _, f := range all[:min(len(all), findingsShown)] {
		shown = append(shown, AuditFinding{f.Text, f.ID})
	}
	if rest := len(all) - len(shown); rest > 0 {
		more = "and " + grouped(inst, int64(rest)) + " more"
	}
	return shown, more
}

func auditVerdict(numbers, awaiting, findings int64) ui.AlertView {
	if findings > 0 {
		return ui.AlertView{Kind: "error", Title: Plural(findings, "finding") + ": the ledger is not as it must be", Text: "Print this page and keep it. Collecting may go on. What follows from bills and receipts an administrator can have repaired; the rest is evidence and stays."}
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

func auditAccounts(inst fees.Institute, a fees.AccountsReport) ui.StatusView {
	if a.Differ > 0 {
		return ui.StatusView{Kind: "error", Word: grouped(inst, a.Differ) + " of " + accountsOf(inst, a.Accounts) + " differ from the bills and receipts"}
	}
	verb := " agree"
	if a.Agree() == 1 {
		verb = " agrees"
	}
	v := ui.StatusView{Kind: "success", Word: accountsOf(inst, a.Agree()) + verb + " with the bills and receipts"}
	if busy := a.Waiting + int64(len(a.Busy)); busy > 0 {
		v.Kind, v.Word = "warning", v.Word+", "+grouped(inst, busy)+" not compared: being written to"
	}
	return v
}

func accountsOf(inst fees.Institute, n int64) string {
	if n == 1 {
		return "1 account"
	}
	return grouped(inst, n) + " accounts"
}

// grouped is a count as the institute groups its figures: "2,40,000".
func grouped(inst fees.Institute, n int64) string {
	whole := inst.Money()
	whole.Decimals = 0
	return whole.Format(fees.Amount(n))
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

// AuditChecked says when a ledger was checked, and how long that took where it
// took a while.
func AuditChecked(inst fees.Institute, at time.Time, took time.Duration) string {
	text := "Checked " + Moment(inst, at)
	if seconds := int64(took / time.Second); seconds > 0 {
		text += ", in " + Plural(seconds, "second")
	}
	return text
}

// AuditProgress says how far a check or a repair is.
func AuditProgress(inst fees.Institute, rows int64, repairing bool) string {
	switch {
	case repairing:
		return "Repairing, then checking again …"
	case rows == 0:
		return "Checking …"
	}
	return "Checking … " + grouped(inst, rows) + " rows so far"
}

// RepairOf is what a repair did, for people.
func RepairOf(inst fees.Institute, by string, at time.Time, done []fees.Finding) *AuditRepair {
	v := &AuditRepair{Title: "Nothing to repair"}
	if len(done) > 0 {
		v.Title = "Repaired"
	}
	v.Title += ", " + Moment(inst, at) + ", by " + by
	v.Done, v.More = auditFindings(inst, done)
	return v
}
