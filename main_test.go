package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"raseed/store/fees"
)

// The test binary is also the program: with asProgram set it runs main.
const asProgram = "RASEED_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is a raseed command in a folder of its own.
type program struct {
	t   *testing.T
	dir string
	env []string
}

func newProgram(t *testing.T) program { return program{t: t, dir: t.TempDir()} }

func (p program) command(args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), exe, args...)
	cmd.Dir = p.dir
	cmd.Env = append([]string{asProgram + "=1", "HOME=" + p.dir, "TZ=America/New_York"}, p.env...)
	return cmd
}

// run runs a command to its end.
func (p program) run(stdin string, args ...string) (status int, stdout, stderr string) {
	p.t.Helper()
	cmd := p.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatalf("raseed %s: %v", strings.Join(args, " "), err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// must runs a command that succeeds and returns what it printed.
func (p program) must(stdin string, args ...string) string {
	p.t.Helper()
	status, out, errs := p.run(stdin, args...)
	if status != 0 {
		p.t.Fatalf("raseed %s: exit status %d\n%s%s", strings.Join(args, " "), status, out, errs)
	}
	return out
}

// refused runs a command that ends with a status and says something.
func (p program) refused(status int, says, stdin string, args ...string) {
	p.t.Helper()
	got, out, errs := p.run(stdin, args...)
	if got != status {
		p.t.Errorf("raseed %s: exit status %d, want %d\n%s%s", strings.Join(args, " "), got, status, out, errs)
	}
	if !strings.Contains(errs, says) {
		p.t.Errorf("raseed %s: stderr does not say %q: %s", strings.Join(args, " "), says, errs)
	}
	if strings.Contains(errs, "goroutine") || strings.Contains(out, "says") {
		p.t.Errorf("raseed %s: crashed: %s", strings.Join(args, " "), errs)
	}
}

func (p program) file(name, content string) string {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return name
}

// thisYear puts the financial year of today in place of 2026-27, since books
// of past years are closed.
func thisYear(text string) string {
	india, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		panic(err)
	}
	fy := fees.FYOf(fees.DateOf(time.Now(), india), 4)
	return strings.ReplaceAll(strings.ReplaceAll(text, "2026-27", fy), "2026-06-10", fy[:4]+"-06-10")
}

const (
	studentsCSV = "admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n" +
		"1,Asha,1,A,GEN,,,,,active,\n2,Ravi,2,A,GEN,,,,,active,250.00\n3,Zoya,2,A,GEN,,,,,left,\n"
	planCSV = "fy,period,due_date,class,category,head,amount\n" +
		"2026-27,2026-27/T1,2026-06-10,*,*,TUITION,4500.00\n2026-27,2026-27/T1,2026-06-10,2,*,LAB,100.50\n"
	concessionsCSV = "admission_no,head,kind,value,reason\n1,TUITION,percent,10,sibling\n"
)

func TestFromStudentListToBills(t *testing.T) {
	p := newProgram(t)
	if out := p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School"); !strings.Contains(out, "DPS/") || !strings.Contains(out, "/00001") {
		t.Errorf("institute add does not show how receipts are numbered: %s", out)
	}
	p.must("a long password\n", "user", "add", "--institute", "DPS", "--login", "asha", "--name", "Asha R", "--role", "cashier")
	p.file("students.csv", studentsCSV)
	p.file("plan.csv", thisYear(planCSV))
	p.file("concessions.csv", concessionsCSV)

	steps := []struct{ args, want string }{
		{"import students --institute DPS students.csv --dry-run", "students: rows 3, created 3, updated 0, unchanged 0 (dry run, nothing written)\nopening balances billed: 1 (dry run, nothing written)\n"},
		{"import students --institute DPS students.csv", "students: rows 3, created 3, updated 0, unchanged 0\nopening balances billed: 1\n"},
		{"import students --institute DPS students.csv", "students: rows 3, created 0, updated 0, unchanged 3\n"},
		{"import plan --institute DPS plan.csv", "plan: rows 2, created 2, updated 0, unchanged 0\n"},
		{"import concessions --institute DPS concessions.csv", "concessions: rows 1, created 1, updated 0, unchanged 0\n"},
		{"bill --institute DPS --period 2026-27/T1 --dry-run", "created 2, unchanged 0, updated 0, skipped 1\namount of the created bills: INR 8,650.50\n"},
		{"bill --institute DPS --period 2026-27/T1", "created 2, unchanged 0, updated 0, skipped 1\namount of the created bills: INR 8,650.50\n"},
		{"bill --institute DPS --period 2026-27/T1", "created 0, unchanged 2, updated 0, skipped 1\namount of the created bills: INR 0.00\n"},
	}
	for _, step := range steps {
		if out := p.must("", strings.Fields(thisYear(step.args))...); !strings.HasPrefix(out, step.want) {
			t.Errorf("raseed %s prints\n%swant\n%s", step.args, out, step.want)
		}
	}
	if out := p.must("", "audit"); !strings.HasSuffix(out, "sound: nothing missing, nothing twice\n") {
		t.Errorf("audit prints %s", out)
	}
	var report fees.AuditReport
	if err := json.Unmarshal([]byte(p.must("", "audit", "--institute", "DPS", "--json")), &report); err != nil || report.Series == nil || report.Findings == nil {
		t.Errorf("audit --json: %v, %+v", err, report)
	}
}

