package views

import (
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"raseed/store/fees"
)

func TestRunProgress(t *testing.T) {
	start := at("2026-06-01T10:00:00Z")
	for _, tt := range []struct {
		name  string
		state fees.RunState
		tally fees.RunTally
		after string
		want  string
	}{
		{"queued", fees.RunQueued, fees.RunTally{}, "2026-06-01T10:00:05Z", "Waiting to start"},
		{"nobody counted yet", fees.RunRunning, fees.RunTally{}, "2026-06-01T10:00:05Z", "Waiting to start"},
		{"nobody done yet", fees.RunRunning, fees.RunTally{Students: 400}, "2026-06-01T10:00:05Z", "0 of 400 students"},
		{"under way", fees.RunRunning, fees.RunTally{Students: 400, Done: 100}, "2026-06-01T10:00:02Z", "100 of 400 students, 50 a second, 6 seconds left"},
		{"last second", fees.RunRunning, fees.RunTally{Students: 101, Done: 100}, "2026-06-01T10:00:02Z", "100 of 101 students, 50 a second, 1 second left"},
		{"long", fees.RunRunning, fees.RunTally{Students: 20000, Done: 100}, "2026-06-01T10:00:02Z", "100 of 20000 students, 50 a second, 7 minutes left"},
		{"slower than one a second", fees.RunRunning, fees.RunTally{Students: 4, Done: 1}, "2026-06-01T10:00:02Z", "1 of 4 students"},
		{"the clock was set back", fees.RunRunning, fees.RunTally{Students: 4, Done: 1}, "2026-06-01T09:00:00Z", "1 of 4 students"},
	} {
		if got := progress(fees.Run{State: tt.state, Tally: tt.tally, StartedAt: start}, at(tt.after)); got != tt.want {
			t.Errorf("%s: progress is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRunVerdict(t *testing.T) {
	for _, tt := range []struct {
		run         fees.Run
		kind, title string
	}{
		{fees.Run{State: fees.RunDone, Tally: fees.RunTally{Created: 1, Unchanged: 2}}, "success", "1 new bill, 2 unchanged"},
		{fees.Run{State: fees.RunDone, Tally: fees.RunTally{Unchanged: 412}}, "info", "0 new, 412 unchanged"},
		{fees.Run{State: fees.RunFailed, Error: "The disk is full."}, "error", "The run stopped"},
	} {
		v := RunOf(rupees(), tt.run, at("2026-06-01T10:00:00Z"))
		if v.Going || v.Verdict == nil || v.Verdict.Kind != tt.kind || v.Verdict.Title != tt.title {
			t.Errorf("%s: going %v, verdict %+v, want %s %q", tt.run.State, v.Going, v.Verdict, tt.kind, tt.title)
		}
		if !strings.Contains(v.Verdict.Text, tt.run.Error) {
			t.Errorf("the reason %q is not told: %q", tt.run.Error, v.Verdict.Text)
		}
	}
	for _, state := range []fees.RunState{fees.RunQueued, fees.RunRunning} {
		if v := RunOf(rupees(), fees.Run{State: state}, at("2026-06-01T10:00:00Z")); !v.Going || v.Verdict != nil {
			t.Errorf("%s: going %v, verdict %+v", state, v.Going, v.Verdict)
		}
	}
}

func TestBillingPreview(t *testing.T) {
	p := fees.RunPreview{
		Period:  fees.Period{Code: "2026-27/T1", DueDate: "2026-06-10"},
		Class:   "5",
		Tally:   fees.RunTally{Students: 12, Created: 5, Unchanged: 3, Changed: 1, Skipped: 3, Inactive: 2, NoLine: 1, Amount: 2500000},
		PerHead: []fees.HeadAmount{{Head: "TUITION", HeadName: "Tuition", Amount: 2500000, Billed: 150000, Repriced: -50000}},
	}
	v := BillingPreviewOf(rupees(), p, "01A")
	if v.New != "5" || v.Unchanged != "3" || v.Changed != "1" || v.Skipped != "3" || v.Total != (BillingHead{"Total", "25,000.00", "1,500.00", "-500.00", "26,000.00"}) || v.Button != "Create 5 bills" ||
		v.Scope != "Class 5" || v.SkippedWhy != "2 not active, 1 without a line in the fee plan" || v.ChangedWhy == "" {
		t.Errorf("preview is %+v", v)
	}
	if len(v.Heads) != 1 || v.Heads[0] != (BillingHead{"Tuition", "25,000.00", "1,500.00", "-500.00", "26,000.00"}) {
		t.Errorf("heads are %v", v.Heads)
	}
	v = BillingPreviewOf(rupees(), fees.RunPreview{Tally: fees.RunTally{Unchanged: 3}}, "01A")
	if v.Nothing == "" || v.ButtonKind == "primary" || v.SkippedWhy != "" || v.ChangedWhy != "" {
		t.Errorf("a preview of nothing is %+v", v)
	}
}

// Where nobody gets a new bill it is said why.
func TestNobodyNew(t *testing.T) {
	for want, tally := range map[string]fees.RunTally{
		"Everybody who has a line in the fee plan has a bill already.": {Students: 4, Unchanged: 1, Changed: 1, Skipped: 2, Inactive: 2},
		"There are no students yet.":                                   {},
		"The fee plan has no line for anybody here.":                   {Students: 2, Skipped: 2, NoLine: 2},
		"Nobody here is billed: 2 not active, 1 whose bill was cancelled.": {
			Students: 3, Skipped: 3, Inactive: 2, Cancelled: 1},
	} {
		preview := BillingPreviewOf(rupees(), fees.RunPreview{Tally: tally}, "01A").Nothing
		run := RunOf(rupees(), fees.Run{State: fees.RunDone, Tally: tally}, at("2026-06-01T10:00:00Z")).Verdict.Text
		if !strings.HasPrefix(preview, want) || run != want {
			t.Errorf("%+v: the preview says %q, the run %q; want %q", tally, preview, run, want)
		}
	}
}

// Students who come while a run goes are in its progress.
func TestProgressOfMore(t *testing.T) {
	run := fees.Run{State: fees.RunRunning, StartedAt: at("2026-06-01T10:00:00Z"), Tally: fees.RunTally{Students: 100, Done: 120}}
	if got := RunOf(rupees(), run, at("2026-06-01T10:00:01Z")).Progress; got != "120 of 120 students, 120 a second, 0 seconds left" {
		t.Errorf("progress is %q", got)
	}
}

// A period of the year that is called D1 is no difference.
func TestBillsOfPeriodD1(t *testing.T) {
	totals := []fees.BillTotal{{Period: "2026-27/D1", Count: 3, Net: 300_00}, {Period: "2026-27/D1/D1", Count: 1, Net: 20_00}}
	v := BillingOf(rupees(), nothingTyped{}, []fees.Period{{Code: "2026-27/D1", DueDate: "2026-06-10"}}, nil, totals, nil)
	if len(v.Periods) != 1 || v.Periods[0].Bills != "4" || v.Periods[0].Net != "320.00" {
		t.Errorf("%+v, want 4 bills of 320.00", v.Periods)
	}
}

// Preview is a verb of the form: it says what pressing it does.
func TestBillingSaysWhatPreviewDoes(t *testing.T) {
	var b strings.Builder
	form := BillingOf(rupees(), nothingTyped{}, []fees.Period{{Code: "2026-27/T1", DueDate: "2026-06-10"}}, nil, nil, nil)
	if err := BillingPart(form).Render(t.Context(), &b); err != nil || !strings.Contains(b.String(), "Preview writes nothing: you see first what a run would do.") {
		t.Errorf("%v; the form does not say that a preview writes nothing: %s", err, b.String())
	}
}

type nothingTyped struct{}

func (nothingTyped) Value(string) string   { return "" }
func (nothingTyped) Problem(string) string { return "" }

// A preview and its run call the same thing by the same name.
func TestPreviewAndRunSpeakAlike(t *testing.T) {
	labels := func(part templ.Component) string {
		var b strings.Builder
		if err := part.Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, m := range regexp.MustCompile(`<dt>(.*?)</dt>`).FindAllStringSubmatch(b.String(), -1) {
			all = append(all, m[1])
		}
		return strings.Join(all, ", ")
	}
	tally := fees.RunTally{Created: 1, Changed: 1}
	preview := labels(BillingPreviewPart(BillingPreviewOf(rupees(), fees.RunPreview{Tally: tally}, "01A")))
	for _, tally := range []fees.RunTally{tally, {}} {
		if run := labels(RunPart(RunOf(rupees(), fees.Run{State: fees.RunDone, Tally: tally}, at("2026-06-01T10:00:00Z")))); run != preview || run == "" {
			t.Errorf("the run says %s; the preview %s", run, preview)
		}
	}
}
