package wiretest

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// What one answer brings at most, as on a mongod: this many documents where
// the driver does not say, and about this many bytes.
const (
	firstBatch = 101
	batchBytes = 16 << 20
)

// cursor is a read that is not yet exhausted. It holds one snapshot.
type cursor struct {
	database *database
	ns       string
	session  string

	mu   sync.Mutex // one getMore at a time
	next func() (bson.Raw, error, bool)
	end  func()
}

// cursors are the open ones, by the number that drivers know them by.
type cursors struct {
	mu   sync.Mutex
	last int64
	open map[int64]*cursor
}

// newCursor runs a read until it is exhausted or killed.
func (s *Server) newCursor(d *database, coll string, command bson.Raw, read func(ctx context.Context) iter.Seq2[bson.Raw, error]) *cursor {
	ctx, cancel := context.WithCancel(s.ctx)
	next, stop := iter.Pull2(read(ctx))
	lsid, _ := command.Lookup("lsid").DocumentOK()
	return &cursor{database: d, ns: d.name + "." + coll, session: string(lsid), next: next, end: func() { stop(); cancel() }}
}

// batch reads at most n more documents; done says that there are no others.
func (c *cursor) batch(n int64) (docs bson.A, done bool, err error) {
	docs = bson.A{}
	for size := 0; int64(len(docs)) < n && size < batchBytes; {
		doc, err, more := c.next()
		if err != nil {
			return nil, true, err
		}
		if !more {
			return docs, true, nil
		}
		docs, size = append(docs, doc), size+len(doc)
	}
	return docs, false, nil
}

// first answers the command that made a cursor, and keeps the cursor when
// there may be more.
func (s *Server) first(c *cursor, batchSize bson.RawValue) (bson.D, error) {
	n, ok := batchSize.AsInt64OK()
	if !ok {
		n = firstBatch
	}
	docs, done, err := c.batch(n)
	id := int64(0)
	if done {
		c.end()
	} else {
		id = s.cursors.keep(c)
	}
	if err != nil {
		return nil, err
	}
	return cursorAnswer("firstBatch", docs, id, c.ns), nil
}

func cursorAnswer(batch string, docs bson.A, id int64, ns string) bson.D {
	return bson.D{{Key: "cursor", Value: bson.D{{Key: batch, Value: docs}, {Key: "id", Value: id}, {Key: "ns", Value: ns}}}}
}

func (all *cursors) keep(c *cursor) int64 {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.last++
	all.open[all.last] = c
	return all.last
}

// kill ends those that which chooses.
func (all *cursors) kill(which func(*cursor) bool) {
	all.mu.Lock()
	var gone []*cursor
	for id, c := range all.open {
		if which(c) {
			delete(all.open, id)
			gone = append(gone, c)
		}
	}
	all.mu.Unlock()
	for _, c := range gone {
		c.mu.Lock()
		c.end()
		c.mu.Unlock()
	}
}

func (s *Server) getMore(command bson.Raw) (bson.D, error) {
	id, _ := command.Lookup("getMore").AsInt64OK()
	s.cursors.mu.Lock()
	c := s.cursors.open[id]
	s.cursors.mu.Unlock()
	if c == nil {
		return nil, refuse(43, "CursorNotFound", fmt.Sprintf("cursor id %d not found", id))
	}
	n, ok := command.Lookup("batchSize").AsInt64OK()
	if !ok || n == 0 {
		n = batchBytes
	}
	c.mu.Lock()
	docs, done, err := c.batch(n)
	c.mu.Unlock()
	if done {
		s.cursors.kill(func(other *cursor) bool { return other == c })
		id = 0
	}
	if err != nil {
		return nil, err
	}
	return cursorAnswer("nextBatch", docs, id, c.ns), nil
}

func (s *Server) killCursors(command bson.Raw) (bson.D, error) {
	list, err := command.Lookup("cursors").Array().Values()
	if err != nil {
		return nil, refuse(9, "FailedToParse", "killCursors without cursors")
	}
	killed, gone := bson.A{}, bson.A{}
	for _, v := range list {
		id, _ := v.AsInt64OK()
		s.cursors.mu.Lock()
		c := s.cursors.open[id]
		s.cursors.mu.Unlock()
		if c == nil {
			gone = append(gone, id)
			continue
		}
		s.cursors.kill(func(other *cursor) bool { return other == c })
		killed = append(killed, id)
	}
	return bson.D{
		{Key: "cursorsKilled", Value: killed}, {Key: "cursorsNotFound", Value: gone},
		{Key: "cursorsAlive", Value: bson.A{}}, {Key: "cursorsUnknown", Value: bson.A{}},
	}, nil
}
