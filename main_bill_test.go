package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store"
	"raseed/store/demo"
	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// killed does something with the store in a process that dies with its n-th
// document of a batch.
func (p program) killed(path string, n int, do func(s *store.Store) error) {
	p.t.Helper()
	ctx := context.Background()
	real, err := openStore(ctx, filepath.Join(p.dir, path), opening{log: newLog(p.t.Output(), 0)})
	if err != nil {
		p.t.Fatal(err)
	}
	defer real.DB.Close()
	var written atomic.Int64
	s, err := store.New(ctx, docdbtest.Faulty(real.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Name == "BulkWrite" {
			written.Add(1)
		}
		if written.Load() >= int64(n) {
			return docdbtest.BeforeWrite // what is dead reaches nothing
		}
		return docdbtest.None
	}), real.Now, real.NewID, real.Log)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := do(s); err == nil {
		p.t.Fatalf("it came to its end before its write %d", n)
	}
}

// A bill command that was killed is done to its end by the same command.
func TestBillGoesOn(t *testing.T) {
	const people = 500
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	rows := "admission_no,name,class,category\n"
	for i := range people {
		rows += fmt.Sprintf("%d,Student,%d,gen\n", i, i%4)
	}
	p.must("", "import", "students", "--institute", "DPS", p.file("students.csv", rows))
	p.must("", "import", "plan", "--institute", "DPS", p.file("plan.csv", thisYear(planCSV)))
	period := thisYear("2026-27/T1")
	p.killed("raseed.db", people*3/8, func(s *store.Store) error {
		_, _, err := billCommand{Institute: "DPS", Period: period}.bill(context.Background(), s)
		return err
	})
	const want = "created 500, unchanged 0, updated 0, skipped 0\namount of the created bills: INR 22,62,562.50\n"
	if out := p.must("", "bill", "--institute", "DPS", "--period", period); out != want {
		t.Errorf("the same command again prints\n%swant\n%s", out, want)
	}
	if out := p.must("", "bill", "--institute", "DPS", "--period", period); !strings.HasPrefix(out, "created 0, unchanged 500, ") {
		t.Errorf("then it prints\n%s", out)
	}
	s, err := openStore(context.Background(), filepath.Join(p.dir, "raseed.db"), opening{readOnly: true, log: newLog(t.Output(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	all, err := docdb.All[fees.Bill](s.DB.Find(context.Background(), "bills", nil, docdb.Find{}))
	if err != nil || len(all) != people {
		t.Errorf("%d bills, %v; want %d", len(all), err, people)
	}
}

// --reprice does from the command line what the choice on the screen does, and
// --dry-run says so before, beside a server too.
func TestBillReprices(t *testing.T) {
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	p.must("", "import", "students", "--institute", "DPS", p.file("students.csv", "admission_no,name,class,category\n1,A,5,gen\n2,B,5,gen\n"))
	plan := func(amount string) {
		p.must("", "import", "plan", "--institute", "DPS", p.file("plan.csv", thisYear("fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T1,2026-04-10,*,*,TUITION,"+amount+"\n")))
	}
	bill := func(want string, flags ...string) {
		t.Helper()
		if out := p.must("", append([]string{"bill", "--institute", "DPS", "--period", thisYear("2026-27/t1")}, flags...)...); out != want {
			t.Errorf("%v prints\n%swant\n%s", flags, out, want)
		}
	}
	plan("100")
	bill("created 2, unchanged 0, updated 0, skipped 0\namount of the created bills: INR 200.00\n")
	plan("120")
	const nothing = "amount of the created bills: INR 0.00\n"
	bill("created 0, unchanged 0, updated 0, skipped 0\n" + nothing + "not touched: 2 bills for which the plan says something else today; --reprice brings them to it\n")
	const told = "created 0, unchanged 0, updated 2, skipped 0\n" + nothing + "re-priced: 2 revised, 0 by a bill for the difference, in all INR 40.00\n"
	s, err := openStore(context.Background(), filepath.Join(p.dir, "raseed.db"), opening{log: newLog(t.Output(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	bill(told+"  Tuition: INR 40.00\ndry run, nothing written\n", "--reprice", "--dry-run")
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	bill(told, "--reprice")
	bill("created 0, unchanged 2, updated 0, skipped 0\n"+nothing, "--reprice")

	status, _, errs := p.run("", "bill", "--db", "sqlite:none.db", "--institute", "DPS", "--period", "2026-27/T1", "--dry-run")
	if _, err := os.Stat(filepath.Join(p.dir, "none.db")); status != exitFailed || !strings.Contains(errs, "none.db") || err == nil {
		t.Errorf("of a store that there is not: status %d, %s; made %v", status, errs, err == nil)
	}
}

// A demo that was killed while it filled its store is filled by the next start.
func TestDemoGoesOn(t *testing.T) {
	p := newProgram(t)
	p.env = []string{"RASEED_DATA=.", "RASEED_ADDR=127.0.0.1:0"}
	p.killed("raseed.db", 700, func(s *store.Store) error { return demo.Fill(context.Background(), s, time.Now()) })
	if printed := p.start("demo").interrupt(); !strings.Contains(printed, "PASSWORD") {
		t.Errorf("the next start prints\n%s", printed)
	}
	if out := p.must("", "audit"); !strings.Contains(out, "sound") {
		t.Errorf("audit prints\n%s", out)
	}
}
