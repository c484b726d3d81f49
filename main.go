// Raseed collects school and college fees over the counter: an unbroken run
// of receipt numbers per institute and year, on an embedded store or MongoDB.
//
// This file is the commands and the wiring: the only one that knows every
// package, the clock and the source of ids.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	_ "time/tzdata" // institutes' zones, whatever the machine has installed

	"github.com/alecthomas/kong"
	"github.com/oklog/ulid/v2"
	"golang.org/x/term"

	"raseed/store"
	"raseed/store/demo"
	"raseed/store/docdb"
	"raseed/store/docdb/mongodb"
	"raseed/store/docdb/sqlite"
	"raseed/store/fees"
	"raseed/web"
	"raseed/web/load"
)

// commands is the whole command line. Where Raseed runs may also come from the
// environment: RASEED_DB, RASEED_ADDR, RASEED_DATA, RASEED_PUBLIC_URL,
// RASEED_TRUSTED_PROXY and RASEED_METRICS_ADDR. What a command works on may not.
type commands struct {
	Demo      demoCommand      `cmd:"" help:"Serve a demo school on an embedded store."`
	Serve     serveCommand     `cmd:"" help:"Serve Raseed. On an empty store, print a one-time link to set it up."`
	Institute instituteCommand `cmd:"" help:"Add an institute, or close its books."`
	User      userCommand      `cmd:"" help:"Add users, disable them, set their passwords."`
	Import    importCommand    `cmd:"" help:"Import students, a fee plan or concessions from a CSV file."`
	Bill      billCommand      `cmd:"" help:"Bill a period."`
	Audit     auditCommand     `cmd:"" help:"Prove that the ledger is sound. Exit status 0: it is; 1: findings; 2: could not run."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
	Bench     benchCommand     `cmd:"" hidden:"" help:"Measure this machine."`
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

// storeFlag is taken by every command that works on a store.
type storeFlag struct {
	DB string `name:"db" default:"sqlite:raseed.db" env:"RASEED_DB" placeholder:"URL" help:"The store: sqlite:FILE or mongodb://HOST/DATABASE (${default})."`
}

// opening is how a store is opened.
type opening struct {
	readOnly bool         // beside a running server
	present  bool         // it must be there already
	repairs  bool         // nothing is written before the repair has looked
	watched  bool         // slow operations are logged
	metrics  *web.Metrics // hears of all operations; nil for nobody
	log      *slog.Logger
}

// openStore opens the ledger that url names: sqlite:FILE, a plain file name,
// mongodb:// or mongodb+srv://. The caller closes its DB.
func openStore(ctx context.Context, url string, o opening) (*store.Store, error) {
	db, err := openDB(ctx, url, o)
	if err != nil {
		return nil, err
	}
	if o.watched {
		db = watch(db, o)
	}
	s, err := store.New(ctx, db, time.Now, newIDs(), o.log)
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	if !o.readOnly && !o.repairs && !onServer(url) {
		// The lock on the file says that no other process is alive.
		if err := s.TakeOverRuns(ctx); err != nil {
			_ = db.Close()
			return nil, err
		}
	}
	return s, nil
}

// watch has the log and the metrics hear of the store's operations.
func watch(db docdb.DB, o opening) docdb.DB {
	heard := docdb.Observer{Now: time.Now, Log: o.log}
	if o.metrics != nil {
		heard.Observe = func(op docdb.Operation) { o.metrics.StoreOperation(op.Shape, op.Outcome(), op.Took) }
	}
	return docdb.Observed(db, heard)
}

// onServer says that several processes may be at the store at once.
func onServer(url string) bool {
	return strings.HasPrefix(url, "mongodb://") || strings.HasPrefix(url, "mongodb+srv://")
}

var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]+:`)

