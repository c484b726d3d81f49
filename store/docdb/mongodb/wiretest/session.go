package wiretest

import (
	"fmt"
	"slices"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// session remembers a driver's last write, so that the same write sent again
// is answered and not applied again. A mongod remembers statement by statement,
// this one the answer to the whole command: here a command that began always
// runs to its end.
type session struct {
	mu     sync.Mutex // a retry waits for the try before it
	number int64
	answer bson.D
}

// once runs a write, unless its (lsid, txnNumber) was run before.
func (s *Server) once(command bson.Raw, run action) (bson.D, error) {
	number, retryable := command.Lookup("txnNumber").AsInt64OK()
	if !retryable {
		return run(s, command)
	}
	if s.opts.Standalone {
		return nil, refuse(20, "IllegalOperation", "Transaction numbers are only allowed on a replica set member or mongos")
	}
	session := s.session(command.Lookup("lsid"))
	session.mu.Lock()
	defer session.mu.Unlock()
	switch {
	case number < session.number:
		return nil, refuse(225, "TransactionTooOld", fmt.Sprintf("Retryable write with txnNumber %d is prohibited: a newer one, %d, has started", number, session.number))
	case number == session.number && session.answer != nil:
		return append(slices.Clone(session.answer), bson.E{Key: "retriedStmtIds", Value: bson.A{int32(0)}}), nil
	}
	answer, err := run(s, command)
	if err == nil {
		session.number, session.answer = number, answer
	}
	return answer, err
}

func (s *Server) session(lsid bson.RawValue) *session {
	key := string(lsid.Value)
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.sessions[key]
	if !ok {
		found = &session{number: -1}
		s.sessions[key] = found
	}
	return found
}

// endSessions forgets the sessions that a driver gives back, and ends their
// cursors.
func (s *Server) endSessions(command bson.Raw) (bson.D, error) {
	list, err := documents(command, "endSessions")
	if err != nil {
		return nil, err
	}
	for _, lsid := range list {
		s.mu.Lock()
		delete(s.sessions, string(lsid))
		s.mu.Unlock()
		s.cursors.kill(func(c *cursor) bool { return c.session == string(lsid) })
	}
	return nil, nil
}
