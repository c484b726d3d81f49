package load

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// tally is what one cashier measured.
type tally struct {
	now    func() time.Time
	took   map[string][]time.Duration
	failed []error
}

func newTally(now func() time.Time) *tally {
	return &tally{now: now, took: map[string][]time.Duration{}}
}

// measure adds what a step took, unless it failed.
func (t *tally) measure(step string, do func() error) error {
	begin := t.now()
	err := do()
	if err == nil {
		t.took[step] = append(t.took[step], t.now().Sub(begin))
	}
	return err
}

// Report tells what a crew did in a time.
type Report struct {
	Took   time.Duration // from the first request to the last answer
	Steps  []Step        // in their order
	Failed int           // whatever was not answered as it should
	Errors []error       // some of them
}

// Step is one step of the work, from the request to the last byte of the answer.
type Step struct {
	Name                string
	N                   int
	P50, P95, P99, Most time.Duration
}

// someErrors bounds how many errors a report keeps.
const someErrors = 10

func reportOf(tallies []*tally, took time.Duration, steps []string) Report {
	r := Report{Took: took}
	for _, name := range steps {
		var all []time.Duration
		for _, t := range tallies {
			all = append(all, t.took[name]...)
		}
		slices.Sort(all)
		s := Step{Name: name, N: len(all)}
		if s.N > 0 {
			s.P50, s.P95, s.P99, s.Most = all[s.N*50/100], all[s.N*95/100], all[s.N*99/100], all[s.N-1]
		}
		r.Steps = append(r.Steps, s)
	}
	for _, t := range tallies {
		r.Failed += len(t.failed)
		r.Errors = append(r.Errors, t.failed[:min(len(t.failed), someErrors-len(r.Errors))]...)
	}
	return r
}

// Rate is how often a second the step was done.
func (r Report) Rate(s Step) float64 { return float64(s.N) / r.Took.Seconds() }

// Print writes a line for each step, in milliseconds.
func (r Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\tdone\ta second\tp50 ms\tp95 ms\tp99 ms\tmost ms\t\n")
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	for _, s := range r.Steps {
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", s.Name, s.N, r.Rate(s), ms(s.P50), ms(s.P95), ms(s.P99), ms(s.Most))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "  failed: %d\n", r.Failed)
	for _, e := range r.Errors {
		fmt.Fprintf(w, "    %v\n", e)
	}
	return err
}