func openDB(ctx context.Context, url string, o opening) (docdb.DB, error) {
	path, embedded := strings.CutPrefix(url, "sqlite:")
	switch {
	case onServer(url):
		opts := mongodb.Options{Log: o.log, Now: time.Now}
		if o.metrics != nil {
			opts.Events = mongodb.Events{Retried: func(string) { o.metrics.StoreRetry() }, Waiting: o.metrics.StoreWaiting}
		}
		db, err := mongodb.Open(ctx, url, opts)
		if errors.Is(err, docdb.ErrUnavailable) {
			err = fmt.Errorf("the database server cannot be reached: %w", err)
		}
		return db, err
	case !embedded && scheme.MatchString(url):
		return nil, fmt.Errorf("the store %q is of no known kind: want sqlite:FILE or mongodb://HOST/DATABASE", scheme.FindString(url)+"…")
	}
	path = strings.TrimPrefix(path, "//")
	if path == "" {
		return nil, fmt.Errorf("the store has no file name: want sqlite:FILE")
	}
	if o.readOnly || o.present {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("there is no store at %s; --db, or RASEED_DB in this terminal, says where it is: %w", path, err)
		}
	}
	return sqlite.Open(ctx, path, sqlite.Options{ReadOnly: o.readOnly, Now: time.Now, Log: o.log})
}

// newIDs makes ULIDs that sort in the order in which this process made them.
func newIDs() func() string {
	entropy := &ulid.LockedMonotonicReader{MonotonicReader: ulid.Monotonic(rand.Reader, 0)}
	return func() string { return ulid.MustNew(ulid.Now(), entropy).String() }
}

// console is who a command acts as.
func console() fees.Actor {
	return fees.Actor{Login: "console", Name: "Command line", Role: fees.RoleAdmin, From: "console"}
}

// newLog writes what an operator needs to know.
func newLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

type demoCommand struct {
	Addr string `default:"127.0.0.1:8080" env:"RASEED_ADDR" help:"Address to listen on, host:port."`
	Data string `default:"raseed-demo" env:"RASEED_DATA" placeholder:"DIR" help:"Where the demo school is kept (${default})."`
}

// Run fills the store on the first start and serves until it is interrupted.
func (c demoCommand) Run(ctx context.Context, std streams) error {
	cfg, err := web.ParseConfig(c.Addr, "", nil)
	if err != nil {
		return err
	}
	ln, err := listen(ctx, cfg.Addr, "--addr")
	if err != nil {
		return err
	}
	defer ln.Close()
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	s, err := openStore(ctx, filepath.Join(c.Data, "raseed.db"), opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	if err := demo.Fill(ctx, s, time.Now()); err != nil {
		_ = s.DB.Close()
		return fmt.Errorf("fill the demo school: %w", err)
	}
	return serve(ctx, ln, cfg, s, std.out, func(origin string, _ *web.Server) {
		fmt.Fprintf(std.out, "Raseed is ready at %s\n\n", origin)
		printLogins(std.out)
		if !cfg.Local() {
			fmt.Fprintf(std.err, "\nWARNING: %s can be reached from other machines, and everybody knows these passwords. Enter nothing that is real.\n", c.Addr)
		}
		fmt.Fprintf(std.out, "\nThe demo school is kept in %s. Stop with Ctrl-C.\n", c.Data)
	})
}

func printLogins(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "  INSTITUTE\tROLE\tLOGIN\tPASSWORD")
	for _, l := range demo.Logins() {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", l.Institute, l.Role.Title(), l.Login, l.Password)
	}
	_ = t.Flush()
}

type serveCommand struct {
	storeFlag
	Addr         string   `default:"127.0.0.1:8080" env:"RASEED_ADDR" help:"Address to listen on, host:port."`
	PublicURL    string   `env:"RASEED_PUBLIC_URL" placeholder:"URL" help:"What people type, such as https://fees.example.org, when a proxy with TLS stands in front. Cookies are then sent over TLS only."`
	TrustedProxy []string `env:"RASEED_TRUSTED_PROXY" placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is believed."`
	MetricsAddr  string   `env:"RASEED_METRICS_ADDR" placeholder:"HOST:PORT" help:"Serve metrics for Prometheus at http://HOST:PORT/metrics, without a login: an address that only the monitoring can reach. Off without it."`
}

