package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"raseed/store"
	"raseed/store/docdb/docdbtest"
	"raseed/store/docdb/sqlite"
	"raseed/store/fees"
)

func openStore(t *testing.T) *store.Store {
	t.Helper()
	if os.Getenv("RASEED_RACES") != "" {
		t.Skip("does one thing at a time: nothing can race")
	}
	ctx := context.Background()
	log := slog.New(slog.DiscardHandler)
	dir, err := os.MkdirTemp("/dev/shm", "raseed") // in memory: here nothing has to survive
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	db, err := sqlite.Open(ctx, filepath.Join(dir, "demo.db"), sqlite.Options{Now: time.Now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s, err := store.New(ctx, db, time.Now, func() string { return ulid.MustNew(ulid.Now(), rand.Reader).String() }, log)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// At whatever moment the demo is made, it is a sound school.
func TestFill(t *testing.T) {
	kolkata, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	for _, now := range []time.Time{
		time.Date(2026, 11, 30, 15, 45, 0, 0, kolkata),
		time.Date(2027, 4, 1, 0, 0, 30, 0, kolkata), // the year is half a minute old
		time.Date(2027, 3, 31, 23, 59, 59, 0, kolkata),
		time.Date(2028, 4, 3, 8, 0, 0, 0, kolkata),
		time.Date(2026, 8, 2, 12, 0, 0, 0, time.UTC), // a Sunday
	} {
		t.Run(now.Format(time.DateTime), func(t *testing.T) {
			ctx := context.Background()
			s := openStore(t)
			begun := time.Now()
			if err := Fill(ctx, s, now); err != nil {
				t.Fatal(err)
			}
			t.Logf("filled in %s", time.Since(begun))
			check(t, s, now)
			before := digest(t, s)
			if err := Fill(ctx, s, now.AddDate(0, 0, 1)); err != nil {
				t.Fatal(err)
			}
			if after := digest(t, s); after != before {
				t.Errorf("the second time changed it:\n%s\n%s", before, after)
			}
		})
	}
}

func check(t *testing.T, s *store.Store, now time.Time) {
	t.Helper()
	ctx := context.Background()
	report, err := s.Audit(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("audit: %+v", f)
	}
	numbers := map[string]int64{}
	for _, series := range report.Series {
		numbers[series.Institute+" "+string(series.Series)] = series.Count
		if series.Awaiting > 0 || len(series.Missing) > 0 {
			t.Errorf("%+v", series)
		}
	}
	want := map[string]int64{"DPS receipt": 120, "DPS reversal": 4, "DPS adjustment": 8, "LBK receipt": 8, "LBK adjustment": 1}
	if fmt.Sprint(numbers) != fmt.Sprint(want) {
		t.Errorf("series %v, want %v", numbers, want)
	}
	inst, err := s.Institute(ctx, "DPS")
	if err != nil {
		t.Fatal(err)
	}
	today, modes, split := inst.Today(now), map[fees.Mode]int{}, 0
	page, err := s.Register(ctx, "DPS", fees.RegisterFilter{}, "", 200)
	if err != nil || len(page.Items) != 132 {
		t.Fatalf("%d rows, %v", len(page.Items), err)
	}
	for _, row := range page.Items {
		if row.Date > today || row.Date < today.AddDays(-6) || row.Date <= inst.ClosedTo || row.RecordedAt.After(now) {
			t.Errorf("%s is of %s, recorded %s", row.NumberText, row.Date, row.RecordedAt)
		}
		if len(row.Tenders) > 1 {
			split++
		}
		for _, tender := range row.Tenders {
			modes[tender.Mode]++
		}
	}
	if len(modes) != len(fees.Modes()) || split < 5 {
		t.Errorf("modes %v, %d in two tenders", modes, split)
	}
	runs, err := s.Runs(ctx, "DPS", 5)
	if err != nil || len(runs) != 1 || runs[0].State != fees.RunDone || runs[0].Tally.Created < 300 {
		t.Errorf("runs %+v, %v", runs, err)
	}
	for _, l := range Logins() {
		user, err := s.Authenticate(ctx, l.Login, l.Password, "192.0.2.1")
		if err != nil || user.Institute != l.Institute || user.Role != l.Role {
			t.Errorf("login %s: %+v, %v", l.Login, user, err)
		}
	}
}

// digest is what the demo made, as far as people see it.
func digest(t *testing.T, s *store.Store) string {
	t.Helper()
	ctx := context.Background()
	var b strings.Builder
	for _, code := range []string{"DPS", "LBK"} {
		rows, err := s.Register(ctx, code, fees.RegisterFilter{}, "", 200)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows.Items {
			if row.Kind == fees.KindAdjustment {
				continue // numbered in the order in which a sweep after a kill gets to them
			}
			fmt.Fprintln(&b, row.ID, row.NumberText, row.Total, row.Student, row.Hash)
		}
	}
	return b.String()
}

// A fill that was killed is finished by the next, with nothing twice.
func TestFillGoesOn(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	ctx := context.Background()
	s := openStore(t)
	for _, after := range []time.Duration{50, 150, 250} {
		short, cancel := context.WithTimeout(ctx, after*time.Millisecond)
		_ = Fill(short, s, now)
		cancel()
	}
	if err := Fill(ctx, s, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	check(t, s, now.Add(time.Hour))
}

// A process that fills and dies at a write, of whatever kind, leaves what the
// next makes the same school of, on the same day too.
func TestFillAfterAKill(t *testing.T) {
	now := time.Date(2026, 11, 30, 15, 45, 0, 0, time.UTC)
	ctx := context.Background()
	whole := openStore(t)
	writes := fillUntil(t, whole, now, math.MaxInt)
	want := strings.Split(digest(t, whole), "\n")
	kinds := map[string][]int{} // where each was written
	for i, kind := range writes {
		kinds[kind] = append(kinds[kind], i)
	}
	for kind, at := range kinds {
		t.Run(kind, func(t *testing.T) {
			s := openStore(t)
			fillUntil(t, s, now, at[len(at)/2])
			if err := s.TakeOverRuns(ctx); err != nil { // as whoever opens the file does
				t.Fatal(err)
			}
			if err := Fill(ctx, s, now); err != nil {
				t.Fatal(err)
			}
			check(t, s, now)
			got := strings.Split(digest(t, s), "\n")
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("another school: row %d is %s\nwant %s", i, got[i], want[i])
				}
			}
		})
	}
}

// fillUntil fills in a process that dies after n writes. It returns what was
// written where.
func fillUntil(t *testing.T, s *store.Store, now time.Time, n int) []string {
	t.Helper()
	var mu sync.Mutex
	var writes []string
	dead := false
	dying, err := store.New(context.Background(), docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		if dead = dead || op.Write && len(writes) == n; dead {
			return docdbtest.BeforeWrite // what is dead reaches nothing
		}
		if op.Write {
			writes = append(writes, op.Name+" "+op.Coll)
		}
		return docdbtest.None
	}), s.Now, s.NewID, s.Log)
	if err != nil {
		t.Fatal(err)
	}
	if err := Fill(context.Background(), dying, now); (err == nil) != (n == math.MaxInt) {
		t.Fatalf("a fill that dies after %d writes: %v", n, err)
	}
	return writes
}

func TestFillLeavesOthersAlone(t *testing.T) {
	ctx := context.Background()
	s := openStore(t)
	if _, err := s.AddInstitute(ctx, fees.Institute{Code: "MINE", Name: "My own school"}); err != nil {
		t.Fatal(err)
	}
	if err := Fill(ctx, s, time.Now()); err != nil {
		t.Fatal(err)
	}
	all, err := s.Institutes(ctx)
	if err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestLogins(t *testing.T) {
	var roles []fees.Role
	for _, l := range Logins() {
		if l.Institute == school {
			roles = append(roles, l.Role)
		}
	}
	if !slices.Equal(roles, fees.Roles()) {
		t.Errorf("the school's logins are %v, want one of each role", roles)
	}
}
