package mongodb

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// indexServer keeps indexes as some kind of server does.
type indexServer struct {
	refuses []string // options it answers with NotImplemented
	drops   []string // options it leaves out without a word

	mu      sync.Mutex
	indexes []bson.D
}

func (s *indexServer) answer(name string, command bson.Raw) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := func(docs []bson.D) bson.D {
		return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "ledger.x"}, {Key: "firstBatch", Value: docs}}}}
	}
	switch name {
	case "listCollections":
		return list([]bson.D{})
	case "listIndexes":
		return list(append([]bson.D{{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "_id", Value: 1}}}, {Key: "name", Value: "_id_"}}}, s.indexes...))
	case "createIndexes":
		var c struct {
			Indexes []bson.D `bson:"indexes"`
		}
		if err := bson.Unmarshal(command, &c); err != nil {
			panic(err)
		}
		for _, index := range c.Indexes {
			for _, option := range index {
				if slices.Contains(s.refuses, option.Key) {
					return bson.D{{Key: "ok", Value: 0}, {Key: "code", Value: 238}, {Key: "errmsg", Value: option.Key + " is not implemented"}}
				}
			}
		}
		for _, index := range c.Indexes {
			s.indexes = append(s.indexes, slices.DeleteFunc(index, func(e bson.E) bool { return slices.Contains(s.drops, e.Key) }))
		}
	case "dropIndexes":
		s.indexes = slices.DeleteFunc(s.indexes, func(i bson.D) bool { return nameOf(i) == command.Lookup("index").StringValue() })
	case "delete":
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 0}}
	}
	return ok
}

// has says how an index is kept: its options after key and name.
func (s *indexServer) has(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.indexes {
		if nameOf(i) == name {
			var options []string
			for _, e := range i {
				if e.Key != "key" && e.Key != "name" && e.Key != "v" {
					options = append(options, e.Key)
				}
			}
			slices.Sort(options)
			return "index " + strings.Join(options, " ")
		}
	}
	return "none"
}

func nameOf(index bson.D) string {
	for _, e := range index {
		if e.Key == "name" {
			return e.Value.(string)
		}
	}
	return ""
}

var ledger = []docdb.Collection{{
	Name: "payments",
	Indexes: []docdb.Index{
		{Name: "number", Keys: []docdb.Key{{Path: "institute"}, {Path: "number"}}, Unique: true, Partial: bson.D{{Key: "number", Value: bson.D{{Key: "$exists", Value: true}}}}},
		{Name: "waiting", Keys: []docdb.Key{{Path: "institute"}, {Path: "at", Desc: true}}, Partial: bson.D{{Key: "waiting", Value: true}}},
		{Name: "login", Keys: []docdb.Key{{Path: "login"}}, Unique: true},
	},
	TTL: "expiresAt",
}}

const (
	netOff     = "the safety net is off"
	noPartial  = "no partial indexes"
	noTTL      = "no TTL indexes"
	fullNumber = "index partialFilterExpression unique"
)

func TestEnsureOnServersThatKeepLess(t *testing.T) {
	for _, c := range []struct {
		name           string
		server         *indexServer
		number, expiry string   // how they end up
		says           []string // in the log, and nothing of the others
	}{
		{"MongoDB", &indexServer{}, fullNumber, "index expireAfterSeconds", nil},
		{"refuses partial", &indexServer{refuses: []string{"partialFilterExpression"}}, "index ", "index expireAfterSeconds", []string{netOff, noPartial}},
		{"drops partial", &indexServer{drops: []string{"partialFilterExpression"}}, "index ", "index expireAfterSeconds", []string{netOff, noPartial}},
		{"refuses TTL", &indexServer{refuses: []string{"expireAfterSeconds"}}, fullNumber, "index ", []string{noTTL}},
		{"drops TTL", &indexServer{drops: []string{"expireAfterSeconds"}}, fullNumber, "index ", []string{noTTL}},
		{"refuses both", &indexServer{refuses: []string{"expireAfterSeconds", "partialFilterExpression"}}, "index ", "index ", []string{netOff, noPartial, noTTL}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startServer(t, &scriptedServer{answer: c.server.answer})
			for _, start := range []string{"first start", "second start"} {
				db, log := openLogged(t, s)
				if err := db.Ensure(t.Context(), ledger); err != nil {
					t.Fatalf("%s: %v", start, err)
				}
				if got := c.server.has("number"); got != c.number {
					t.Errorf("%s: the number index is kept as %q, want %q", start, got, c.number)
				}
				if got := c.server.has("ttl_expiresAt"); got != c.expiry {
					t.Errorf("%s: the TTL index is kept as %q, want %q", start, got, c.expiry)
				}
				if got := c.server.has("login"); got != "index unique" {
					t.Errorf("%s: the login index is kept as %q, want it unique", start, got)
				}
				if lines := strings.Count(log.String(), "\n"); lines != len(c.says) {
					t.Errorf("%s: %d lines in the log, want one for each of %q:\n%s", start, lines, c.says, log)
				}
				for _, line := range []string{netOff, noPartial, noTTL} {
					if want, got := slices.Contains(c.says, line), strings.Contains(log.String(), line); got != want {
						t.Errorf("%s: log says %q: %v, want %v\n%s", start, line, got, want, log)
					}
				}
			}
		})
	}
}

