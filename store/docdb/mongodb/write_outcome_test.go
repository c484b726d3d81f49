package mongodb

import (
	"context"
	"reflect"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// operation is one method of the interface, called in the simplest way.
type operation func(ctx context.Context, db docdb.DB) error

var (
	one = bson.D{{Key: "_id", Value: "P:1"}}
	set = bson.D{{Key: "$set", Value: bson.D{{Key: "a", Value: int64(1)}}}}
)

var writes = map[string]operation{
	"InsertOne": func(ctx context.Context, db docdb.DB) error { return db.InsertOne(ctx, "payments", one) },
	"InsertMany": func(ctx context.Context, db docdb.DB) error {
		_, err := db.InsertMany(ctx, "payments", []any{one})
		return err
	},
	"UpdateOne": func(ctx context.Context, db docdb.DB) error {
		_, err := db.UpdateOne(ctx, "payments", one, set, docdb.Update{})
		return err
	},
	"FindOneAndUpdate": func(ctx context.Context, db docdb.DB) error {
		return db.FindOneAndUpdate(ctx, "payments", one, set, docdb.Update{}, &bson.Raw{})
	},
	"BulkWrite": func(ctx context.Context, db docdb.DB) error {
		_, err := db.BulkWrite(ctx, "payments", []docdb.UpdateOp{{Filter: one, Update: set}}, true)
		return err
	},
	"DeleteOne": func(ctx context.Context, db docdb.DB) error {
		_, err := db.DeleteOne(ctx, "payments", one)
		return err
	},
	"DeleteMany": func(ctx context.Context, db docdb.DB) error {
		_, err := db.DeleteMany(ctx, "payments", one)
		return err
	},
}

var reads = map[string]operation{
	"FindOne": func(ctx context.Context, db docdb.DB) error {
		return db.FindOne(ctx, "payments", nil, docdb.Find{}, &bson.Raw{})
	},
	"Find": func(ctx context.Context, db docdb.DB) error {
		_, err := docdb.All[bson.D](db.Find(ctx, "payments", nil, docdb.Find{}))
		return err
	},
	"Count": func(ctx context.Context, db docdb.DB) error {
		_, err := db.Count(ctx, "payments", nil, 0)
		return err
	},
	"Group": func(ctx context.Context, db docdb.DB) error {
		_, err := db.Group(ctx, "payments", nil, docdb.Group{Accs: []docdb.Acc{{As: "n", Op: docdb.CountN}}})
		return err
	},
	"Explain": func(ctx context.Context, db docdb.DB) error {
		_, err := db.Explain(ctx, "payments", nil, docdb.Find{})
		return err
	},
}

// wantEach runs each operation at once, on a server and connections of its
// own, where every command gets answer.
func wantEach(t *testing.T, ops map[string]operation, answer any, query, want string) {
	for name, op := range ops {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any { return answer }})
			if err := op(t.Context(), openOn(t, s, query)); meaning(err) != want {
				t.Errorf("means %q, want %q (%v)", meaning(err), want, err)
			}
		})
	}
}

func TestLostAnswers(t *testing.T) {
	wantEach(t, writes, hangUp, "", "unknown outcome")
	wantEach(t, reads, hangUp, "timeoutMS=200", "unavailable") // the driver asks again until then
}

func TestAnswersThatComeTooLate(t *testing.T) {
	wantEach(t, writes, silence, "timeoutMS=200", "unknown outcome")
	wantEach(t, reads, silence, "timeoutMS=200", "unavailable")
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any {
		cancel() // the write is on the server when the caller goes away
		return silence
	}})
	db := openOn(t, s, "")
	if err := db.InsertOne(ctx, "payments", one); meaning(err) != "unknown outcome" {
		t.Errorf("insert cancelled while the server has it: %v, want ErrUnknownOutcome", err)
	}
	// From here on ctx is cancelled before anything is sent.
	for _, ops := range []map[string]operation{writes, reads} {
		for name, op := range ops {
			if err := op(ctx, db); meaning(err) != "unavailable" {
				t.Errorf("%s: means %q, want unavailable (%v)", name, meaning(err), err)
			}
		}
	}
	if n := len(s.commands("insert")); n != 1 {
		t.Errorf("%d inserts reached the server, want the 1 that was sent before the cancel", n)
	}
}

func TestAnswersOfAServerThatSteppedDown(t *testing.T) {
	wantEach(t, writes, bson.D{
		{Key: "ok", Value: 0}, {Key: "code", Value: 10107}, {Key: "codeName", Value: "NotWritablePrimary"}, {Key: "errmsg", Value: "not primary"},
	}, "", "unknown outcome")
}