// An audit of all institutes also finds what belongs to none.
func TestAuditFindsStrays(t *testing.T) {
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	ctx := context.Background()
	s, err := openStore(ctx, filepath.Join(p.dir, "raseed.db"), opening{log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(s.DB.InsertOne(ctx, "payments", fees.Row{ID: "XYZ:01JD0000000000000000000000", Institute: "XYZ", Lines: []fees.Line{}, Tenders: []fees.Tender{}}), s.DB.Close())
	if err != nil {
		t.Fatal(err)
	}
	p.must("", "audit", "--institute", "DPS")
	for _, args := range [][]string{{"audit"}, {"audit", "--json"}} {
		status, out, errs := p.run("", args...)
		if status != 1 || !strings.Contains(out, "XYZ") || !strings.Contains(out, "does not exist") {
			t.Errorf("raseed %v: exit status %d, want 1 and the stray row\n%s%s", args, status, out, errs)
		}
	}
}

func TestRefusals(t *testing.T) {
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	p.must("a long password\n", "user", "add", "--institute", "DPS", "--login", "asha", "--name", "Asha R", "--role", "cashier")
	p.file("bad.csv", "admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n1,Asha,1,A,GEN,,,,,active,12x\n,Ravi,1,A,GEN,,,,,active,\n")
	p.file("header.csv", "admission_no,name,class\n1,Asha,5\n")
	p.file("junk.db", strings.Repeat("this is no database\n", 100))
	user := func(more ...string) []string {
		return append([]string{"user", "add", "--institute", "DPS", "--login", "ravi", "--name", "Ravi", "--role", "cashier"}, more...)
	}
	for _, c := range []struct {
		name   string
		status int
		says   string
		stdin  string
		args   []string
	}{
		{"no command", 2, "expected", "", nil},
		{"unknown command", 2, "unexpected", "", []string{"pay"}},
		{"unknown flag", 2, "unknown flag", "", []string{"audit", "--fast"}},
		{"missing flag", 2, "missing flags", "", []string{"institute", "add", "--code", "X"}},
		{"institute twice", 1, "already an institute DPS", "", []string{"institute", "add", "--code", "dps", "--name", "Again"}},
		{"bad code", 1, "code", "", []string{"institute", "add", "--code", "1-2", "--name", "X"}},
		{"bad zone", 1, "time zone", "", []string{"institute", "add", "--code", "X", "--name", "X", "--tz", "Mars/Base"}},
		{"unknown currency", 1, "no currency", "", []string{"institute", "add", "--code", "X", "--name", "X", "--currency", "QQQ"}},
		{"month 0", 1, "1 to 12", "", []string{"institute", "add", "--code", "X", "--name", "X", "--fy-start", "0"}},
		{"format without number", 1, "seq", "", []string{"institute", "add", "--code", "X", "--name", "X", "--format", "{code}/{fy}"}},
		{"format too long", 1, "16", "", []string{"institute", "add", "--code", "LONGCODE", "--name", "X", "--format", "{code}/{fy}/{seq:5}"}},
		{"short password", 1, "8 characters", "short\n", user()},
		{"no password", 1, "8 characters", "", user()},
		{"login taken", 1, "taken", "a long password\n", []string{"user", "add", "--institute", "DPS", "--login", "ASHA", "--name", "Asha", "--role", "admin"}},
		{"unknown institute", 1, "no institute XYZ", "a long password\n", []string{"user", "add", "--institute", "XYZ", "--login", "zoya", "--name", "Zoya", "--role", "admin"}},
		{"unknown role", 2, "must be one of", "a long password\n", []string{"user", "add", "--institute", "DPS", "--login", "zoya", "--name", "Zoya", "--role", "king"}},
		{"bad rows", 1, "line 2, column opening_balance:", "", []string{"import", "students", "--institute", "DPS", "bad.csv"}},
		{"how many bad rows", 1, "nothing was imported: 2 problems in 2 rows of students", "", []string{"import", "students", "--institute", "DPS", "bad.csv"}},
		{"a bad header", 1, "nothing was imported: 1 problem in the header of students", "", []string{"import", "students", "--institute", "DPS", "header.csv"}},
		{"every bad row", 1, "line 3, column admission_no:", "", []string{"import", "students", "--institute", "DPS", "bad.csv", "--dry-run"}},
		{"no file", 2, "no such file", "", []string{"import", "students", "--institute", "DPS", "none.csv"}},
		{"unknown kind of file", 2, "must be one of", "", []string{"import", "teachers", "--institute", "DPS", "bad.csv"}},
		{"unknown period", 1, "Make a fee plan first", "", []string{"bill", "--institute", "DPS", "--period", "2026-27/T9"}},
		{"bill for nobody", 1, "no institute XYZ", "", []string{"bill", "--institute", "XYZ", "--period", "2026-27/T1"}},
		{"close the future", 1, "future", "", []string{"institute", "close", "--code", "DPS", "--through", "2199-12-31"}},
		{"close no day", 1, "date", "", []string{"institute", "close", "--code", "DPS", "--through", "tomorrow"}},
		{"audit of nobody", 2, "no institute XYZ", "", []string{"audit", "--institute", "XYZ"}},
		{"audit of no file", 2, "none.db", "", []string{"audit", "--db", "sqlite:none.db"}},
		{"no database", 2, "junk.db", "", []string{"audit", "--db", "junk.db"}},
		{"unknown store", 2, "no known kind", "", []string{"audit", "--db", "postgres://localhost/raseed"}},
		{"unknown store keeps its password", 2, "postgres:…", "", []string{"serve", "--db", "postgres://root:secret@localhost/raseed", "--addr", "127.0.0.1:0"}},
		{"no store", 2, "file name", "", []string{"audit", "--db", "sqlite:"}},
		{"bad address", 2, "host:port", "", []string{"serve", "--addr", "8080"}},
		{"bad public URL", 2, "want an origin", "", []string{"serve", "--public-url", "fees.example.org"}},
		{"bad proxy", 2, "want an address or a prefix", "", []string{"serve", "--trusted-proxy", "proxy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program{t: t, dir: p.dir}
			p.refused(c.status, c.says, c.stdin, c.args...)
		})
	}
	if _, err := os.Stat(filepath.Join(p.dir, "none.db")); err == nil {
		t.Error("an audit of no store makes one")
	}
}

// server is a running serve or demo.
type server struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
	errs  *bytes.Buffer
	url   string
}

func (p program) start(args ...string) *server {
	p.t.Helper()
	s := &server{t: p.t, cmd: p.command(args...), errs: new(bytes.Buffer)}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	s.cmd.Stderr = s.errs
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.lines = bufio.NewScanner(out)
	s.url = s.await(`^Raseed is ready at (http://\S+)$`)
	return s
}

// await reads lines until one matches and returns its group.
func (s *server) await(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	for s.lines.Scan() {
		if m := re.FindStringSubmatch(s.lines.Text()); m != nil {
			return m[1]
		}
	}
	_ = s.cmd.Wait()
	s.t.Fatalf("nothing matches %s; stderr: %s", pattern, s.errs)
	return ""
}

// interrupt is Ctrl-C; it returns the rest of what was printed.
func (s *server) interrupt() string {
	s.t.Helper()
	return s.end(syscall.SIGINT)
}

func (s *server) end(sig syscall.Signal) string {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
	var rest strings.Builder
	for s.lines.Scan() {
		rest.WriteString(s.lines.Text() + "\n")
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("%v: %v; stderr: %s", sig, err, s.errs)
	}
	return rest.String()
}

func TestServe(t *testing.T) {
	p := newProgram(t)
	p.env = []string{"RASEED_ADDR=127.0.0.1:0", "RASEED_DB=sqlite:school.db"}
	s := p.start("serve")
	link := s.await(`^    (http://\S+/setup/\S+)$`)
	if status := get(t, link); status != http.StatusOK {
		t.Errorf("the one-time link: status %d, want 200", status)
	}
	form := url.Values{"code": {"GVS"}, "name": {"Green Valley"}, "currency": {"INR"}, "fy_start": {"4"}, "tz": {"Asia/Kolkata"},
		"user_name": {"Asha"}, "login": {"asha"}, "password": {"a long password"}}
	if status := post(t, link, form); status != http.StatusSeeOther {
		t.Errorf("setting up: status %d, want 303", status)
	}
	if status := get(t, s.url+"/login"); status != http.StatusOK {
		t.Errorf("the login page: status %d, want 200", status)
	}
	if out := p.must("", "audit"); !strings.Contains(out, "sound") {
		t.Errorf("an audit beside the server: %s", out)
	}
	p.refused(2, "another", "", "import", "students", "--institute", "GVS", p.file("students.csv", studentsCSV))
	p.refused(2, "in use", "", "serve", "--db", "other.db", "--addr", strings.TrimPrefix(s.url, "http://"))
	if rest := s.interrupt(); !strings.Contains(rest, "Raseed has stopped.") {
		t.Errorf("Ctrl-C does not end with a word: %s", rest)
	}
	for _, secret := range []string{link, "a long password", "asha"} {
		if strings.Contains(s.errs.String(), secret) {
			t.Errorf("the log tells %s", secret)
		}
	}
	s = p.start("serve")
	hangup := syscall.SIGHUP // as when the terminal is closed
	if signal.Ignored(hangup) {
		// These tests outlive their terminal (nohup), and so does what they start.
		if err := s.cmd.Process.Signal(hangup); err != nil {
			t.Fatal(err)
		}
		if status := get(t, s.url+"/login"); status != http.StatusOK {
			t.Errorf("the login page after an ignored hangup: status %d, want 200", status)
		}
		hangup = syscall.SIGINT
	}
	if rest := s.end(hangup); strings.Contains(rest, "/setup/") || !strings.Contains(rest, "Raseed has stopped.") {
		t.Errorf("a store that is set up is offered again, or SIGHUP does not end with a word: %s", rest)
	}
}

func TestDemo(t *testing.T) {
	p := newProgram(t)
	p.env = []string{"RASEED_DATA=school", "RASEED_ADDR=127.0.0.1:0"}
	first := p.start("demo")
	if status := get(t, first.url+"/login"); status != http.StatusOK {
		t.Errorf("the login page: status %d, want 200", status)
	}
	printed := first.interrupt()
	for _, role := range fees.Roles() {
		if !strings.Contains(printed, role.Title()) {
			t.Errorf("no login of a %s is printed:\n%s", role, printed)
		}
	}
	if strings.Contains(first.errs.String(), "WARNING") {
		t.Errorf("a demo for this machine only is warned of: %s", first.errs)
	}
	before := p.must("", "audit", "--db", "school/raseed.db")
	second := p.start("demo", "--addr", "0.0.0.0:0")
	second.interrupt()
	if !strings.Contains(second.errs.String(), "WARNING: 0.0.0.0:0 can be reached from other machines") {
		t.Errorf("nobody is warned that the demo's passwords are open to the network: %s", second.errs)
	}
	if after := p.must("", "audit", "--db", "school/raseed.db"); after != before || !strings.Contains(after, "sound") {
		t.Errorf("the second start changed the data: before\n%safter\n%s", before, after)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	p.refused(2, "in use", "", "demo", "--addr", ln.Addr().String())
}

// A command in a terminal that was not told of the store makes no other one.
func TestStoreIsNamed(t *testing.T) {
	p := newProgram(t)
	students := p.file("students.csv", studentsCSV)
	p.refused(2, "there is no store at raseed.db", "", "import", "students", "--institute", "GVS", students)
	p.refused(2, "there is no store at raseed.db", "a long password", "user", "add", "--institute", "GVS", "--login", "a1", "--name", "A", "--role", "admin")
	p.refused(2, "there is no store at raseed.db", "", "bill", "--institute", "GVS", "--period", "2026-27/T1")
	p.must("", "institute", "add", "--code", "GVS", "--name", "Green Valley")
	p.must("", "import", "students", "--institute", "GVS", students)
}

func TestVersionAndHelp(t *testing.T) {
	p := newProgram(t)
	if out := p.must("", "version"); !strings.HasPrefix(out, "raseed ") || !strings.Contains(out, "go1.") {
		t.Errorf("version prints %q", out)
	}
	out := p.must("", "--help")
	for _, command := range []string{"demo", "serve", "institute", "user", "import", "bill", "audit", "version"} {
		if !strings.Contains(out, command) {
			t.Errorf("help does not name %s:\n%s", command, out)
		}
	}
	if help := p.must("", "help"); help != out {
		t.Errorf("help prints\n%swant what --help does\n%s", help, out)
	}
	if help, want := p.must("", "help", "institute", "add"), p.must("", "institute", "add", "--help"); help != want || !strings.Contains(help, "--address") {
		t.Errorf("help of a command prints\n%s", help)
	}
	if asked, want := p.must("", "--version"), p.must("", "version"); asked != want {
		t.Errorf("--version prints %q, want %q", asked, want)
	}
	// The columns are those of files that are taken without a word.
	for what, file := range map[string]string{"students": studentsCSV, "plan": planCSV, "concessions": concessionsCSV} {
		columns, _, _ := strings.Cut(file, "\n")
		if help := p.must("", "import", what, "--help"); !strings.Contains(help, columns) {
			t.Errorf("import %s --help does not list %s:\n%s", what, columns, help)
		}
	}
	p.refused(2, "unexpected argument", "", "help", "nonsense")
}

// The environment says where Raseed runs, and never whom or what a command
// works on: RASEED_NAME may well be somebody's own.
func TestEnvironment(t *testing.T) {
	p := newProgram(t)
	p.env = []string{"RASEED_NAME=Chance", "RASEED_CODE=CH", "RASEED_ADDRESS=Chance Road", "RASEED_DB=sqlite:elsewhere.db",
		"RASEED_FORMAT={seq}", "RASEED_INSTITUTE=CH", "RASEED_ROLE=admin", "RASEED_LOGIN=chance", "RASEED_DRY_RUN=1"}
	p.refused(2, "missing flags: --name", "", "institute", "add", "--code", "DPS")
	p.refused(2, "missing flags: --institute=STRING, --login=STRING, --name=STRING, --role=STRING", "", "user", "add")
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School", "--address", "12 Station Road\nPune")
	if _, err := os.Stat(filepath.Join(p.dir, "elsewhere.db")); err != nil {
		t.Errorf("RASEED_DB is not followed: %v", err)
	}
	s, err := openStore(t.Context(), filepath.Join(p.dir, "elsewhere.db"), opening{log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	if inst, err := s.Institute(t.Context(), "DPS"); err != nil || inst.Address != "12 Station Road, Pune" || inst.Formats != fees.DefaultFormats("DPS") {
		t.Errorf("the institute is %+v, %v", inst, err)
	}
	p.env = []string{"RASEED_PUBLIC_URL=http://fees.example.org"}
	p.refused(2, "want https://", "", "serve", "--addr", "127.0.0.1:0")
	p.env = []string{"RASEED_TRUSTED_PROXY=proxy"}
	p.refused(2, "want an address or a prefix", "", "serve", "--addr", "127.0.0.1:0")
}

func get(t *testing.T, link string) int {
	t.Helper()
	return do(t, http.MethodGet, link, nil)
}

func post(t *testing.T, link string, form url.Values) int {
	t.Helper()
	return do(t, http.MethodPost, link, strings.NewReader(form.Encode()))
}

func do(t *testing.T, method, link string, body io.Reader) int {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, link, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "none")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}
