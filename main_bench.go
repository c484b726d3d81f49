package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"raseed/store"
	"raseed/store/fees"
	"raseed/web"
	"raseed/web/load"
)

// benchCommand measures this machine: what many cashiers at once get from a
// server whose ledger is large already.
type benchCommand struct {
	Receipts int           `default:"10000" help:"Rows that are in the ledger before (${default})."`
	Students int           `help:"Students; one for 20 rows without it, and at least 2000."`
	Cashiers int           `default:"16" help:"Cashiers at once, each without a pause (${default})."`
	For      time.Duration `name:"for" default:"10s" help:"How long each part takes (${default})."`
	Data     string        `placeholder:"DIR" help:"Where the ledger is made and left, to be used again with the same sizes; a temporary folder without it."`
}

// benchSchool is the institute that is made for it.
const benchSchool = "BENCH"

// Run makes a ledger, serves it, has cashiers work at it, and proves in the end
// that no number is missing.
func (c benchCommand) Run(ctx context.Context, std streams) error {
	if c.Receipts < 0 || c.Cashiers < 1 || c.For <= 0 {
		return couldNotRun{fmt.Errorf("there have to be cashiers, and time to work")}
	}
	if c.Students == 0 {
		c.Students = max(2000, c.Receipts/20)
	}
	dir, remove, err := c.folder()
	if err != nil {
		return err
	}
	defer remove()
	s, err := openStore(ctx, filepath.Join(dir, "raseed.db"), opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	crew, err := c.furnish(ctx, s, std.out)
	if err != nil {
		_ = s.DB.Close()
		return err
	}
	cfg, err := web.ParseConfig("127.0.0.1:0", "", nil)
	if err != nil {
		return err
	}
	ln, err := listen(ctx, cfg.Addr, "--addr")
	if err != nil {
		_ = s.DB.Close()
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- serve(serving, ln, cfg, s, io.Discard, func(string, *web.Server) {}) }()
	failed := c.measure(ctx, originOf(cfg, ln), crew, s, std.out)
	stop()
	if err := <-served; err != nil && failed == nil {
		failed = err
	}
	return failed
}

// folder is where the ledger is kept.
func (c benchCommand) folder() (dir string, remove func(), err error) {
	if c.Data != "" {
		return c.Data, func() {}, os.MkdirAll(c.Data, 0o700)
	}
	dir, err = os.MkdirTemp("", "raseed-bench-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

// furnish makes the school, its ledger and its cashiers, as far as they are not
// there from the last time: the cashiers come last, and each opens a till.
func (c benchCommand) furnish(ctx context.Context, s *store.Store, out io.Writer) ([]load.Login, error) {
	begin := time.Now()
	_, err := s.AddInstitute(ctx, fees.Institute{Code: benchSchool, Name: "Bench School", TimeZone: "Asia/Kolkata", FYStart: 4, Currency: "INR"})
	again := fees.CodeOf(err) == fees.Conflict
	switch {
	case again:
		if _, err := s.User(ctx, "bench1"); err != nil {
			return nil, fmt.Errorf("%s has half of a ledger; remove it and begin anew", c.Data)
		}
	case err != nil:
		return nil, err
	default:
		if err := s.GenerateLedger(ctx, benchSchool, store.LedgerSize{Rows: c.Receipts, Students: c.Students, BillsEach: 12}); err != nil {
			return nil, err
		}
		fmt.Fprintf(out, "%d rows of %d students, 12 bills each, made in %.0f s\n", c.Receipts, c.Students, time.Since(begin).Seconds())
	}
	const password = "a counter of its own"
	var crew []load.Login
	for i := range c.Cashiers {
		login := fmt.Sprintf("bench%d", i+1)
		_, err := s.AddUser(ctx, benchSchool, login, fmt.Sprintf("Cashier %d", i+1), fees.RoleCashier, password)
		if err == nil {
			_, err = s.OpenShift(ctx, benchSchool, fees.ShiftOrder{ID: s.NewID(), By: fees.Actor{Login: login, Name: login, Role: fees.RoleCashier}})
		}
		if err != nil && (!again || fees.CodeOf(err) != fees.Conflict) {
			return nil, err
		}
		crew = append(crew, load.Login{Login: login, Password: password})
	}
	return crew, nil
}

func (c benchCommand) measure(ctx context.Context, origin string, logins []load.Login, s *store.Store, out io.Writer) error {
	students := make([]string, c.Students)
	for i := range students {
		students[i] = strconv.Itoa(store.FirstGenerated + i)
	}
	crew, err := load.LogIn(ctx, load.Plan{URL: origin, Cashiers: logins, Students: students, Now: time.Now, NewID: s.NewID})
	if err != nil {
		return err
	}
	defer crew.Close()
	failed := 0
	for _, part := range []struct {
		title string
		work  func(context.Context, time.Duration) load.Report
	}{
		{"search, dues, payment, receipt", crew.Flows},
		{"payments only", crew.Payments},
	} {
		r := part.work(ctx, c.For)
		fmt.Fprintf(out, "\n%s, %d cashiers, %.0f s\n", part.title, c.Cashiers, r.Took.Seconds())
		if err := r.Print(out); err != nil {
			return err
		}
		failed += r.Failed
	}
	fmt.Fprintln(out)
	report, err := s.Audit(ctx, "")
	if err != nil {
		return couldNotRun{err}
	}
	if err := printAudit(out, report); err != nil {
		return err
	}
	switch {
	case len(report.Findings) > 0:
		return errFindings
	case failed > 0:
		return errors.New("some of it failed, see above")
	}
	return nil
}
