package wiretest

import (
	"net"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		ended := s.ctx.Err() != nil
		if !ended {
			s.conns[conn] = true
			s.working.Go(func() { s.serve(conn) })
		}
		s.mu.Unlock()
		if ended {
			_ = conn.Close()
			return
		}
	}
}

// serve answers one connection's commands in turn.
func (s *Server) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		s.mu.Lock()
		delete(s.conns, conn)
		s.mu.Unlock()
	}()
	for {
		m, err := ReadMessage(conn)
		if err != nil {
			return
		}
		command, err := m.Command()
		if err != nil {
			return
		}
		raw, err := bson.Marshal(s.answer(command))
		if err != nil {
			return
		}
		if _, err := conn.Write(m.Reply(raw)); err != nil {
			return
		}
	}
}

// answer runs a command, whatever server state it meets.
func (s *Server) answer(command bson.Raw) bson.D {
	name := CommandName(command)
	if run, ok := anyState[name]; ok {
		return s.reply(run(s, command))
	}
	run, write := writes[name]
	if !write {
		if run = reads[name]; run == nil {
			return s.reply(nil, refuse(59, "CommandNotFound", "no such command: '"+name+"'"))
		}
	}
	if _, ok := command.Lookup("startTransaction").BooleanOK(); ok {
		return s.reply(nil, refuse(20, "IllegalOperation", "this server has no transactions"))
	}
	primary, version := s.isPrimary()
	switch {
	case !primary && write:
		return s.reply(nil, notPrimary(command, 10107, "NotWritablePrimary", "not primary"))
	case !primary:
		return s.reply(nil, notPrimary(command, 13435, "NotPrimaryNoSecondaryOk", "not primary and secondaryOk=false"))
	case !write:
		return s.reply(run(s, command))
	}
	answer, err := s.once(command, run)
	if _, now := s.isPrimary(); now != version && err == nil {
		err = notPrimary(command, 11602, "InterruptedDueToReplStateChange", "operation was interrupted")
	}
	return s.reply(answer, err)
}

// action carries out a command. Its answer lacks "ok".
type action func(s *Server, command bson.Raw) (bson.D, error)

// anyState are answered by a secondary too.
var anyState = map[string]action{
	"hello": (*Server).hello, "isMaster": (*Server).hello, "ismaster": (*Server).hello,
	"ping": nothing, "buildInfo": buildInfo, "endSessions": (*Server).endSessions,
	"getMore": (*Server).getMore, "killCursors": (*Server).killCursors,
}

var writes = map[string]action{
	"insert": (*Server).insert, "update": (*Server).update, "delete": (*Server).delete,
	"findAndModify": (*Server).findAndModify, "findandmodify": (*Server).findAndModify,
	"create": (*Server).create, "collMod": (*Server).collMod, "drop": (*Server).drop,
	"createIndexes": (*Server).createIndexes, "dropIndexes": (*Server).dropIndexes,
	"dropDatabase": (*Server).dropDatabase,
}

var reads = map[string]action{
	"find": (*Server).find, "aggregate": (*Server).aggregate, "count": (*Server).count,
	"explain": (*Server).explain, "listCollections": (*Server).listCollections,
	"listIndexes": (*Server).listIndexes,
}

func nothing(*Server, bson.Raw) (bson.D, error) { return nil, nil }

func buildInfo(*Server, bson.Raw) (bson.D, error) {
	return bson.D{
		{Key: "version", Value: "7.0.0"}, {Key: "versionArray", Value: bson.A{int32(7), int32(0), int32(0), int32(0)}},
		{Key: "gitVersion", Value: "wiretest"}, {Key: "modules", Value: bson.A{}}, {Key: "maxBsonObjectSize", Value: int32(16 << 20)},
	}, nil
}
