package mongodb

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// collectionServer keeps collections as some kind of server does.
type collectionServer struct {
	refuses map[string]int    // command → the code by which it refuses a validator
	drops   bool              // takes validators and leaves them out without a word
	shards  []bson.D          // makes it a mongos: config.collections
	hides   bool              // … that this user may not read
	denies  map[string]bson.D // command → answer to what is a retryable write

	mu          sync.Mutex
	collections []bson.D // name, options
}

func refused(what string, code int) bson.D {
	return bson.D{{Key: "ok", Value: 0}, {Key: "code", Value: code}, {Key: "errmsg", Value: what + " is not for you"}}
}

func listOf(docs []bson.D) bson.D {
	return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "ledger.x"}, {Key: "firstBatch", Value: append([]bson.D{}, docs...)}}}}
}

func (s *collectionServer) answer(name string, command bson.Raw) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted, validated := command.Lookup("validator").DocumentOK()
	if code := s.refuses[name]; code != 0 && validated {
		return refused(name, code)
	}
	if command.Lookup("txnNumber").Type != 0 && s.denies[name] != nil {
		return s.denies[name]
	}
	switch name {
	case "listCollections":
		return listOf(s.collections)
	case "listIndexes":
		return listOf([]bson.D{{{Key: "v", Value: 2}, {Key: "key", Value: bson.D{{Key: "_id", Value: 1}}}, {Key: "name", Value: "_id_"}}})
	case "find":
		if s.hides {
			return refused(name, codeUnauthorized)
		}
		return listOf(s.shards)
	case "create", "collMod":
		coll := command.Lookup(name).StringValue()
		s.collections = slices.DeleteFunc(s.collections, func(c bson.D) bool { return c[0].Value == coll })
		opts := bson.D{}
		if validated && !s.drops {
			opts = bson.D{{Key: "validator", Value: wanted}}
		}
		s.collections = append(s.collections, bson.D{{Key: "name", Value: coll}, {Key: "type", Value: "collection"}, {Key: "options", Value: opts}})
	case "update":
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 0}}
	case "insert":
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
	}
	return ok
}

// before is a collection that is on the server before the start.
func before(name string, options ...bson.E) bson.D {
	return bson.D{{Key: "name", Value: name}, {Key: "type", Value: "collection"}, {Key: "options", Value: append(bson.D{}, options...)}}
}

// validatorOf says whether a collection is kept with a validator that knows the
// field.
func (s *collectionServer) validatorOf(coll, field string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.collections {
		if c[0].Value == coll {
			raw, err := bson.Marshal(c[2].Value)
			return err == nil && bson.Raw(raw).Lookup("validator", "$jsonSchema", "properties", field).Type != 0
		}
	}
	return false
}

func amountIsLong(field string) bson.D {
	return bson.D{{Key: "bsonType", Value: "object"}, {Key: "properties", Value: bson.D{
		{Key: field, Value: bson.D{{Key: "bsonType", Value: "long"}, {Key: "minimum", Value: int64(1)}}}}}}
}

var validated = []docdb.Collection{{Name: "plain"}, {Name: "payments", Schema: amountIsLong("total"), Shard: "institute"}}

func TestValidators(t *testing.T) {
	old := bson.E{Key: "validator", Value: bson.D{{Key: "$jsonSchema", Value: amountIsLong("sum")}}}
	for _, c := range []struct {
		name   string
		server *collectionServer
		kept   bool
		says   string // in the log, "" for nothing
	}{
		{"a new collection", &collectionServer{}, true, ""},
		{"one without", &collectionServer{collections: []bson.D{before("payments")}}, true, ""},
		{"one with older rules", &collectionServer{collections: []bson.D{before("payments", old)}}, true, ""},
		{"a server that does not know create's option", &collectionServer{refuses: map[string]int{"create": 238, "collMod": 115}}, false, lacksValidators},
		{"a server without collMod", &collectionServer{collections: []bson.D{before("payments")}, refuses: map[string]int{"collMod": 59}}, false, lacksValidators},
		{"a server that drops them", &collectionServer{drops: true}, false, lacksValidators},
		{"a user who may not", &collectionServer{collections: []bson.D{before("payments", old)}, refuses: map[string]int{"collMod": codeUnauthorized}}, false, lacksCollMod},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startServer(t, &scriptedServer{answer: c.server.answer})
			for _, start := range []string{"first start", "second start"} {
				db, log := openLogged(t, s)
				if err := db.Ensure(t.Context(), validated); err != nil {
					t.Fatalf("%s: %v", start, err)
				}
				if got := c.server.validatorOf("payments", "total"); got != c.kept {
					t.Errorf("%s: the server keeps the validator: %v, want %v", start, got, c.kept)
				}
				if lines := strings.Count(log.String(), "\n"); c.says == "" && lines > 0 || c.says != "" && (lines != 1 || !strings.Contains(log.String(), c.says) || !strings.Contains(log.String(), "where=payments")) {
					t.Errorf("%s: want one line that says %q of payments, if any; the log is\n%s", start, c.says, log)
				}
			}
			if n := len(s.commands("collMod")) + len(s.commands("create")); c.kept && n > 2 {
				t.Errorf("the second start changed what was as it should be: %d commands", n)
			}
		})
	}
}

