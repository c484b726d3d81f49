package mongodb

import (
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"
)

// scriptedServer speaks enough of the wire protocol for the driver to take it
// for a mongod, and answers each command as a test says. What a real server
// does once in a thousand hours, it does on command.
type scriptedServer struct {
	replicaSet bool // the driver retries writes only on these
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
		if commandName(c) == name {
			out = append(out, c)
		}
	}
	return out
}

func (s *scriptedServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for {
		id, command, legacy, err := readCommand(conn)
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
		if _, err := conn.Write(replyMessage(id, raw, legacy)); err != nil {
			return
		}
	}
}

func (s *scriptedServer) answerTo(command bson.Raw) any {
	name := commandName(command)
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
	if s.replicaSet {
		hello = append(hello, bson.D{
			{Key: "setName", Value: "rs"}, {Key: "setVersion", Value: 1}, {Key: "primary", Value: s.addr},
			{Key: "me", Value: s.addr}, {Key: "hosts", Value: bson.A{s.addr}},
		}...)
	}
	return hello
}

func commandName(command bson.Raw) string {
	elements, err := command.Elements()
	if err != nil || len(elements) == 0 {
		return ""
	}
	return elements[0].Key()
}

// readCommand reads an OP_MSG, or the OP_QUERY by which the driver says hello.
// The documents of an insert, which travel beside the command, are put in it.
func readCommand(conn net.Conn) (id int32, command bson.Raw, legacy bool, err error) {
	head := make([]byte, 16)
	if _, err := io.ReadFull(conn, head); err != nil {
		return 0, nil, false, err
	}
	_, id, _, opcode, _, _ := wiremessage.ReadHeader(head)
	body := make([]byte, binary.LittleEndian.Uint32(head)-16)
	if _, err := io.ReadFull(conn, body); err != nil {
		return 0, nil, false, err
	}
	if opcode == wiremessage.OpQuery {
		_, body, _ = wiremessage.ReadQueryFlags(body)
		_, body, _ = wiremessage.ReadQueryFullCollectionName(body)
		query, _, _ := wiremessage.ReadQueryQuery(body[8:])
		return id, bson.Raw(query), true, nil
	}
	_, body, _ = wiremessage.ReadMsgFlags(body)
	var all bson.D
	for len(body) > 0 {
		var kind wiremessage.SectionType
		kind, body, _ = wiremessage.ReadMsgSectionType(body)
		if kind == wiremessage.SingleDocument {
			doc, rest, _ := wiremessage.ReadMsgSectionSingleDocument(body)
			var fields bson.D
			if err := bson.Unmarshal(doc, &fields); err != nil {
				return 0, nil, false, err
			}
			all, body = append(fields, all...), rest
			continue
		}
		name, docs, rest, _ := wiremessage.ReadMsgSectionDocumentSequence(body)
		list := bson.A{}
		for _, d := range docs {
			list = append(list, bson.Raw(d))
		}
		all, body = append(all, bson.E{Key: name, Value: list}), rest
	}
	command, err = bson.Marshal(all)
	return id, command, false, err
}

func replyMessage(to int32, doc bson.Raw, legacy bool) []byte {
	opcode := wiremessage.OpMsg
	if legacy {
		opcode = wiremessage.OpReply
	}
	_, msg := wiremessage.AppendHeaderStart(nil, 1, to, opcode)
	if legacy {
		msg = wiremessage.AppendReplyFlags(msg, 0)
		msg = wiremessage.AppendReplyCursorID(msg, 0)
		msg = wiremessage.AppendReplyStartingFrom(msg, 0)
		msg = wiremessage.AppendReplyNumberReturned(msg, 1)
	} else {
		msg = wiremessage.AppendMsgFlags(msg, 0)
		msg = wiremessage.AppendMsgSectionType(msg, wiremessage.SingleDocument)
	}
	msg = append(msg, doc...)
	binary.LittleEndian.PutUint32(msg, uint32(len(msg)))
	return msg
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
