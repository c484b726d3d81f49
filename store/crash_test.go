package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
)

// TestMain is also the process that gets killed.
func TestMain(m *testing.M) {
	if place := os.Getenv("RASEED_TEST_COLLECT"); place != "" {
		collectUntilKilled(place)
		return
	}
	os.Exit(m.Run())
}

// collectUntilKilled collects from eight counters and says on stdout what it
// acknowledged: the row's id.
func collectUntilKilled(place string) {
	ctx := context.Background()
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	db, err := openPlace(ctx, place, time.Now)
	if err != nil {
		fail(err)
	}
	s, err := New(ctx, db, time.Now, testIDs(), discard)
	if err != nil {
		fail(err)
	}
	if err := s.Sweep(ctx); err != nil {
		fail(err)
	}
	out := make(chan string)
	for c := range 8 {
		go func() {
			rng := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(c)))
			for {
				row, err := s.RecordPayment(ctx, "P", cash(s, fmt.Sprint(1+rng.IntN(20)), fees.Amount(1+rng.IntN(5000))))
				if err != nil {
					fail(err)
				}
				out <- row.ShortID()
				if rng.IntN(5) == 0 {
					reversal, err := s.ReversePayment(ctx, "P", fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry", Charge: 100})
					if err != nil {
						fail(err)
					}
					out <- reversal.ShortID()
				}
			}
		}()
	}
	for id := range out {
		fmt.Println(id)
	}
}

func TestKilledWhileCollecting(t *testing.T) {
	place := newPlace(t, t.TempDir())
	ctx := context.Background()
	func() {
		db, err := openPlace(ctx, place, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s, err := New(ctx, db, time.Now, testIDs(), discard)
		if err != nil {
			t.Fatal(err)
		}
		testSchool(t, s, "P", 20)
	}()
	var acked []string
	for range 20 {
		acked = append(acked, killOnce(t, place)...)
	}
	if len(acked) < 100 {
		t.Fatalf("only %d rows were acknowledged in twenty lives: too few to mean something", len(acked))
	}
	db, err := openPlace(ctx, place, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := New(ctx, db, time.Now, testIDs(), discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	for _, r := range mustAudit(t, s).Series {
		if r.Awaiting != 0 {
			t.Errorf("%s %s: %d rows still await a number", r.Series, r.FY, r.Awaiting)
		}
	}
	for _, id := range acked {
		if row, err := s.Row(ctx, "P", id); err != nil || row.Number == 0 {
			t.Errorf("acknowledged row %s: number %d, %v", id, row.Number, err)
		}
	}
	t.Logf("%d rows acknowledged in twenty lives", len(acked))
}

// killOnce lets a process collect for a moment, kills it with SIGKILL and
// returns what it had acknowledged.
func killOnce(t *testing.T, place string) (acked []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RASEED_TEST_COLLECT="+place)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Killed after some number of answers rather than some time, so that a slow
	// machine tests the same.
	lines, after := bufio.NewScanner(stdout), 5+rand.IntN(60)
	for lines.Scan() {
		if id := strings.TrimSpace(lines.Text()); len(id) >= 26 { // the last line may be cut
			acked = append(acked, id)
		}
		if len(acked) == after {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() > 0 {
		t.Fatalf("the collecting process ended by itself: %v", err)
	}
	return acked
}
