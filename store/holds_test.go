package store

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// Two counters of a school.
var (
	holdAsha = fees.Actor{Login: "asha", Name: "Asha R", Role: fees.RoleCashier}
	holdRavi = fees.Actor{Login: "ravi", Name: "Ravi D", Role: fees.RoleAccountant}
)

// holdClock is a store with the students 1 and 2 and a clock that moves.
func holdClock(t testing.TB) (s *Store, pass func(time.Duration)) {
	t.Helper()
	s = openTest(t)
	var passed atomic.Int64
	s.Now = func() time.Time { return termTime().Add(time.Duration(passed.Load())) }
	testSchool(t, s, "DPS", 2)
	return s, func(d time.Duration) { passed.Add(int64(d)) }
}

func TestHold(t *testing.T) {
	s, pass := holdClock(t)
	ctx := context.Background()
	first, second, other := s.NewID(), s.NewID(), s.NewID()

	held, err := s.TakeHold(ctx, "DPS", "1", holdAsha, first, "")
	if err != nil || !held.TakenFrom.IsZero() || held.Holder != "asha" || held.ExpiresAt.Sub(held.Since) != fees.HoldTime {
		t.Fatalf("the first takes %+v: %v", held, err)
	}
	pass(time.Minute)
	theirs, err := s.TakeHold(ctx, "DPS", "1", holdRavi, other, "")
	wantCode(t, "another counter takes", err, fees.Conflict, "Asha R is collecting")
	if theirs.Holder != "asha" || !theirs.Since.Equal(held.Since) {
		t.Errorf("it is told of %+v", theirs)
	}
	if _, err := s.TakeHold(ctx, "DPS", "2", holdRavi, other, ""); err != nil {
		t.Errorf("another student: %v", err)
	}
	if _, err := s.TakeHold(ctx, "QPS", "1", holdRavi, other, ""); err != nil {
		t.Errorf("another institute's student: %v", err)
	}

	// The same person's second page takes it over, and the first cannot renew it.
	held, err = s.TakeHold(ctx, "DPS", "1", holdAsha, second, "")
	if err != nil || held.TakenFrom.IsZero() {
		t.Errorf("the second page takes %+v: %v, want to be told of the first", held, err)
	}
	theirs, err = s.RenewHold(ctx, "DPS", "1", holdAsha, first)
	wantCode(t, "the first page renews", err, fees.Conflict, "")
	if theirs.Token != second {
		t.Errorf("it is told of %+v", theirs)
	}
	if err := s.ReleaseHold(ctx, "DPS", "1", first); err != nil {
		t.Error(err)
	}
	if h, held, _ := s.LiveHold(ctx, "DPS", "1"); !held || h.Holder == "ravi" {
		t.Error("the first page gave back what the second holds")
	}

	// Renewed it goes on; not renewed it runs out.
	pass(fees.HoldTime - time.Second)
	if _, err := s.RenewHold(ctx, "DPS", "1", holdAsha, second); err != nil {
		t.Errorf("renew: %v", err)
	}
	pass(fees.HoldTime - time.Second)
	if _, err := s.TakeHold(ctx, "DPS", "1", holdRavi, other, ""); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("taken a second before it runs out: %v", err)
	}
	pass(time.Second)
	if _, held, err := s.LiveHold(ctx, "DPS", "1"); held || err != nil {
		t.Errorf("a hold that has run out is told of (%v)", err)
	}
	if held, err = s.TakeHold(ctx, "DPS", "1", holdRavi, other, ""); err != nil || !held.TakenFrom.IsZero() {
		t.Errorf("one that has run out is taken: %+v, %v", held, err)
	}
	_, err = s.RenewHold(ctx, "DPS", "1", holdAsha, second)
	wantCode(t, "renewed after it was taken over", err, fees.Conflict, "Ravi D")

	// Given back it is free at once, also to be renewed by whoever waits.
	if err := s.ReleaseHold(ctx, "DPS", "1", other); err != nil {
		t.Error(err)
	}
	if _, err := s.RenewHold(ctx, "DPS", "1", holdAsha, second); err != nil {
		t.Errorf("renewed while nobody has it: %v", err)
	}
}

// Many counters at once: one has it.
func TestHoldRace(t *testing.T) {
	s, pass := holdClock(t)
	for round := range 20 {
		var won atomic.Int64
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				by := fees.Actor{Login: fmt.Sprint("cashier", n), Name: fmt.Sprint("Cashier ", n)}
				switch _, err := s.TakeHold(context.Background(), "DPS", "1", by, s.NewID(), ""); {
				case err == nil:
					won.Add(1)
				case fees.CodeOf(err) != fees.Conflict:
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d: %d counters have the student, want 1", round, won.Load())
		}
		pass(fees.HoldTime) // now by taking over what is there
	}
}

