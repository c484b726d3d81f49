package main

import (
	"context"
	"fmt"
	"log/slog"

	"raseed/store/fees"
)

type instituteCommand struct {
	Add   instituteAddCommand   `cmd:"" help:"Add an institute."`
	Close instituteCloseCommand `cmd:"" help:"Close the books up to and including a day. They are not opened again."`
}

type instituteAddCommand struct {
	storeFlag
	Code     string `required:"" help:"1 to 8 letters and digits, a letter first."`
	Name     string `required:"" help:"As printed on receipts."`
	Address  string `help:"As printed on receipts, at most 200 characters."`
	FYStart  int64  `name:"fy-start" default:"4" help:"Month in which the financial year begins, 1 to 12."`
	TZ       string `name:"tz" default:"Asia/Kolkata" help:"Time zone."`
	Currency string `default:"INR" help:"ISO 4217 code."`
	Format   string `placeholder:"FORMAT" help:"Format of receipt numbers, such as {code}/{fy}/{seq:5}. At most 16 characters of A to Z, 0 to 9, - and / when filled in."`
}

// Run adds the institute and says what it got.
func (c instituteAddCommand) Run(ctx context.Context, std streams) error {
	s, err := openStore(ctx, c.DB, opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	if c.FYStart < 1 || c.FYStart > 12 { // the store takes 0 for its default
		return fees.Errorf(fees.Invalid, "The financial year starts in a month from 1 to 12, not %d.", c.FYStart)
	}
	inst, err := s.AddInstitute(ctx, fees.Institute{
		Code: c.Code, Name: c.Name, Address: c.Address, FYStart: c.FYStart, TimeZone: c.TZ, Currency: c.Currency,
		Formats: fees.Formats{Receipt: c.Format},
	})
	if err != nil {
		return err
	}
	format, bad := inst.Format(fees.SeriesReceipt)
	if bad != nil {
		return bad
	}
	fmt.Fprintf(std.out, "added institute %s: receipts are numbered like %s; the books are open from %s\n",
		inst.Code, format.Example(inst.FY(inst.Today(s.Now()))), inst.ClosedTo.AddDays(1))
	return nil
}

type instituteCloseCommand struct {
	storeFlag
	Code    string `required:"" help:"The institute's code."`
	Through string `required:"" placeholder:"DATE" help:"The last day to close, such as 2026-03-31."`
}

// Run closes the books.
func (c instituteCloseCommand) Run(ctx context.Context, std streams) error {
	day, bad := fees.ParseDate(c.Through)
	if bad != nil {
		return bad
	}
	s, err := openStore(ctx, c.DB, opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	if err := s.CloseBooks(ctx, c.Code, day); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "closed the books of %s through %s\n", c.Code, day)
	return nil
}
