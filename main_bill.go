package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"raseed/store"
	"raseed/store/fees"
)

type billCommand struct {
	storeFlag
	Institute string `required:"" help:"The institute's code."`
	Period    string `required:"" help:"The period to bill, such as 2026-27/T1."`
	Class     string `placeholder:"CLASS" help:"Only this class."`
	DryRun    bool   `help:"Say what a run would do; write nothing."`
}

// Run bills the period, or with --dry-run says what that would do. A run that
// was killed is gone on with, and its tally is of the whole run. The first line
// of the output is always
//
//	created N, unchanged N, updated N, skipped N
func (c billCommand) Run(ctx context.Context, std streams) error {
	s, err := openStore(ctx, c.DB, opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	inst, err := s.Institute(ctx, c.Institute)
	if err != nil {
		return err
	}
	tally, heads, err := c.bill(ctx, s)
	if err != nil {
		return err
	}
	printTally(std.out, inst, tally, heads, c.DryRun)
	return nil
}

func (c billCommand) bill(ctx context.Context, s *store.Store) (fees.RunTally, []fees.HeadAmount, error) {
	if c.DryRun {
		p, err := s.PreviewRun(ctx, c.Institute, c.Period, c.Class)
		return p.Tally, p.PerHead, err
	}
	run, err := s.LeftRun(ctx, c.Institute, c.Period, c.Class)
	if fees.CodeOf(err) == fees.NotFound {
		run, err = s.StartRun(ctx, c.Institute, fees.RunOrder{ID: s.NewID(), Period: c.Period, Class: c.Class, By: console()})
	}
	if err != nil {
		return fees.RunTally{}, nil, err
	}
	run, err = s.ExecuteRun(ctx, c.Institute, fees.After(run.ID))
	return run.Tally, nil, err
}

func printTally(w io.Writer, inst fees.Institute, t fees.RunTally, heads []fees.HeadAmount, dry bool) {
	money := inst.Money()
	fmt.Fprintf(w, "created %d, unchanged %d, updated %d, skipped %d\n", t.Created, t.Unchanged, t.Updated, t.Skipped)
	fmt.Fprintf(w, "amount of the created bills: %s %s\n", inst.Currency, money.Format(t.Amount))
	for _, h := range heads {
		fmt.Fprintf(w, "  %s: %s %s\n", h.HeadName, inst.Currency, money.Format(h.Amount))
	}
	if t.Skipped > 0 {
		fmt.Fprintf(w, "skipped: %d not active, %d without a line in the plan\n", t.Inactive, t.NoLine)
	}
	if t.Changed > 0 {
		fmt.Fprintf(w, "not touched: %d bills for which the plan says something else today\n", t.Changed)
	}
	if dry {
		fmt.Fprintln(w, "dry run, nothing written")
	}
}