// TestHoldCost: taking and giving back are a write each and no read.
func TestHoldCost(t *testing.T) {
	s, _ := holdClock(t)
	var calls []string
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		calls = append(calls, op.Name)
		return docdbtest.None
	}))
	p.Now = s.Now
	token := p.NewID()
	for what, do := range map[string]func() error{
		"take":    func() error { _, err := p.TakeHold(context.Background(), "DPS", "1", holdAsha, token, ""); return err },
		"release": func() error { return p.ReleaseHold(context.Background(), "DPS", "1", token) },
	} {
		calls = nil
		if err := do(); err != nil || len(calls) != 1 {
			t.Errorf("%s: calls %v, error %v, want one", what, calls, err)
		}
	}
}

// Each mishap at each call leaves either no hold, or one that its page can go on
// with, and another counter never waits longer than it lasts.
func TestHoldFaults(t *testing.T) {
	oneThing(t)
	for _, m := range mishaps {
		for at := 1; at <= 3; at++ {
			s, pass := holdClock(t)
			token := s.NewID()
			l := life{mishap: m, at: at}
			err, ended := l.live(t, s, func(ctx context.Context, p *Store) error {
				p.Now = s.Now
				if _, err := p.TakeHold(ctx, "DPS", "1", holdAsha, token, ""); err != nil {
					return err
				}
				if _, err := p.RenewHold(ctx, "DPS", "1", holdAsha, token); err != nil {
					return err
				}
				return p.ReleaseHold(ctx, "DPS", "1", token)
			})
			if code := fees.CodeOf(err); ended && err != nil && code != fees.Unavailable && code != fees.Unconfirmed {
				t.Errorf("%s at call %d: %v", m.name, at, err)
			}
			if _, err := s.TakeHold(context.Background(), "DPS", "1", holdAsha, s.NewID(), ""); err != nil {
				t.Errorf("%s at call %d: its own counter comes back: %v", m.name, at, err)
			}
			pass(fees.HoldTime)
			if _, err := s.TakeHold(context.Background(), "DPS", "1", holdRavi, s.NewID(), ""); err != nil {
				t.Errorf("%s at call %d: another counter, two minutes later: %v", m.name, at, err)
			}
		}
	}
}

// BenchmarkHold is what a hold costs beside BenchmarkReceipt:
// taken and given back.
func BenchmarkHold(b *testing.B) {
	s := openBench(b)
	testSchool(b, s, "DPS", 1000)
	var n atomic.Int64
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			student, token := fmt.Sprint(n.Add(1)%1000+1), s.NewID()
			if _, err := s.TakeHold(context.Background(), "DPS", student, holdAsha, token, ""); err != nil {
				b.Error(err)
			}
			if err := s.ReleaseHold(context.Background(), "DPS", student, token); err != nil {
				b.Error(err)
			}
		}
	})
}

// A hold of a clock that ran ahead, and was set right, keeps nobody waiting until
// that comes true; one of a process whose clock is a little ahead counts.
func TestHoldOfWrongClock(t *testing.T) {
	s, pass := holdClock(t)
	ctx := context.Background()
	take := func(ahead time.Duration, student string) {
		t.Helper()
		pass(ahead)
		if _, err := s.TakeHold(ctx, "DPS", student, holdAsha, s.NewID(), ""); err != nil {
			t.Fatal(err)
		}
		pass(-ahead)
	}
	take(time.Minute, "1")
	if _, ok, err := s.LiveHold(ctx, "DPS", "1"); err != nil || !ok {
		t.Errorf("a hold of a clock a minute ahead: %v, %v, want it to count", ok, err)
	}
	_, err := s.TakeHold(ctx, "DPS", "1", holdRavi, s.NewID(), "")
	wantCode(t, "a clock a minute ahead", err, fees.Conflict, "Asha R is collecting")

	take(365*24*time.Hour, "2")
	if h, ok, err := s.LiveHold(ctx, "DPS", "2"); err != nil || ok {
		t.Errorf("a hold of next year is in the way: %+v, %v", h, err)
	}
	if _, err := s.TakeHold(ctx, "DPS", "2", holdRavi, s.NewID(), ""); err != nil {
		t.Errorf("a hold of next year is not taken over: %v", err)
	}
}
