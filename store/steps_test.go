package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// mishap is what happens to a process at one of its calls to the database.
type mishap struct {
	name  string
	fault docdbtest.Fault // of the call
	late  bool            // the call, a write, arrives when the process has long been told that its answer is lost
	after end             // what becomes of the process
	reads bool            // it can befall a read, too
}

type end int

const (
	lives end = iota
	balks     // the database refuses one more write
	alone     // the database is gone for good
	dies      // it makes no call any more
)

var mishaps = []mishap{
	{"refused", docdbtest.BeforeWrite, false, lives, true},
	{"refused, then gone", docdbtest.BeforeWrite, false, alone, true},
	{"answer lost", docdbtest.AfterWrite, false, lives, false},
	{"answer lost, then gone", docdbtest.AfterWrite, false, alone, false},
	{"arrives late", docdbtest.None, true, lives, false},
	{"arrives late, the next is refused", docdbtest.None, true, balks, false},
	{"killed before", docdbtest.BeforeWrite, false, dies, false},
	{"killed after", docdbtest.AfterWrite, false, dies, false},
}

// life is one process, to which a mishap happens at its call number at.
type life struct {
	mishap
	at   int
	kill context.CancelFunc

	mu    sync.Mutex
	calls []docdbtest.Op
	over  end

	held    bool         // the next write comes late
	arrives func() error // what came late, if anything
}

// plan ends the goroutines of a process that is dead, wherever they are.
func (l *life) plan(op docdbtest.Op) docdbtest.Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, op)
	switch {
	case l.over == dies:
		runtime.Goexit()
	case l.over == alone:
		return docdbtest.BeforeWrite
	case l.over == balks && op.Write:
		l.over = lives
		return docdbtest.BeforeWrite
	case len(l.calls) != l.at:
		return docdbtest.None
	}
	if l.over = l.after; l.over == dies {
		l.kill()
	}
	l.held = l.late
	return l.fault
}

// slow is a database to which the held write of a life comes late.
type slow struct {
	docdb.DB
	l *life
}

func (s slow) write(run func() error) error {
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	if !s.l.held {
		return run()
	}
	s.l.held, s.l.arrives = false, run
	return docdb.ErrUnknownOutcome
}

func (s slow) InsertOne(ctx context.Context, coll string, doc any) error {
	return s.write(func() error { return s.DB.InsertOne(context.WithoutCancel(ctx), coll, doc) })
}

func (s slow) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (res docdb.UpdateResult, err error) {
	err = s.write(func() error {
		res, err = s.DB.UpdateOne(context.WithoutCancel(ctx), coll, filter, update, opts)
		return err
	})
	return res, err
}

func (s slow) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	return s.write(func() error {
		return s.DB.FindOneAndUpdate(context.WithoutCancel(ctx), coll, filter, update, opts, out)
	})
}

func (s slow) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (res docdb.BulkResult, err error) {
	err = s.write(func() error {
		res, err = s.DB.BulkWrite(context.WithoutCancel(ctx), coll, ops, ordered)
		return err
	})
	return res, err
}

// live does something in a process of its own on the store's database, and says
// whether it got to its end.
func (l *life) live(t *testing.T, s *Store, do func(ctx context.Context, s *Store) error) (err error, ended bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l.kill = cancel
	p, err := New(ctx, docdbtest.Faulty(slow{s.DB, l}, l.plan), s.Now, s.NewID, s.Log)
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		err = do(ctx, p)
	}()
	<-over
	if l.arrives != nil { // whatever it finds there by now
		_ = l.arrives()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return err, l.over != dies
}

// operation is something a person or a worker does, in an institute of its own.
// do is the same order each time, and exactly one when it was done often.
type operation struct {
	name    string
	prepare func(t *testing.T, s *Store, institute string)
	do      func(ctx context.Context, s *Store, institute string) error
	done    func(t *testing.T, s *Store, institute string) int64 // what of it is there
	want    int64
	first   bool // only on an empty store
}

