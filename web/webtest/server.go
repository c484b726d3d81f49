// Package webtest starts the real server on a real store in a temporary
// folder, so that tests of handlers and browsers meet what a person meets.
package webtest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"raseed/store"
	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/sqlite"
	"raseed/store/fees"
	"raseed/web"
)

// The institutes of every test server. Each has its own user of every role.
const (
	Own     = "DPS" // where a test's people work
	Foreign = "QPS" // whose things they must never see
)

// The start of the clock: Monday 30 November 2026, 10:00 in Asia/Kolkata.
var start = time.Date(2026, time.November, 30, 4, 30, 0, 0, time.UTC)

// Options change what Start starts. The zero value is a furnished school.
type Options struct {
	// Empty leaves the store without an institute.
	Empty bool
	// Config is the server's; its Addr is ignored.
	Config web.Config
	// Wrap puts something between the ledger and its database.
	Wrap func(docdb.DB) docdb.DB
	// Log receives the server's log; it is thrown away when nil.
	Log *slog.Logger
}

// Server is a running server. Its clock stands still until it is moved.
type Server struct {
	*web.Server
	Store *store.Store
	Clock *Clock
	URL   string // http://127.0.0.1:port

	mu    sync.Mutex
	users map[string]bool // logins that exist
	stop  func()
}

// Start serves until the test ends. The school has, in each institute, the
// students of Students, a plan of 2026-27/T1 (due 10 June 2026: Tuition
// 4,500.00 and Transport 500.00, class 2 and up: Tuition 6,000.00), and T1 is
// billed.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	ctx := context.Background()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	clock := &Clock{now: start}
	var db docdb.DB
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "raseed.db"), sqlite.Options{Now: clock.Now, Log: o.Log})
	if err != nil {
		t.Fatalf("open the store: %v", err)
	}
	db = docdbtest.NoScans(t, db)
	if o.Wrap != nil {
		db = o.Wrap(db)
	}
	entropy := &ulid.LockedMonotonicReader{MonotonicReader: ulid.Monotonic(rand.Reader, 0)}
	newID := func() string { return ulid.MustNew(ulid.Timestamp(clock.Now()), entropy).String() }
	st, err := store.New(ctx, db, clock.Now, newID, o.Log)
	if err != nil {
		t.Fatalf("prepare the store: %v", err)
	}
	if !o.Empty {
		furnish(t, st)
	}
	rounds := &firstRound{Store: st, over: make(chan struct{})}
	srv, err := web.New(ctx, o.Config, web.Deps{Store: rounds, Sessions: st.Sessions(), Now: clock.Now, NewID: newID, Log: o.Log})
	if err != nil {
		t.Fatalf("make the server: %v", err)
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	s := &Server{Server: srv, Store: st, Clock: clock, URL: "http://" + ln.Addr().String(), users: map[string]bool{}}
	serving, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- srv.Serve(serving, ln) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server did not stop cleanly: %v", err)
		}
		if err := db.Close(); err != nil {
			t.Errorf("the store did not close cleanly: %v", err)
		}
	})
	t.Cleanup(s.stop)
	<-rounds.over
	return s
}

// firstRound is the ledger, and tells when the late fees of the day on which
// the server started are charged: the rules that a test then makes wait for
// the test, not for a worker that may be late.
type firstRound struct {
	*store.Store
	once sync.Once
	over chan struct{}
}

func (r *firstRound) AssessDaily(ctx context.Context, assessed map[string]fees.Date) error {
	defer r.once.Do(func() { close(r.over) })
	return r.Store.AssessDaily(ctx, assessed)
}

// Stop shuts the server down as Ctrl-C does and returns when it is down. The
// end of the test does it otherwise.
func (s *Server) Stop() { s.stop() }

// Students is the student list of both institutes, as a CSV file.
const Students = `admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance
1001,Asha Verma,1,A,GEN,F1,Meena Verma,9810000001,,active,
1002,Ravi Verma,2,A,GEN,F1,Meena Verma,9810000001,,active,
A/12-B,Zoya Khan,1,B,GEN,,Imran Khan,9810000002,,active,1000.00
1004,Old Boy,2,B,GEN,,,,,left,
`

const plan = `fy,period,due_date,class,category,head,amount
2026-27,2026-27/T1,2026-06-10,*,*,TUITION,4500.00
2026-27,2026-27/T1,2026-06-10,2,*,TUITION,6000.00
2026-27,2026-27/T1,2026-06-10,*,*,TRANSPORT,500.00
`

// furnish makes both schools. The foreign one has the same admission numbers,
// so that a query without its institute shows.
func furnish(t testing.TB, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("furnish: %s: %v", what, err)
		}
	}
	for _, inst := range []fees.Institute{
		{Code: Own, Name: "Delta Public School", FYStart: 4, TimeZone: "Asia/Kolkata", Currency: "INR"},
		{Code: Foreign, Name: "Quartz Public School", FYStart: 4, TimeZone: "Asia/Kolkata", Currency: "INR"},
	} {
		_, err := s.AddInstitute(ctx, inst)
		must("add institute", err)
		list := Students
		if inst.Code == Foreign {
			list = strings.ReplaceAll(strings.ReplaceAll(list, "Verma", "Foreign"), "Khan", "Foreign") + "2001,Only Foreign,1,A,GEN,,,,,active,\n"
		}
		report, err := s.ImportStudents(ctx, inst.Code, strings.NewReader(list), false, fees.Actor{Login: "test", Role: fees.RoleAdmin})
		must("import students", err)
		if len(report.Problems) > 0 {
			t.Fatalf("furnish: students: %v", report.Problems)
		}
		report, err = s.ImportPlan(ctx, inst.Code, strings.NewReader(plan), false, fees.Actor{Login: "test", Role: fees.RoleAdmin})
		must("import plan", err)
		if len(report.Problems) > 0 {
			t.Fatalf("furnish: plan: %v", report.Problems)
		}
		run, err := s.StartRun(ctx, inst.Code, fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1", By: fees.Actor{Login: "test", Role: fees.RoleAdmin}})
		must("start run", err)
		_, err = s.ExecuteRun(ctx, inst.Code, fees.After(run.ID))
		must("execute run", err)
	}
}
