package store

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// checkedEngine is an engine whose check finds what it is told to, after done
// is closed if there is one.
type checkedEngine struct {
	docdb.DB
	damage []docdb.Damage
	done   <-chan struct{}
}

func (e checkedEngine) Check(ctx context.Context) iter.Seq2[docdb.Damage, error] {
	return func(yield func(docdb.Damage, error) bool) {
		select {
		case <-ctx.Done():
			yield(docdb.Damage{}, ctx.Err())
			return
		case <-e.done:
		}
		for _, d := range e.damage {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// damagedEngine is an engine in which one payment's column is damaged.
type damagedEngine struct{ docdb.DB }

func (damagedEngine) Check(context.Context) iter.Seq2[docdb.Damage, error] {
	return func(yield func(docdb.Damage, error) bool) {
		yield(docdb.Damage{Coll: payments, ID: "P:1", Text: "the column differs"}, nil)
	}
}

// unreadable is a database in which a collection cannot be read; failed is
// closed when somebody tried.
type unreadable struct {
	docdb.DB
	coll   string
	err    error
	failed chan struct{}
}

func (u unreadable) Find(ctx context.Context, coll string, filter bson.D, o docdb.Find) iter.Seq2[bson.Raw, error] {
	if coll != u.coll {
		return u.DB.Find(ctx, coll, filter, o)
	}
	return func(yield func(bson.Raw, error) bool) {
		close(u.failed)
		yield(nil, u.err)
	}
}

// Whatever an audit is of, it asks the engine about itself, and tells what is
// damaged alone: by name what is the institute's own.
func TestAuditAsksTheEngine(t *testing.T) {
	b := openBookkeeping(t)
	if err := b.remove(payments, b.paid[1].ID); err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	close(closed)
	b.s.DB = checkedEngine{b.s.DB, []docdb.Damage{
		{Coll: payments, ID: "P:1", Text: "the column differs"},
		{Coll: counters, ID: "receipt:P:2026-27", Text: "the column differs"},
		{Coll: counters, ID: "receipt:Q:2026-27", Text: "the column differs"},
		{Coll: users, ID: "asha", Text: "the column differs"},
		{Coll: students, Text: "the table has an entry too many"},
		{Text: "the file is damaged"},
	}, closed}
	for institute, want := range map[string][]string{
		"":  {"P P:1", "P receipt:P:2026-27", "Q receipt:Q:2026-27", " asha", " students", " file"},
		"P": {"P P:1", "P receipt:P:2026-27", " students", " file", "P file"},
		"Q": {"Q receipt:Q:2026-27", " students", " file", "Q file"},
	} {
		report, err := b.s.Audit(context.Background(), institute)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range report.Findings {
			if f.What != "damage" {
				t.Errorf("beside damage the audit of %q tells %+v", institute, f)
			}
			got = append(got, f.Institute+" "+f.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the audit of %q names %q, want %q", institute, got, want)
		}
	}
}

// What is damaged is named also where it keeps the ledger from being read, and
// however soon that fails.
func TestAuditNamesDamageThatItCannotRead(t *testing.T) {
	oneThing(t)
	broken := errors.New("stored document is damaged")
	for _, coll := range []string{institutes, bills, counters, payments, students} {
		for _, institute := range []string{"", "P"} {
			b := openBookkeeping(t)
			failed := make(chan struct{})
			b.s.DB = checkedEngine{unreadable{b.s.DB, coll, broken, failed}, []docdb.Damage{{Coll: payments, ID: "P:1", Text: "the column differs"}}, failed}
			report, err := b.s.Audit(context.Background(), institute)
			if err != nil || len(report.Findings) != 1 || report.Findings[0].What != "damage" || report.Findings[0].ID != "P:1" {
				t.Errorf("%s of %q cannot be read: the audit tells %+v, %v", coll, institute, report.Findings, err)
			}

			b = openBookkeeping(t)
			failed = make(chan struct{})
			b.s.DB = checkedEngine{unreadable{b.s.DB, coll, broken, failed}, nil, failed}
			if _, err := b.s.Audit(context.Background(), institute); !errors.Is(err, broken) {
				t.Errorf("%s of %q cannot be read and nothing is damaged: %v", coll, institute, err)
			}
		}
	}
}

// A store that is out of reach is not waited for, and neither is the check of
// one that has no such institute.
func TestAuditDoesNotWaitForTheEngine(t *testing.T) {
	b := openBookkeeping(t)
	sound := b.s.DB
	never := make(chan struct{})
	b.s.DB = checkedEngine{unreadable{sound, bills, docdb.ErrUnavailable, make(chan struct{})}, nil, never}
	if _, err := b.s.Audit(context.Background(), ""); fees.CodeOf(err) != fees.Unavailable {
		t.Errorf("an audit of a store that is away says %v", err)
	}
	b.s.DB = checkedEngine{sound, nil, never}
	if _, err := b.s.Audit(context.Background(), "NONE"); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("an audit of nobody says %v", err)
	}
}

// An audit that is called off says so, and leaves nothing running.
func TestAuditIsCalledOff(t *testing.T) {
	b := openBookkeeping(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.s.Audit(ctx, ""); fees.CodeOf(err) != fees.Unavailable {
		t.Errorf("an audit that was called off says %v", err)
	}
}