func TestAValidatorIsStrict(t *testing.T) {
	warns := before("payments", bson.E{Key: "validator", Value: bson.D{{Key: "$jsonSchema", Value: amountIsLong("total")}}}, bson.E{Key: "validationAction", Value: "warn"})
	s := startServer(t, &scriptedServer{answer: (&collectionServer{collections: []bson.D{before("plain"), warns}}).answer})
	if err := openOn(t, s, "").Ensure(t.Context(), append(slices.Clone(validated), docdb.Collection{Name: "new", Schema: amountIsLong("n")})); err != nil {
		t.Fatal(err)
	}
	sent := append(s.commands("collMod"), s.commands("create")...)
	if len(sent) != 2 {
		t.Fatalf("sent %v, want one collMod and one create", sent)
	}
	for _, c := range sent {
		if c.Lookup("validationLevel").StringValue() != "strict" || c.Lookup("validationAction").StringValue() != "error" {
			t.Errorf("%v: want validationLevel strict and validationAction error", c)
		}
	}
}

func TestACollationStopsTheStart(t *testing.T) {
	deaf := bson.E{Key: "collation", Value: bson.D{{Key: "locale", Value: "en"}, {Key: "strength", Value: 1}}}
	db := openOn(t, startServer(t, &scriptedServer{answer: (&collectionServer{collections: []bson.D{before("payments", deaf)}}).answer}), "")
	if err := db.Ensure(t.Context(), validated); meaning(err) != "fault" || !strings.Contains(err.Error(), "collection payments: it has a collation") {
		t.Errorf("ensure: %v, want an error that names the collation", err)
	}
}

func TestShardedCollections(t *testing.T) {
	sharded := func(coll string, key ...bson.E) []bson.D {
		return []bson.D{{{Key: "_id", Value: "ledger." + coll}, {Key: "key", Value: bson.D(key)}}}
	}
	for _, c := range []struct {
		name   string
		server *collectionServer
		says   string // "" when it may start
	}{
		{"none", &collectionServer{}, ""},
		{"by institute", &collectionServer{shards: sharded("payments", bson.E{Key: "institute", Value: 1.0})}, ""},
		{"by student", &collectionServer{shards: sharded("payments", bson.E{Key: "student", Value: 1})}, "sh.reshardCollection"},
		{"by a hash", &collectionServer{shards: sharded("payments", bson.E{Key: "institute", Value: "hashed"})}, "sh.reshardCollection"},
		{"one that has to stay whole", &collectionServer{shards: sharded("plain", bson.E{Key: "institute", Value: 1})}, "sh.unshardCollection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openOn(t, startServer(t, &scriptedServer{mongos: true, answer: c.server.answer}), "")
			err := db.Ensure(t.Context(), validated)
			if c.says == "" && err != nil || c.says != "" && (meaning(err) != "fault" || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("ensure: %v, want %q", err, c.says)
			}
		})
	}
	t.Run("not to be seen", func(t *testing.T) {
		db, log := openLogged(t, startServer(t, &scriptedServer{mongos: true, answer: (&collectionServer{hides: true}).answer}))
		if err := db.Ensure(t.Context(), validated); err != nil || !strings.Contains(log.String(), lacksShardKeys) {
			t.Errorf("ensure: %v; want it to go on and to say %q, the log is\n%s", err, lacksShardKeys, log)
		}
	})
}

// Servers that refuse every retryable write: found at the start, not by the
// first payment.
func TestServersWithoutRetryableWrites(t *testing.T) {
	for name, no := range map[string]bson.D{
		"a standalone mongod": {{Key: "ok", Value: 0}, {Key: "code", Value: 20}, {Key: "codeName", Value: "IllegalOperation"},
			{Key: "errmsg", Value: "Transaction numbers are only allowed on a replica set member or mongos"}},
		"a service": {{Key: "ok", Value: 0}, {Key: "code", Value: 2}, {Key: "errmsg", Value: "Retryable writes are not supported. Please disable retryable writes"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := &collectionServer{denies: map[string]bson.D{"insert": no, "update": no}}
			s := startServer(t, &scriptedServer{replicaSet: true, answer: server.answer})
			db, log := openLogged(t, s)
			if err := db.Ensure(t.Context(), validated); err != nil {
				t.Fatal(err)
			}
			if err := writes["InsertOne"](t.Context(), db); err != nil {
				t.Errorf("insert: %v, want it to be sent as a plain write", err)
			}
			if !strings.Contains(log.String(), lacksRetries) {
				t.Errorf("the log does not say so:\n%s", log)
			}
		})
	}
	t.Run("one that says so itself", func(t *testing.T) {
		s := startServer(t, &scriptedServer{answer: (&collectionServer{}).answer}) // standalone: the driver sends plain writes
		db, log := openLogged(t, s)
		if err := db.Ensure(t.Context(), validated); err != nil || log.String() != "" {
			t.Errorf("ensure: %v, log %q; want neither", err, log)
		}
		for _, c := range s.commands("update") {
			if c.Lookup("txnNumber").Type != 0 {
				t.Errorf("a standalone server was sent a transaction number: %v", c)
			}
		}
	})
}