// Run serves until it is interrupted.
func (c serveCommand) Run(ctx context.Context, std streams) error {
	cfg, err := web.ParseConfig(c.Addr, c.PublicURL, c.TrustedProxy)
	if err != nil {
		return err
	}
	// The port first: a busy one is told before the store is touched.
	ln, err := listen(ctx, cfg.Addr, "--addr")
	if err != nil {
		return err
	}
	defer ln.Close()
	log := newLog(std.err, slog.LevelInfo)
	metrics, stop, err := c.serveMetrics(ctx, log)
	if err != nil {
		return err
	}
	defer stop()
	s, err := openStore(ctx, c.DB, opening{watched: true, metrics: metrics, log: log})
	if err != nil {
		return err
	}
	if !cfg.Local() && !cfg.Secure() {
		log.Warn("passwords travel unencrypted: put a proxy with TLS in front and set --public-url")
	}
	return serve(ctx, ln, cfg, s, std.out, func(origin string, srv *web.Server) {
		fmt.Fprintf(std.out, "Raseed is ready at %s\n", origin)
		if path := srv.SetupPath(ctx); path != "" {
			fmt.Fprintf(std.out, "\nNobody can log in yet. Set it up with this link; it works once:\n\n    %s%s\n\n", origin, path)
		}
	})
}

// serveMetrics serves metrics until stop is called, nil ones where nobody asked
// for them.
func (c serveCommand) serveMetrics(ctx context.Context, log *slog.Logger) (m *web.Metrics, stop func(), err error) {
	if c.MetricsAddr == "" {
		return nil, func() {}, nil
	}
	ln, err := listen(ctx, c.MetricsAddr, "--metrics-addr")
	if err != nil {
		return nil, nil, err
	}
	engine := "sqlite"
	if onServer(c.DB) {
		engine = "mongodb"
	}
	m = web.NewMetrics(engine)
	// Until the last request is answered, which is after ctx has ended.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := m.Serve(ctx, ln); err != nil {
			log.Error("metrics are not served any more", "error", err)
		}
	})
	log.Info("metrics are served", "url", "http://"+ln.Addr().String()+"/metrics")
	return m, func() { cancel(); serving.Wait() }, nil
}

// serve answers on ln until ctx ends, and closes the store after the last
// answer. ready is told the origin that people type.
func serve(ctx context.Context, ln net.Listener, cfg web.Config, s *store.Store, out io.Writer, ready func(origin string, srv *web.Server)) error {
	srv, err := web.New(ctx, cfg, web.Deps{Store: s, Sessions: s.Sessions(), Now: time.Now, NewID: s.NewID, Log: s.Log})
	if err != nil {
		return errors.Join(err, s.DB.Close())
	}
	ready(originOf(cfg, ln), srv)
	err = srv.Serve(ctx, ln)
	if closed := s.DB.Close(); closed != nil {
		err = errors.Join(err, fmt.Errorf("close the store: %w", closed))
	}
	if err == nil {
		fmt.Fprintln(out, "Raseed has stopped.")
	}
	return err
}

// listen listens on what the flag says.
func listen(ctx context.Context, addr, flag string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program; stop it, or choose another address with %s", addr, flag)
	}
	return ln, err
}

