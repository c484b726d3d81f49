package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"raseed/store/fees"
)

// toil counts what workers do.
type toil struct {
	mu                 sync.Mutex
	sweeps, resumes    int
	rounds, remembered int // of late fees, and how many of them knew of one before
	runs               []string
	atOnce, mostAtOnce int
	sweep              func() error
	run                func(ctx context.Context) error
}

func (w *toil) Sweep(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sweeps++
	if w.sweep != nil {
		return w.sweep()
	}
	return nil
}

func (w *toil) ResumeRuns(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.resumes++
	return nil
}

func (w *toil) AssessDaily(_ context.Context, assessed map[string]fees.Date) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rounds++
	if assessed["DPS"] != "" {
		w.remembered++
	}
	assessed["DPS"] = "2026-11-30"
	return nil
}

func (w *toil) ExecuteRun(ctx context.Context, institute, id string) (fees.Run, error) {
	w.mu.Lock()
	w.runs = append(w.runs, institute+":"+id)
	w.atOnce++
	w.mostAtOnce = max(w.mostAtOnce, w.atOnce)
	w.mu.Unlock()
	var err error
	if w.run != nil {
		err = w.run(ctx)
	}
	w.mu.Lock()
	w.atOnce--
	w.mu.Unlock()
	return fees.Run{}, err
}

// seen is how often each work was done.
func (w *toil) seen() (sweeps, resumes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sweeps, w.resumes
}

func startWorkers(ctx context.Context, w *toil) (*Workers, func()) {
	workers := &Workers{Store: w, Log: slog.New(slog.DiscardHandler), SweepEvery: 3 * time.Second, ResumeEvery: 15 * time.Second, AssessEvery: time.Hour, queue: make(chan job, 64)}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { workers.Run(ctx) })
	return workers, func() { cancel(); running.Wait() }
}

func TestWorkers(t *testing.T) {
	t.Run("rhythm", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &toil{}
			_, stop := startWorkers(t.Context(), w)
			synctest.Wait()
			if sweeps, resumes := w.seen(); sweeps != 1 || resumes != 1 {
				t.Errorf("at start: %d sweeps and %d resumes, want one of each", sweeps, resumes)
			}
			time.Sleep(31 * time.Second) // of the bubble's clock
			stop()
			if sweeps, resumes := w.seen(); sweeps != 11 || resumes != 3 {
				t.Errorf("after 31 seconds: %d sweeps and %d resumes, want 11 and 3", sweeps, resumes)
			}
		})
	})
	t.Run("late fees at start and every hour", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &toil{}
			_, stop := startWorkers(t.Context(), w)
			time.Sleep(2*time.Hour + time.Minute)
			stop()
			if w.rounds != 3 || w.remembered != 2 {
				t.Errorf("%d rounds in two hours of which %d remember the day, want 3 and 2", w.rounds, w.remembered)
			}
		})
	})
	t.Run("runs one at a time, in order, beside the sweep", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &toil{run: func(context.Context) error { time.Sleep(10 * time.Second); return nil }}
			workers, stop := startWorkers(t.Context(), w)
			workers.ExecuteRun("DPS", "1")
			workers.ExecuteRun("QPS", "2")
			time.Sleep(25 * time.Second)
			stop()
			if len(w.runs) != 2 || w.runs[0] != "DPS:1" || w.runs[1] != "QPS:2" || w.mostAtOnce != 1 {
				t.Errorf("runs are %v, %d at once", w.runs, w.mostAtOnce)
			}
			if w.sweeps < 8 {
				t.Errorf("%d sweeps in 25 seconds: a run holds them up", w.sweeps)
			}
		})
	})
	t.Run("a failure and a panic stop nothing", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &toil{}
			w.sweep = func() error {
				if w.sweeps == 1 {
					panic("no")
				}
				return errors.New("away")
			}
			_, stop := startWorkers(t.Context(), w)
			time.Sleep(10 * time.Second)
			stop()
			if w.sweeps != 4 {
				t.Errorf("%d sweeps, want 4", w.sweeps)
			}
		})
	})
	t.Run("stopping interrupts a run", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &toil{run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
			workers, stop := startWorkers(t.Context(), w)
			workers.ExecuteRun("DPS", "1")
			synctest.Wait()
			stop() // would hang
		})
	})
	t.Run("a full queue does not hold the request", func(t *testing.T) {
		w := &Workers{queue: make(chan job, 1)}
		w.ExecuteRun("DPS", "1")
		w.ExecuteRun("DPS", "2")
		if len(w.queue) != 1 {
			t.Errorf("%d queued", len(w.queue))
		}
	})
}