func operations() []operation {
	id := testIDs()()
	office := fees.Actor{Login: "meera", Name: "Meera", Role: fees.RoleAdmin}
	school := func(t *testing.T, s *Store, institute string) { testSchool(t, s, institute, 3) }
	empty := func(t *testing.T, s *Store, institute string) { addSchool(t, s, institute) }
	pay := func(ctx context.Context, s *Store, institute string) (fees.Row, error) {
		o := cash(s, "1", 700_00) // an advance, too
		o.ID = id
		return s.RecordPayment(ctx, institute, o)
	}
	paid := func(t *testing.T, s *Store, institute string) {
		school(t, s, institute)
		if _, err := pay(context.Background(), s, institute); err != nil {
			t.Fatal(err)
		}
	}
	tilled := func(t *testing.T, s *Store, institute string) { // with a float of 100.00 and a payment of 700.00
		school(t, s, institute)
		if _, err := s.OpenShift(context.Background(), institute, fees.ShiftOrder{ID: id, Float: 100_00, By: asha}); err != nil {
			t.Fatal(err)
		}
		if _, err := pay(context.Background(), s, institute); err != nil {
			t.Fatal(err)
		}
	}
	planned := func(t *testing.T, s *Store, institute string) {
		empty(t, s, institute)
		mustImport(t, s, "students", institute, manyStudents(5))
		mustImport(t, s, "plan", institute, planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n")
	}
	start := func(ctx context.Context, s *Store, institute string) error {
		_, err := s.StartRun(ctx, institute, fees.RunOrder{ID: id, Period: "2026-27/T1", By: office})
		return err
	}
	paidAhead := func(t *testing.T, s *Store, institute string) {
		paid(t, s, institute)
		head := fees.Head{ID: fees.Key(institute, "TRIP"), Institute: institute, Code: "TRIP", Name: "Trip", Order: 1}
		if err := s.DB.InsertOne(context.Background(), heads, head); err != nil {
			t.Fatal(err)
		}
	}
	charge := func(ctx context.Context, s *Store, institute string) error {
		_, err := s.PlaceCharge(ctx, institute, fees.ChargeOrder{ID: id, Title: "Trip", Head: "TRIP", Amount: 150_00, DueDate: "2026-07-10", Student: "1", By: office})
		return err
	}
	rowsOf := func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, payments, institute) }
	return append(append(bankOperations(), counterOperations()...), []operation{
		{name: "set up", first: true, prepare: func(*testing.T, *Store, string) {}, do: func(ctx context.Context, s *Store, institute string) error {
			_, err := s.Found(ctx, fees.Institute{Code: institute, Name: "School"}, "asha", "Asha", "a long password")
			return thereIs(err)
		}, done: func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, users, institute) }, want: 1},
		{"record a payment", school, func(ctx context.Context, s *Store, institute string) error {
			_, err := pay(ctx, s, institute)
			return err
		}, rowsOf, 1, false},
		{"record a payment, posted twice", school, func(ctx context.Context, s *Store, institute string) error {
			var two sync.WaitGroup
			var errs [2]error
			for i := range errs {
				two.Go(func() { _, errs[i] = pay(ctx, s, institute) })
			}
			two.Wait()
			// What one of the two was told is true, whatever the other was.
			if errs[0] == nil || fees.CodeOf(errs[0]) == fees.Unconfirmed {
				return errs[0]
			}
			return errs[1]
		}, rowsOf, 1, false},
		{"open a till", school, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.OpenShift(ctx, institute, fees.ShiftOrder{ID: id, Float: 100_00, By: asha})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, shifts, institute) }, 1, false},
		{"record a payment through a till", func(t *testing.T, s *Store, institute string) {
			school(t, s, institute)
			if _, err := s.OpenShift(context.Background(), institute, fees.ShiftOrder{ID: id, By: asha}); err != nil {
				t.Fatal(err)
			}
		}, func(ctx context.Context, s *Store, institute string) error {
			_, err := pay(ctx, s, institute)
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, payments, "institute", institute, "shift", id)
		}, 1, false},
		{"take cash to the safe", tilled, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.DropToSafe(ctx, institute, fees.DropOrder{ID: id, Shift: id, Amount: 50_00, By: asha})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			shift, err := s.Shift(context.Background(), institute, id)
			if err != nil {
				t.Fatal(err)
			}
			return int64(len(shift.Drops))
		}, 1, false},
		{"close a till", tilled, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.CloseShift(ctx, institute, fees.CloseOrder{Shift: id, Other: 800_00, By: asha})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, shifts, "institute", institute, "state", string(fees.ShiftClosed))
		}, 1, false},
		{"record a family payment", func(t *testing.T, s *Store, institute string) { testFamily(t, s, institute) },
			func(ctx context.Context, s *Store, institute string) error {
				_, err := s.RecordFamily(ctx, institute, ofFamily(id, []string{"1", "2"}, inCash(700_00), inCash(500_00)))
				return err
			}, func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, families, institute) }, 1, false},
		{"reverse with a charge", paid, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.ReversePayment(ctx, institute, fees.ReversalOrder{ID: id, Reason: "cheque returned", Charge: 250_00, By: office})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 { return rowsOf(t, s, institute) - 1 }, 1, false},
		{"charge who paid in advance", paidAhead, charge,
			func(t *testing.T, s *Store, institute string) int64 { return rowsOf(t, s, institute) - 1 }, 1, false},
		{"reverse an advance that is used", func(t *testing.T, s *Store, institute string) {
			paidAhead(t, s, institute)
			if err := charge(context.Background(), s, institute); err != nil {
				t.Fatal(err)
			}
		}, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.ReversePayment(ctx, institute, fees.ReversalOrder{ID: id, Reason: "cheque returned", By: office})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, payments, "institute", institute, "kind", fees.KindReversal) // what it gives back may follow
		}, 1, false},
		{"start a billing run", planned, start,
			func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, runs, institute) }, 1, false},
		{"execute a billing run", func(t *testing.T, s *Store, institute string) {
			planned(t, s, institute)
			if err := start(context.Background(), s, institute); err != nil {
				t.Fatal(err)
			}
		}, func(ctx context.Context, s *Store, institute string) error {
			run, err := s.ExecuteRun(ctx, institute, id)
			if err == nil && run.Tally.Created != 5 {
				return fmt.Errorf("the run says that it made %d bills, want 5", run.Tally.Created)
			}
			return err
		}, func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, bills, institute) }, 5, false},
		{"import students", empty, imports("students", studentsCSV("1,Asha,5,A,GEN,,,,,active,1000.00", "2,Ravi,5,A,GEN,,,,,active,", "3,Zoya,5,A,GEN,,,,,active,-50")),
			func(t *testing.T, s *Store, institute string) int64 {
				return counted(t, s, students, institute) + counted(t, s, bills, institute)
			}, 5, false},
		{"save a student", empty, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.SaveStudent(ctx, institute, fees.Student{AdmissionNo: "7", Name: "Asha", Class: "5", Category: "GEN", OpeningBalance: 100_00}, fees.Actor{})
			return err
		}, func(t *testing.T, s *Store, institute string) int64 {
			return counted(t, s, students, institute) + counted(t, s, bills, institute)
		}, 2, false},
		{"import a plan", empty, imports("plan", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n2026-27,2026-27/T2,2026-08-10,*,*,TUITION,100\n"),
			func(t *testing.T, s *Store, institute string) int64 {
				return counted(t, s, plans, institute) + counted(t, s, periods, institute) + counted(t, s, heads, institute)
			}, 5, false},
		{"import concessions", func(t *testing.T, s *Store, institute string) {
			empty(t, s, institute)
			mustImport(t, s, "students", institute, manyStudents(2))
			mustImport(t, s, "plan", institute, planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,100\n")
		}, imports("concessions", "admission_no,head,kind,value\n1001,TUITION,percent,10\n1002,TUITION,amount,5\n"),
			func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, concessions, institute) }, 2, false},
		{"close the books", empty, func(ctx context.Context, s *Store, institute string) error {
			return s.CloseBooks(ctx, institute, "2026-05-31")
		}, func(t *testing.T, s *Store, institute string) int64 {
			inst, err := s.Institute(context.Background(), institute)
			if err != nil {
				t.Fatal(err)
			}
			if inst.ClosedTo == "2026-05-31" {
				return 1
			}
			return 0
		}, 1, false},
		{"add an institute", func(*testing.T, *Store, string) {}, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.AddInstitute(ctx, fees.Institute{Code: institute, Name: "School"})
			return thereIs(err)
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, institutes, "_id", institute)
		}, 1, false},
		{"add a user", empty, func(ctx context.Context, s *Store, institute string) error {
			_, err := s.AddUser(ctx, institute, "asha."+strings.ToLower(institute), "Asha", fees.RoleAdmin, "a long password")
			return thereIs(err)
		}, func(t *testing.T, s *Store, institute string) int64 { return counted(t, s, users, institute) }, 1, false},
		{"sweep", func(t *testing.T, s *Store, institute string) {
			paid(t, s, institute)
			without := func(away ...string) *Store {
				p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
					if op.Write && slices.Contains(away, op.Coll) {
						return docdbtest.BeforeWrite
					}
					return docdbtest.None
				}))
				p.Now = s.Now
				return p
			}
			p := without(counters, accounts)
			for _, student := range []string{"2", "3", "2"} {
				if _, err := p.RecordPayment(context.Background(), institute, cash(s, student, 100_00)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := p.ReversePayment(context.Background(), institute, fees.ReversalOrder{ID: id, Reason: "wrong entry", Charge: 10_00, By: office}); err != nil {
				t.Fatal(err)
			}
			// The students are there and owe nothing yet: a bill that nobody counted, and
			// an opening balance that nobody billed.
			for no, p := range map[string]*Store{"9": p, "8": without(bills)} {
				if _, err := p.SaveStudent(context.Background(), institute, fees.Student{AdmissionNo: no, Name: "Zoya", Class: "5", Category: "general", OpeningBalance: 5_00}, fees.Actor{}); fees.CodeOf(err) != fees.Unconfirmed {
					t.Fatalf("save student %s whose account or bill cannot be written: %v", no, err)
				}
			}
		}, func(ctx context.Context, s *Store, institute string) error {
			return sweepOf(ctx, s, institute)
		}, func(t *testing.T, s *Store, institute string) int64 {
			return documents(t, s, payments, "institute", institute, "awaiting", true) + documents(t, s, bills, "institute", institute, "uncounted", true) +
				documents(t, s, students, "institute", institute, "opening", true)
		}, 0, false},
	}...)
}

