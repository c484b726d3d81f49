package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"raseed/store/docdb"
)

// maxIdle bounds the connections that are kept for the next reads. In use there
// may be more: a read inside of the loop over another one must never wait for
// it.
const maxIdle = 16

// readers lends connections for reading, the last used first.
type readers struct {
	open   func() (*conn, error)
	mu     sync.Mutex
	idle   []*conn
	lent   int
	closed bool
	barred func() // called when the last connection lent is back; nil when reading is allowed
}

var errClosed = errors.New("the database is closed")

func (p *readers) take() (*conn, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	if p.barred != nil {
		p.mu.Unlock()
		return nil, errDistrusted
	}
	p.lent++
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := p.open()
	if err != nil {
		p.back()
	}
	return c, err
}

func (p *readers) put(c *conn) {
	p.mu.Lock()
	if !p.closed && p.barred == nil && len(p.idle) < maxIdle {
		p.idle = append(p.idle, c)
		p.lent--
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	c.close()
	p.back()
}

// back counts a connection that is no longer lent.
func (p *readers) back() {
	p.mu.Lock()
	p.lent--
	last := p.barred
	if p.lent > 0 {
		last = nil
	}
	p.mu.Unlock()
	if last != nil {
		last()
	}
}

// bar lends nothing more, and calls gone once nothing is lent.
func (p *readers) bar(gone func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.barred = gone
}

// drop closes all connections if none is lent, and says whether that was so.
func (p *readers) drop() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lent > 0 {
		return false
	}
	for _, c := range p.idle {
		c.close()
	}
	p.idle = nil
	return true
}

func (p *readers) use(f func(c *conn) error) error {
	c, err := p.take()
	if err != nil {
		return err
	}
	defer p.put(c)
	return f(c)
}

func (p *readers) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var err error
	for _, c := range p.idle {
		err = errors.Join(err, c.close())
	}
	p.idle = nil
	return err
}

// read runs f on a connection of its own, and ends what it runs there when ctx
// ends.
func (db *DB) read(ctx context.Context, f func(c *conn) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", docdb.ErrUnavailable, err)
	}
	err := db.readers.use(func(c *conn) error {
		if ctx.Done() == nil {
			return f(c)
		}
		ended := make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			c.interrupt()
			close(ended)
		})
		defer func() {
			if !stop() {
				<-ended // else it could hit the connection's next user
			}
		}()
		return f(c)
	})
	return readError(ctx, err)
}
