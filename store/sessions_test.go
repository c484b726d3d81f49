package store

import (
	"context"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
)

var _ scs.CtxStore = Sessions{}

func TestSessions(t *testing.T) {
	s, _ := openSchool(t)
	clock := termTime()
	s.Now = func() time.Time { return clock }
	ss := s.Sessions()
	find := func(token string) string {
		t.Helper()
		data, found, err := ss.Find(token)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			return "(none)"
		}
		return string(data)
	}
	commit := func(token, data string, expiry time.Time) {
		t.Helper()
		if err := ss.Commit(token, []byte(data), expiry); err != nil {
			t.Fatal(err)
		}
	}
	if got := find("a"); got != "(none)" {
		t.Errorf("before: %s", got)
	}
	commit("a", "one", clock.Add(time.Hour))
	commit("b", "other", clock.Add(time.Hour))
	commit("a", "two", clock.Add(time.Hour))
	if got := find("a"); got != "two" {
		t.Errorf("written twice: %s", got)
	}
	clock = clock.Add(59 * time.Minute)
	commit("a", "two", clock.Add(time.Hour)) // seen again
	clock = clock.Add(2 * time.Minute)
	if got := find("a") + " " + find("b"); got != "two (none)" {
		t.Errorf("after an hour: %s; the first was renewed, the second was not", got)
	}
	commit("b", "again", clock.Add(time.Hour))
	if got := find("b"); got != "again" {
		t.Errorf("an expired session written anew: %s", got)
	}
	if err := ss.Delete("a"); err != nil {
		t.Fatal(err)
	}
	if err := ss.Delete("never"); err != nil {
		t.Errorf("delete what is not there: %v", err)
	}
	// A request that was under way when its user logged out.
	commit("a", "revived", clock.Add(time.Hour))
	if got := find("a"); got != "(none)" {
		t.Errorf("a session that ended is %s", got)
	}
	if got := find("b"); got != "again" {
		t.Errorf("another session: %s", got)
	}
}

// A page that only looks at its session writes nothing.
func TestSessionIsNotWrittenForSeconds(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	ss := s.Sessions()
	begin := termTime().Add(time.Hour)
	for _, c := range []struct {
		later time.Duration
		data  string
		want  time.Duration
	}{{0, "x", 0}, {30 * time.Second, "x", 0}, {59 * time.Second, "x", 0}, {59 * time.Second, "y", 59 * time.Second}, {3 * time.Minute, "y", 3 * time.Minute}} {
		if err := ss.CommitCtx(ctx, "a", []byte(c.data), begin.Add(c.later)); err != nil {
			t.Fatal(err)
		}
		kept, err := ss.read(ctx, "a")
		if err != nil || !kept.ExpiresAt.Equal(begin.Add(c.want)) || string(kept.Data) != c.data {
			t.Errorf("after %s: %+v, %v", c.later, kept, err)
		}
	}
}