func imports(what, text string) func(ctx context.Context, s *Store, institute string) error {
	return func(ctx context.Context, s *Store, institute string) error {
		report, err := s.importers()[what](ctx, institute, strings.NewReader(text), false)
		if len(report.Problems) > 0 {
			return fmt.Errorf("problems: %+v", report.Problems)
		}
		return err
	}
}

func sweepOf(ctx context.Context, s *Store, institute string) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	return s.sweep(ctx, inst)
}

// thereIs takes "there is one already" for done: it is what a person is told
// who does it again.
func thereIs(err error) error {
	if fees.CodeOf(err) == fees.Conflict {
		return nil
	}
	return err
}

// counted is how many documents of a collection the institute has.
func counted(t *testing.T, s *Store, coll, institute string) int64 {
	t.Helper()
	return documents(t, s, coll, "institute", institute)
}

func documents(t *testing.T, s *Store, coll string, fields ...any) int64 {
	t.Helper()
	filter := bson.D{}
	for i := 0; i < len(fields); i += 2 {
		filter = append(filter, bson.E{Key: fields[i].(string), Value: fields[i+1]})
	}
	n := int64(0)
	for _, err := range s.DB.Find(context.Background(), coll, filter, docdb.Find{Fields: []string{"institute"}}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// TestEveryStep has each operation meet each mishap at each of its calls to the
// database. Then a fresh process is given the same order again: the ledger is
// sound and holds it once, what was acknowledged was there, and who was told
// that nothing was written was told the truth.
func TestEveryStep(t *testing.T) {
	oneThing(t)
	var cases, told int
	var mu sync.Mutex
	t.Run("operations", func(t *testing.T) {
		for _, o := range operations() {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				s := openOn(t, openTestDB(t))
				s.Now = termTime
				institute := func(n int) string { return fmt.Sprintf("S%d", n) }
				o.prepare(t, s, institute(0))
				undisturbed := life{}
				if err, _ := undisturbed.live(t, s, func(ctx context.Context, p *Store) error { return o.do(ctx, p, institute(0)) }); err != nil {
					t.Fatalf("undisturbed: %v", err)
				}
				n, refused := 0, 0
				for at, call := range undisturbed.calls {
					if testing.Short() && at%3 != 0 {
						continue
					}
					for _, m := range mishaps {
						if !call.Write && !m.reads {
							continue
						}
						n++
						if o.first {
							s = openOn(t, openTestDB(t))
							s.Now = termTime
						}
						o.prepare(t, s, institute(n))
						l := life{mishap: m, at: at + 1}
						if o.meet(t, s, institute(n), &l) {
							refused++
						}
						if t.Failed() {
							t.Fatalf("with call %s %s of %d: %s", call, m.name, len(undisturbed.calls), institute(n))
						}
					}
				}
				t.Logf("%d calls, %d mishaps; %d were told that nothing was written", len(undisturbed.calls), n, refused)
				mu.Lock()
				defer mu.Unlock()
				cases, told = cases+n, told+refused
			})
		}
	})
	if !t.Failed() {
		t.Logf("%d operations × %d mishaps at each of their calls: %d cases, findings 0", len(operations()), len(mishaps), cases)
	}
	if told == 0 {
		t.Error("nobody was told that nothing was written: the test tests less than it says")
	}
}

