// Package wiretest is a MongoDB server for tests, and a proxy that misbehaves.
// The server speaks the wire protocol as a mongod does, in the shapes and codes
// that mongod answers with, and keeps its documents in the embedded engine.
//
// What a test that passes on it proves: how the driver is used (connections,
// sessions, retries, cursors, timeouts), how documents are encoded, how answers
// and errors are read, that a retried write is one write, that the ledger holds
// when many work over the wire at once, that connections may break anywhere,
// and that nothing in store leans on one engine.
//
// What it cannot prove is mongod's own semantics: how it plans queries, sorts
// and compares, how it replicates, elects and rolls back, what its validators
// refuse. The embedded engine answers here, and the contract suite is what
// holds the two to the same answers. For that set RASEED_TEST_MONGODB_URI to a
// real server.
//
// Left out, each refused: transactions, change streams, users, compression,
// collations. TTL indexes are kept and listed; nothing is deleted by them.
// Validators are kept and read back, and not applied.
package wiretest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Options are how a server presents itself.
type Options struct {
	// Standalone makes it a mongod that is in no replica set, where drivers
	// cannot retry writes. Else it is the primary of a set of one.
	Standalone bool
}

// replicaSet is the name of the set of one.
const replicaSet = "rs"

// Server is a running server. Its methods are safe for concurrent use.
type Server struct {
	opts     Options
	listener net.Listener
	dir      string
	process  bson.ObjectID // tells this run of the server from others
	ctx      context.Context
	stop     context.CancelFunc
	working  sync.WaitGroup

	mu        sync.Mutex
	me        string // the address that it tells drivers
	primary   bool
	version   int64         // of what hello says
	changed   chan struct{} // closed when version grows
	conns     map[net.Conn]bool
	databases map[string]*database
	sessions  map[string]*session
	cursors   cursors
}

// Start runs a server on a free port of 127.0.0.1 until Close.
func Start(opts Options) (*Server, error) {
	dir, err := scratch()
	if err != nil {
		return nil, fmt.Errorf("start the test server: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the test server: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	s := &Server{
		opts: opts, listener: listener, dir: dir, process: bson.NewObjectID(), ctx: ctx, stop: stop,
		me: listener.Addr().String(), primary: true, version: 1, changed: make(chan struct{}),
		conns: map[net.Conn]bool{}, databases: map[string]*database{}, sessions: map[string]*session{},
	}
	s.cursors.open = map[int64]*cursor{}
	s.working.Go(s.accept)
	return s, nil
}

// scratch is a new folder, in memory where the machine has such a place: what
// this server keeps is forgotten anyway.
func scratch() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "wiretest"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "wiretest")
}

// Addr is where the server listens.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URI is the server's address for drivers. It ends in "/": a test adds the name
// of its database and what else a URI may say.
func (s *Server) URI() string { return "mongodb://" + s.Addr() + "/" }

// StepDown makes the server a secondary that refuses writes and reads, as a
// primary does that lost an election. Writes that it is at end in doubt: they
// are applied, and their answer is that the server stepped down.
func (s *Server) StepDown() { s.become(func() { s.primary = false }) }

// StepUp makes it the primary again.
func (s *Server) StepUp() { s.become(func() { s.primary = true }) }

// advertise makes the server call itself addr, where a proxy listens: drivers
// go where a replica set says that its members are.
func (s *Server) advertise(addr string) { s.become(func() { s.me = addr }) }

func (s *Server) become(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

// isPrimary also tells the version of that answer.
func (s *Server) isPrimary() (bool, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.primary, s.version
}

// Close ends every connection and deletes what the server kept.
func (s *Server) Close() error {
	s.stop()
	err := s.listener.Close()
	s.mu.Lock()
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	s.working.Wait()
	s.cursors.kill(func(*cursor) bool { return true })
	for _, d := range s.databases {
		err = errors.Join(err, d.close())
	}
	if err = errors.Join(err, os.RemoveAll(s.dir)); err != nil {
		return fmt.Errorf("close the test server: %w", err)
	}
	return nil
}
