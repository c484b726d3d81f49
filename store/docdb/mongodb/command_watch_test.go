package mongodb

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// What a profiler shows must be what the metrics show.
func TestCommandsCarryTheirShape(t *testing.T) {
	s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any {
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}, {Key: "value", Value: one}, {Key: "cursor", Value: bson.D{
			{Key: "id", Value: int64(0)}, {Key: "ns", Value: "ledger.payments"}, {Key: "firstBatch", Value: bson.A{}}}}}
	}})
	var observed []docdb.Operation
	db := docdb.Observed(openOn(t, s, ""), docdb.Observer{Now: time.Now, Observe: func(o docdb.Operation) { observed = append(observed, o) }})
	for _, ops := range []map[string]operation{writes, reads} {
		for name, op := range ops {
			if name == "Explain" {
				continue
			}
			before := len(sentTo(s))
			_ = op(t.Context(), db) // an empty answer is none to some of them
			commands := sentTo(s)[before:]
			if len(commands) != 1 {
				t.Fatalf("%s sent %d commands, want 1", name, len(commands))
			}
			if len(observed) == 0 {
				t.Fatalf("%s was not observed", name)
			}
			shape := observed[len(observed)-1].Shape
			if comment, _ := commands[0].Lookup("comment").StringValueOK(); comment != shape || shape == "" {
				t.Errorf("%s was sent with the comment %q, and observed as %q", name, comment, shape)
			}
		}
	}
	if len(observed) != len(writes)+len(reads)-1 {
		t.Errorf("%d operations observed, want each once", len(observed))
	}
}

func sentTo(s *scriptedServer) []bson.Raw {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func TestRetriesAreCounted(t *testing.T) {
	var mu sync.Mutex
	var retried []string
	lose := map[string]bool{"insert": true, "find": true}
	s := startServer(t, &scriptedServer{replicaSet: true, answer: func(name string, _ bson.Raw) any {
		if lose[name] {
			lose[name] = false
			return hangUp
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}, {Key: "cursor", Value: bson.D{
			{Key: "id", Value: int64(0)}, {Key: "ns", Value: "ledger.payments"}, {Key: "firstBatch", Value: bson.A{one}}}}}
	}})
	db, err := Open(t.Context(), "mongodb://"+s.addr+"/ledger?replicaSet=rs", Options{Now: time.Now, Events: Events{Retried: func(shape string) {
		mu.Lock()
		defer mu.Unlock()
		retried = append(retried, shape)
	}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for name, op := range map[string]operation{"insert": writes["InsertOne"], "find": reads["FindOne"], "bulk": writes["BulkWrite"]} {
		if err := op(t.Context(), db); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	slices.Sort(retried)
	if want := []string{"findOne payments", "insert payments"}; !slices.Equal(retried, want) {
		t.Errorf("retried %q, want %q: once each, and nothing that was sent once", retried, want)
	}
}

func TestWaitingForAConnectionIsSeen(t *testing.T) {
	var waiting, most int
	var mu sync.Mutex
	full := make(chan struct{})
	var once sync.Once
	s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any {
		<-full // the one connection is held until somebody waits for it
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
	}})
	db, err := Open(t.Context(), "mongodb://"+s.addr+"/ledger?maxPoolSize=1&minPoolSize=0", Options{Now: time.Now, Events: Events{Waiting: func(change int) {
		mu.Lock()
		defer mu.Unlock()
		waiting += change
		if most = max(most, waiting); most == 2 {
			once.Do(func() { close(full) })
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := writes["InsertOne"](context.Background(), db); err != nil {
				t.Errorf("insert: %v", err)
			}
		})
	}
	all.Wait()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if waiting != 0 || most != 2 {
		t.Errorf("%d wait in the end, %d at most; want none, and the 2 who found the pool of one in use", waiting, most)
	}
}

// A request has thirty seconds; a hanging server must not have all of them.
func TestACallersFarDeadlineDoesNotLetAnOperationHang(t *testing.T) {
	s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any { return silence }})
	db := openOn(t, s, "timeoutMS=100")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, op := range map[string]operation{"insert": writes["InsertOne"], "findOne": reads["FindOne"], "find": reads["Find"], "group": reads["Group"]} {
		start := time.Now()
		if err := op(ctx, db); err == nil {
			t.Errorf("%s: no error, and the server said nothing", name)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s took %v with an operation's time of 100ms", name, took)
		}
	}
}

func TestAnOperationHasATimeAlsoWhenTheURISaysForEver(t *testing.T) {
	db := openOn(t, startServer(t, &scriptedServer{}), "timeoutMS=0")
	if db.timeout != operationTimeout {
		t.Errorf("the time of an operation is %v, want %v", db.timeout, operationTimeout)
	}
}

// Of a payment one operation hangs, and the next finds no server: a cashier
// with a queue is to know in ten seconds.
func TestADeadServerIsToldInTime(t *testing.T) {
	if worst := operationTimeout + selectionTimeout; worst >= 10*time.Second {
		t.Errorf("a write that hangs and the look afterwards take %v, want below 10s", worst)
	}
}