// originOf is what to type in a browser on this machine, or the public URL.
func originOf(cfg web.Config, ln net.Listener) string {
	if cfg.PublicURL != nil {
		return cfg.PublicURL.String()
	}
	host, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return "http://" + ln.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

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
	s, err := openStore(ctx, c.DB, opening{present: true, log: newLog(std.err, slog.LevelWarn)})
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

type userCommand struct {
	Add      userAddCommand      `cmd:"" help:"Add a user. The password is the first line of standard input; on a terminal it is asked for."`
	Password userPasswordCommand `cmd:"" help:"Give a user another password, read like that of a new one. Their sessions end."`
	Disable  userDisableCommand  `cmd:"" help:"Shut a user out. Their sessions end; what they recorded stays."`
	Enable   userEnableCommand   `cmd:"" help:"Let a disabled user in again."`
}

type userAddCommand struct {
	storeFlag
	Institute string `required:"" help:"The institute's code."`
	Login     string `required:"" help:"What they log in with; unique over all institutes."`
	Name      string `required:"" help:"As printed on receipts."`
	Role      string `required:"" enum:"cashier,accountant,admin,auditor" help:"cashier, accountant, admin or auditor."`
}

// Run adds the user.
func (c userAddCommand) Run(ctx context.Context, std streams) error {
	password, err := readPassword(std)
	if err != nil {
		return err
	}
	s, err := openStore(ctx, c.DB, opening{present: true, log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	u, err := s.AddUser(ctx, c.Institute, c.Login, c.Name, fees.Role(c.Role), password)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "added %s %s to %s\n", u.Role, u.Login, u.Institute)
	return nil
}

// readPassword asks twice on a terminal, without echo; otherwise it reads one
// line.
func readPassword(std streams) (string, error) {
	fd := int(std.in.Fd())
	if !term.IsTerminal(fd) {
		line, err := bufio.NewReader(io.LimitReader(std.in, 4<<10)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var typed [2]string
	for i, prompt := range []string{"Password: ", "Again: "} {
		fmt.Fprint(std.err, prompt)
		b, err := term.ReadPassword(fd)
		fmt.Fprintln(std.err)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		typed[i] = string(b)
	}
	if typed[0] != typed[1] {
		return "", fees.Errorf(fees.Invalid, "The two passwords are not the same.")
	}
	return typed[0], nil
}

// userFlags name a user who is there.
type userFlags struct {
	storeFlag
	Institute string `required:"" help:"The institute's code."`
	Login     string `required:"" help:"What they log in with."`
}

// change opens the store, changes the user and says what was done.
func (f userFlags) change(ctx context.Context, std streams, done string, change func(s *store.Store, login string) error) error {
	login, bad := fees.NormalLogin(f.Login)
	if bad != nil {
		return bad
	}
	s, err := openStore(ctx, f.DB, opening{present: true, log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	if _, err := s.Institute(ctx, f.Institute); err != nil {
		return err
	}
	if err := change(s, login); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s %s of %s\n", done, login, f.Institute)
	return nil
}

type userPasswordCommand struct{ userFlags }

// Run sets the password.
func (c userPasswordCommand) Run(ctx context.Context, std streams) error {
	password, err := readPassword(std)
	if err != nil {
		return err
	}
	return c.change(ctx, std, "set the password of", func(s *store.Store, login string) error {
		return s.SetPassword(ctx, c.Institute, login, password, console())
	})
}

type userDisableCommand struct{ userFlags }

// Run disables the user.
func (c userDisableCommand) Run(ctx context.Context, std streams) error {
	return c.change(ctx, std, "disabled", func(s *store.Store, login string) error {
		return s.SetUserDisabled(ctx, c.Institute, login, true, console())
	})
}

type userEnableCommand struct{ userFlags }

// Run enables the user.
func (c userEnableCommand) Run(ctx context.Context, std streams) error {
	return c.change(ctx, std, "enabled", func(s *store.Store, login string) error {
		return s.SetUserDisabled(ctx, c.Institute, login, false, console())
	})
}

type importCommand struct {
	storeFlag
	What      string `arg:"" enum:"students,plan,concessions" help:"students, plan or concessions."`
	File      string `arg:"" help:"The CSV file."`
	Institute string `required:"" help:"The institute's code."`
	DryRun    bool   `help:"Check and count; write nothing."`
}

// Help lists the columns of the three files.
func (importCommand) Help() string {
	return `The first line of the file names the columns, in any order:

  students:     admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance,left_on
  plan:         fy,period,due_date,class,category,head,amount
  concessions:  admission_no,head,kind,value,reason,approver,from,to

status is active or left; "*" in class or category matches any; kind is percent
or amount.`
}

// errProblems ends an import whose file has bad rows.
var errProblems = errors.New("nothing was imported")

// Run imports the file, or lists every bad row of it and writes nothing.
func (c importCommand) Run(ctx context.Context, std streams) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := openStore(ctx, c.DB, opening{present: true, log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	report, err := importer(s, c.What)(ctx, c.Institute, file, c.DryRun, console())
	if err != nil {
		return err
	}
	return printImport(std, c.What, report)
}

func importer(s *store.Store, what string) func(context.Context, string, io.Reader, bool, fees.Actor) (fees.ImportReport, error) {
	switch what {
	case "students":
		return s.ImportStudents
	case "plan":
		return s.ImportPlan
	}
	return s.ImportConcessions
}

func printImport(std streams, what string, r fees.ImportReport) error {
	for _, column := range r.Unknown {
		fmt.Fprintf(std.err, "column %s is not known and was not read\n", column)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(std.err, "note: %s\n", note)
	}
	for _, p := range r.Problems {
		if p.Column == "" {
			fmt.Fprintf(std.err, "line %d: %s\n", p.Line, p.Reason)
		} else {
			fmt.Fprintf(std.err, "line %d, column %s: %s\n", p.Line, p.Column, p.Reason)
		}
	}
	if len(r.Problems) > 0 {
		in := "the header of " + what // which says what the rows are
		if r.Rows > 0 {
			in = several(r.Rows, "row") + " of " + what
		}
		return fmt.Errorf("%w: %s in %s", errProblems, several(int64(len(r.Problems)), "problem"), in)
	}
	dry := ""
	if r.Dry {
		dry = " (dry run, nothing written)"
	}
	fmt.Fprintf(std.out, "%s: rows %d, created %d, updated %d, unchanged %d%s\n", what, r.Rows, r.Created, r.Updated, r.Unchanged, dry)
	if r.Opened > 0 {
		fmt.Fprintf(std.out, "opening balances billed: %d%s\n", r.Opened, dry)
	}
	return nil
}

// several is a number of things with their name: "1 row", "12 rows".
func several(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

type billCommand struct {
	storeFlag
	Institute string `required:"" help:"The institute's code."`
	Period    string `required:"" help:"The period to bill, such as 2026-27/T1."`
	Class     string `placeholder:"CLASS" help:"Only this class."`
	Reprice   bool   `help:"Also bring bills that are there to what the plan says today: those without money on them are revised, for the others a bill for the difference is added."`
	DryRun    bool   `help:"Say what a run would do; write nothing. An embedded store may be in use meanwhile."`
}

// Run bills the period, or with --dry-run says what that would do. The same run
// that was killed is gone on with, and its tally is of the whole run. The first line
// of the output is always
//
//	created N, unchanged N, updated N, skipped N
func (c billCommand) Run(ctx context.Context, std streams) error {
	s, err := openStore(ctx, c.DB, opening{readOnly: c.DryRun, present: true, log: newLog(std.err, slog.LevelWarn)})
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
		if t := &p.Tally; c.Reprice {
			t.Updated, t.Changed = t.Changed, 0
		}
		return p.Tally, p.PerHead, err
	}
	order := fees.RunOrder{ID: s.NewID(), Period: c.Period, Class: c.Class, Reprice: c.Reprice, By: console()}
	run, err := s.LeftRun(ctx, c.Institute, order)
	if fees.CodeOf(err) == fees.NotFound {
		run, err = s.StartRun(ctx, c.Institute, order)
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
	perHead := func(of func(fees.HeadAmount) fees.Amount) {
		for _, h := range heads {
			if of(h) != 0 {
				fmt.Fprintf(w, "  %s: %s %s\n", h.HeadName, inst.Currency, money.Format(of(h)))
			}
		}
	}
	perHead(func(h fees.HeadAmount) fees.Amount { return h.Amount })
	if t.Skipped > 0 {
		fmt.Fprintf(w, "skipped: %d not active, %d without a line in the plan, %d cancelled\n", t.Inactive, t.NoLine, t.Cancelled)
	}
	if t.Updated > 0 {
		fmt.Fprintf(w, "re-priced: %d revised, %d by a bill for the difference, in all %s %s\n", t.Updated-t.Differences, t.Differences, inst.Currency, money.Format(t.Repriced))
		perHead(func(h fees.HeadAmount) fees.Amount { return h.Repriced })
	}
	if t.Changed > 0 {
		fmt.Fprintf(w, "not touched: %d bills for which the plan says something else today; --reprice brings them to it\n", t.Changed)
	}
	if dry {
		fmt.Fprintln(w, "dry run, nothing written")
	}
}

type auditCommand struct {
	storeFlag
	Institute string `help:"The institute's code; all institutes without it."`
	Repair    bool   `help:"Put right what follows from bills and receipts: accounts, counters that a restore left ahead or behind, numbers and bills on their way. The rest is reported."`
	JSON      bool   `name:"json" help:"Print the report as JSON."`
}

// Run checks every invariant of the ledger, and with --repair puts right what
// can be derived. An embedded store is only read unless it is repaired, so that
// an audit may run beside a server.
func (c auditCommand) Run(ctx context.Context, std streams) error {
	s, err := openStore(ctx, c.DB, opening{readOnly: !c.Repair, repairs: c.Repair, present: true, log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	var report fees.RepairReport
	if c.Repair {
		report, err = s.Repair(ctx, c.Institute, fees.Actor{Login: "command line"})
	} else {
		report.AuditReport, err = s.Audit(ctx, c.Institute)
	}
	if err != nil {
		return couldNotRun{err}
	}
	if c.JSON {
		err = c.encode(std.out, report)
	} else {
		err = c.print(std.out, report)
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if len(report.Findings) > 0 {
		return errFindings
	}
	return nil
}

// encode writes the report for programs, which want lists and not null.
func (c auditCommand) encode(w io.Writer, r fees.RepairReport) error {
	r.Series = append([]fees.SeriesReport{}, r.Series...)
	for i := range r.Series {
		r.Series[i].Missing = append([]int64{}, r.Series[i].Missing...)
	}
	r.Accounts = append([]fees.AccountsReport{}, r.Accounts...)
	r.Findings = append([]fees.Finding{}, r.Findings...)
	r.Repairs = append([]fees.Repair{}, r.Repairs...)
	r.Repaired = append([]fees.Finding{}, r.Repaired...)
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	if c.Repair {
		return out.Encode(r)
	}
	return out.Encode(r.AuditReport)
}

// print writes one line for each thing repaired, then the audit.
func (c auditCommand) print(w io.Writer, r fees.RepairReport) error {
	var b strings.Builder
	for _, f := range r.Repaired {
		fmt.Fprintf(&b, "REPAIRED %s %s %s: %s\n", f.Institute, f.What, f.ID, f.Text)
	}
	switch {
	case len(r.Repaired) > 0 || !c.Repair:
	case slices.ContainsFunc(r.Findings, func(f fees.Finding) bool { return f.What == "damage" }):
		b.WriteString("not repaired: the store itself is damaged\n")
	default:
		b.WriteString("nothing to repair\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return printAudit(w, r.AuditReport)
}

// printAudit writes one line per series, one per institute's accounts, one per
// repair on record, then one per finding.
func printAudit(w io.Writer, r fees.AuditReport) error {
	var b strings.Builder
	for _, s := range r.Series {
		chain := "chain ok"
		if !s.ChainOK {
			chain = "chain BROKEN"
		}
		fmt.Fprintf(&b, "%s %s %s: first %d, last %d, count %d, reversed %d, missing %d, awaiting number %d, %s\n",
			s.Institute, s.FY, s.Series, s.First, s.Last, s.Count, s.Reversed, s.MissingN, s.Awaiting, chain)
	}
	for _, a := range r.Accounts {
		agree := fmt.Sprintf("%d accounts agree", a.Agree())
		if a.Differ > 0 {
			agree = fmt.Sprintf("%d of %d accounts DIFFER", a.Differ, a.Accounts)
		}
		fmt.Fprintf(&b, "%s: %s with %d bills and %d rows%s\n", a.Institute, agree, a.Bills, a.Rows, notCompared(a))
	}
	for _, p := range r.Repairs {
		fmt.Fprintf(&b, "on record: repaired %s by %s, %s %s: %s\n", p.At.Format(time.DateTime), p.By, p.What, p.Doc, p.Text)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "FINDING %s %s %s: %s\n", f.Institute, f.What, f.ID, f.Text)
	}
	if len(r.Findings) == 0 {
		b.WriteString("sound: nothing missing, nothing twice\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// notCompared says of what the accounts could not be told.
func notCompared(a fees.AccountsReport) string {
	said := ""
	if a.Uncounted > 0 {
		said += fmt.Sprintf("; bills still to be counted: %d", a.Uncounted)
	}
	if a.Waiting > 0 {
		said += fmt.Sprintf("; accounts that wait for a bill or row to be counted: %d", a.Waiting)
	}
	if len(a.Busy) > 0 {
		said += "; could not be confirmed, busy: " + strings.Join(a.Busy, ", ")
	}
	return said
}

type versionCommand struct{}

// Run prints the module's version, the revision it was built from where that
// is known, and Go's version.
func (versionCommand) Run(std streams) error {
	version, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
	}
	_, err := fmt.Fprintf(std.out, "raseed %s%s %s\n", version, revision, runtime.Version())
	return err
}

// benchCommand measures this machine: what many cashiers at once get from a
// server whose ledger is large already.
type benchCommand struct {
	Receipts int           `default:"10000" help:"Rows that are in the ledger before (${default})."`
	Students int           `help:"Students; one for 20 rows without it."`
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
		// As many rows of each student whatever the size: dues are made of them.
		c.Students = max(500, c.Cashiers, c.Receipts/20)
	}
	if c.Students < c.Cashiers {
		return couldNotRun{fmt.Errorf("there have to be as many students as cashiers: each serves their own")}
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