// meet lives one life and then makes things whole; refused says that it ended
// with the word that nothing was written.
func (o operation) meet(t *testing.T, s *Store, institute string, l *life) (refused bool) {
	t.Helper()
	ctx := context.Background()
	before := o.done(t, s, institute)
	err, ended := l.live(t, s, func(ctx context.Context, p *Store) error { return o.do(ctx, p, institute) })
	there := o.done(t, s, institute)
	switch code := fees.CodeOf(err); {
	case !ended:
	case err == nil && there != o.want:
		t.Errorf("acknowledged, and %d documents of it are there, want %d", there, o.want)
	case code == fees.Unavailable && there != before:
		t.Errorf("it says %q, and %d documents were written", err, there-before)
	case err != nil && code != fees.Unavailable && code != fees.Unconfirmed && !errors.Is(err, docdb.ErrUnavailable) && !errors.Is(err, docdb.ErrUnknownOutcome):
		t.Errorf("a person is told %v", err)
	}
	refused = ended && fees.CodeOf(err) == fees.Unavailable

	next := openOn(t, s.DB)
	next.Now = func() time.Time { return s.Now().Add(time.Minute) } // past any lease
	// What nobody does again is made whole by the sweep.
	if err := sweepOf(ctx, next, institute); err != nil && fees.CodeOf(err) != fees.NotFound {
		t.Errorf("sweep: %v", err)
	} else if err == nil {
		sound(t, next, institute)
	}
	if err := o.do(ctx, next, institute); err != nil {
		t.Errorf("the same again, undisturbed: %v", err)
	}
	if err := sweepOf(ctx, next, institute); err != nil {
		t.Errorf("sweep: %v", err)
	}
	if n := o.done(t, s, institute); n != o.want {
		t.Errorf("in the end %d documents of it are there, want %d", n, o.want)
	}
	sound(t, s, institute)
	return refused
}

// sound says that nothing is to be found, and nothing waits.
func sound(t *testing.T, s *Store, institute string) {
	t.Helper()
	report, err := (&Store{DB: ledgerOnly{s.DB}, Now: s.Now, Log: s.Log}).Audit(context.Background(), institute)
	if err != nil {
		t.Errorf("audit: %v", err)
	}
	for _, f := range report.Findings {
		t.Errorf("audit: %s %s: %s", f.What, f.ID, f.Text)
	}
	for _, r := range report.Series {
		if r.Awaiting != 0 {
			t.Errorf("%d rows of %s still await a number", r.Awaiting, r.Series)
		}
	}
}
