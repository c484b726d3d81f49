// Raseed collects school and college fees over the counter: an unbroken run
// of receipt numbers per institute and year, on an embedded store or MongoDB.
//
// This file and its neighbours main_*.go are the commands and the wiring: the
// only place that knows every package, the clock and the source of ids.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	_ "time/tzdata" // institutes' zones, whatever the machine has installed

	"github.com/alecthomas/kong"

	"raseed/store/fees"
)

// commands is the whole command line. Where Raseed runs may also come from the
// environment: RASEED_DB, RASEED_ADDR, RASEED_DATA, RASEED_PUBLIC_URL and
// RASEED_TRUSTED_PROXY. What a command works on may not.
type commands struct {
	Demo      demoCommand      `cmd:"" help:"Serve a demo school on an embedded store."`
	Serve     serveCommand     `cmd:"" help:"Serve Raseed. On an empty store, print a one-time link to set it up."`
	Institute instituteCommand `cmd:"" help:"Add an institute, or close its books."`
	User      userCommand      `cmd:"" help:"Add users, disable them, set their passwords."`
	Import    importCommand    `cmd:"" help:"Import students, a fee plan or concessions from a CSV file."`
	Bill      billCommand      `cmd:"" help:"Bill a period."`
	Audit     auditCommand     `cmd:"" help:"Prove that the ledger is sound. Exit status 0: it is; 1: findings; 2: could not run."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
}

// streams are where a command reads and writes.
type streams struct {
	in       *os.File
	out, err io.Writer
}

// The exit statuses besides 0.
const (
	exitRefused = 1 // the ledger said no: bad input, findings
	exitFailed  = 2 // it could not be tried: usage, files, network
)

// errFindings ends an audit that ran and found something.
var errFindings = errors.New("the ledger is not sound, see above")

// couldNotRun is a failure whatever the ledger's own reason says.
type couldNotRun struct{ error }

func (e couldNotRun) Unwrap() error { return e.error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	// A second Ctrl-C ends a stop that takes long; one that comes with the first
	// (a terminal and a supervisor both send it) does not.
	context.AfterFunc(ctx, func() { time.AfterFunc(2*time.Second, stop) })
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// stopSignals end a command cleanly: Ctrl-C, a supervisor, and the terminal that
// is closed, unless nohup said that the command is to outlive it.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

func run(ctx context.Context, args []string, std streams) int {
	var cli commands
	parser, err := kong.New(&cli,
		kong.Name("raseed"),
		kong.Description("Fee collection for schools and colleges."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(std.out, std.err),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std))
	if err != nil {
		panic(err) // the struct above is wrong
	}
	command, err := parser.Parse(asAsked(args))
	if err != nil {
		fmt.Fprintf(std.err, "raseed: %v\nTry: raseed --help\n", err)
		return exitFailed
	}
	return explain(std.err, command.Run())
}

// asAsked also takes the ways in which people ask any program for its help and
// its version.
func asAsked(args []string) []string {
	switch {
	case len(args) > 0 && args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case len(args) == 1 && args[0] == "--version":
		return []string{"version"}
	}
	return args
}

// explain writes an error as people read it and returns its exit status.
func explain(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var said *fees.Error
	if !errors.As(err, &said) {
		fmt.Fprintf(w, "raseed: %v\n", err)
		return exitStatus(err)
	}
	fmt.Fprintf(w, "raseed: %s\n", said.Message)
	for _, field := range slices.Sorted(maps.Keys(said.Fields)) {
		if said.Fields[field] != said.Message {
			fmt.Fprintf(w, "  %s: %s\n", field, said.Fields[field])
		}
	}
	return exitStatus(err)
}

func exitStatus(err error) int {
	if errors.As(err, new(couldNotRun)) {
		return exitFailed
	}
	if errors.Is(err, errFindings) || errors.Is(err, errProblems) {
		return exitRefused
	}
	switch fees.CodeOf(err) {
	case "", fees.Unavailable, fees.Unconfirmed:
		return exitFailed
	}
	return exitRefused
}
