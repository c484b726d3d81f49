package views

import (
	"strconv"
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Run is a billing run's progress, and once it is over its result.
type Run struct {
	Href  string
	Scope string
	State ui.StatusView

	Going      bool // queued or running: the page keeps asking
	Again      bool // it did not get to its end; what is left can be previewed
	Period     string
	Class      string
	Done, Of   string
	Progress   string // in words, with the rate and what is left
	Created    string
	Unchanged  string
	Updated    string
	UpdatedWhy string
	Skipped    string
	SkippedWhy string
	Changed    string
	ChangedWhy string
	Amount     string // net of the created bills, with its symbol
	Verdict    *ui.AlertView
}

// RunOf is a run as it stands at the moment now.
func RunOf(inst fees.Institute, r fees.Run, now time.Time) Run {
	t := r.Tally
	v := Run{
		Href:       runHref(r),
		Scope:      Scope(r.Class) + ", started by " + r.By + " on " + Moment(inst, r.StartedAt),
		State:      RunPill(r.State),
		Going:      r.State == fees.RunQueued || r.State == fees.RunRunning,
		Again:      r.State == fees.RunFailed || r.State == fees.RunCancelled,
		Period:     r.Period,
		Class:      r.Class,
		Done:       strconv.FormatInt(t.Done, 10),
		Of:         strconv.FormatInt(max(t.Students, 1), 10),
		Progress:   progress(r, now),
		Created:    Count(t.Created),
		Unchanged:  Count(t.Unchanged),
		Updated:    Count(t.Updated),
		UpdatedWhy: updatedWhy(inst.Money(), t),
		Skipped:    Count(t.Skipped),
		SkippedWhy: skippedWhy(t),
		Changed:    Count(t.Changed),
		ChangedWhy: changedWhy(t),
		Amount:     Money(inst.Money(), t.Amount),
	}
	v.Verdict = verdict(r)
	return v
}

// nobodyNew says why a run has no new bill.
func nobodyNew(t fees.RunTally) string {
	switch {
	case t.Unchanged+t.Changed+t.Updated > 0:
		return "Everybody who has a line in the fee plan has a bill already."
	case t.Skipped == 0:
		return "There are no students yet."
	case t.NoLine == t.Skipped:
		return "The fee plan has no line for anybody here."
	}
	return "Nobody here is billed: " + skippedWhy(t) + "."
}

// Scope says in words whom a run covers.
func Scope(class string) string {
	if class == "" {
		return "All classes"
	}
	return "Class " + class
}

// RunPill is a run's state in a word and a colour.
func RunPill(s fees.RunState) ui.StatusView {
	switch s {
	case fees.RunQueued:
		return ui.StatusView{Kind: "neutral", Word: "Queued"}
	case fees.RunRunning:
		return ui.StatusView{Kind: "info", Word: "Running"}
	case fees.RunFailed:
		return ui.StatusView{Kind: "error", Word: "Failed"}
	case fees.RunCancelled:
		return ui.StatusView{Kind: "neutral", Word: "Cancelled"}
	}
	return ui.StatusView{Kind: "success", Word: "Done"}
}

// progress says how far a run is and, once it can be told, how fast it goes
// and how long it still takes.
func progress(r fees.Run, now time.Time) string {
	t := r.Tally
	if r.State == fees.RunQueued || t.Students == 0 {
		return "Waiting to start"
	}
	text := Count(t.Done) + " of " + Plural(max(t.Students, t.Done), "student")
	begun := r.StartedAt
	if !r.ClaimedAt.IsZero() { // one that was left is looked at from the first student on
		begun = r.ClaimedAt
	}
	took := now.Sub(begun)
	if t.Done == 0 || took <= 0 {
		return text
	}
	perSecond := int64(time.Duration(t.Done) * time.Second / took)
	if perSecond == 0 {
		return text
	}
	left := (max(t.Students-t.Done, 0) + perSecond - 1) / perSecond // some came after they were counted
	return text + ", " + Count(perSecond) + " a second, " + secondsLeft(left)
}

func secondsLeft(s int64) string {
	if s < 90 {
		return Plural(s, "second") + " left"
	}
	return Plural((s+30)/60, "minute") + " left"
}

// updatedWhy says what re-pricing did.
func updatedWhy(money fees.Currency, t fees.RunTally) string {
	if t.Updated == 0 {
		return ""
	}
	return Count(t.Updated-t.Differences) + " revised, " + Plural(t.Differences, "difference bill") + ", " + signed(money, t.Repriced)
}

func verdict(r fees.Run) *ui.AlertView {
	t := r.Tally
	switch {
	case r.State == fees.RunFailed:
		return &ui.AlertView{Kind: "error", Title: "The run stopped", Text: r.Error + " The bills made so far are kept; run it again and only the rest is billed."}
	case r.State == fees.RunCancelled:
		return &ui.AlertView{Kind: "warning", Title: "Cancelled by " + r.CancelledBy, Text: "What was billed until then stays. Another run bills the rest, and nobody twice."}
	case r.State != fees.RunDone:
		return nil
	}
	title := ", " + Count(t.Unchanged) + " unchanged"
	if t.Updated > 0 {
		title += ", " + Count(t.Updated) + " re-priced"
	}
	switch {
	case t.Created > 0:
		return &ui.AlertView{Kind: "success", Title: Plural(t.Created, "new bill") + title}
	case t.Updated > 0:
		return &ui.AlertView{Kind: "success", Title: "0 new" + title}
	}
	return &ui.AlertView{Kind: "info", Title: "0 new" + title, Text: nobodyNew(t)}
}