func TestEnsureTwiceCreatesOnce(t *testing.T) {
	s := startServer(t, &scriptedServer{answer: (&indexServer{}).answer})
	db := openOn(t, s, "")
	for range 2 {
		if err := db.Ensure(t.Context(), ledger); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.commands("createIndexes")); n != 1 {
		t.Errorf("createIndexes was sent %d times, want once for all indexes of the collection", n)
	}
}

func TestEnsureStopsWhereAPromiseWouldBreak(t *testing.T) {
	kept := func(name string, keys bson.D, options ...bson.E) []bson.D {
		return []bson.D{append(bson.D{{Key: "v", Value: 2}, {Key: "key", Value: keys}, {Key: "name", Value: name}}, options...)}
	}
	for _, c := range []struct {
		name   string
		server *indexServer
		says   string
	}{
		{"unique is dropped", &indexServer{drops: []string{"unique"}}, "index login of payments: it must be unique"},
		{"unique is refused", &indexServer{refuses: []string{"unique"}}, "unique is not implemented"},
		{"unique was not", &indexServer{indexes: kept("login", bson.D{{Key: "login", Value: 1}})}, "index login of payments: it must be unique"},
		{"unique is over some only", &indexServer{indexes: kept("login", bson.D{{Key: "login", Value: 1}}, bson.E{Key: "unique", Value: true}, bson.E{Key: "partialFilterExpression", Value: bson.D{{Key: "a", Value: 1}}})}, "index login of payments: it must be unique"},
		{"not unique is", &indexServer{indexes: kept("waiting", bson.D{{Key: "institute", Value: 1}, {Key: "at", Value: -1.0}}, bson.E{Key: "unique", Value: true})}, "it is unique on the server"},
		{"keys that a collation makes the same", &indexServer{indexes: kept("login", bson.D{{Key: "login", Value: 1}}, bson.E{Key: "unique", Value: true}, bson.E{Key: "collation", Value: bson.D{{Key: "locale", Value: "en"}, {Key: "strength", Value: 1}}})}, "index login of payments: it has a collation"},
		{"unique is over others", &indexServer{indexes: kept("number", bson.D{{Key: "institute", Value: 1}, {Key: "number", Value: 1}}, bson.E{Key: "unique", Value: true}, bson.E{Key: "partialFilterExpression", Value: bson.D{{Key: "institute", Value: bson.D{{Key: "$exists", Value: true}}}}})}, "index number of payments: it is unique over the documents with"},
		{"a stranger is unique", &indexServer{indexes: kept("mine", bson.D{{Key: "student", Value: 1}}, bson.E{Key: "unique", Value: true})}, "index mine of payments is none of Raseed's"},
		{"a stranger deletes", &indexServer{indexes: kept("mine", bson.D{{Key: "recordedAt", Value: 1}}, bson.E{Key: "expireAfterSeconds", Value: 3600})}, "index mine of payments is none of Raseed's"},
		{"no direction", &indexServer{indexes: kept("login", bson.D{{Key: "login", Value: "hashed"}})}, "index login of payments: the server has one of that name"},
		{"other keys", &indexServer{indexes: kept("waiting", bson.D{{Key: "institute", Value: 1}, {Key: "at", Value: 1}})}, "index waiting of payments: the server has one of that name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openOn(t, startServer(t, &scriptedServer{answer: c.server.answer}), "")
			err := db.Ensure(t.Context(), ledger)
			if meaning(err) != "fault" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("ensure: %v, want an error that says %q", err, c.says)
			}
		})
	}
}

func TestEnsureSaysWhenDataForbidsAnIndex(t *testing.T) {
	indexes := &indexServer{}
	db := openOn(t, startServer(t, &scriptedServer{answer: func(name string, command bson.Raw) any {
		if name == "createIndexes" {
			return bson.D{{Key: "ok", Value: 0}, {Key: "code", Value: 11000}, {Key: "errmsg", Value: numberTaken}}
		}
		return indexes.answer(name, command)
	}}), "")
	err := db.Ensure(t.Context(), ledger)
	if err == nil || docdb.IsDuplicate(err) || !strings.Contains(err.Error(), "there are documents that it forbids") {
		t.Errorf("ensure over duplicates: %v, want an error that says so", err)
	}
}

func TestExpiredDocumentsAreDeletedWhereTheServerDoesNot(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	indexes := &indexServer{refuses: []string{"expireAfterSeconds"}}
	deleted := make(chan bson.Raw)
	s := startServer(t, &scriptedServer{answer: func(name string, command bson.Raw) any {
		if name == "delete" {
			select {
			case deleted <- command:
			default: // the test has seen enough
			}
			return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 0}}
		}
		return indexes.answer(name, command)
	}})
	db, err := Open(t.Context(), "mongodb://"+s.addr, Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.sweepEvery = time.Millisecond
	if err := db.Ensure(t.Context(), ledger); err != nil {
		t.Fatal(err)
	}
	command := <-deleted
	one := command.Lookup("deletes", "0").Document()
	if got := one.Lookup("q", "expiresAt", "$lte").Time(); !got.Equal(now) || one.Lookup("limit").AsInt64() != 0 {
		t.Errorf("deletes %v, want all that expired by %v", one, now)
	}
	if coll := command.Lookup("delete").StringValue(); coll != "payments" {
		t.Errorf("deletes from %s, want payments", coll)
	}
}
