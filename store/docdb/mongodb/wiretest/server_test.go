package wiretest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

func start(t *testing.T, opts Options) *Server {
	t.Helper()
	s, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// connect is the driver on a server.
func connect(t *testing.T, s *Server) *mongo.Database {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(s.URI()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client.Database("ledger")
}

// ask sends a command without a driver's help.
func ask(t *testing.T, s *Server, command bson.D) bson.Raw {
	t.Helper()
	return raw(t, s.answer(raw(t, append(command, bson.E{Key: "$db", Value: "ledger"}))))
}

func doc(pairs ...any) bson.D {
	out := bson.D{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, bson.E{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return out
}

// numbered makes a command the n-th retryable write of a session.
func numbered(command bson.D, session byte, n int64) bson.D {
	return append(slices.Clone(command), doc("lsid", doc("id", bson.Binary{Subtype: 4, Data: slices.Repeat([]byte{session}, 16)}), "txnNumber", n)...)
}

var plusOne = doc("update", "counters", "updates", bson.A{doc("q", doc("_id", "c"), "u", doc("$inc", doc("seq", int64(1))), "upsert", true)})

func sequenceNow(t *testing.T, s *Server) int64 {
	t.Helper()
	n, _ := ask(t, s, doc("find", "counters", "filter", doc("_id", "c"))).Lookup("cursor", "firstBatch", "0", "seq").AsInt64OK()
	return n
}

func TestTheSameWriteTwiceIsOneWrite(t *testing.T) {
	s := start(t, Options{})
	first := ask(t, s, numbered(plusOne, 1, 5))
	again := ask(t, s, numbered(plusOne, 1, 5))
	if first.Lookup("ok").Double() != 1 || again.Lookup("upserted", "0", "_id").StringValue() != "c" || again.Lookup("retriedStmtIds").IsZero() {
		t.Errorf("first answer %v, of the retry %v", first, again)
	}
	if n := sequenceNow(t, s); n != 1 {
		t.Errorf("a write and its retry were applied %d times, want once", n)
	}
	for name, c := range map[string]bson.D{
		"the session's next write":  numbered(plusOne, 1, 6),
		"another session":           numbered(plusOne, 2, 6),
		"a write without a number":  plusOne,
		"a number of another write": numbered(plusOne, 3, 5),
	} {
		before := sequenceNow(t, s)
		if answer := ask(t, s, c); answer.Lookup("ok").Double() != 1 || sequenceNow(t, s) != before+1 {
			t.Errorf("%s was not applied: %v", name, answer)
		}
	}
	if code := ask(t, s, numbered(plusOne, 1, 3)).Lookup("code").AsInt64(); code != 225 {
		t.Errorf("an older number of the session: code %d, want 225", code)
	}
}

func TestStandaloneRefusesNumberedWrites(t *testing.T) {
	s := start(t, Options{Standalone: true})
	if code := ask(t, s, numbered(plusOne, 1, 5)).Lookup("code").AsInt64(); code != 20 {
		t.Errorf("code %d, want 20", code)
	}
	if hello := ask(t, s, doc("hello", 1)); !hello.Lookup("setName").IsZero() || !hello.Lookup("isWritablePrimary").Boolean() {
		t.Errorf("it says hello as %v, want a standalone", hello)
	}
}

// A write that the server is at when it steps down is applied and in doubt; its
// retry on the next primary is answered and not applied again.
func TestAWriteDuringAStepDown(t *testing.T) {
	s := start(t, Options{})
	command := raw(t, append(numbered(plusOne, 1, 1), bson.E{Key: "$db", Value: "ledger"}))
	run := writes["update"]
	answer, err := s.once(command, func(s *Server, c bson.Raw) (bson.D, error) {
		answer, err := run(s, c)
		s.StepDown()
		return answer, err
	})
	if err != nil || answer == nil {
		t.Fatal(err)
	}
	refused := raw(t, s.answer(command))
	if refused.Lookup("code").AsInt64() != 10107 || refused.Lookup("errorLabels", "0").StringValue() != "RetryableWriteError" {
		t.Errorf("a secondary answers a write with %v, want 10107 that may be retried", refused)
	}
	if code := ask(t, s, doc("find", "counters")).Lookup("code").AsInt64(); code != 13435 {
		t.Errorf("a secondary answers a read with code %d, want 13435", code)
	}
	s.StepUp()
	if again := raw(t, s.answer(command)); again.Lookup("ok").Double() != 1 || sequenceNow(t, s) != 1 {
		t.Errorf("the retry after the election: %v, applied %d times, want once", again, sequenceNow(t, s))
	}
}

func TestDuplicatesAreTold(t *testing.T) {
	db := connect(t, start(t, Options{}))
	coll := db.Collection("payments")
	_, err := coll.Indexes().CreateOne(t.Context(), mongo.IndexModel{Keys: doc("institute", 1, "number", -1), Options: options.Index().SetName("number").SetUnique(true)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := coll.InsertMany(t.Context(), []any{doc("_id", "P:1", "institute", "P", "number", int64(1)), doc("_id", "P:2", "institute", "P", "number", int64(2))}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		do   func() error
		text string
	}{
		"the key": {func() error {
			_, err := coll.InsertOne(t.Context(), doc("_id", "P:1", "institute", "P", "number", int64(9)))
			return err
		}, `E11000 duplicate key error collection: ledger.payments index: _id_ dup key: {"_id":"P:1"}`},
		"an insert": {func() error {
			_, err := coll.InsertOne(t.Context(), doc("_id", "P:3", "institute", "P", "number", int64(1)))
			return err
		}, `E11000 duplicate key error collection: ledger.payments index: number dup key: {"institute":"P","number":1}`},
		"an update": {func() error {
			_, err := coll.UpdateOne(t.Context(), doc("_id", "P:2"), doc("$set", doc("number", int64(1))))
			return err
		}, `E11000 duplicate key error collection: ledger.payments index: number dup key: {"institute":"P","number":1}`},
		"a find and modify": {func() error {
			return coll.FindOneAndUpdate(t.Context(), doc("_id", "P:2"), doc("$set", doc("number", int64(1)))).Err()
		}, `E11000 duplicate key error collection: ledger.payments index: number dup key: {"institute":"P","number":1}`},
	} {
		err := c.do()
		var server mongo.ServerError
		if !mongo.IsDuplicateKeyError(err) || !errors.As(err, &server) || !server.HasErrorMessage(c.text) {
			t.Errorf("%s: %v, want %s", name, err, c.text)
		}
	}
	_, err = coll.Indexes().CreateOne(t.Context(), mongo.IndexModel{Keys: doc("institute", 1), Options: options.Index().SetName("institute").SetUnique(true)})
	if !mongo.IsDuplicateKeyError(err) {
		t.Errorf("a unique index that the documents forbid: %v, want E11000", err)
	}
}

// An index becomes multikey when the first list arrives.
func TestIndexesLearnOfLists(t *testing.T) {
	ctx := t.Context()
	for name, lists := range map[string]func(coll *mongo.Collection) error{
		"inserted": func(coll *mongo.Collection) error {
			_, err := coll.InsertOne(ctx, doc("_id", "2", "tags", bson.A{"a", "b"}))
			return err
		},
		"set": func(coll *mongo.Collection) error {
			_, err := coll.UpdateOne(ctx, doc("_id", "2"), doc("$set", doc("tags", bson.A{"a", "b"})), options.UpdateOne().SetUpsert(true))
			return err
		},
		"pushed": func(coll *mongo.Collection) error {
			_, err := coll.UpdateOne(ctx, doc("_id", "2"), doc("$push", doc("tags", "b")), options.UpdateOne().SetUpsert(true))
			return err
		},
	} {
		coll := connect(t, start(t, Options{})).Collection("things")
		if _, err := coll.Indexes().CreateOne(ctx, mongo.IndexModel{Keys: doc("tags", 1, "_id", 1), Options: options.Index().SetName("tags")}); err != nil {
			t.Fatal(err)
		}
		if _, err := coll.InsertOne(ctx, doc("_id", "1", "tags", "a")); err != nil {
			t.Fatal(err)
		}
		if err := lists(coll); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, tag := range []string{"a", "b"} {
			want := map[string]int64{"inserteda": 2, "seta": 2, "pusheda": 1}[name+tag]
			if tag == "b" {
				want = 1
			}
			if n, err := coll.CountDocuments(ctx, doc("tags", tag)); n != want || err != nil {
				t.Errorf("%s: %d documents have tag %s (%v), want %d", name, n, tag, err, want)
			}
		}
	}
}

func TestValidatorsAreKept(t *testing.T) {
	s := start(t, Options{})
	ask(t, s, doc("create", "payments", "validator", doc("a", int32(1)), "validationLevel", "strict"))
	if code := ask(t, s, doc("create", "payments")).Lookup("code").AsInt64(); code != 48 {
		t.Errorf("creating it again: code %d, want 48", code)
	}
	ask(t, s, doc("collMod", "payments", "validator", doc("a", int32(2))))
	listed := ask(t, s, doc("listCollections", int32(1), "filter", doc("name", "payments")))
	kept := listed.Lookup("cursor", "firstBatch", "0", "options").Document()
	if kept.Lookup("validator", "a").AsInt64() != 2 || kept.Lookup("validationLevel").StringValue() != "strict" {
		t.Errorf("listed with %v, want the validator of collMod and the level of create", kept)
	}
	for name, c := range map[string]bson.D{"collMod": doc("collMod", "nothing"), "listIndexes": doc("listIndexes", "nothing"), "drop": doc("drop", "nothing")} {
		if code := ask(t, s, c).Lookup("code").AsInt64(); code != 26 {
			t.Errorf("%s of a collection that is not there: code %d, want 26", name, code)
		}
	}
}

func TestWhatIsLeftOutIsRefused(t *testing.T) {
	s := start(t, Options{})
	for name, c := range map[string]struct {
		command bson.D
		code    int64
	}{
		"an unknown command":     {doc("mapReduce", "payments"), 59},
		"a transaction":          {doc("insert", "payments", "documents", bson.A{}, "startTransaction", true), 20},
		"an update of many":      {doc("update", "payments", "updates", bson.A{doc("q", bson.D{}, "u", doc("$set", doc("a", int64(1))), "multi", true)}), 2},
		"a skip":                 {doc("find", "payments", "skip", int64(5)), 2},
		"an unknown stage":       {doc("aggregate", "payments", "pipeline", bson.A{doc("$lookup", bson.D{})}, "cursor", bson.D{}), 40324},
		"a cursor that is gone":  {doc("getMore", int64(99), "collection", "payments"), 43},
		"an index with two ways": {doc("createIndexes", "payments", "indexes", bson.A{doc("name", "x", "key", doc("a", 1)), doc("name", "x", "key", doc("b", 1))}), 86},
		"an index without name":  {doc("createIndexes", "payments", "indexes", bson.A{doc("key", doc("a", 1))}), 67},
		"documents of no list":   {doc("insert", "payments", "documents", "x"), 9},
	} {
		answer := ask(t, s, c.command)
		code, _ := answer.Lookup("code").AsInt64OK()
		if one, ok := answer.Lookup("writeErrors", "0", "code").AsInt64OK(); ok {
			code = one
		}
		if code != c.code {
			t.Errorf("%s: %v, want code %d", name, answer, c.code)
		}
	}
}

func TestDropDatabaseForgets(t *testing.T) {
	db := connect(t, start(t, Options{}))
	if _, err := db.Collection("a").InsertOne(t.Context(), doc("_id", "1")); err != nil {
		t.Fatal(err)
	}
	if err := db.Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names, err := db.ListCollectionNames(t.Context(), bson.D{}); len(names) != 0 || err != nil {
		t.Errorf("after the drop there are %v (%v)", names, err)
	}
	if _, err := db.Collection("a").InsertOne(t.Context(), doc("_id", "1")); err != nil {
		t.Errorf("an insert after the drop: %v", err)
	}
}