func TestNotOnAMajority(t *testing.T) {
	wantEach(t, writes, bson.D{
		{Key: "ok", Value: 1}, {Key: "n", Value: 1}, {Key: "nModified", Value: 1},
		{Key: "value", Value: bson.D{{Key: "_id", Value: "P:1"}}},
		{Key: "writeConcernError", Value: bson.D{{Key: "code", Value: 64}, {Key: "errmsg", Value: "waiting for replication timed out"}}},
	}, "", "unknown outcome")
}

func TestARetriedWriteIsTheSameWrite(t *testing.T) {
	first := true
	s := startServer(t, &scriptedServer{replicaSet: true, answer: func(name string, _ bson.Raw) any {
		if name == "insert" && first {
			first = false
			return hangUp
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
	}})
	db := openOn(t, s, "replicaSet=rs")
	if err := db.InsertOne(t.Context(), "payments", one); err != nil {
		t.Fatalf("insert whose first answer was lost: %v, want the driver's retry to succeed", err)
	}
	inserts := s.commands("insert")
	if len(inserts) != 2 {
		t.Fatalf("the server saw %d inserts, want 2", len(inserts))
	}
	for _, field := range []string{"txnNumber", "lsid"} {
		if a, b := inserts[0].Lookup(field), inserts[1].Lookup(field); a.IsZero() || !a.Equal(b) {
			t.Errorf("%s of the retry is %v, of the first try %v: the server would not know them as one", field, b, a)
		}
	}
}

// The driver says "no server" here; it is about its second try.
func TestALostAnswerAndThenNoServer(t *testing.T) {
	s := &scriptedServer{replicaSet: true}
	s.answer = func(string, bson.Raw) any {
		_ = s.listener.Close()
		return hangUp
	}
	startServer(t, s)
	db := openOn(t, s, "replicaSet=rs&serverSelectionTimeoutMS=700")
	if err := db.InsertOne(t.Context(), "payments", one); meaning(err) != "unknown outcome" {
		t.Errorf("insert: %v, want ErrUnknownOutcome: the server had it", err)
	}
	if err := db.InsertOne(t.Context(), "payments", one); meaning(err) != "unavailable" {
		t.Errorf("the next insert: %v, want ErrUnavailable: it was never sent", err)
	}
}

func TestTheURICannotWeakenWritesOrReads(t *testing.T) {
	s := startServer(t, &scriptedServer{replicaSet: true, answer: func(name string, _ bson.Raw) any {
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}, {Key: "cursor", Value: bson.D{
			{Key: "id", Value: int64(0)}, {Key: "ns", Value: "ledger.payments"}, {Key: "firstBatch", Value: bson.A{}}}}}
	}})
	db := openOn(t, s, "replicaSet=rs&w=1&journal=false&readPreference=secondaryPreferred&readConcernLevel=local")
	for _, ops := range []map[string]operation{writes, reads} {
		for _, op := range ops {
			_ = op(t.Context(), db) // an empty answer is none to some of them
		}
	}
	want, err := bson.Marshal(bson.D{{Key: "w", Value: "majority"}, {Key: "j", Value: true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"insert", "update", "findAndModify", "delete"} {
		for _, c := range s.commands(name) {
			if got, ok := c.Lookup("writeConcern").DocumentOK(); !ok || !sameFields(got, want) {
				t.Errorf("%s was sent with write concern %v, want %v", name, got, bson.Raw(want))
			}
		}
		if len(s.commands(name)) == 0 {
			t.Errorf("no %s was sent", name)
		}
	}
	for _, name := range []string{"find", "aggregate"} {
		for _, c := range s.commands(name) {
			if level, _ := c.Lookup("readConcern", "level").StringValueOK(); level != "majority" {
				t.Errorf("%s was sent with read concern %q, want majority", name, level)
			}
			if mode, ok := c.Lookup("$readPreference", "mode").StringValueOK(); ok && mode != "primary" {
				t.Errorf("%s was sent with read preference %q, want primary", name, mode)
			}
			if db, _ := c.Lookup("$db").StringValueOK(); db != "ledger" {
				t.Errorf("%s was sent to database %q, want the one in the URI", name, db)
			}
		}
		if len(s.commands(name)) == 0 {
			t.Errorf("no %s was sent", name)
		}
	}
}

func sameFields(a, b bson.Raw) bool {
	var x, y bson.M
	return bson.Unmarshal(a, &x) == nil && bson.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
