package wiretest

import (
	"net"
	"sync"
	"time"
)

// link is one connection through the proxy.
type link struct {
	p      *Proxy
	client net.Conn
	server net.Conn // nil where there is none to connect to

	mu      sync.Mutex
	answers map[int32]Fault // by the request's ID

	once  sync.Once
	ended chan struct{}
}

// cut ends both sides, so that a peer notices at once.
func (l *link) cut() {
	l.once.Do(func() {
		close(l.ended)
		if tcp, ok := l.client.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, not a polite end
		}
		_ = l.client.Close()
		if l.server != nil {
			_ = l.server.Close()
		}
	})
}

// forward takes requests to the server.
func (l *link) forward() {
	for {
		m, err := ReadMessage(l.client)
		if err != nil {
			l.cut()
			return
		}
		fault := l.p.decide(m)
		if fault.Kind == CutBefore {
			l.cut()
			return
		}
		if err := l.send(m, fault); err != nil {
			l.cut()
			return
		}
	}
}

// send sends a request, now or later.
func (l *link) send(m Message, fault Fault) error {
	if fault.Kind == DelayCommand {
		l.p.hold(1)
		defer l.p.hold(-1)
		l.pause(fault.For)
	}
	l.mu.Lock()
	l.answers[m.ID()] = fault
	l.mu.Unlock()
	_, err := l.server.Write(m)
	return err
}

// back takes answers to the driver.
func (l *link) back() {
	defer l.cut()
	for {
		m, err := ReadMessage(l.server)
		if err != nil {
			return
		}
		l.mu.Lock()
		fault := l.answers[m.To()]
		delete(l.answers, m.To())
		l.mu.Unlock()
		switch fault.Kind {
		case DropAnswer:
			return
		case CutAnswer:
			_, _ = l.client.Write(m[:len(m)/2])
			return
		case Swallow:
			continue
		case DelayAnswer:
			l.pause(fault.For)
		}
		if _, err := l.client.Write(m); err != nil {
			return
		}
	}
}

// pause waits, but not beyond the end of the link.
func (l *link) pause(d time.Duration) {
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-l.ended:
	}
}
