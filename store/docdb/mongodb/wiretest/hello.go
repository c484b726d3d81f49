package wiretest

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// wireVersion is that of MongoDB 7.0.
const wireVersion = 21

// hello says what the server is. A driver that tells which answer it has
// already (topologyVersion) waits for another one.
func (s *Server) hello(command bson.Raw) (bson.D, error) {
	if seen, ok := command.Lookup("topologyVersion", "counter").Int64OK(); ok {
		wait, _ := command.Lookup("maxAwaitTimeMS").AsInt64OK()
		s.await(seen, time.Duration(wait)*time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	hello := bson.D{
		{Key: "helloOk", Value: true}, {Key: "ismaster", Value: s.primary}, {Key: "isWritablePrimary", Value: s.primary},
		{Key: "topologyVersion", Value: s.topologyVersion()},
		{Key: "maxBsonObjectSize", Value: int32(16 << 20)}, {Key: "maxMessageSizeBytes", Value: int32(maxMessageSize)},
		{Key: "maxWriteBatchSize", Value: int32(100_000)}, {Key: "logicalSessionTimeoutMinutes", Value: int32(30)},
		{Key: "minWireVersion", Value: int32(0)}, {Key: "maxWireVersion", Value: int32(wireVersion)}, {Key: "readOnly", Value: false},
	}
	if s.opts.Standalone {
		return hello, nil
	}
	hello = append(hello, bson.D{
		{Key: "setName", Value: replicaSet}, {Key: "setVersion", Value: int32(1)}, {Key: "secondary", Value: !s.primary},
		{Key: "hosts", Value: bson.A{s.me}}, {Key: "me", Value: s.me},
	}...)
	if s.primary {
		hello = append(hello, bson.E{Key: "primary", Value: s.me})
	}
	return hello, nil
}

// topologyVersion lets a driver tell old news from new. s.mu is held.
func (s *Server) topologyVersion() bson.D {
	return bson.D{{Key: "processId", Value: s.process}, {Key: "counter", Value: s.version}}
}

// await waits until hello would say something else than in version seen.
func (s *Server) await(seen int64, atMost time.Duration) {
	s.mu.Lock()
	changed, version := s.changed, s.version
	s.mu.Unlock()
	if version != seen {
		return
	}
	timeout := time.NewTimer(atMost)
	defer timeout.Stop()
	select {
	case <-changed:
	case <-timeout.C:
	case <-s.ctx.Done():
	}
}
