package docdb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// clockwork is a database on which every operation, and every document of a
// Find, takes a time, and operations end in an error.
type clockwork struct {
	DB
	now   time.Time
	takes time.Duration
	err   error
}

func (c *clockwork) InsertOne(context.Context, string, any) error {
	c.now = c.now.Add(c.takes)
	return c.err
}

func (c *clockwork) Find(context.Context, string, bson.D, Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		for range 3 {
			c.now = c.now.Add(c.takes)
			if !yield(bson.Raw{}, nil) {
				return
			}
		}
		if c.err != nil {
			yield(nil, c.err)
		}
	}
}

func (c *clockwork) watched(observe func(Operation)) (DB, *bytes.Buffer) {
	var log bytes.Buffer
	return Observed(c, Observer{Now: func() time.Time { return c.now }, Observe: observe, Log: slog.New(slog.NewTextHandler(&log, nil))}), &log
}

func TestOutcomes(t *testing.T) {
	for want, err := range map[string]error{
		"ok":          nil,
		"notfound":    fmt.Errorf("find: %w", ErrNotFound),
		"duplicate":   fmt.Errorf("insert: %w", &DuplicateKeyError{Index: "number"}),
		"unavailable": fmt.Errorf("insert: %w: %w", ErrUnavailable, context.Canceled),
		"unknown":     fmt.Errorf("insert: %w", ErrUnknownOutcome),
		"error":       errors.New("no such operator"),
	} {
		c := &clockwork{takes: 7 * time.Millisecond, err: err}
		var got Operation
		db, _ := c.watched(func(o Operation) { got = o })
		if back := db.InsertOne(t.Context(), "payments", nil); !errors.Is(back, err) {
			t.Errorf("the caller got %v, want %v", back, err)
		}
		if got.Outcome() != want || got.Took != c.takes || got.Shape != "insert payments" {
			t.Errorf("observed %q %v of %q, want %q after %v of insert payments", got.Outcome(), got.Took, got.Shape, want, c.takes)
		}
	}
}

func TestASlowOperationIsLoggedWithoutAnyValue(t *testing.T) {
	secret := errors.New("E11000 dup key: { phone: 98400 }")
	for _, c := range []struct {
		takes time.Duration
		lines int
	}{{SlowAfter - 1, 0}, {SlowAfter, 1}} {
		db, log := (&clockwork{takes: c.takes, err: secret}).watched(nil)
		_ = db.InsertOne(t.Context(), "students", bson.D{{Key: "phone", Value: "98400"}})
		if got := strings.Count(log.String(), "\n"); got != c.lines {
			t.Errorf("%d lines for an operation of %v, want %d: %s", got, c.takes, c.lines, log)
		}
		if c.lines == 1 && (!strings.Contains(log.String(), `shape="insert students" ms=100 outcome=error`) || strings.Contains(log.String(), "98400")) {
			t.Errorf("the line is %s; want shape, ms and outcome, and no value", log)
		}
	}
}

// A reader that takes its time does not make the store slow.
func TestAFindTakesTheLongestWaitForADocument(t *testing.T) {
	c := &clockwork{takes: 5 * time.Millisecond, err: ErrUnavailable}
	var got []Operation
	db, log := c.watched(func(o Operation) { got = append(got, o) })
	docs := 0
	for _, err := range db.Find(t.Context(), "payments", nil, Find{}) {
		if err == nil {
			docs++
		}
		c.now = c.now.Add(time.Second)
	}
	if len(got) != 1 || got[0].Took != c.takes || got[0].Outcome() != "unavailable" || docs != 3 {
		t.Errorf("observed %+v of %d documents, want one operation of %v that ended unavailable", got, docs, c.takes)
	}
	for range db.Find(t.Context(), "payments", nil, Find{}) {
		break
	}
	if len(got) != 2 || got[1].Outcome() != "ok" {
		t.Errorf("observed %+v; want the Find that was left early too, as ok", got)
	}
	if log.Len() > 0 {
		t.Errorf("logged %s, want nothing: no wait was long", log)
	}
}
