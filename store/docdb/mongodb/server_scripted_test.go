package mongodb

import (
	"context"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb/mongodb/wiretest"
)

// scriptedServer speaks enough of the wire protocol for the driver to take it
// for a mongod, and answers each command as a test says. What a real server
// does once in a thousand hours, it does on command.
type scriptedServer struct {
	replicaSet bool // the driver retries writes only on these
	mongos     bool // … and on these
	answer     func(name string, command bson.Raw) any

	addr     string
	listener net.Listener // closed, nobody gets in any more

	mu   sync.Mutex
	seen []bson.Raw // the commands, but those by which the driver watches
}

// What a script answers instead of a document.
var (
	hangUp  = new(int) // closes the connection: the answer is lost
	silence = new(int) // never answers
)

var ok = bson.D{{Key: "ok", Value: 1}}

// startServer runs a server until the test ends.
func startServer(t *testing.T, s *scriptedServer) *scriptedServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr, s.listener = listener.Addr().String(), listener
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			go s.serve(conn)
		}
	}()
	return s
}

// openOn opens the engine on s; query is the URI's, "" for none.
func openOn(t *testing.T, s *scriptedServer, query string) *DB {
	t.Helper()
	db, err := Open(t.Context(), "mongodb://"+s.addr+"/ledger?"+query, Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatalf("open on the scripted server: %v", err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// commands are those of a name that arrived so far.
func (s *scriptedServer) commands(name string) []bson.Raw {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []bson.Raw
	for _, c := range s.seen {
		if wiretest.CommandName(c) == name {
			out = append(out, c)
		}
	}
	return out
}

func (s *scriptedServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for {
		m, err := wiretest.ReadMessage(conn)
		if err != nil {
			return
		}
		command, err := m.Command()
		if err != nil {
			return
		}
		answer := s.answerTo(command)
		if answer == hangUp {
			return
		}
		if answer == silence {
			_, _ = io.Copy(io.Discard, conn)
			return
		}
		raw, err := bson.Marshal(answer)
		if err != nil {
			panic(err)
		}
		if _, err := conn.Write(m.Reply(raw)); err != nil {
			return
		}
	}
}

func (s *scriptedServer) answerTo(command bson.Raw) any {
	name := wiretest.CommandName(command)
	switch name {
	case "hello", "isMaster", "ismaster":
		return s.hello()
	case "ping", "endSessions":
		return ok
	}
	s.mu.Lock()
	defer s.mu.Unlock() // one command after the other: scripts count
	s.seen = append(s.seen, command)
	if s.answer == nil {
		return ok
	}
	return s.answer(name, command)
}

func (s *scriptedServer) hello() bson.D {
	hello := bson.D{
		{Key: "ismaster", Value: true}, {Key: "isWritablePrimary", Value: true}, {Key: "helloOk", Value: true},
		{Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 21},
		{Key: "maxBsonObjectSize", Value: 16 << 20}, {Key: "maxMessageSizeBytes", Value: 48000000},
		{Key: "maxWriteBatchSize", Value: 100000}, {Key: "logicalSessionTimeoutMinutes", Value: 30},
		{Key: "ok", Value: 1},
	}
	if s.mongos {
		hello = append(hello, bson.E{Key: "msg", Value: "isdbgrid"})
	}
	if s.replicaSet {
		hello = append(hello, bson.D{
			{Key: "setName", Value: "rs"}, {Key: "setVersion", Value: 1}, {Key: "primary", Value: s.addr},
			{Key: "me", Value: s.addr}, {Key: "hosts", Value: bson.A{s.addr}},
		}...)
	}
	return hello
}

// logLines collects what the engine logs.
type logLines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// openLogged is openOn with the log kept.
func openLogged(t *testing.T, s *scriptedServer) (*DB, *logLines) {
	t.Helper()
	lines := new(logLines)
	db, err := Open(context.Background(), "mongodb://"+s.addr+"/ledger", Options{Log: slog.New(slog.NewTextHandler(lines, nil)), Now: time.Now})
	if err != nil {
		t.Fatalf("open on the scripted server: %v", err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db, lines
}
