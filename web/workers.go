package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"raseed/store/fees"
)

// Workers do what no request waits for: they number the rows that still await
// a number, execute billing runs, resume those that a dead process left, and
// charge late fees once a business day.
type Workers struct {
	Store interface {
		Sweep(ctx context.Context) error
		ResumeRuns(ctx context.Context) error
		AssessDaily(ctx context.Context, assessed map[string]fees.Date) error
		ExecuteRun(ctx context.Context, institute, id string) (fees.Run, error)
	}
	Log *slog.Logger

	SweepEvery  time.Duration
	ResumeEvery time.Duration
	AssessEvery time.Duration // how often it is asked whether a business day has begun somewhere

	queue chan job
}

type job struct{ institute, run string }

// NewWorkers makes workers that sweep every 3 seconds, look for abandoned
// runs every 15, and for a new business day every hour.
func NewWorkers(s Store, log *slog.Logger) *Workers {
	return &Workers{Store: s, Log: log, SweepEvery: 3 * time.Second, ResumeEvery: 15 * time.Second, AssessEvery: time.Hour, queue: make(chan job, 64)}
}

// ExecuteRun has a started billing run executed in the background. It never
// waits: when too many are queued, the run is found and resumed later.
func (w *Workers) ExecuteRun(institute, run string) {
	select {
	case w.queue <- job{institute, run}:
	default:
	}
}

// Run works until ctx ends. Runs are executed one at a time; the sweep goes on
// beside them.
func (w *Workers) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() {
		w.every(ctx, w.SweepEvery, nil, func() { w.report("sweep", w.Store.Sweep(ctx)) })
	})
	all.Go(func() {
		w.every(ctx, w.ResumeEvery, w.queue, func() { w.report("resume runs", w.Store.ResumeRuns(ctx)) })
	})
	all.Go(func() {
		assessed := map[string]fees.Date{} // the business day of each institute that is done
		w.every(ctx, w.AssessEvery, nil, func() { w.report("assess late fees", w.Store.AssessDaily(ctx, assessed)) })
	})
	all.Wait()
}

// every does the work at once and then every d, and between, one by one, the
// jobs of the queue.
func (w *Workers) every(ctx context.Context, d time.Duration, jobs <-chan job, work func()) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	w.safely(work)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.safely(work)
		case j := <-jobs:
			w.safely(func() {
				run, err := w.Store.ExecuteRun(ctx, j.institute, j.run)
				if err == nil {
					w.Log.Info("billing run", "institute", j.institute, "run", j.run, "state", run.State,
						"created", run.Tally.Created, "unchanged", run.Tally.Unchanged, "skipped", run.Tally.Skipped)
				}
				w.report("execute run", err)
			})
		}
	}
}

// safely keeps a panic in one piece of work from ending the counter.
func (w *Workers) safely(work func()) {
	defer func() {
		if v := recover(); v != nil {
			w.Log.Error("panic in worker", "value", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	work()
}

// report tells the log of a failure; that the workers are stopping, or that
// another process is at the same work, is none.
func (w *Workers) report(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) && fees.CodeOf(err) != fees.Conflict {
		w.Log.Warn("worker will try again", "work", what, "error", err)
	}
}
