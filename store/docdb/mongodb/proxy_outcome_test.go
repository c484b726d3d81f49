package mongodb

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/mongodb/wiretest"
)

// wire is a test server, a proxy to it, and the engine on both: through the
// proxy, and around it to see what is really there.
type wire struct {
	server *wiretest.Server
	proxy  *wiretest.Proxy
	around *DB
}

func startWire(t *testing.T, opts wiretest.Options) *wire {
	t.Helper()
	server, err := wiretest.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	around := openURI(t, server.URI()+"ledger?directConnection=true")
	if err := around.Ensure(t.Context(), []docdb.Collection{{Name: "payments"}}); err != nil {
		t.Fatal(err)
	}
	proxy, err := wiretest.StartProxy(server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	return &wire{server, proxy, around}
}

// through opens the engine through the proxy; query is the URI's.
func (w *wire) through(t *testing.T, query string) *DB {
	t.Helper()
	return openURI(t, w.proxy.URI()+"ledger?heartbeatFrequencyMS=500&"+query)
}

func openURI(t *testing.T, uri string) *DB {
	t.Helper()
	db, err := Open(t.Context(), uri, Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// counted are writes to an empty collection that show how often they were
// applied.
var counted = []struct {
	name, command string
	once          bool // the driver can retry it
	do            operation
}{
	{"InsertOne", "insert", true, func(ctx context.Context, db docdb.DB) error {
		return db.InsertOne(ctx, "payments", bson.D{{Key: "_id", Value: "P:1"}, {Key: "n", Value: int64(1)}})
	}},
	{"InsertMany", "insert", true, func(ctx context.Context, db docdb.DB) error {
		_, err := db.InsertMany(ctx, "payments", []any{bson.D{{Key: "_id", Value: "P:1"}, {Key: "n", Value: int64(1)}}})
		return err
	}},
	{"UpdateOne", "update", true, func(ctx context.Context, db docdb.DB) error {
		_, err := db.UpdateOne(ctx, "payments", one, plusOne, docdb.Update{Upsert: true})
		return err
	}},
	{"FindOneAndUpdate", "findAndModify", true, func(ctx context.Context, db docdb.DB) error {
		return db.FindOneAndUpdate(ctx, "payments", one, plusOne, docdb.Update{Upsert: true, After: true}, &bson.Raw{})
	}},
	{"BulkWrite", "update", true, func(ctx context.Context, db docdb.DB) error {
		_, err := db.BulkWrite(ctx, "payments", []docdb.UpdateOp{{Filter: one, Update: plusOne, Upsert: true}}, false)
		return err
	}},
}

var plusOne = bson.D{{Key: "$inc", Value: bson.D{{Key: "n", Value: int64(1)}}}}

// applied is how often a counted write was.
func (w *wire) applied(t *testing.T) int64 {
	t.Helper()
	groups, err := w.around.Group(t.Context(), "payments", nil, docdb.Group{Accs: []docdb.Acc{{As: "n", Op: docdb.Sum, Path: "n"}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) == 0 {
		return 0
	}
	return groups[0].Lookup("n").Int64()
}

// What a write says and what became of it, where its first try meets a fault.
func TestWritesThroughTheProxy(t *testing.T) {
	for _, c := range []struct {
		fault      wiretest.Fault
		standalone bool
		says       string
		applied    int64
	}{
		{wiretest.Fault{Kind: wiretest.CutBefore}, false, "nil", 1},
		{wiretest.Fault{Kind: wiretest.DropAnswer}, false, "nil", 1},
		{wiretest.Fault{Kind: wiretest.CutAnswer}, false, "nil", 1},
		{wiretest.Fault{Kind: wiretest.Swallow}, false, "unknown outcome", 1},
		{wiretest.Fault{Kind: wiretest.DelayAnswer, For: time.Minute}, false, "unknown outcome", 1},
		{wiretest.Fault{Kind: wiretest.DelayAnswer, For: time.Millisecond}, false, "nil", 1},
		{wiretest.Fault{Kind: wiretest.CutBefore}, true, "unknown outcome", 0},
		{wiretest.Fault{Kind: wiretest.DropAnswer}, true, "unknown outcome", 1},
		{wiretest.Fault{Kind: wiretest.CutAnswer}, true, "unknown outcome", 1},
	} {
		for _, op := range counted {
			t.Run(fmt.Sprintf("%s/%s/standalone %v", op.name, c.fault.Kind, c.standalone), func(t *testing.T) {
				t.Parallel()
				w := startWire(t, wiretest.Options{Standalone: c.standalone})
				query := ""
				if c.says == "unknown outcome" {
					query = "timeoutMS=400"
				}
				db := w.through(t, query)
				w.proxy.Plan(func(command wiretest.Command) wiretest.Fault {
					if command.Name == op.command && command.N == 1 {
						return c.fault
					}
					return wiretest.Fault{}
				})
				if err := op.do(t.Context(), db); meaning(err) != c.says {
					t.Errorf("means %q, want %q (%v)", meaning(err), c.says, err)
				}
				if n := w.applied(t); n != c.applied {
					t.Errorf("applied %d times, want %d", n, c.applied)
				}
			})
		}
	}
}

// A command that the network held back arrives after its sender has gone.
func TestACommandThatComesLate(t *testing.T) {
	w := startWire(t, wiretest.Options{})
	db := w.through(t, "timeoutMS=300")
	w.proxy.Plan(func(c wiretest.Command) wiretest.Fault {
		if c.Name == "insert" {
			return wiretest.Fault{Kind: wiretest.DelayCommand, For: 600 * time.Millisecond}
		}
		return wiretest.Fault{}
	})
	if err := counted[0].do(t.Context(), db); meaning(err) != "unknown outcome" {
		t.Errorf("means %q, want unknown outcome: it is still under way (%v)", meaning(err), err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for w.applied(t) == 0 {
		if time.Now().After(deadline) {
			t.Fatal("the late command never arrived")
		}
	}
}

// Where nothing comes back, not even a hello, every operation ends in time.
func TestEverythingSwallowed(t *testing.T) {
	w := startWire(t, wiretest.Options{})
	db := w.through(t, "timeoutMS=300&serverSelectionTimeoutMS=300&connectTimeoutMS=300")
	for _, ops := range []map[string]operation{writes, reads} {
		for _, op := range ops {
			_ = op(t.Context(), db) // so that connections are open
		}
	}
	w.proxy.Plan(func(wiretest.Command) wiretest.Fault { return wiretest.Fault{Kind: wiretest.Swallow} })
	began := time.Now()
	if err := writes["UpdateOne"](t.Context(), db); meaning(err) != "unknown outcome" {
		t.Errorf("the first write means %q, want unknown outcome (%v)", meaning(err), err)
	}
	for name, op := range writes { // by now the driver may know that the server is gone
		if err := op(t.Context(), db); meaning(err) != "unknown outcome" && meaning(err) != "unavailable" {
			t.Errorf("%s: means %q, want unknown outcome or unavailable (%v)", name, meaning(err), err)
		}
	}
	for name, op := range reads {
		if err := op(t.Context(), db); meaning(err) != "unavailable" {
			t.Errorf("%s: means %q, want unavailable (%v)", name, meaning(err), err)
		}
	}
	// Each may take 300 ms; a BulkWrite has a time of its own for each document.
	if took, most := time.Since(began), 20*time.Second; took > most {
		t.Errorf("the operations took %v altogether, want less than %v", took, most)
	}
	w.proxy.Mend()
	if err := retried(t, func() error { return db.Ping(t.Context()) }); err != nil {
		t.Errorf("after the network was mended: %v", err)
	}
}

// retried runs f again while the engine finds no server.
func retried(t *testing.T, f func() error) error {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	err := f()
	for meaning(err) == "unavailable" && time.Now().Before(deadline) {
		err = f()
	}
	return err
}

func TestReadsAreAskedAgain(t *testing.T) {
	for _, kind := range []wiretest.Kind{wiretest.CutBefore, wiretest.DropAnswer, wiretest.CutAnswer} {
		t.Run(kind.String(), func(t *testing.T) {
			w := startWire(t, wiretest.Options{})
			db := w.through(t, "")
			if err := counted[0].do(t.Context(), w.around); err != nil {
				t.Fatal(err)
			}
			w.proxy.Plan(func(c wiretest.Command) wiretest.Fault {
				if c.N == 1 && (c.Name == "find" || c.Name == "aggregate") {
					return wiretest.Fault{Kind: kind}
				}
				return wiretest.Fault{}
			})
			for _, name := range []string{"FindOne", "Find", "Count", "Group"} {
				if err := reads[name](t.Context(), db); err != nil {
					t.Errorf("%s: %v, want the driver's second try to answer", name, err)
				}
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "mongodb://" + listener.Addr().String() + "/ledger?serverSelectionTimeoutMS=300"
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	w := startWire(t, wiretest.Options{})
	w.proxy.Refuse()
	for name, uri := range map[string]string{"nobody listens": nobody, "connections are ended": w.proxy.URI() + "ledger?serverSelectionTimeoutMS=300"} {
		began := time.Now()
		db, err := Open(t.Context(), uri, Options{Now: time.Now})
		if err == nil {
			_ = db.Close()
		}
		if meaning(err) != "unavailable" || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %v after %v, want ErrUnavailable after the selection timeout of 300 ms", name, err, time.Since(began))
		}
	}
	w.proxy.Mend()
	db := w.through(t, "")
	w.proxy.Refuse() // while the engine has connections
	w.proxy.Mend()
	if err := counted[2].do(t.Context(), db); err != nil {
		t.Errorf("the first write after all connections were lost: %v", err)
	}
	if n := w.applied(t); n != 1 {
		t.Errorf("it was applied %d times, want once", n)
	}
}

// A write that meets an election waits for the new primary and is done once.
func TestStepDown(t *testing.T) {
	w := startWire(t, wiretest.Options{})
	db := w.through(t, "")
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	arrived := make(chan struct{}, 1)
	w.proxy.Plan(func(c wiretest.Command) wiretest.Fault {
		if c.Name == "update" && c.N == 1 {
			w.server.StepDown()
			arrived <- struct{}{}
		}
		return wiretest.Fault{}
	})
	done := make(chan error)
	go func() { done <- counted[2].do(t.Context(), db) }()
	<-arrived
	w.server.StepUp()
	if err := <-done; err != nil {
		t.Errorf("the write that met the election: %v", err)
	}
	if n := w.applied(t); n != 1 {
		t.Errorf("it was applied %d times, want once", n)
	}
	// Nobody is elected: the driver gives up.
	gone := w.through(t, "serverSelectionTimeoutMS=300&timeoutMS=1000")
	w.proxy.Plan(nil)
	w.server.StepDown()
	if err := counted[2].do(t.Context(), gone); meaning(err) != "unknown outcome" && meaning(err) != "unavailable" {
		t.Errorf("a write without a primary means %q (%v)", meaning(err), err)
	}
	if err := reads["Count"](t.Context(), gone); meaning(err) != "unavailable" {
		t.Errorf("a read without a primary means %q, want unavailable (%v)", meaning(err), err)
	}
	w.server.StepUp()
	if n := w.applied(t); n != 1 {
		t.Errorf("after writes without a primary it was applied %d times, want once", n)
	}
}
